"""Questions about pieces of text that are known, the version of TensorFlow among them: one answer decides the way.

What asks for the version gets that of TensorFlow 1 in the migrated code, so the way is the one that the original took.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Any

from tf_migrate.names.canonical import Names
from tf_migrate.stages import purity
from tf_migrate.stages.values import Stage, Value
from tf_migrate.syntax.callee import callee

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_VERSION = "1.15.5"
_VERSIONS = ("tf.__version__", "tf.VERSION", "tf.version.VERSION")
_METHODS = frozenset({"split", "rsplit", "partition", "rpartition", "find", "index", "replace"})
ASKED = frozenset(f"{version}.{method}" for version in _VERSIONS for method in ("startswith", "endswith", *_METHODS))
"""The methods of the version that tell something of it."""


def _is_in(item: object, of: Container[object]) -> bool:
    return item in of


def _is_not_in(item: object, of: Container[object]) -> bool:
    return item not in of


_ORDER: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: _is_in,
    ast.NotIn: _is_not_in,
}
_COMPUTING = {"float": float, "int": int, "str": str}
_NUMBERS = re.compile(r"\d+(\.\d+){1,2}")


def asked_version(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """`tf.__version__.startswith("1.")`, of a text that is written out or not."""
    evaluator.require_python(*node.args, *(keyword.value for keyword in node.keywords))
    given = evaluator.value(node.args[0]).text if len(node.args) == 1 and not node.keywords else None
    if given is None or not symbol.endswith(("startswith", "endswith")):
        return Value(Stage.PYTHON)
    starts = symbol.endswith(".startswith")
    return Value(Stage.PYTHON, truth=_VERSION.startswith(given) if starts else _VERSION.endswith(given))


def compared(names: Names, node: ast.Compare, values: Sequence[Value]) -> Value | None:
    """What comparing two texts, or what is made of the version, gives where both are known; else None.

    Of the version that is where it stands itself: another name of it may hold TensorFlow 2's.
    """
    sides = (node.left, *node.comparators)
    order = _ORDER.get(type(node.ops[0]))
    if len(sides) != 2 or order is None:
        return None
    known = [value.text for value in values]
    if asks_version(names, node):
        made = [_made(names, side) for side in sides]
        known = [text if text is not None else item for text, item in zip(known, made, strict=True)]
    if None in known:
        return None
    try:
        return Value(Stage.PYTHON, truth=order(known[0], known[1]))
    except TypeError:  # as the program's own comparison would raise it
        return None


def asks_version(names: Names, node: ast.expr) -> bool:
    """Whether a condition is about the version of TensorFlow."""
    return any(names.resolve(inner) in _VERSIONS for inner in ast.walk(node) if isinstance(inner, ast.expr))


def _made(names: Names, node: ast.expr) -> Any:
    """What a piece of code makes of the version and of numbers and texts; None where that is not known."""
    if names.resolve(node) in _VERSIONS:
        return _VERSION
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Tuple(elts=items) | ast.List(elts=items):
            parts = [_made(names, item) for item in items]
            made = tuple(parts) if isinstance(node, ast.Tuple) else parts
            return None if None in parts else made
    try:
        return _computed(names, node)
    except (ValueError, IndexError, TypeError):  # as the program itself would raise it
        return None


def _computed(names: Names, node: ast.expr) -> Any:
    match node:
        case ast.Call(func=ast.Attribute(value=text, attr=method), args=args, keywords=[]) if method in _METHODS:
            made = _made(names, text)
            given = [_made(names, item) for item in args]
            return getattr(made, method)(*given) if isinstance(made, str) and None not in given else None
        case ast.Call(func=function, args=[item], keywords=[]):
            made, name = _made(names, item), callee(function, names.module)
            if name in purity.VERSIONS:
                return [int(part) for part in made.split(".")] if _NUMBERS.fullmatch(str(made)) else None
            return _COMPUTING[name](made) if name in _COMPUTING and made is not None else None
        case ast.Subscript(value=value, slice=ast.Slice(lower=lower, upper=upper, step=None)):
            made, ends = _made(names, value), [None if end is None else _made(names, end) for end in (lower, upper)]
            return None if made is None else made[slice(*ends)]
        case ast.Subscript(value=value, slice=index):
            made, place = _made(names, value), _made(names, index)
            return None if made is None or place is None else made[place]
    return None
