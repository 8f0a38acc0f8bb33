"""Placeholders with a default: what does not feed them passes it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten

DROPOUT = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 3])
scale = tf.placeholder_with_default(1.0, shape=[], name="scale")
training = tf.placeholder_with_default(False, [])
w = tf.Variable(np.ones([3, 1], np.float32))
y = tf.matmul(x * scale, w) + tf.cast(training, tf.float32)
loss = tf.reduce_mean(tf.square(y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
X = np.ones([2, 3], np.float32)
for _ in range(3):
    sess.run(train, feed_dict={x: X, scale: 0.5, training: True})
print("%.4f" % sess.run(loss, feed_dict={x: X}))
print("%.4f" % sess.run(loss, feed_dict={scale: 2.0, x: X}))
"""
IDIOM = """\
import tensorflow as tf
before = tf.Variable(0, dtype=tf.uint8)
now = tf.placeholder_with_default(before, shape=(), name="now")
change = now - before
moving = tf.Variable(0, dtype=tf.uint8)
save = tf.assign(moving, now)
shift = tf.assign(before, moving)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for value in [42, 50, 55]:
    result, saved = sess.run([change, save], {now: value})
    kept = sess.run(shift)
    print("%d %d %d" % (result, saved, kept))
print("%d %d" % (sess.run(change), sess.run(now)))
"""


@pytest.mark.parametrize("script", [DROPOUT, IDIOM])
def test_computes_what_tf1_computed(script: str, run_legacy: Callable[..., str]) -> None:
    result = made_native(script)
    assert "placeholder" not in result.text
    assert printed(result.text) == run_legacy(script)


def test_numbers_and_variables_are_passed_on() -> None:
    assert "compute_loss(X, 1.0, False)" in rewritten(DROPOUT).text
    assert "tf.TensorSpec([], tf.bool)" in rewritten(DROPOUT).text
    assert "compute_change(before.read_value())" in rewritten(IDIOM).text
    assert 'tf.TensorSpec((), before.dtype, name="now")' in rewritten(IDIOM).text


@pytest.mark.parametrize(
    ("script", "old", "new", "reason"),
    [
        (DROPOUT, "_default(1.0,", "_default(tf.constant(1.0),", "neither a number nor a variable"),
        (DROPOUT, "_default(1.0,", "_default(np.float32(1.0),", "neither a number nor a variable"),
        (
            IDIOM,
            'print("%d %d" % (sess.run(change),',
            'sess.run([change, save])\nprint("%d %d" % (0,',
            "may be changed",
        ),
        (
            IDIOM,
            "sess = tf.Session()",
            "after = change\nbefore = tf.Variable(7)\nsess = tf.Session()",
            "may be changed by then",
        ),
    ],
)
def test_what_is_not_sure_stays_on_the_bridge(script: str, old: str, new: str, reason: str) -> None:
    assert old in script
    assert reason in (deciding_site(script.replace(old, new)).reason or "")
