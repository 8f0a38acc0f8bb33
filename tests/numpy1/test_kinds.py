"""The types that NumPy 1 and NumPy 2 compute in, against both."""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from tf_migrate.numpy1.kinds import BOOL, DTYPES, FLOAT, INT, Kind, Operator, as_float, in_numpy1, in_numpy2, promoted

TYPED = [Kind(form, dtype) for form in ("scalar", "array") for dtype in sorted(DTYPES)]
EVERY = [INT, FLOAT, *TYPED]
OPERATORS: dict[str, Operator] = {"*": ast.Mult(), "/": ast.Div(), "maximum": None}
TELL = """
import warnings
import numpy as np
warnings.simplefilter("ignore")
np.seterr(all="ignore")


def made(form, dtype):
    if form == "python":
        return 2 if dtype == "int64" else 2.0
    return np.ones(2, dtype) if form == "array" else np.dtype(dtype).type(1)


def told(name, left, right):
    left, right = made(*left), made(*right)
    result = left * right if name == "*" else left / right if name == "/" else np.maximum(left, right)
    return np.asarray(result).dtype.name
"""


def _pairs() -> list[tuple[str, Kind, Kind]]:
    pairs = ((left, right) for left, right in product(EVERY, EVERY) if {left.form, right.form} != {"python"})
    return [(name, left, right) for left, right in pairs for name in OPERATORS]


def test_the_type_that_two_have_in_common() -> None:
    for left, right in product(DTYPES, DTYPES):
        assert promoted(left, right) == np.promote_types(left, right).name, (left, right)


@pytest.mark.parametrize("dtype", sorted(DTYPES))
def test_the_type_of_a_square_root(dtype: str) -> None:
    assert as_float(dtype) == np.sqrt(np.ones(1, dtype)).dtype.name


def test_what_numpy_2_computes_in() -> None:
    space: dict[str, Callable[..., str]] = {}
    exec(TELL, space)
    for name, left, right in _pairs():
        assert in_numpy2(OPERATORS[name], left, right).dtype == space["told"](name, left[:2], right[:2])


def test_what_numpy_1_computed_in(run_legacy: Callable[..., str]) -> None:
    pairs = [(name, left[:2], right[:2]) for name, left, right in _pairs()]
    lines = run_legacy(f"{TELL}\nfor pair in {pairs!r}:\n    print(told(*pair))\n").split()
    for (name, left, right), dtype in zip(_pairs(), lines, strict=True):
        assert in_numpy1(OPERATORS[name], left, right).dtype == dtype, (name, left, right)


def test_a_number_is_no_array() -> None:
    assert in_numpy1(ast.Mult(), Kind("scalar", "float64"), Kind("array", "float32")) == Kind("array", "float32")
    assert in_numpy1(ast.Lt(), FLOAT, Kind("scalar", "float32")) == Kind("scalar", "bool")
    assert in_numpy1(ast.Add(), Kind("list", "float64"), Kind("list", "float64")).form == "unknown"
    assert in_numpy1(ast.Mult(), Kind("row", "float32"), BOOL).form == "unknown"
