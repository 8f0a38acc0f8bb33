"""`tf.get_variable(name, initializer=tensor)` in functions that build: the store makes the variable of the tensor."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.native.native import made_native, printed, refuses

HEAD = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
"""
RUN = """\
loss = tf.reduce_mean(tf.square(out))
step = tf.train.AdamOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        print("%.4f" % sess.run([step, loss], {x: [[1.0, 2.0, 3.0, 4.0]]})[1])
    print(["%.4f" % number for number in np.ravel(sess.run(other, {x: [[1.0, 2.0, 3.0, 4.0]]}))])
"""
BIASES = """\
def bias(shape, value):
    initial = tf.constant(value, shape=shape, dtype=tf.float32)
    return tf.get_variable("b", dtype=tf.float32, initializer=initial)


def net(t):
    with tf.variable_scope("a"):
        t = tf.matmul(t, tf.ones([4, 2])) + bias([2], 0.1)
    with tf.variable_scope("b"):
        return t * bias([1], 0.7)


out = net(x)
other = out
"""
REUSED = """\
def net(t, reuse=None):
    with tf.variable_scope("n", reuse=reuse):
        w = tf.get_variable("w", initializer=tf.ones([4, 2]) * 0.5)
        b = tf.get_variable("b", None, tf.float32, tf.zeros([2]))
    return tf.matmul(t, w) + b


out = net(x)
other = net(x * 2, True)
"""
FOUND = REUSED.replace("reuse=reuse", "reuse=tf.AUTO_REUSE").replace(", True", "")
SHAPED = """\
def net(t):
    n = t.get_shape().as_list()[1]
    w = tf.get_variable("w", initializer=tf.range(n * 2, dtype=tf.float32) / 8.0)
    return tf.matmul(t, tf.reshape(w, [n, 2]))


out = net(x)
other = out * 2
"""
OUTSIDE = """\
K = tf.constant(0.5, shape=[4, 2])


def net(t):
    with tf.variable_scope("s", initializer=tf.constant_initializer(9.0)):
        w = tf.get_variable("w", initializer=K)
        n = tf.get_variable("n", initializer=tf.constant(3), trainable=False)
        u = tf.get_variable("u", [2])
    return tf.matmul(t, w) * tf.cast(n, tf.float32) + u


out = net(x)
other = K
"""
LOOP = """\
out = x
for i in range(3):
    w = tf.get_variable("w%d" % i, initializer=tf.eye(4) * (i + 1.0))
    out = tf.matmul(out, w)
other = out * 2
"""
SCRIPT = """\
first = tf.reshape(tf.range(8, dtype=tf.float32), [4, 2]) / 8.0
w = tf.get_variable("weights", initializer=first)
with tf.variable_scope("b"):
    b = tf.get_variable("bias", None, tf.float32, tf.constant([0.5, 1.5]))
    n = tf.get_variable("n", initializer=tf.constant(3), trainable=False)
out = tf.matmul(x, w) + b
other = out * tf.cast(n, tf.float32)
"""


@pytest.mark.parametrize("build", [BIASES, REUSED, FOUND, SHAPED, OUTSIDE, LOOP, SCRIPT])
def test_prints_what_tf1_printed(build: str, run_legacy: Callable[..., str]) -> None:
    program = HEAD + build + RUN
    assert printed(made_native(program).text) == run_legacy(program)


DRAWN = """\
def net(t):
    w = tf.get_variable("w", initializer=tf.truncated_normal([4, 2], stddev=0.1))
    return tf.matmul(t, w)


out = net(x)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        print(sess.run(out, {x: [[1.0, 2.0, 3.0, 4.0]]}).tolist())
"""


def test_is_drawn_once() -> None:
    first, *others = printed(made_native(HEAD + DRAWN).text).splitlines()
    assert others == [first, first]
    assert np.ptp([float(number) for number in first.strip("[]").split(",")]) > 0.0


@pytest.mark.parametrize(
    ("initial", "reason"),
    [
        ("tf.reduce_mean(t)", "the initial value is computed from tensors"),
        ("k * 2.0", "the initial value is computed from tensors"),
        ("tf.fill([tf.shape(t)[1]], 0.5)", "the initial value is computed from tensors"),
    ],
)
def test_refused(initial: str, reason: str) -> None:
    net = f"""\
def net(t):
    k = tf.get_variable("k", [2], initializer=tf.ones_initializer())
    w = tf.get_variable("w", initializer={initial})
    return tf.reduce_sum(t) * w + k


out = net(x)
other = out
"""
    refuses(HEAD + net + RUN, reason)


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        ('tf.get_variable("w", [4, 2], initializer=tf.ones([4, 2]))', "the variable is given a tensor and a shape"),
        ('tf.get_variable("w", initializer=x)', "the initial value is computed from `x`"),
        ("tf.get_variable(NAME, initializer=tf.ones([4, 2]))", "name and shape of the variable must stand in the call"),
    ],
)
def test_what_the_script_may_not_give(made: str, reason: str) -> None:
    refuses(f"{HEAD}NAME = 'w'\nw = {made}\nout = tf.matmul(x, w)\nother = out\n{RUN}", reason)
