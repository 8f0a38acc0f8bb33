"""Tests of entries of shapes: TensorFlow 1 answered each of them in one way, TensorFlow 2 has two."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.engine import migrated

TOLD = (
    "return x.get_shape()[0] is None",
    "return x.get_shape()[0] is not None",
    "return x.get_shape()[0] == None",
    "return x.get_shape()[0] != 3",
    "return 3 != x.get_shape()[0]",
    "return x.get_shape()[0] or 3",
    "return not x.get_shape()[0]",
    "return 1 if x.get_shape()[0] else 2",
    "return tf.nn.relu(x).shape[0] is None",
    "n = x.get_shape()[0]; return n or 3",
    "n, m = x.get_shape(); assert n, m",
    "return [d for d in x.get_shape() if d]",
    "print(x.get_shape()[0] == 3)",
    "return 1 if x.get_shape()[0] == y.get_shape()[0] else 2",
)
SHAPES = (
    "return x.get_shape() == y.get_shape()",
    "assert y.shape != x.get_shape()",
    "return x if tf.nn.relu(x).shape == y.shape else y",
    "s = x.get_shape(); return s == y",
    "return y == tf.TensorShape([None, 3]).merge_with(x.get_shape())",
    "return x.get_shape() == [None, 3]",
)
LEFT = (
    "return x.get_shape()[0].value is None",
    "return x.get_shape()[0].value or 3",
    "return x.get_shape().as_list()[0] is None",
    "return 1 if x.get_shape()[0] == 3 else 2",
    "return x.get_shape()[0] > 3",
    "return y.shape[0] != 3",
    "return y.shape[0] or 3",
    "n = x.get_shape()[0]; n = y; return n is None",
    "return x.get_shape() is None",
    "return x.get_shape() == (2, 3)",
    "return x.get_shape().as_list() == y.get_shape().as_list()",
    "return x.get_shape() > y",
    "return x.shape == y.shape",
    "return y or x.get_shape()[0]",
    "return x.get_shape()[0] is None  # tf-migrate: skip",
)


def body(line: str) -> str:
    return f"import tensorflow as tf\n\nz = tf.placeholder(tf.float32)\n\ndef f(x, y):\n    {line}\n"


def told(code: str) -> list[str]:
    return [finding.action for finding in migrated(code).findings if finding.rule == "TFM130"]


@pytest.mark.parametrize("line", TOLD)
def test_a_dimension_answers(line: str) -> None:
    """What comes out is not told again, nor what was a number before."""
    result = migrated(body(line))
    assert told(body(line)) == ["rewritten"]
    assert result.text.count("compat.Dimension(") == 1
    assert told(result.text) == []


@pytest.mark.parametrize("line", SHAPES)
def test_a_shape_is_compared(line: str) -> None:
    result = migrated(body(line))
    assert told(body(line)) == ["rewritten"]
    assert result.text.count("compat.TensorShape(") == 1
    assert told(result.text) == []


@pytest.mark.parametrize("line", LEFT)
def test_what_means_the_same(line: str) -> None:
    code = body(line)
    assert told(code) == []
    assert told(migrated(code).text) == []


def test_modules_of_tensorflow_2() -> None:
    assert told(body(TOLD[0]).replace("z = tf.placeholder(tf.float32)", "z = tf.constant(1.0)")) == []


ASKED = """\
import tensorflow as tf
shape = tf.placeholder(tf.float32, [None, 0, 3]).get_shape()
unknown, empty, three = shape
print(unknown is None, unknown == None, unknown != None, unknown != 3, three != None, three == 3, shape[0] == 3)
print(bool(unknown or 3), 1 if shape[1] else 2, (three or 4) == 3, not empty)
"""
ANSWERED = "False None None None None True None\nTrue 1 True False\n"


def test_what_tensorflow_1_answered(run_legacy: Callable[..., str]) -> None:
    assert run_legacy(ASKED) == ANSWERED


def test_what_the_rewritten_program_answers() -> None:
    from tests.native.native import printed

    assert printed(migrated(ASKED).text) == ANSWERED


COMPARED = """\
import tensorflow as tf


def block(x, units, scope):
    with tf.variable_scope(scope):
        y = tf.layers.dense(x, units, tf.nn.relu, name="inner")
        if x.get_shape() != y.get_shape():
            x = tf.layers.dense(x, units, name="shortcut")
        return x + y


class Checked(object):
    def __init__(self, tensor):
        self.tensor = tensor

    def fits(self, other):
        return "fits" if self.tensor.get_shape() == other.get_shape() else "other"

    def answers(self, other):
        shape = self.tensor.get_shape()
        try:
            return shape == other, shape != other
        except ValueError as error:
            return str(error)


x = tf.placeholder(tf.float32, [None, 3])
fixed = tf.ones([2, 3])
whole, part, any_rank = Checked(x), Checked(fixed[:1]), Checked(tf.placeholder(tf.float32))
block(x, 3, "open"), block(fixed, 3, "fixed")
print([v.op.name for v in tf.global_variables()])
print(whole.fits(x), whole.fits(x + 1.0), part.fits(fixed), any_rank.fits(any_rank.tensor))
print(Checked(fixed).fits(fixed * 2.0))
for one in (whole, part, any_rank):
    print(one.answers([None, 3]), one.answers(x.shape), one.answers((1, 3)), one.answers(tf.TensorShape(None)))
"""


def test_shapes_that_tensorflow_1_compared(run_legacy: Callable[..., str]) -> None:
    from tests.native.native import printed

    assert printed(migrated(COMPARED).text) == run_legacy(COMPARED)
