"""The names that code reads and binds, attributes of `self` among them: `self.x` is a name of its own here."""

from __future__ import annotations

import ast
from collections.abc import Container, Sequence

from tf_migrate.syntax.module import Module, Scope

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_SCOPES = _FUNCTIONS | ast.ClassDef | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

NOT_PLAIN = ast.Global | ast.Nonlocal | ast.Yield | ast.YieldFrom | ast.Await | ast.Import | ast.ImportFrom | ast.Return
"""Statements and expressions that bind or leave in a way that reading names does not show."""


def loads_of(node: ast.AST, hidden: Container[ast.AST] = ()) -> set[str]:
    """The names that code reads, without the nodes that are hidden, and names that functions inside it bind."""
    found = set()
    if isinstance(node, ast.Attribute) and _is_own(node) and node not in hidden:
        found.add(f"self.{node.attr}")
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id != "self" and node not in hidden:
        found.add(node.id)
    if not isinstance(node, _FUNCTIONS):
        return found.union(*(loads_of(child, hidden) for child in ast.iter_child_nodes(node)))
    body = node.body if isinstance(node.body, list) else [node.body]
    around = [child for child in ast.iter_child_nodes(node) if child not in body]
    inner = set().union(*(loads_of(item, hidden) for item in body))
    return (inner - _local_names(node.args, body)).union(*(loads_of(child, hidden) for child in around))


def _local_names(arguments: ast.arguments, body: Sequence[ast.AST]) -> set[str]:
    """The names that a function binds: its arguments, and what its own statements bind."""
    found = {inner.arg for inner in ast.walk(arguments) if isinstance(inner, ast.arg)}
    given: set[str] = set()
    pending = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Global | ast.Nonlocal):
            given.update(node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        if not isinstance(node, _SCOPES):
            pending += ast.iter_child_nodes(node)
    return found - given


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


def loads_in(module: Module, name: str, inside: Container[ast.AST]) -> list[ast.Name]:
    """Where a name is read, of these nodes."""
    return [load for load in module.loads.get(name, []) if load in inside]


def imports_of(scope: Scope, node: ast.Name) -> list[tuple[ast.Import | ast.ImportFrom, ast.alias]]:
    """The imports that bind a name in its scope."""
    return [item for item in scope.bindings[node.id] if isinstance(item, tuple)]


def is_imported(module: Module, name: str) -> bool:
    """Whether only imports bind a name at the top level of its module."""
    bound = module.root.bindings.get(name, [])
    return bool(bound) and all(isinstance(item, tuple) for item in bound)
