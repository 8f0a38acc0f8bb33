"""Functions that get another body, or other defaults, than they had when the graph was built; TensorFlow's as well."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.names.canonical import Names
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module

_BODIES = ("__class__", "__code__", "delattr", "setattr")
_DEFAULTS = ("__defaults__", "__kwdefaults__")


def require_functions(module: Module, names: Names) -> None:
    """Refuses a module that gives functions, or what TensorFlow holds, another meaning as it goes on."""
    place = next(_places(module, names), None)
    if place is not None:
        what = f"`{ast.unparse(place)}` may give another meaning to what the graph was built with"
        raise Refused(place, what, "define a function of its own")


def _places(module: Module, names: Names) -> Iterator[ast.expr]:
    for word in _DEFAULTS:
        yield from module.attributes.get(word, ())
    for known in module.attributes.values():
        for node in known:
            if not isinstance(node.ctx, ast.Load) and (node.attr in _BODIES or _is_of_tensorflow(node.value, names)):
                yield node
    for call in module.calls:
        word = call.func.id if isinstance(call.func, ast.Name) else ""
        if word in _BODIES and call.args and _is_of_tensorflow(call.args[0], names):
            yield call


def _is_of_tensorflow(node: ast.expr, names: Names) -> bool:
    symbol = names.resolve(node)
    return symbol is not None and "FLAGS" not in symbol
