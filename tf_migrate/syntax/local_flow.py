"""What a name may hold, as far as the assignments of its own scope show it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from tf_migrate.syntax.module import Module


@dataclass(frozen=True)
class Definition:
    """One binding of a name: the value itself, or something that it is one item of; ``value`` is None when unknown."""

    kind: Literal["value", "item", "unknown"]
    value: ast.expr | None = None


UNKNOWN = Definition("unknown")


def definitions(module: Module, name: ast.Name) -> tuple[Definition, ...]:
    """Every binding of a name in the scope that it is read from (or the one around it that binds it)."""
    scope = module.scopes[name]
    while name.id not in scope.bindings and scope.parent is not None:
        scope = scope.parent
    bindings = scope.bindings.get(name.id)
    if bindings is None:
        return (UNKNOWN,)
    found = [
        definition(module, node)
        for node in module.named.get(name.id, ())
        if isinstance(node.ctx, ast.Store) and module.scopes.get(node) is scope
    ]
    # Parameters, imports, functions and classes bind without such a node.
    other = _mapped(module, scope.node, name.id) if isinstance(scope.node, ast.Lambda) else UNKNOWN
    return (*found, *[other] * (len(bindings) - len(found)))


def every(module: Module, name: ast.Name, test: Callable[[Definition], bool]) -> bool:
    """Whether all bindings of a name pass a test."""
    found = definitions(module, name)
    return bool(found) and all(test(definition) for definition in found)


def definition(module: Module, node: ast.Name) -> Definition:
    """What one binding of a name gives it."""
    parent = module.parents[node]
    if isinstance(parent, ast.Assign | ast.AnnAssign | ast.NamedExpr):
        return Definition("value", parent.value) if parent.value is not None else UNKNOWN
    if isinstance(parent, ast.For | ast.comprehension):
        return Definition("item", parent.iter)
    if isinstance(parent, ast.Tuple | ast.List):
        return _unpacked(module.parents[parent], parent, parent.elts.index(node))
    return UNKNOWN


def _mapped(module: Module, function: ast.Lambda, name: str) -> Definition:
    """What a parameter of ``map(lambda …, iterable)`` holds, or of ``filter``."""
    call = module.parents[function]
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in ("map", "filter"):
        return UNKNOWN
    parameters = [parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)]
    place = parameters.index(name) + 1 if name in parameters else len(call.args)
    if call.args[0] is not function or place >= len(call.args) or isinstance(call.args[place], ast.Starred):
        return UNKNOWN
    return Definition("item", call.args[place])


def _unpacked(statement: ast.AST, target: ast.Tuple | ast.List, index: int) -> Definition:
    if any(isinstance(element, ast.Starred) for element in target.elts):
        return UNKNOWN
    if isinstance(statement, ast.Assign):
        value = statement.value
        if isinstance(value, ast.Tuple | ast.List):
            return Definition("value", value.elts[index]) if len(value.elts) == len(target.elts) else UNKNOWN
        return Definition("item", value)
    if isinstance(statement, ast.For | ast.comprehension):
        return next(_iterated(statement.iter, index), UNKNOWN)
    return UNKNOWN


def _iterated(iterable: ast.expr, index: int) -> Iterator[Definition]:
    """``for i, d in enumerate(x)`` and ``for a, b in zip(x, y)``."""
    if not isinstance(iterable, ast.Call) or not isinstance(iterable.func, ast.Name):
        return
    if iterable.func.id == "enumerate" and index == 1 and iterable.args:
        yield Definition("item", iterable.args[0])
    elif iterable.func.id == "zip" and index < len(iterable.args):
        yield Definition("item", iterable.args[index])
