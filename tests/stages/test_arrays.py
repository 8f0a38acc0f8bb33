"""Which calls of NumPy only compute a value: those that are given nothing to write into."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from functools import reduce
from typing import Any

import numpy as np
import pytest

from tf_migrate.stages import arrays
from tf_migrate.stages.arrays import (
    computes,
    draws,
    gives_one,
    method_computes,
    method_makes,
    method_shares,
    repeats,
    shares,
)


def call_of(text: str) -> ast.Call:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    return call


@pytest.mark.parametrize(
    "text", ["exp(a)", "add(a, b)", "sum(a, 0, d)", "zeros(a, b)", "linalg.norm(a, axis=0)", "clip(a, *b)"]
)
def test_what_computes(text: str) -> None:
    assert computes(text.partition("(")[0], call_of(text))


@pytest.mark.parametrize(
    "text",
    [
        "exp(a, a)",
        "add(a, b, a)",
        "sum(a, 0, d, a)",
        "add(a, b, out=a)",
        "add(*a)",
        "clip(a, b, *c)",
        "clip(*a)",
        "add(a, b, **c)",
        "einsum(a, out=b)",
        "copyto(a, b)",
        "fill_diagonal(a, 1)",
        "random.rand(2)",
        "add.at(a, b, c)",
        "apply_along_axis(f, 0, a)",
    ],
)
def test_what_may_change_something(text: str) -> None:
    assert not computes(text.partition("(")[0], call_of(text))


def test_methods() -> None:
    assert method_computes("sum", call_of("a.sum(0)")) and method_computes("reshape", call_of("a.reshape(1, 2, 3)"))
    assert not method_computes("max", call_of("a.max(0, b)"))
    assert not method_computes("sum", call_of("a.sum(out=b)"))
    assert not method_computes("sort", call_of("a.sort()"))


def test_methods_that_share() -> None:
    assert method_shares("ravel") and not method_makes("ravel", call_of("a.ravel()"))
    assert method_makes("astype", call_of("a.astype(int)")) and not method_shares("astype")
    assert not method_makes("astype", call_of("a.astype(int, copy=False)"))
    assert not method_makes("astype", call_of("a.astype(int, 'K', 'unsafe', True, False)"))
    assert not method_makes("keys", call_of("a.keys()"))


def test_what_repeats() -> None:
    assert repeats("zeros", call_of("zeros(3)")) and not repeats("empty", call_of("empty(3)"))
    assert not repeats("exp", call_of("exp(a, a)"))


DTYPES = ("bool", "uint8", "int8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32")
DTYPES += ("float64", "complex64", "complex128")


def arrays_in(value: Any) -> Iterator[np.ndarray[Any, Any]]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from arrays_in(item)


def results(function: Any, array: np.ndarray[Any, Any], takes: int) -> Iterator[Any]:
    """What a function gives for an array, with any further arguments that it takes, one to write into left out."""
    more = [
        (),
        (array,),
        (0,),
        (1,),
        (array.shape,),
        ([1],),
        ((0,),),
        (1, 0),
        (0, 1),
        ([0], 0),
        (array.copy(), array.copy()),
        (array.copy(), 1),
        (np.zeros(array.shape, int), 0),
    ]
    for given in [*((array, *rest) for rest in more if len(rest) < takes), ("ii->i", array), ("ij->ij", array)]:
        try:
            yield function(*given)
        except Exception:  # It takes something else.
            continue


def given_arrays(name: str) -> Iterator[tuple[np.ndarray[Any, Any], Any]]:
    """Arrays, and what a function of NumPy gives for them."""
    function = reduce(lambda known, word: getattr(known, word, None), name.split("."), np)
    if function is None:
        pytest.skip(f"NumPy {np.__version__} has no {name}")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for dtype in DTYPES:
            for shape in ((3, 3), (4,), (2, 2, 2)):
                for array in (np.arange(1, np.prod(shape) + 1).reshape(shape).astype(dtype), np.eye(3, dtype=dtype)):
                    yield from ((array, result) for result in results(function, array, arrays._GIVEN.get(name, 9)))


TAKING_NO_ARRAY = {"arange", "dtype", "eye", "finfo", "identity", "iinfo", "tri"}
NAMES = sorted((arrays._GIVEN.keys() | arrays._WITHOUT_OUTPUT) - {"float", "int", "bool"})


@pytest.mark.parametrize("name", NAMES)
def test_which_functions_share_the_memory_of_what_they_are_given(name: str) -> None:
    given = list(given_arrays(name))
    found = any(np.shares_memory(item, array) for array, result in given for item in arrays_in(result))
    assert found is shares(f"numpy.{name}")
    assert bool(given) is (name not in TAKING_NO_ARRAY)


@pytest.mark.parametrize("name", sorted(set(NAMES) - arrays._SEVERAL))
def test_which_functions_give_one_array(name: str) -> None:
    several = (result for _, result in given_arrays(name) if isinstance(result, list | tuple))
    assert gives_one(f"numpy.{name}") and not any(list(arrays_in(result)) for result in several)


def test_drawing() -> None:
    assert draws("numpy.random.rand") and not draws("numpy.random.shuffle") and not draws("numpy.random.seed")
    assert not draws("numpy.zeros") and not draws(None)
