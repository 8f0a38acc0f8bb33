"""What TensorFlow 2's optimizer may compute of one output where two are meant; steps keep these apart."""

from __future__ import annotations

from collections.abc import Iterable

from tf_migrate.names.merged_outputs import may_be_merged
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.runs import Run
from tf_migrate.stages.unfed import calls_in
from tf_migrate.stages.values import Refused


def require_apart(program: Program, run: Run, units: Iterable[Unit]) -> None:
    """Refuses statements of a run that a plain function may compute otherwise."""
    for unit in units:
        found = (call for call, names in calls_in(unit.node, program.names) if may_be_merged(call, names))
        if (call := next(found, None)) is not None:
            what = f"line {call.lineno} may be computed of one output of an operation where two are meant"
            raise Refused(run.site.node, what, "write it by `tf.square(a - b)`, or by `tf.where` for a maximum")
