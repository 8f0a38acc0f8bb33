"""Names that mean one object, or parts of it: what is changed through one of them is changed for all of them."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import takewhile

from tf_migrate.stages.bound import given_to, home_of, known_of
from tf_migrate.stages.joining import is_joined
from tf_migrate.stages.purity import is_immutable
from tf_migrate.stages.uses import only_reads, passed_on
from tf_migrate.syntax.module import Module

_FRESH = ast.Constant | ast.JoinedStr | ast.UnaryOp | ast.Compare | ast.Lambda
_VIEWS = frozenset({"T", "flat", "imag", "real", "values"})
_ITERATING = frozenset({"enumerate", "filter", "iter", "map", "open", "reversed", "zip"})


def changed_elsewhere(name: str, node: ast.AST, module: Module, built: Container[ast.AST] = ()) -> ast.AST | None:
    """A place that may change, under another name, the object that a name is bound to by a node.

    `built` are calls that give tensors only, and change nothing of what they are given.
    """
    stores = [node] if isinstance(node, ast.expr | ast.arg) else _bound_in(name, node)
    return _changed([value for store in stores for value in given_to(store, module)], node, module, built, set())


def used_up(name: str, node: ast.AST, module: Module) -> ast.expr | None:
    """What makes an iterator that a name is bound to by a node: whoever goes through it finds nothing there again."""
    stores = [node] if isinstance(node, ast.expr | ast.arg) else _bound_in(name, node)
    return next((made for store in stores for made in _iterators(given_to(store, module), module, frozenset())), None)


def _iterators(values: Iterable[ast.expr], module: Module, seen: frozenset[str]) -> Iterator[ast.expr]:
    for value in values:
        called = value.func if isinstance(value, ast.Call) else None
        word = called.id if isinstance(called, ast.Name) else ""
        if (
            isinstance(value, ast.GeneratorExp)
            or (word in _ITERATING and word not in module.root.bindings)
            or (word and any(_is_generator(function, word) for function in module.functions))
        ):
            yield value
        elif isinstance(value, ast.Name | ast.Attribute) and ast.unparse(value) not in seen:
            yield from _iterators(known_of(value, module)[1], module, seen | {ast.unparse(value)})


def _is_generator(function: ast.AST, word: str) -> bool:
    plain = isinstance(function, ast.FunctionDef) and function.name == word
    return plain and any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(function))


def _changed(
    values: Iterable[ast.expr], since: ast.AST, module: Module, built: Container[ast.AST], seen: set[str]
) -> ast.AST | None:
    for source in (source for value in values for source in _sources(value, module)):
        uses, bound = known_of(source, module)
        if bound and all(is_immutable(value, module) for value in bound):
            continue
        key = f"{ast.unparse(source)} {id(home_of(source, module))}"
        if key in seen:
            continue
        seen.add(key)
        for use in uses:
            read = isinstance(use.ctx, ast.Load) and only_reads(use, module)
            if not (read or module.parents[use] in built) and use is not source and not is_before(use, since, module):
                return use
        place = _changed(bound, since, module, built, seen)
        if place is not None:
            return place
    return None


def _sources(node: ast.expr, module: Module) -> Iterator[ast.Name | ast.Attribute]:
    """The names and attributes whose object the value of an expression may be, be a part of, or hold."""
    parts: Sequence[ast.expr] = ()
    if isinstance(node, ast.Attribute) and node.attr in _VIEWS:
        parts = [node.value]
    elif isinstance(node, ast.Name | ast.Attribute):
        yield node
    elif isinstance(node, ast.Subscript | ast.Starred | ast.NamedExpr):
        parts = [node.value]
    elif isinstance(node, ast.BinOp):
        parts = [side for side in (node.left, node.right) if is_joined(side, node, module)]
    elif isinstance(node, ast.Call):
        yield from _read_by_called(node, module)
        parts = passed_on(node, module)
    elif isinstance(node, ast.IfExp):
        parts = [node.body, node.orelse]
    elif isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
        parts = [node.elt]
    elif not isinstance(node, _FRESH):
        parts = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    for part in parts:
        yield from _sources(part, module)


def _read_by_called(call: ast.Call, module: Module) -> Iterator[ast.Name]:
    """The names of the module that a function of its own reads when it is called, and may give back."""
    called = call.func.id if isinstance(call.func, ast.Name) else ""
    for function in module.functions if called in module.root.bindings else ():
        if isinstance(function, ast.FunctionDef) and function.name == called:
            for node in ast.walk(function):
                read = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
                if read and isinstance(node, ast.Name) and not _is_called(node, module):
                    yield from [node] if home_of(node, module) is module.root else []


def _is_called(name: ast.Name, module: Module) -> bool:
    parent = module.parents[name]
    return isinstance(parent, ast.Call) and parent.func is name


def _bound_in(name: str, node: ast.AST) -> list[ast.expr]:
    """Where a loop, or another statement, binds a name."""
    named = (inner for inner in ast.walk(node) if isinstance(inner, ast.Name) and inner.id == name)
    return [inner for inner in named if isinstance(inner.ctx, ast.Store)]


def is_before(use: ast.expr, since: ast.AST, module: Module) -> bool:
    """Whether a use is over by the time that a name is bound: it stands before that, where both happen once."""
    home = module.function_of(since)
    first = module.statement_of(since) if isinstance(since, ast.expr | ast.stmt) else None
    if first is None or module.function_of(use) is not home or use.lineno >= first.lineno:
        return False
    inside = takewhile(lambda place: place is not home, (first, *module.around(first)))
    return not any(isinstance(place, ast.For | ast.While) for place in inside)
