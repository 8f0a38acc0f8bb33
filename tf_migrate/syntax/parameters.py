"""The parameters of functions, with their defaults."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator


def defaults(arguments: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    """The names of the parameters that have a default, with it."""
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    yield from zip(names[len(names) - len(arguments.defaults) :], arguments.defaults, strict=True)
    for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if value is not None:
            yield argument.arg, value


def takes(arguments: ast.arguments, positional: int, keywords: Collection[str]) -> bool:
    """Whether a function can be called with so many arguments by position, and with those by name.

    >>> function = ast.parse("def build(self, mode, size=1): pass").body[0]
    >>> takes(function.args, 2, ["size"]), takes(function.args, 3, ["size"]), takes(function.args, 1, [])
    (True, False, False)
    """
    by_position = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    by_name = [*(argument.arg for argument in (*arguments.args, *arguments.kwonlyargs))]
    filled = by_position[:positional]
    if positional > len(by_position) and arguments.vararg is None:
        return False
    if any(name in filled or (name not in by_name and arguments.kwarg is None) for name in keywords):
        return False
    optional = {name for name, _ in defaults(arguments)}
    every = [*by_position, *(argument.arg for argument in arguments.kwonlyargs)]
    return all(name in filled or name in keywords or name in optional for name in every)
