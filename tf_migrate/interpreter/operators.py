"""Operators and comparisons of values that are known."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from tf_migrate.interpreter.values import (
    Absent,
    Builtin,
    Class,
    Const,
    External,
    Function,
    Instance,
    Items,
    Node,
    Opaque,
    Table,
    Thing,
    Unknown,
    Value,
    is_data,
    key_of,
    same,
)

_BINARY: dict[type[ast.operator], tuple[Callable[[Any, Any], Any], str]] = {
    ast.Add: (operator.add, "add"),
    ast.Sub: (operator.sub, "sub"),
    ast.Mult: (operator.mul, "mul"),
    ast.Div: (operator.truediv, "truediv"),
    ast.FloorDiv: (operator.floordiv, "floordiv"),
    ast.Mod: (operator.mod, "mod"),
    ast.Pow: (operator.pow, "pow"),
    ast.LShift: (operator.lshift, "lshift"),
    ast.RShift: (operator.rshift, "rshift"),
    ast.BitAnd: (operator.and_, "and"),
    ast.BitOr: (operator.or_, "or"),
    ast.BitXor: (operator.xor, "xor"),
    ast.MatMult: (operator.matmul, "matmul"),
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_LARGEST = 10_000


def name_of(op: ast.operator) -> str:
    """The name of an operator, as its special method has it."""
    return _BINARY[type(op)][1]


def binary(op: ast.operator, left: Any, right: Any) -> Any:
    """Computes an operator of constants; raises what Python raises, and ValueError where the result is huge."""
    if isinstance(op, ast.Pow | ast.LShift) and not (abs(left) < _LARGEST and abs(right) < 64):
        raise ValueError("huge")
    if isinstance(op, ast.Mult):
        sizes = [len(value) for value in (left, right) if isinstance(value, str | bytes)]
        numbers = [value for value in (left, right) if isinstance(value, int)]
        if sizes and numbers and sizes[0] * numbers[0] > _LARGEST:
            raise ValueError("huge")
    return _BINARY[type(op)][0](left, right)


def unary(op: ast.unaryop, operand: Any) -> Any:
    """Computes an operator of a constant."""
    return _UNARY[type(op)](operand)


def compare(op: ast.cmpop, left: Value, right: Value) -> bool | None:
    """The answer of a comparison; None where only the running program knows it."""
    if isinstance(op, ast.Is | ast.IsNot):
        answer = identical(left, right)
        return None if answer is None else answer == isinstance(op, ast.Is)
    if isinstance(left, Const) and isinstance(right, Const) and type(op) in _COMPARE:
        try:
            return bool(_COMPARE[type(op)](left.value, right.value))
        except Exception:
            return None
    if isinstance(op, ast.Eq | ast.NotEq):
        answer = _equal(left, right)
        return None if answer is None else answer == isinstance(op, ast.Eq)
    return None


def identical(left: Value, right: Value) -> bool | None:
    """Whether two values are the same object."""
    unsure = (Opaque, Unknown, Absent, External)
    if isinstance(left, Const) and isinstance(right, Const):
        return left.value is right.value if left.value is None or right.value is None else same(left, right)
    if same(left, right):
        return None if isinstance(left, Opaque | Unknown) else True
    if is_data(left) or is_data(right):
        return None  # `os.environ.get(name)`, `tf.train.latest_checkpoint(folder)`: it may be None
    if isinstance(left, unsure) or isinstance(right, unsure):
        # A name that no library binds to None: its functions, classes and objects.
        other = right if isinstance(left, unsure) else left
        mine = left if isinstance(left, unsure) else right
        none = isinstance(other, Const) and other.value is None
        return False if none and isinstance(mine, External) and mine.origin.startswith("tf.") else None
    known = (Const, Node, Instance, Class, Function, Items, Table, Thing, Builtin)
    return False if isinstance(left, known) and isinstance(right, known) else None


def _equal(left: Value, right: Value) -> bool | None:
    if isinstance(left, External) and isinstance(right, External):
        return left.origin == right.origin
    if isinstance(left, Node) or isinstance(right, Node):
        # TensorFlow 1 compared tensors by identity.
        return identical(left, right)
    if isinstance(left, Class | Function) and isinstance(right, Class | Function):
        return left is right
    if isinstance(left, Items) and isinstance(right, Items) and left.kind == right.kind == "tuple":
        keys = [key_of(side) for side in (left, right)]
        return None if None in keys else keys[0] == keys[1]
    none = [side for side in (left, right) if isinstance(side, Const) and side.value is None]
    if none and any(isinstance(side, Function | Class) for side in (left, right)):
        return False
    containers = [side for side in (left, right) if isinstance(side, Items | Table)]
    return False if containers and any(isinstance(side, Const) for side in (left, right)) else None
