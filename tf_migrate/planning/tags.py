"""The tags of summaries: TensorFlow 1 numbered the scope of each among all operations and scopes of the graph."""

from __future__ import annotations

import ast

from tf_migrate.planning.graph_names import GraphNames, literal, names_at
from tf_migrate.stages.program import Program, Unit, scope_names
from tf_migrate.stages.values import Refused


def tags_of(program: Program) -> dict[ast.Call, str]:
    """The tag of each summary that a statement makes; raises Refused where an operation may have taken its name."""
    found: dict[ast.Call, str] = {}
    for unit, names, scope in names_at(program):
        for call in unit.summaries:
            names.require_free(call, unit)
            found[call] = names.unique(scope + literal(call.args[0]))
        _require_as_written(names, unit, scope)
    return found


def _require_as_written(names: GraphNames, unit: Unit, scope: str) -> None:
    """Refuses a statement that calls what makes summaries, where TensorFlow 1 numbered one of them, or their scope."""
    written = "".join(f"{name}/" for name in scope_names(unit))
    for hidden in unit.hidden:
        word = ast.unparse(hidden.call.args[0]) if hidden.name is None else hidden.name
        free = "variable" not in unit.creates and names.unsure.isdisjoint(unit.scopes)
        free = free and (hidden.name is None or not names.is_taken(scope, word))
        if names.unique(scope + word) != written + word or not free:
            raise Refused(unit.node, f"TF1 may have numbered the summary `{written}{word}`", "rename it, or its scope")
