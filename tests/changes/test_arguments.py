"""The arguments of a call, from TensorFlow 1's parameters to TensorFlow 2's."""

from __future__ import annotations

import ast

import pytest

from tf_migrate.changes.arguments import Uncertain, argument_edits
from tf_migrate.changes.edits import apply
from tf_migrate.facts import ArgumentEdit, Fact
from tf_migrate.files.source import parse, read


def fact(tf1: str, tf2: str, edits: str = "", target: str = "tf.f") -> Fact:
    changes = tuple(ArgumentEdit.parse(edit) for edit in edits.split("; ")) if edits else ()
    return Fact("tf.f", "function", "call", target, tuple(tf1.split(",")), tuple(tf2.split(",")), changes)


def edited(code: str, row: Fact) -> str:
    source = read("a.py", code.encode())
    call = next(node for node in ast.walk(parse(source)) if isinstance(node, ast.Call))
    return apply(source.text, argument_edits(source, call, row))


REDUCE = fact(
    "x,axis,keepdims,name,reduction_indices,keep_dims",
    "x,axis,keepdims,name",
    "reduction_indices>axis; keep_dims>keepdims",
)
DROPOUT = fact("x,keep_prob,noise_shape,seed,name,rate", "x,rate,noise_shape,seed,name", "keep_prob>rate:1 - {}")
DROP = fact("a,b,c,name", "a,name", "-b; -c")
STDDEV = fact("mean,stddev,seed", "mean,stddev,seed", "+stddev=1.0")


@pytest.mark.parametrize(
    ("before", "after", "row"),
    [
        ("f(x)", "f(x)", REDUCE),
        ("f(x, 1)", "f(x, 1)", REDUCE),
        ("f(x, 1, True)", "f(x, 1, True)", REDUCE),
        ("f(x, keep_dims=True)", "f(x, keepdims=True)", REDUCE),
        ("f(x, reduction_indices=[1, 2])", "f(x, axis=[1, 2])", REDUCE),
        ("f(x, None, None, 'n', 1)", "f(x, None, None, 'n', axis=1)", None),
        ("f(x, .5)", "f(x, rate=1 - .5)", DROPOUT),
        ("f(x, keep_prob=p)", "f(x, rate=1 - p)", DROPOUT),
        ("f(x, keep_prob = p)", "f(x, rate = 1 - p)", DROPOUT),
        ("f(x, p + q)", "f(x, rate=1 - (p + q))", DROPOUT),
        ("f(x, (p + q))", "f(x, rate=1 - ((p + q)))", DROPOUT),
        ("f(x, p if q else r)", "f(x, rate=1 - (p if q else r))", DROPOUT),
        ("f(x, g(p)[0].a)", "f(x, rate=1 - g(p)[0].a)", DROPOUT),
        ("f(x, rate=.5)", "f(x, rate=.5)", DROPOUT),
        ("f(x, p, s)", "f(x, rate=1 - p, noise_shape=s)", DROPOUT),
        ("f(\n    x,  # (\n    p,\n)", "f(\n    x,  # (\n    rate=1 - p,\n)", DROPOUT),
        ("f(a, b, c, n)", "f(a, name=n)", DROP),
        ("f(a, b)", "f(a)", DROP),
        ("f(a, b, c)", "f(a)", DROP),
        ("f(a, b, c,)", "f(a,)", DROP),
        ("f(a, c=c, name=n)", "f(a, name=n)", DROP),
        ("f(a, name=n, c=c)", "f(a, name=n)", DROP),
        ("f(b=b, c=c)", "f()", DROP),
        ("f( b=b )", "f()", DROP),
        ("f(a, b=g(1, 2), name=n)", "f(a, name=n)", DROP),
        ("f()", "f(stddev=1.0)", STDDEV),
        ("f(0.0)", "f(0.0, stddev=1.0)", STDDEV),
        ("f(0.0, 2.0)", "f(0.0, 2.0)", STDDEV),
        ("f(stddev=2.0)", "f(stddev=2.0)", STDDEV),
        ("f(\n    0.0,\n)", "f(\n    0.0, stddev=1.0,\n)", STDDEV),
        ("f(x, y)", "f(x, b=y)", fact("a,b", "a,c,b")),
        ("f(x, y, z)", "f(x, b=y, c=z)", fact("a,b,c", "a,c,b")),
        ("f(x, y)", "f(input=x, b=y)", fact("a,b", "input,b", "a>input", "tf.raw_ops.F")),
        ("(f)(x, .5)", "(f)(x, rate=1 - .5)", DROPOUT),
        ("f (x, .5)", "f (x, rate=1 - .5)", DROPOUT),
        (
            "f(x, labels=y)",
            "f(x, labels=tf.stop_gradient(y))",
            fact("a,labels", "a,labels", "labels>labels:tf.stop_gradient({})"),
        ),
        (
            "f(x, labels=tf.stop_gradient(y))",
            "f(x, labels=tf.stop_gradient(y))",
            fact("a,labels", "a,labels", "labels>labels:tf.stop_gradient({})"),
        ),
    ],
)
def test_edits(before: str, after: str, row: Fact | None) -> None:
    row = row or fact("x,axis,keepdims,name,reduction_indices", "x,axis,keepdims,name", "reduction_indices>axis")
    if row is not REDUCE and "None, None, 'n', 1" in before:
        with pytest.raises(Uncertain, match="twice"):
            edited(before, row)
        return
    assert edited(before, row) == after


@pytest.mark.parametrize(
    ("code", "row", "reason"),
    [
        ("f(*args)", DROPOUT, r"\*"),
        ("f(x, **options)", DROPOUT, r"\*"),
        ("f(x, axis=1, reduction_indices=2)", REDUCE, "twice"),
        ("f(a, b, c, d, e, g, h)", REDUCE, "more positional"),
        ("f(x, unknown=3)", REDUCE, "unknown"),
        ("f(i for i in x)", fact("a,b", "input,b", "a>input", "tf.raw_ops.F"), "generator"),
    ],
)
def test_what_cannot_be_told(code: str, row: Fact, reason: str) -> None:
    with pytest.raises(Uncertain, match=reason):
        edited(code, row)


def test_a_call_that_needs_nothing_may_pass_anything() -> None:
    assert edited("f(*args, **options)", fact("a,b", "a,b")) == "f(*args, **options)"
