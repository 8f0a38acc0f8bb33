"""Lists of tensors that are made for as many Python values as there are."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, rewritten, tier_of

CODE = """\
import tensorflow as tf

count = len("abc")
x = tf.placeholder(tf.float32, [2])
powers = [tf.pow(x, float(i + 1)) for i in range(count)]
scales = [tf.constant(float(i)) for i in range(count)]
total = tf.add_n([power * scale for power, scale in zip(powers, scales)])
with tf.Session() as sess:
    print(sess.run(total, {x: [1.0, 2.0]}))
    print(*sess.run(powers, {x: [1.0, 2.0]}))
    print(*sess.run(scales))
"""
# What TensorFlow 1.15.5 prints.
OUTPUT = "[ 3. 20.]\n[1. 2.] [1. 4.] [1. 8.]\n0.0 1.0 2.0\n"


def test_lists_of_tensors() -> None:
    result = made_native(CODE)
    assert "powers = [tf.pow(x, float(i + 1)) for i in range(count)]" in result.text
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == OUTPUT


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # A generator is empty behind the first who reads it.
        ("[tf.pow(x, float(i + 1)) for i in range(count)]", "(tf.pow(x, float(i + 1)) for i in range(count))"),
        # Which names these variables get depends on how many there are.
        ("tf.constant(float(i)) for", "tf.Variable(float(i)) for"),
        ("tf.pow(x, float(i + 1)) for", "tf.layers.dense(x[None], 2) for"),
        ("tf.pow(x, float(i + 1)) for", "tf.placeholder(tf.float32, [2]) for"),
        ("tf.pow(x, float(i + 1)) for i in range(count)", "tf.pow(x, float(i)) for i in iter([1, 2, 3].pop, 2)"),
        ("tf.pow(x, float(i + 1)) for", "tf.random_normal([2], seed=1) for"),
        ("for i in range(count)]\nscales", "for i in range(count) if x[i] > 0]\nscales"),
    ],
)
def test_what_is_not_sure(old: str, new: str) -> None:
    assert old in CODE
    assert tier_of(CODE.replace(old, new, 1)) == "bridge"
