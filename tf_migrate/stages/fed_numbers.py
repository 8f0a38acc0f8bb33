"""Numbers that are fed for integers and truth values: a run cast them to the placeholder's type, a function takes that.

A run took 1 for True where a truth value was fed, and cut off the fractions of what was fed for an integer. An integer
that the type cannot hold it refused; a function would wrap it. What a name holds is looked up; where it is not known,
a program that goes on behind errors may see the difference.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tf_migrate.stages.values import Refused, Stage, Value
from tf_migrate.syntax.arguments import argument
from tf_migrate.syntax.local_flow import definitions
from tf_migrate.syntax.module import Module

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_BITS = {f"tf.{sign}int{bits}": (bits, sign) for bits in (8, 16, 32, 64) for sign in ("", "u")}

_REFUSALS = ("Exception", "TypeError", "ValueError", "OverflowError")
"""What a value is refused with, in TensorFlow 1 or 2, as handlers name it."""
_DEPTH = 4

_TAKING_TRUTH = ("tf.int32", "tf.int64")
"""The types of integers for which TensorFlow 2 takes True as well."""


def require_fitting(evaluator: Evaluator, placeholder: Value, value: ast.expr) -> None:
    """Refuses a number that is no number of the type of its placeholder."""
    made = placeholder.node
    if placeholder.stage is not Stage.PLACEHOLDER or not isinstance(made, ast.Call):
        return
    given = argument(made, "dtype", 0)
    dtype = None if given is None else evaluator.names.resolve(given)
    if dtype != "tf.bool" and dtype not in _BITS:
        return
    module = evaluator.module
    held = list(_held(module, value, 0))
    outlived = None in held and _outlives_errors(module, value)
    wrong = next((each for each in held if each is not None and not _fits(dtype, *each)), None)
    if wrong is not None or outlived:
        shown = ast.unparse(value) if wrong is None or isinstance(value, ast.Constant | ast.UnaryOp) else str(wrong[0])
        what = f"`{shown}` is fed to a placeholder of `{dtype}`"
        raise Refused(value, what, "feed a value of that type")


_Number = tuple[int | float, bool]
"""A number, and whether it stands alone: in a list it is wrapped where it does not fit."""


def _held(module: Module, node: ast.expr, depth: int, alone: bool = True) -> Iterator[_Number | None]:
    """The numbers that a value holds, None where something is not known."""
    number = _number(node)
    if number is not None:
        yield number, alone
    elif isinstance(node, ast.List | ast.Tuple):
        for part in node.elts:
            yield from _held(module, part, depth + 1, alone=False)
    elif isinstance(node, ast.Name) and depth < _DEPTH:
        for each in definitions(module, node):
            parts = [] if each.value is None else [each.value]
            if each.kind == "item":
                parts = list(each.value.elts) if isinstance(each.value, ast.List | ast.Tuple) else []
            if not parts:
                yield None
            for part in parts:
                yield from _held(module, part, depth + 1, alone)
    elif not isinstance(node, ast.Call):
        yield None


def _outlives_errors(module: Module, node: ast.expr) -> bool:
    """Whether the program goes on where a value is refused."""
    inner: ast.AST = node
    for around in module.around(node):
        if isinstance(around, ast.Try) and inner in around.body:
            caught = [handler.type for handler in around.handlers]
            words = [ast.unparse(each) for each in caught if each is not None]
            if None in caught or any(word in text for text in words for word in _REFUSALS):
                return True
        inner = around
    return False


def _number(node: ast.expr) -> int | float | None:
    """The number that an expression is; None where it is no number, or has to be computed."""
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    inner = node.operand if isinstance(node, ast.UnaryOp) and negative else node
    value = inner.value if isinstance(inner, ast.Constant) else None
    if not isinstance(value, int | float):
        return None
    return -value if negative else value


def _fits(dtype: str, number: int | float, alone: bool) -> bool:
    if dtype == "tf.bool":
        return isinstance(number, bool)
    if isinstance(number, bool):
        return dtype in _TAKING_TRUTH
    bits, unsigned = _BITS[dtype]
    least, most = (0, 2**bits - 1) if unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return isinstance(number, int) and (not alone or least <= number <= most)
