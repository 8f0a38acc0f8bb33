"""What became of queues: for each batch the function that makes its elements of those of another queue."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from tf_migrate.names.run_sites import RunSite
from tf_migrate.plan import Form, Function
from tf_migrate.stages.elements import taken_by
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.queues import Batch
from tf_migrate.stages.runs import Fetch, Leaf, Run, Sequence
from tf_migrate.stages.slices import require_unchanged, slice_of
from tf_migrate.stages.values import Binding, Iteration, Refused, Stage

_ONE_QUEUE = "read each queue in one place"


def parsers_of(program: Program, renamed: set[Binding]) -> dict[Iteration, Function]:
    """The functions that make the elements of batches, by the batch."""
    found: dict[Iteration, Function] = {}
    for iteration, batch in program.batches.items():
        unit = next((unit for unit in program.units if unit.value.iteration is iteration), None)
        if unit is None:
            raise Refused(batch.call, "what is batched has no name", "bind the batch to names")
        found[iteration] = _parser(program, unit, batch, renamed)
    sources = [function.parameters[0].index for function in found.values()]
    if len(set(sources)) < len(sources):
        raise Refused(next(iter(program.batches)).call, "two batches take from one queue", _ONE_QUEUE)
    return found


def _parser(program: Program, unit: Unit, batch: Batch, renamed: set[Binding]) -> Function:
    run = _as_run(program, batch)
    found = slice_of(program, run)
    filling = [known for known in found.parameters if known.value.iteration and known.value.iteration.queue]
    if len(filling) != 1 or len(found.parameters) != 1 or found.unfed:
        raise Refused(batch.call, "what is batched does not come from one queue", "read the inputs from one queue")
    source, made = filling[0].value.iteration, unit.value.iteration
    assert source is not None and source.queue is not None and made is not None and made.queue is not None
    if source.queue.kind == "batches":
        raise Refused(batch.call, "a batch is made of batches", "batch once, or build a `tf.data.Dataset`")
    if made.queue.threaded and not made.queue.shuffled and not source.queue.shuffled:
        raise Refused(batch.call, "TF1 left open in which order several threads fill a queue", "use one thread")
    for name, binding in found.captured:
        if binding.value.is_graph and binding.value.stage is not Stage.CONSTANT:
            raise Refused(batch.call, f"what is batched depends on `{name}`", "use it behind the batch")
    if any(known.creates or known.gradients or known.describes for known in found.units):
        raise Refused(batch.call, "what is batched is computed by layers", "compute it behind the batch")
    require_unchanged(program, run, found, renamed)
    leaves = run.leaves
    form: Form = "tuple" if isinstance(run.fetches, Sequence) and len(leaves) > 1 else "single"
    reads = tuple(run.reads.values())
    return Function(found.parameters, (), found.units, (), leaves, run.fetches, form, unit.index, reads)


def _as_run(program: Program, batch: Batch) -> Run:
    """What a batch takes, as if one run fetched it."""
    leaves = tuple(Leaf(node, value) for node, value in batch.items)
    fetches: Fetch
    if isinstance(batch.listed, ast.List | ast.Tuple):
        fetches = Sequence(batch.listed, leaves)
    else:
        (fetches,) = leaves
    line, column = program.module.position(batch.call)
    site = RunSite(batch.call, "Session.run", line, column, None, False)
    statement = program.module.statement_of(batch.call)
    return Run(site, statement, fetches, (), batch.reads, batch.impure, batch.env, 0, True, None)


def require_queues(
    program: Program, run: Run, parameters: Iterable[Unit], parsers: Mapping[Iteration, Function]
) -> None:
    """Refuses a run that competes with a batch for what a queue gives, or comes when nothing fills it any more."""
    consumed = {function.parameters[0].index for function in parsers.values()}
    for unit in taken_by(run, parameters):
        if unit.index in consumed:
            raise Refused(run.site.node, "the run takes from a queue what a batch takes as well", _ONE_QUEUE)
        queue = unit.value.iteration is not None and unit.value.iteration.queue is not None
        if queue and run.site.node in program.late:
            raise Refused(run.site.node, "the run takes from a queue behind the end of its threads", "stop them last")


def is_identity(function: Function) -> bool:
    """Whether a batch takes its elements as they come."""
    names = list(function.parameters[0].binds)
    return not function.rest and [ast.unparse(leaf.node) for leaf in function.results] == names
