"""The types that operators of NumPy give: those of NumPy 1, which looked at the value of a number, and of NumPy 2.

NumPy 1 let no number (NumPy's or Python's) widen an array of its own category, and gave Python's numbers the type
float64 or int64 beside NumPy's. NumPy 2 takes NumPy's own numbers as strictly as arrays, and Python's not at all.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

Form = Literal["python", "scalar", "array", "list", "row", "tensor", "unknown", "other"]
Operator: TypeAlias = ast.operator | ast.cmpop | None
"""None stands for a function of two numbers, such as `np.maximum`."""


class Kind(NamedTuple):
    """What a value may be: a number of Python's or NumPy's, an array, a list of Python's numbers or of NumPy's (a row).

    `dtype` is the type of its numbers. An array without axes counts as a number, as it did for NumPy 1.
    """

    form: Form
    dtype: str = ""
    deep: bool = False
    """Whether an array has several axes for certain."""


UNKNOWN, OTHER, TENSOR = Kind("unknown"), Kind("other"), Kind("tensor")
INT, FLOAT, BOOL = Kind("python", "int64"), Kind("python", "float64"), Kind("python", "bool")

_SIGNED = ("int8", "int16", "int32", "int64")
_UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
_FLOATS = ("float16", "float32", "float64")
DTYPES = frozenset({"bool", *_SIGNED, *_UNSIGNED, *_FLOATS})
SMALL = frozenset({"int8", "int16", "uint8", "uint16"})
"""Types in which the numbers of a program soon do not fit."""
_NUMBERS = ("python", "scalar")
_LIKE_FLOAT = {
    **dict.fromkeys(("bool", "int8", "uint8"), "float16"),
    **dict.fromkeys(("int16", "uint16"), "float32"),
}


def is_float(dtype: str) -> bool:
    """Whether numbers of a type have fractions."""
    return dtype in _FLOATS


def as_float(dtype: str) -> str:
    """The type that functions such as `np.sqrt` give for one."""
    return dtype if is_float(dtype) else _LIKE_FLOAT.get(dtype, "float64")


def promoted(left: str, right: str) -> str:
    """The type that two types have in common, in each NumPy.

    >>> promoted("uint8", "int8"), promoted("int32", "float32")
    ('int16', 'float64')
    """
    if left == right or right == "bool":
        return left
    if left == "bool":
        return right
    if is_float(left) or is_float(right):
        return max(as_float(left), as_float(right), key=_bits)
    if (left in _SIGNED) == (right in _SIGNED):
        return max(left, right, key=_bits)
    signed, unsigned = (left, right) if left in _SIGNED else (right, left)
    size = max(_bits(signed), 2 * _bits(unsigned))
    return "float64" if size > 64 else f"int{size}"


def in_numpy1(operator: Operator, left: Kind, right: Kind) -> Kind:
    """What an operator, or a function of two numbers, gave in NumPy 1."""
    made = _operated(operator, left, right, _shared_in_numpy1)
    if isinstance(operator, ast.Div) and left.form == right.form == "scalar":
        whole = promoted(left.dtype, right.dtype)
        if whole in SMALL and whole == left.dtype and right.dtype != "bool":
            return Kind("scalar", "float32")  # so it divided single numbers of few bits
    return made


def in_numpy2(operator: Operator, left: Kind, right: Kind) -> Kind:
    """What it gives in NumPy 2."""
    return _operated(operator, left, right, _shared_in_numpy2)


def _bits(dtype: str) -> int:
    return int(dtype.lstrip("uintfloa"))


def _category(dtype: str) -> int:
    return 2 if is_float(dtype) else 0 if dtype == "bool" else 1


def _operated(operator: Operator, left: Kind, right: Kind, shared: Callable[[Kind, Kind], str]) -> Kind:
    forms = (left.form, right.form)
    for kept in (TENSOR, OTHER, UNKNOWN):
        if kept.form in forms:
            return kept
    if isinstance(operator, ast.MatMult) or not isinstance(operator, ast.operator | ast.cmpop | None):
        return UNKNOWN
    if {"list", "row"} & set(forms) and not {"scalar", "array"} & set(forms):
        return UNKNOWN  # Python's own meaning: `[0.5] * 3`
    form: Form = next((form for form in ("array", "scalar", "python") if form in _as_arrays(forms)), "unknown")
    deep = left.deep or right.deep
    if isinstance(operator, ast.cmpop):
        return Kind(form, "bool", deep)
    dtype = shared(left, right)
    if isinstance(operator, ast.Div) and not is_float(dtype):
        dtype = "float64"
    if dtype == "bool" and form == "python" and operator is not None:
        dtype = "int64"
    return Kind(form, dtype, deep)


def _as_arrays(forms: tuple[Form, Form]) -> tuple[str, ...]:
    return tuple("array" if form in ("list", "row") else form for form in forms)


def _shared_in_numpy1(left: Kind, right: Kind) -> str:
    """The type in which NumPy 1 computed: a number widens an array of a lower category alone."""
    if (left.form in _NUMBERS) == (right.form in _NUMBERS):
        return promoted(left.dtype, right.dtype)
    array, number = (right, left) if left.form in _NUMBERS else (left, right)
    higher = _category(number.dtype) > _category(array.dtype)
    return promoted(array.dtype, number.dtype) if higher else array.dtype


def _shared_in_numpy2(left: Kind, right: Kind) -> str:
    """The type in which NumPy 2 computes: a number of Python's has a category alone."""
    if (left.form == "python") == (right.form == "python"):
        return promoted(left.dtype, right.dtype)
    typed, number = (right, left) if left.form == "python" else (left, right)
    higher = _category(number.dtype) > _category(typed.dtype)
    return promoted(typed.dtype, number.dtype) if higher else typed.dtype
