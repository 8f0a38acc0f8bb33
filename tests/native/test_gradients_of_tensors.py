"""Gradients by tensors, and from given ones: functions call `tf.gradients` as the graph did."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses, rewritten

PENALTY = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
hidden = tf.layers.dense(x, 3, tf.nn.tanh, kernel_initializer=tf.constant_initializer(0.3), name="one")
y = tf.layers.dense(hidden, 1, tf.nn.tanh, kernel_initializer=tf.constant_initializer(0.2), name="two")
slope = tf.gradients(y, [x])[0]
slopes = tf.sqrt(tf.reduce_sum(tf.square(slope), axis=1))
penalty = tf.reduce_mean((slopes - 1.0) ** 2)
loss = tf.reduce_mean(y) + 10.0 * penalty
step = tf.train.AdamOptimizer(0.1).minimize(loss)
weights = tf.trainable_variables()
given = tf.gradients(ys=hidden, xs=weights, grad_ys=tf.gradients(y, hidden)[0])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    data = np.array([[1.0, 2.0], [0.5, -1.0]])
    for _ in range(3):
        print("%.4f" % sess.run([loss, step], {x: data})[0])
    print(sess.run(given[0], {x: data}).round(4).tolist())
    print(sess.run(slope, {x: data}).round(4).tolist())
"""
VARIABLES = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [2])
w = tf.Variable([1.0, 2.0])
v = tf.Variable(3.0)


def slope_of(value):
    return tf.gradients(value, x)[0]


y = tf.square(w * x) * v
first, second = tf.gradients(y, [w, v], grad_ys=[x * 2.0])
again = tf.gradients(slope_of(y), x)
both = tf.gradients(y, [x, x * 2.0])
optimizer = tf.train.GradientDescentOptimizer(0.1)
step = optimizer.apply_gradients(zip([first, second], [w, v]))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        slope, total, curve = sess.run([first, second, again[0]], {x: [1.0, -2.0]})
        print(slope, total, curve)
        print(sess.run(both[0], {x: [1.0, 3.0]}))
        sess.run(step, {x: [0.1, 0.2]})
    print(sess.run(w), sess.run(v))
"""
FUNCTIONS = """\
import tensorflow as tf


def critic(x, reuse=True):
    with tf.variable_scope("critic", reuse=reuse):
        hidden = tf.layers.dense(x, 4, tf.nn.tanh, kernel_initializer=tf.constant_initializer(0.3), name="one")
        return tf.layers.dense(hidden, 1, kernel_initializer=tf.constant_initializer(0.2), name="two")


def penalty_of(real, fake):
    between = 0.25 * real + 0.75 * fake
    slopes = tf.gradients(critic(between), [between])[0]
    return tf.reduce_mean(tf.square(tf.norm(slopes, axis=1) - 1.0))


real = tf.placeholder(tf.float32, [None, 2])
fake = tf.placeholder(tf.float32, [None, 2])
loss = tf.reduce_mean(critic(fake, None)) - tf.reduce_mean(critic(real)) + penalty_of(real, fake)
step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        _, value = sess.run([step, loss], {real: [[1.0, 2.0]], fake: [[0.5, -1.0]]})
        print("%.4f" % value)
"""
PROGRAMS = {"a penalty on slopes": PENALTY, "variables and tensors": VARIABLES, "in functions": FUNCTIONS}


@pytest.mark.parametrize("code", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_computes_what_tf1_computed(code: str, run_legacy: Callable[..., str]) -> None:
    result = made_native(code)
    assert printed(result.text) == run_legacy(code)


def test_the_calls_stay_as_they_are() -> None:
    text = rewritten(PENALTY).text
    assert "    slope = tf.gradients(y, [x])[0]\n" in text
    assert "given = tf.gradients(ys=hidden, xs=weights, grad_ys=tf.gradients(y, hidden)[0])\n" in text


REFUSED = {
    "a constant": ("tf.gradients(y, [x])", "tf.gradients(y, [tf.constant(2.0)])", "other than"),
    "a number": ("tf.gradients(y, [x])", "tf.gradients(y, [x], grad_ys=[2.0])", "other than tensors and variables"),
    "an option": ("tf.gradients(y, [x])", "tf.gradients(y, [x], colocate_gradients_with_ops=True)", "this form of"),
    "tensors that gradients stop at": ("tf.gradients(y, [x])", "tf.gradients(y, [x], stop_gradients=[x])", "this form"),
    "by place": ("tf.gradients(y, [x])", 'tf.gradients(y, [x], None, "slopes")', "this form of"),
    "arguments from a list": ("tf.gradients(y, [x])", "tf.gradients(*[y, [x]])", "this form of"),
    "in the run": ("sess.run(slope, ", "sess.run(tf.gradients(y, [x])[0], ", "this form of"),
    "by a list that a tape takes": ("tf.gradients(y, [x])", "tf.gradients(y, weights)", "a loss is computed from"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    old, new, reason = REFUSED[name]
    assert old in PENALTY
    code = PENALTY.replace(old, new)
    if "weights)" in new:
        line = "weights = tf.trainable_variables()\n"
        code = code.replace(line, "").replace("slope = ", f"{line}slope = ")
    refuses(code, reason)
