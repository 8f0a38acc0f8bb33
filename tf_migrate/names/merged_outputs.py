"""What TensorFlow 2's optimizer may take for an operation of a single value, though it is one of two outputs.

With oneDNN, `tf.maximum(y, 0.5 * x)` becomes the leaky ReLU of `x` also where `x` and `y` are two outputs of one
operation, and so does what is normalized by the moments of another output. Steps and the bridge keep such outputs
apart when a program runs (`compat.bridge.remapping`); a plain function of TensorFlow 2 does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.names.canonical import Names

__all__ = ["may_be_merged"]

_MAXIMUM = frozenset({"tf.maximum", "tf.math.maximum"})
_DIFFERENCE = frozenset({"tf.squared_difference", "tf.math.squared_difference"})
_SCALING = frozenset(
    {"tf.multiply", "tf.math.multiply", "tf.scalar_mul", "tf.div", "tf.divide", "tf.truediv", "tf.realdiv"}
)
_MEANS = frozenset({"tf.reduce_mean", "tf.math.reduce_mean", "tf.nn.moments"})


def may_be_merged(call: ast.Call, names: Names) -> bool:
    """Whether a call computes of two values what the optimizer may compute of one.

    Where both values are seen to be of one name, or one is a number, it is right.
    """
    symbol = names.of(call.func)
    if symbol not in _MAXIMUM | _DIFFERENCE:
        return False
    given = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg in ("x", "y"))][:2]
    if len(given) != 2 or any(map(_is_number, given)):
        return False
    if any(_is_computed_of(one, other, call, names) for one, other in (given, given[::-1])):
        return False
    is_made = _is_scaled if symbol in _MAXIMUM else _is_mean
    return any(is_made(value, names) for one in given for value in _values(one, call, names))


def _is_computed_of(one: ast.expr, other: ast.expr, call: ast.Call, names: Names) -> bool:
    """Whether one value is made of the other: the optimizer is right then, and the other is not made of it."""
    values = [*_values(one, call, names)]
    known = all(ast.dump(other) in map(ast.dump, ast.walk(value)) for value in values)
    by_name = isinstance(one, ast.Name) and isinstance(other, ast.Name)
    return bool(values) and known and (not by_name or len([*_values(other, call, names)]) == 1)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def _is_scaled(value: ast.AST, names: Names) -> bool:
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.Mult | ast.Div)
    return _is_unknown(value) or (isinstance(value, ast.Call) and names.of(value.func) in _SCALING)


def _is_mean(value: ast.AST, names: Names) -> bool:
    return _is_unknown(value) or (isinstance(value, ast.Call) and names.of(value.func) in _MEANS)


def _is_unknown(value: ast.AST) -> bool:
    return isinstance(value, ast.arg)


def _values(node: ast.expr, call: ast.Call, names: Names) -> Iterator[ast.AST]:
    """What an argument is: itself, or what the function around, else the module, gives its name."""
    if not isinstance(node, ast.Name):
        yield node
        return
    function = names.module.function_of(call)
    for scope in (function, names.module.tree):
        found = [] if scope is None else [*_given(node.id, scope)]
        if found:
            yield from found
            return


def _given(name: str, scope: ast.AST) -> Iterator[ast.AST]:
    for inner in ast.walk(scope):
        if isinstance(inner, ast.arg) and inner.arg == name:
            yield inner
        elif isinstance(inner, ast.Assign):
            for target in inner.targets:
                if any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(target)):
                    yield inner.value
