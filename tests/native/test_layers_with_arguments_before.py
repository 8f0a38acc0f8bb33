"""Layers that are given some of their arguments before: `dense = functools.partial(tf.layers.dense, …)`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

HEAD = """\
import functools
from functools import partial

import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
training = tf.placeholder_with_default(False, shape=(), name="training")
ones = tf.ones_initializer()
"""
STEP = "step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)\n"
WAITING = f"with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n    {STEP}"
RUNS = """
loss = tf.reduce_mean(tf.square(y - 1.0))
step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
data = np.arange(6.0).reshape(2, 3)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        print("%.3f %.3f" % (sess.run(loss, {x: data}), sess.run(y, {x: data}).sum()))
        sess.run(step, {x: data})
"""
DENSE = """\
dense = partial(tf.layers.dense, activation=tf.nn.elu, kernel_initializer=ones)
"""
BUILT = {
    "dense layers": DENSE + 'h = dense(x, 4, name="first")\nh = dense(h, 2)\ny = dense(h, 1, activation=None)\n',
    "normalization": "norm = partial(tf.layers.batch_normalization, training=training, momentum=0.9)\n"
    + DENSE
    + "h = tf.nn.elu(norm(dense(x, 4, activation=None)))\ny = norm(dense(h, units=1))\n",
    "in scopes": 'with tf.name_scope("net"):\n'
    "    conv = functools.partial(tf.layers.conv1d, filters=2, kernel_size=2, kernel_initializer=ones)\n"
    "    h = tf.layers.flatten(conv(conv(x[:, :, None], padding='same')))\n"
    'with tf.variable_scope("end"):\n    y = tf.layers.dense(h, 1, kernel_initializer=ones)\n',
    "in a function": "def net(values, size):\n"
    "    own = partial(tf.layers.dense, units=size, kernel_initializer=ones)\n"
    "    return own(tf.nn.relu(own(values)))\n" + DENSE + "y = net(x, 3)\n",
    "arguments by place": "whole = partial(tf.layers.dense, x)\nflat = partial(tf.layers.flatten)\n"
    "h = whole(4, tf.nn.relu, kernel_initializer=ones)\n"
    "y = tf.layers.dense(flat(h), 1, kernel_initializer=ones)\n",
    "cells": "from functools import partial\n"
    "cell = partial(tf.nn.rnn_cell.LSTMCell, initializer=ones, activation=tf.nn.elu)\n"
    "cells = tf.nn.rnn_cell.MultiRNNCell([cell(2), cell(num_units=3)])\n"
    "out, state = tf.nn.dynamic_rnn(cells, x[:, :, None], dtype=tf.float32)\n"
    "y = tf.reduce_sum(out[:, -1], 1, keepdims=True)\n",
    "regularizers": "l2 = tf.contrib.layers.l2_regularizer(0.1)\n"
    "dense = partial(tf.layers.dense, kernel_initializer=ones, kernel_regularizer=l2)\n"
    "y = dense(dense(x, 2), 1) + tf.losses.get_regularization_loss()\n",
    "an initializer that is called": "first = tf.contrib.layers.variance_scaling_initializer(factor=0.0)\n"
    "w = tf.Variable(first([3, 3]) + 1.0)\ndense = partial(tf.layers.dense, kernel_initializer=first)\n"
    "y = tf.matmul(x, w) + dense(x, 3)\n",
    "regularizers that are called": "l2 = tf.contrib.layers.l2_regularizer(0.1)\n"
    "w = tf.Variable(tf.ones([3, 1]))\nb = tf.Variable([0.5])\ny = tf.matmul(x, w) + b + l2(w) + l2(b)\n",
}


@pytest.mark.parametrize("name", BUILT)
def test_computes_what_tf1_computed(name: str, run_legacy: Callable[..., str]) -> None:
    code = HEAD + BUILT[name] + RUNS
    if name == "normalization":
        code = code.replace(STEP, WAITING).replace("step, {x: data}", "step, {x: data, training: True}")
    assert printed(made_native(code).text) == run_legacy(code)


REFUSED = {
    "a function that reads the name": (
        "y = dense(h, 1",
        "def net(values):\n    return dense(values, 2)\n\ny = dense(net(h), 1",
        "`dense` would be needed where it is not known",
    ),
    "handed on": ("y = dense(h, 1", "kinds = [dense]\ny = kinds[0](h, 1", "is not only called by a name"),
    "in a condition": (
        DENSE,
        f"dense = tf.layers.dense\nif np.pi > 3.0:\n    {DENSE}",
        "`tf.layers.dense` is not understood here",
    ),
    "another value of its argument": (
        "y = dense(h, 1",
        "ones = None\ny = dense(h, 1",
        "means something else by the time of this call",
    ),
    "arguments of a dictionary": ("y = dense(h, 1", "y = dense(h, 1, **{}", "takes its arguments from a dictionary"),
    "arguments before of a dictionary": (
        "activation=tf.nn.elu,",
        '**{"activation": tf.nn.elu},',
        "takes its arguments from a dictionary",
    ),
    "a scope of the layer's name": (
        "y = dense(h, 1",
        'with tf.name_scope("dense_1"):\n    h = h * 2.0\ny = dense(h, 1',
        "this scope may take the name that an unnamed layer would get",
    ),
    "no layer": ("partial(tf.layers.dense, activation=tf.nn.elu,", "partial(tf.Variable,", "`tf.Variable`"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    old, new, reason = REFUSED[name]
    code = HEAD + BUILT["dense layers"] + RUNS
    assert old in code
    refuses(code.replace(old, new), reason)


def test_changed_in_place_by_a_function_is_refused() -> None:
    code = HEAD + "sizes = [2]\nkeep = partial(sizes.append, 3)\ny = tf.layers.dense(x, sizes[0])\nkeep()\n" + RUNS
    refuses(code, "may be changed here")
