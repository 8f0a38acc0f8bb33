"""Numbers that are written where they are fed: a run cast them to the placeholder's type, a function takes that type.

A run took 1 for True where a truth value was fed, and cut off the fractions of what was fed for an integer. An integer
that the type cannot hold it refused; a function would wrap it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages.arguments import argument
from tf_migrate.stages.values import Refused, Stage, Value

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_BITS = {f"tf.{sign}int{bits}": (bits, sign) for bits in (8, 16, 32, 64) for sign in ("", "u")}

_TAKING_TRUTH = ("tf.int32", "tf.int64")
"""The types of integers for which TensorFlow 2 takes True as well."""


def require_fitting(evaluator: Evaluator, placeholder: Value, value: ast.expr) -> None:
    """Refuses a number that is no number of the type of its placeholder."""
    made = placeholder.node
    number = _number(value)
    if number is None or placeholder.stage is not Stage.PLACEHOLDER or not isinstance(made, ast.Call):
        return
    given = argument(made, "dtype", 0)
    dtype = None if given is None else evaluator.names.resolve(given)
    if dtype is not None and not _fits(dtype, number):
        what = f"`{ast.unparse(value)}` is fed to a placeholder of `{dtype}`"
        raise Refused(value, what, "feed a value of that type")


def _number(node: ast.expr) -> int | float | None:
    """The number that an expression is; None where it is no number, or has to be computed."""
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    inner = node.operand if isinstance(node, ast.UnaryOp) and negative else node
    value = inner.value if isinstance(inner, ast.Constant) else None
    if not isinstance(value, int | float):
        return None
    return -value if negative else value


def _fits(dtype: str, number: int | float) -> bool:
    if dtype == "tf.bool":
        return isinstance(number, bool)
    if dtype not in _BITS:
        return True
    if isinstance(number, bool):
        return dtype in _TAKING_TRUTH
    bits, unsigned = _BITS[dtype]
    least, most = (0, 2**bits - 1) if unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return isinstance(number, int) and least <= number <= most
