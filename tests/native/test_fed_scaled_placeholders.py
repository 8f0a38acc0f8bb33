"""Scaled placeholders that are fed: functions take what is fed in their place, of the placeholder's type and shape."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

CODE = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4], name="raw") / 2.0
y = tf.placeholder(tf.float32, [None, 1])
out = tf.layers.dense(x, 1, kernel_initializer=tf.ones_initializer())
loss = tf.losses.mean_squared_error(labels=y, predictions=out)
step = tf.train.AdamOptimizer(0.1).minimize(loss)
rng = np.random.RandomState(0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        a, b = rng.rand(5, 4), rng.rand(5, 1)
        print("%.5f" % sess.run([loss, step], {x: a, y: b})[0])
    print("%.5f" % sess.run(out, {x: a[:2]})[1, 0], "%.5f" % sess.run(loss, {x: a, y: b}))
"""
MADE = 'tf.placeholder(tf.float32, [None, 4], name="raw") / 2.0'

NATIVE = {
    "divided": CODE,
    "taken from a number": CODE.replace(MADE, '1.0 - tf.placeholder(tf.float32, [None, 4], name="raw")'),
    "by a whole number": CODE.replace("/ 2.0", "* 3"),
    "under another name": CODE.replace(f"x = {MADE}", "raw = tf.placeholder(tf.float32, [None, 4])\nx = raw - 0.5"),
    "and fed beside the placeholder": CODE.replace(
        f"x = {MADE}", "raw = tf.placeholder(tf.float32, [None, 4])\nx = raw - 0.5"
    )
    + "    print('%.5f' % sess.run(loss, {raw: a, y: b}))\n",
}


@pytest.mark.parametrize("code", NATIVE.values(), ids=NATIVE.keys())
def test_computes_what_tf1_computed(code: str, run_legacy: Callable[..., str]) -> None:
    assert printed(made_native(code).text) == run_legacy(code)


REFUSED = {
    "of another type": (
        CODE.replace("tf.placeholder(tf.float32, [None, 4]", "tf.placeholder(tf.int32, [None, 4]").replace(
            "dense(x,", "dense(tf.to_float(x),"
        ),
        "a type and a shape that no function shows",
    ),
    "of a type that is computed": (
        CODE.replace("tf.placeholder(tf.float32, [None, 4]", "tf.placeholder(np.float32, [None, 4]"),
        "a type and a shape that no function shows",
    ),
    "of another shape": (CODE.replace("/ 2.0", "* np.ones([3, 1, 4])"), "a type and a shape that no function shows"),
    "made of a variable": (
        CODE.replace("x = tf", "scale = tf.Variable(2.0)\nx = tf").replace("/ 2.0", "* scale / 2.0"),
        "gradients go through a tensor that is fed",
    ),
}


@pytest.mark.parametrize(("code", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_refuses(code: str, reason: str) -> None:
    refuses(code, reason)
