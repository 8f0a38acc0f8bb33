"""The parameters of functions, with their defaults."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def defaults(arguments: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    """The names of the parameters that have a default, with it."""
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    yield from zip(names[len(names) - len(arguments.defaults) :], arguments.defaults, strict=True)
    for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if value is not None:
            yield argument.arg, value
