"""What is called, by the name that imports give it: `np.prod` is `numpy.prod`."""

from __future__ import annotations

import ast

from tf_migrate.syntax.module import Module

_ALIASES = 5  # how many names deep a module is looked for


def callee(node: ast.expr, module: Module, depth: int = 0) -> str | None:
    """The dotted name of what is called, through plain imports and names of their own: `np.prod` is `numpy.prod`."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.insert(0, node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    bindings = module.root.bindings.get(node.id, [])
    # Cells of a notebook import the same thing again.
    names = {_bound(binding, module, depth) for binding in bindings} if bindings else {node.id}
    name = names.pop() if len(names) == 1 else None
    return None if name is None else ".".join([name, *attributes])


def _bound(binding: object, module: Module, depth: int) -> str | None:
    """The dotted name of what a binding imports, or takes from what is imported."""
    if isinstance(binding, ast.Attribute) and depth < _ALIASES:
        return callee(binding, module, depth + 1)
    if not isinstance(binding, tuple):
        return None
    statement, alias = binding
    if isinstance(statement, ast.ImportFrom):
        return None if statement.level else f"{statement.module or ''}.{alias.name}"
    return str(alias.name if alias.asname else alias.name.partition(".")[0])
