"""Items of lists and dictionaries that runs fetch, another one each time: `sess.run(losses[name])`."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tf_migrate.interpreter.values import Items, Node, Table, Value
from tf_migrate.steps.paths import inside
from tf_migrate.syntax.own_nodes import every_node

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def item_of(fetch: ast.expr, around: Iterable[ast.AST]) -> tuple[ast.expr, ast.expr] | None:
    """The container of which a run fetches an item, and the key of that: of a subscript, or of a loop through it.

    `around` is what the run stands in: `for name, loss in losses.items()`, `for at, loss in enumerate(losses)`.
    """
    if isinstance(fetch, ast.Subscript):
        return None if isinstance(fetch.slice, ast.Slice) else (fetch.value, fetch.slice)
    if not isinstance(fetch, ast.Name):
        return None
    for outer in around:
        if isinstance(outer, _FUNCTIONS):
            return None
        loops: list[ast.For | ast.comprehension] = [outer] if isinstance(outer, ast.For) else []
        loops += outer.generators if isinstance(outer, _COMPREHENSIONS) else []
        for loop in loops:
            names = {node.id for node in every_node(loop.target) if isinstance(node, ast.Name)}
            if fetch.id in names:
                return _looped(loop, fetch.id)
    return None


def _looped(loop: ast.For | ast.comprehension, name: str) -> tuple[ast.expr, ast.expr] | None:
    """The container that a loop goes through with keys, and the key of the item of a name."""
    target, call = loop.target, loop.iter
    if not isinstance(target, ast.Tuple) or len(target.elts) != 2 or not isinstance(call, ast.Call) or call.keywords:
        return None
    key, value = target.elts
    bound = {key.id, name} if isinstance(key, ast.Name) else set()
    if not bound or not isinstance(value, ast.Name) or value.id != name or len(bound) < 2:
        return None
    body = loop.body if isinstance(loop, ast.For) else []
    if any(isinstance(node, ast.Name) and node.id in bound and not isinstance(node.ctx, ast.Load)
           for statement in body for node in every_node(statement)):  # fmt: skip
        return None
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr in ("items", "iteritems") and not call.args:
        return function.value, key
    if isinstance(function, ast.Name) and function.id == "enumerate" and len(call.args) == 1:
        return call.args[0], key
    return None


def kind_of_items(container: Value | None) -> str | None:
    """`list` or `dict`, where a container is known in full and holds nothing but values of the graph."""
    if not isinstance(container, Items | Table) or "rest" in container.slots:
        return None
    inner = list(inside(container, 1))
    if not inner or not all(isinstance(each, Node) for each in inner):
        return None
    if isinstance(container, Table):
        return "dict" if container.factory is None else None
    return "list" if container.kind in ("list", "tuple") and not container.fields else None
