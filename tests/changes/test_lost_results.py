"""Functions that TensorFlow 2 has, but which gave something in TensorFlow 1 that they do not give any more."""

from __future__ import annotations

import pytest

from tests.engine import becomes

BOTH = "import tensorflow as tf\nimport compat\n"


@pytest.mark.parametrize(
    "call",
    [
        "tf.constant([1.0, 2.0], shape=[4])",
        "tf.constant([[1, 2], [3, 4]], tf.int64, [2, 3])",
        "tf.constant(('a', 'b'), shape=shape)",
        "tf.constant([1, 2], shape=[rows, 2], name='c')",
    ],
)
def test_a_list_that_may_be_filled_up(call: str) -> None:
    text = "import tensorflow as tf\n\n\ndef f(shape, rows):\n    return {}\n"
    becomes(text.format(call), text.replace("import tensorflow as tf\n", BOTH).format(call.replace("tf.c", "compat.c")))


@pytest.mark.parametrize(
    "call",
    [
        "tf.constant(0.1, shape=shape)",
        "tf.constant([0.5], shape=[rows, 2])",
        "tf.constant([1, 2, 3, 4], shape=[2, 2])",
        "tf.constant([[1, 2]], tf.int64)",
        "tf.constant(shape, shape=[4])",
    ],
)
def test_constants_that_mean_the_same(call: str) -> None:
    text = f"import tensorflow as tf\n\n\ndef f(shape, rows):\n    return {call}\n"
    becomes(text, text)


def test_a_list_under_a_name() -> None:
    text = "import tensorflow as tf\n\nVALUES = [1, 2]\n\n\ndef f():\n    return tf.constant(VALUES, shape=[3])\n"
    becomes(text, text.replace("import tensorflow as tf\n", BOTH).replace("tf.constant", "compat.constant"))


def test_a_check_whose_operation_is_used() -> None:
    before = """\
import tensorflow as tf


def f(x):
    tf.assert_integer(x)
    with tf.control_dependencies([tf.assert_type(x, tf.int32)]):
        return tf.identity(x)
"""
    after = """\
import tensorflow as tf
import compat


def f(x):
    tf.debugging.assert_integer(x)
    with tf.control_dependencies([compat.assert_type(x, tf.int32)]):
        return tf.identity(x)
"""
    becomes(before, after)
