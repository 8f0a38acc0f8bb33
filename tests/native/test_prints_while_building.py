"""What is printed while the graph is built is printed once, and before what comes behind it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from native import made_native, printed, rewritten

HEAD = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [4, 3])
batch = np.arange(12, dtype=np.float32).reshape(4, 3)
ones = tf.constant_initializer(0.5)
"""
START = "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\nprint('go')\n"

PROGRAMS = {
    "the shape of a layer": """\
h = tf.layers.dense(x, 2, kernel_initializer=ones)
print("h", h.get_shape().as_list())
y = tf.reduce_sum(h)
z = tf.reduce_max(h)
"""
    + START
    + "print(sess.run(y, {x: batch}))\nprint(sess.run(z, {x: batch}))\n",
    "a shape that only steps compute": """\
w = tf.Variable([[1.0], [2.0], [3.0]])
y = tf.matmul(x, w)
print("{} by {}".format(*y.shape.as_list()))
loss = tf.reduce_mean(tf.square(y - 1.0))
step = tf.train.AdamOptimizer(0.1).minimize(loss)
"""
    + START
    + "for i in range(2):\n    print(i)\n    sess.run(step, {x: batch})\nprint(sess.run(loss, {x: batch}))\n",
    "what no run computes": """\
w = tf.Variable(2.0)
y = x * w
unused = tf.reshape(y, [2, 6])
print(unused.shape.as_list())
"""
    + START
    + "print(sess.run(y, {x: batch})[1])\n",
    "the size of a cell": """\
cell = tf.nn.rnn_cell.BasicLSTMCell(2)
print(cell.output_size, cell.state_size.c)
outputs, state = tf.nn.dynamic_rnn(cell, tf.reshape(x, [2, 2, 3]), dtype=tf.float32)
total = tf.reduce_sum(tf.zeros_like(outputs))
"""
    + START
    + "print(sess.run(total, {x: batch}))\n",
    "a class": """\
class Net(object):
    def __init__(self, size):
        self.hidden = tf.layers.dense(x, size, kernel_initializer=ones)
        print("hidden", self.hidden.shape.as_list())
        self.y = tf.reduce_sum(self.hidden)
    def run(self, sess):
        return sess.run(self.y, {x: batch})
net = Net(5)
"""
    + START
    + "print(net.run(sess))\nprint(net.run(sess))\n",
    "a condition behind it": """\
w = tf.Variable(2.0)
y = tf.reduce_sum(x * w)
print(y.shape.ndims)
if batch[0, 0] > 1.0:
    print("never")
"""
    + START
    + "print(sess.run(y, {x: batch}))\n",
}


@pytest.mark.parametrize("code", PROGRAMS.values(), ids=PROGRAMS)
def test_prints_as_tf1_did(code: str, run_legacy: Callable[..., str]) -> None:
    assert printed(rewritten(HEAD + code).text) == run_legacy(HEAD + code)


def test_moves_where_the_run_is_next(run_legacy: Callable[..., str]) -> None:
    code = HEAD + (
        "w = tf.Variable(2.0)\ny = tf.reduce_sum(x * w)\nsess = tf.Session()\n"
        "sess.run(tf.global_variables_initializer())\nprint('y', y.shape.as_list())\nz = y + 1.0\nn = 2\n"
        "print(sess.run(y, {x: batch}))\nprint(sess.run(z, {x: batch}))\n"
    )
    assert printed(made_native(code).text) == run_legacy(code)
