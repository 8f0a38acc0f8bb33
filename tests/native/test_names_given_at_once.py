"""Parts of the graph that one statement gives several names: `loss = cost = …`, `self.w = w = …`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

CODE = """\
import numpy as np
import tensorflow as tf


def show(*values):
    print(*[np.array2string(np.asarray(value), precision=4) for value in values])


def hidden(values, size):
    out = inner = tf.layers.dense(values, size, kernel_initializer=tf.ones_initializer(), name="hidden")
    for _ in range(2):
        inner = last = inner * 2.0
    return out + inner + last


class Net(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 3])
        self.w = w = tf.Variable(tf.ones([3, 1]), name="w")
        self.b = self.c = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
        self.y = y = tf.matmul(self.x, w) + self.c
        self.loss = cost = tf.reduce_mean(y * y)
        self.train = step = tf.train.GradientDescentOptimizer(0.1).minimize(cost)


net = Net()
x = tf.placeholder(tf.float32, [2, 3, 1])
cell = lstm = tf.nn.rnn_cell.LSTMCell(2, initializer=tf.ones_initializer())
w = v = tf.Variable(tf.ones([2, 1]))
out, state = tf.nn.dynamic_rnn(lstm, x, dtype=tf.float32)
first = parts = tf.split(out, 3, 1)
double = twice = tf.assign(v, w * 2.0)
one = two = tf.constant(2.0)
total = 0
y = total = total + tf.matmul(state.h, w) * one + tf.matmul(first[0][:, 0], v) + parts[1][:, 0, :1] * two
z = hidden(y, 1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        show(*sess.run([y, total, z, v], {x: np.ones((2, 3, 1))}))
        sess.run(double)
        _, loss = sess.run([net.train, net.loss], {net.x: np.ones((2, 3))})
        show(loss, *sess.run([net.b, net.c, net.w]))
        sess.run(twice)
"""


def test_computes_what_tf1_computed(run_legacy: Callable[..., str]) -> None:
    assert printed(made_native(CODE).text) == run_legacy(CODE)


REFUSED = {
    "a list that grows": "parts = [y]\nparts = both = [y, z]\nboth.append(y)\n",
    "an optimizer's gradients": "pairs = both = tf.train.AdamOptimizer(0.1).compute_gradients(y)\n",
    "a dictionary": 'parts = both = {"a": y}\n',
    "names unpacked": "(a, b) = c = tf.split(x, 2, 0)\n",
    "a placeholder": "p = q = tf.placeholder(tf.float32, [])\n",
    "a session": "one = two = tf.Session()\n",
    "an optimizer": "one = two = tf.train.AdamOptimizer(0.1)\n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    refuses(CODE.replace("with tf.Session", REFUSED[name] + "with tf.Session"), "two names at once")


def test_a_list_with_two_names_in_a_function_is_refused() -> None:
    code = CODE.replace("    out = inner", "    some = others = []\n    others.append(values)\n    out = inner")
    refuses(code, "does more than build")
