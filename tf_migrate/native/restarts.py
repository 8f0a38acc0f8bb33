"""Another run of the initializer, which gives variables their first values again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tf_migrate.changes.edits import Edit, render
from tf_migrate.native.layout import is_alone, joined
from tf_migrate.stages.program import Program
from tf_migrate.stages.restarts import Restart
from tf_migrate.stages.values import Refused, Variable
from tf_migrate.syntax.arguments import argument


def restart_edit(
    program: Program, restart: Restart, edits: Sequence[Edit], listed: Callable[[Sequence[Variable]], str]
) -> Edit:
    """The statements that give variables their first values again, in the place of the initializer's run."""
    source = program.module.source
    if not is_alone(source, restart.statement):
        raise Refused(restart.statement, "the statement shares its line with another", "give it a line of its own")
    lines = []
    for variable in restart.variables:
        initial = argument(variable.call, "initial_value", 0)
        assert initial is not None
        name, shape = listed([variable])[1:-1], restart.shapes.get(variable.call)
        own = [] if shape is None else [Edit(*source.span(shape), f"{name}.shape", encloses=True)]
        value = joined(render(source.text, [*edits, *own], *source.span(initial)))
        lines.append(f"{name}.assign({value})")
    indented = f"\n{' ' * restart.statement.col_offset}".join(lines)
    return Edit(*source.span(restart.statement), indented, encloses=True)
