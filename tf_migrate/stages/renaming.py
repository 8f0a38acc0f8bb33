"""Names that mean one value first and another later: what the earlier one means may get a name of its own."""

from __future__ import annotations

import ast
from itertools import takewhile

from tf_migrate.stages.program import Program
from tf_migrate.stages.values import Binding, Stage
from tf_migrate.syntax.module import Module


def can_be_renamed(program: Program, name: str, binding: Binding) -> bool:
    """Whether the script shows every place where a name means this one variable, or this Python value of a method."""
    kept = binding.value.stage is Stage.PYTHON and _is_shown(program, name, binding)
    if not (kept or binding.value.stage is Stage.VARIABLE) or binding.value.parts is not None or binding.depth:
        return False
    meant = [
        node
        for node, known in program.resolved.items()
        if isinstance(node, ast.Name) and node.id == name and known in (binding, None)
    ]
    begun = (unit.node for unit in program.units if unit.begins.get(name) is binding)
    inside = {inner for node in begun for inner in ast.walk(node)}
    straight = (None, *program.entered.values())
    certain = all(
        (program.resolved[node] is binding or node in inside) and program.module.function_of(node) in straight
        for node in meant
    )
    parents = program.module.parents
    return certain and not any(isinstance(parents.get(node), ast.FormattedValue) for node in meant)


def _is_shown(program: Program, name: str, binding: Binding) -> bool:
    """Whether the analysis met every place that reads a local name, and no function inside sees it."""
    home, module = binding.home, program.module
    if home is None or not isinstance(binding.node, ast.Name):
        return False
    for node in ast.walk(home):
        if not isinstance(node, ast.Name) or node.id != name:
            continue
        scope = module.scope_of(node)
        own = scope.node is home
        hidden = not own and name not in scope.bindings
        unread = own and isinstance(node.ctx, ast.Load) and node not in program.resolved
        if hidden or unread or isinstance(node.ctx, ast.Del) or isinstance(module.parents[node], ast.AugAssign):
            return False
        if own and isinstance(node.ctx, ast.Store) and not _is_straight(module, node, home):
            return False
    return True


def _is_straight(module: Module, node: ast.AST, home: ast.FunctionDef) -> bool:
    """Whether no loop or condition is around a node in its function: behind one, a name may mean either value."""
    inside = takewhile(lambda place: place is not home, module.around(node))
    return all(isinstance(place, ast.Assign | ast.With) for place in inside if isinstance(place, ast.stmt))
