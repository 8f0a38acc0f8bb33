"""The names that a function binds itself."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True)
class Bound:
    """The names of a function's own scope, those of outer functions that it binds, and whether it is a generator."""

    local: frozenset[str]
    nonlocals: frozenset[str]
    generates: bool


@functools.cache
def bound_names(node: ast.AST) -> Bound:
    """What a function or lambda binds."""
    found: set[str] = set()
    outside: set[str] = set()
    nonlocals: set[str] = set()
    generates = False
    arguments = getattr(node, "args", None)
    if isinstance(arguments, ast.arguments):
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        found.update(each.arg for each in every if each is not None)
    body = node.body if isinstance(node, ast.Lambda) else getattr(node, "body", [])
    for inner in _own(body if isinstance(body, list) else [body]):
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
            found.add(inner.id)
        elif isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(inner.name)
        elif isinstance(inner, ast.Import | ast.ImportFrom):
            found.update(alias.asname or alias.name.partition(".")[0] for alias in inner.names)
        elif isinstance(inner, ast.ExceptHandler) and inner.name:
            found.add(inner.name)
        elif isinstance(inner, ast.Global):
            outside.update(inner.names)
        elif isinstance(inner, ast.Nonlocal):
            outside.update(inner.names)
            nonlocals.update(inner.names)
        elif isinstance(inner, ast.MatchAs | ast.MatchStar) and inner.name:
            found.add(inner.name)
        elif isinstance(inner, ast.Yield | ast.YieldFrom):
            generates = True
    return Bound(frozenset(found - outside), frozenset(nonlocals), generates)


def _own(body: list[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a function's own scope: those of inner functions and comprehensions' targets are not."""
    pending = list(body)
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, _INNER):
            pending += [*getattr(node, "decorator_list", ())]
        elif isinstance(node, ast.comprehension):
            pending += [node.iter, *node.ifs]
        else:
            pending += list(ast.iter_child_nodes(node))
