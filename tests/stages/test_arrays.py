"""Which calls of NumPy only compute a value: those that are given nothing to write into."""

from __future__ import annotations

import ast

import pytest

from tf_migrate.stages.arrays import computes, draws, method_computes


def call_of(text: str) -> ast.Call:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    return call


@pytest.mark.parametrize("text", ["exp(a)", "add(a, b)", "sum(a, 0, d)", "zeros(a, b)", "linalg.norm(a, axis=0)"])
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


def test_drawing() -> None:
    assert draws("numpy.random.rand") and not draws("numpy.random.shuffle") and not draws("numpy.random.seed")
    assert not draws("numpy.zeros") and not draws(None)
