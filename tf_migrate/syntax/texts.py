"""Where a program makes text of values: by `print`, `format`, `%`, f-strings and logging."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tf_migrate.syntax.module import Module

_LOGGING = frozenset({"debug", "info", "warning", "warn", "error", "critical", "exception", "log"})
_REPR = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?r|!r\}|!r:")


def written(module: Module) -> Iterator[tuple[ast.expr, bool]]:
    """The expressions of which text is made, and whether `repr` makes it."""
    for node in module.nodes:
        if isinstance(node, ast.FormattedValue):
            yield node.value, node.conversion == ord("r")
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and is_text(node.left):
            values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            yield from ((value, _REPR.search(ast.unparse(node.left)) is not None) for value in values)
        elif isinstance(node, ast.Call):
            yield from _given(node)


def _given(call: ast.Call) -> Iterator[tuple[ast.expr, bool]]:
    """What a call is given to make text of."""
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr == "format" and is_text(func.value):
        values = [*call.args, *(keyword.value for keyword in call.keywords)]
        yield from ((value, _REPR.search(ast.unparse(func.value)) is not None) for value in values)
    elif (isinstance(func, ast.Name) and func.id in ("print", "str", "repr")) or (
        # `log` says how much it matters first: with one argument it is a logarithm.
        isinstance(func, ast.Attribute) and func.attr in _LOGGING and len(call.args) > (func.attr == "log")
    ):
        yield from ((value, isinstance(func, ast.Name) and func.id == "repr") for value in call.args)


def is_text(node: ast.expr) -> bool:
    """Whether an expression is a text that is written out."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
