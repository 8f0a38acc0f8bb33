"""Tests of entries of shapes are told: TensorFlow 1 answered each of them in one way, TensorFlow 2 has two."""

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
)
LEFT = (
    "return x.get_shape()[0].value is None",
    "return x.get_shape()[0].value or 3",
    "return x.get_shape().as_list()[0] is None",
    "return x.get_shape()[0] == 3",
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
def test_it_is_told(line: str) -> None:
    """The text stays, and what comes out is not told again, nor what was a number before."""
    result = migrated(body(line))
    assert told(body(line)) == ["manual"]
    assert line in result.text
    assert told(result.text) == []


@pytest.mark.parametrize("line", LEFT)
def test_what_means_the_same(line: str) -> None:
    code = body(line)
    assert told(code) == []
    assert told(migrated(code).text) == []


def test_modules_of_tensorflow_2() -> None:
    assert told(body(TOLD[0]).replace("z = tf.placeholder(tf.float32)", "z = tf.constant(1.0)")) == []


def test_what_tensorflow_1_answered(run_legacy: Callable[..., str]) -> None:
    program = """\
import tensorflow as tf
unknown, empty, three = tf.placeholder(tf.float32, [None, 0, 3]).get_shape()
print(unknown is None, unknown == None, unknown != None, unknown != 3, three != None)
print(bool(unknown), bool(empty), (unknown or 3) is unknown)
"""
    assert run_legacy(program) == "False None None None None\nTrue True True\n"
