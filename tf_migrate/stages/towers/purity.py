"""Code of towers that does more than to build: TF1 ran it once for each tower, a function is traced more often."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tf_migrate.stages.towers.reading import LEFT, Towers, stored_in
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.callee import callee
from tf_migrate.syntax.module import Module

_CHANGING = frozenset(
    {
        "add",
        "append",
        "clear",
        "discard",
        "extend",
        "insert",
        "pop",
        "popitem",
        "remove",
        "setdefault",
        "sort",
        "update",
    }
)


def require_pure(module: Module, towers: Towers) -> None:
    """Refuses towers, and functions that they call, which draw numbers while they are built, or change anything."""
    functions = list(called_functions(module, towers.body))
    for statement in (*towers.body, *functions):
        own = stored_in([statement]) | {node.arg for node in ast.walk(statement) if isinstance(node, ast.arg)}
        for call in (node for node in ast.walk(statement) if isinstance(node, ast.Call)):
            drawn = (callee(call.func, module) or "").startswith("numpy.random")
            if drawn or ast.unparse(call.func) == "next" or _asks_object(module, call, own | towers.names):
                what = f"`{ast.unparse(call.func)}` may give another value each time that a tower is built"
                raise Refused(call, what, LEFT)
    for function in functions:
        own = stored_in([function])
        for node in ast.walk(function):
            if isinstance(node, ast.Global | ast.Nonlocal) or any(name not in own for name in _changed(node)):
                raise Refused(node, f"`{function.name}` changes what is not its own, each time that it is traced", LEFT)


def _asks_object(module: Module, call: ast.Call, own: set[str]) -> bool:
    """Whether a method is called of an object that is neither a tower's own nor a module."""
    if not isinstance(call.func, ast.Attribute):
        return False
    root = _root(call.func.value)
    bound = module.root.bindings.get(root, [])
    return root not in own and bool(bound) and not all(isinstance(item, tuple) for item in bound)


def called_functions(module: Module, body: Sequence[ast.stmt]) -> Iterator[ast.FunctionDef]:
    """The functions of the script that these statements call, themselves or by others."""
    known = {node.name: node for node in module.tree.body if isinstance(node, ast.FunctionDef)}
    seen: set[str] = set()
    pending: list[ast.stmt] = list(body)
    while pending:
        for node in ast.walk(pending.pop()):
            if isinstance(node, ast.Name) and node.id in known and node.id not in seen:
                seen.add(node.id)
                pending.append(known[node.id])
                yield known[node.id]


def _changed(node: ast.AST) -> Iterator[str]:
    """The name of what a node changes in place."""
    if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        yield _root(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
        yield _root(node.func.value)


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
