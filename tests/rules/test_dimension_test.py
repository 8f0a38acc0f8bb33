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
