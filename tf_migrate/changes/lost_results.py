"""Calls of functions that TensorFlow 2 has, but which gave something in TensorFlow 1 that they do not give any more."""

from __future__ import annotations

import ast
import math

from tf_migrate.syntax.arguments import argument
from tf_migrate.syntax.module import Module

_CHECKS = frozenset({"tf.assert_integer", "tf.assert_type", "tf.debugging.assert_integer", "tf.debugging.assert_type"})


def lost_result(module: Module, symbol: str, call: ast.Call) -> str | None:
    """Why a call has to go to the shim, in words; None where TensorFlow 2 gives the same."""
    if symbol in _CHECKS and not isinstance(module.parents[call], ast.Expr):
        return "it gives no operation in TensorFlow 2, to fetch or to wait for"
    if symbol == "tf.constant" and _may_be_filled(module, call):
        return "the last value fills up the shape"
    return None


def _may_be_filled(module: Module, call: ast.Call) -> bool:
    """Whether there are several values, and not surely as many as the shape says."""
    value, shape = argument(call, "value", 0), argument(call, "shape", 2)
    if value is None or shape is None:
        return False
    if isinstance(value, ast.Call):
        return True  # an array, say
    count = _count(_written(module, value))
    return count is not None and count > 1 and count != _product(_written(module, shape))


def _written(module: Module, value: ast.expr) -> ast.expr:
    """What a name stands for that the module binds once, at its top level, to a list or tuple."""
    if not isinstance(value, ast.Name):
        return value
    bound = [
        node.value
        for node in module.tree.body
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == value.id for target in node.targets)
    ]
    return bound[0] if len(bound) == 1 and isinstance(bound[0], ast.List | ast.Tuple) else value


def _count(value: ast.expr) -> int | None:
    """How many values are written out; None where that is not a list of such."""
    if not isinstance(value, ast.List | ast.Tuple):
        return None
    return sum(_count(item) or 1 for item in value.elts)


def _product(shape: ast.expr) -> int | None:
    sizes = [shape] if isinstance(shape, ast.Constant) else getattr(shape, "elts", None)
    if sizes is None:
        return None
    known = [item.value for item in sizes if isinstance(item, ast.Constant) and isinstance(item.value, int)]
    return math.prod(known) if len(known) == len(sizes) else None
