"""The names that code reads and binds, attributes of `self` among them: `self.x` is a name of its own here."""

from __future__ import annotations

import ast
from collections.abc import Container

from tf_migrate.syntax.module import Module

NOT_PLAIN = ast.Global | ast.Nonlocal | ast.Yield | ast.YieldFrom | ast.Await | ast.Import | ast.ImportFrom | ast.Return
"""Statements and expressions that bind or leave in a way that reading names does not show."""


def loads_of(node: ast.AST, hidden: Container[ast.AST] = ()) -> set[str]:
    """The names that code reads, without the nodes that are hidden."""
    found = set()
    for inner in ast.walk(node):
        if inner in hidden:
            continue
        if isinstance(inner, ast.Attribute) and _is_own(inner):
            found.add(f"self.{inner.attr}")
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load) and inner.id != "self":
            found.add(inner.id)
    return found


def stores_of(module: Module, node: ast.AST) -> set[str]:
    """The names that code binds, of its own scope and not of functions or comprehensions inside it."""
    home = module.function_of(node)
    found = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and _is_own(inner) and not isinstance(inner.ctx, ast.Load):
            found.add(f"self.{inner.attr}")
        elif isinstance(inner, ast.FunctionDef | ast.ClassDef) and module.function_of(inner) is home:
            found.add(inner.name)
        elif isinstance(inner, ast.Name) and module.function_of(inner) is home and _is_bound(module, inner):
            found.add(inner.id)
    return found


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def _is_bound(module: Module, name: ast.Name) -> bool:
    """Whether a name is bound where it stands, and not only inside a comprehension."""
    node: ast.AST = name
    while isinstance(node, ast.Name | ast.Tuple | ast.List | ast.Starred):
        node = module.parents[node]
    return not isinstance(name.ctx, ast.Load) and not isinstance(node, ast.comprehension)
