"""Variables in functions whose sizes are those of what the function is given: each trace finds the same ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

HEAD = """\
import math

import numpy as np
import tensorflow as tf


"""
TAIL = """\


x = tf.placeholder(tf.float32, [None, 4])
y = net(x, 3)
loss = tf.reduce_mean(tf.square(y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
data = np.arange(8.0).reshape(2, 4) / 8
for _ in range(3):
    print("%.4f" % sess.run([loss, train], {x: data})[0])
    print(np.round(sess.run(y, {x: data[:1]}), 4))
"""
SIZED = {
    "the size itself": (
        "def net(x, n):\n    size = int(x.get_shape()[1])\n    w = tf.Variable(tf.ones([size, n]))\n"
        "    return tf.tanh(tf.matmul(x, w))\n"
    ),
    "a number that is computed of it": (
        "def net(x, n):\n    size = x.get_shape().as_list()[1]\n"
        "    w = tf.Variable(tf.fill([size, n], 1.0 / math.sqrt(size)))\n    return tf.matmul(x, w)\n"
    ),
    "drawn, between two numbers that are the same": (
        "def net(x, n):\n    size = x.get_shape().as_list()[1]\n    bound = 1 / np.sqrt(size)\n"
        "    w = tf.Variable(tf.random_uniform([size, n], bound, bound))\n    return tf.matmul(x, w)\n"
    ),
    "a function that makes weights": (
        "def weight(shape):\n    initial = tf.fill(shape, 0.25)\n    return tf.Variable(initial)\n\n\n"
        "def net(x, n):\n    return tf.matmul(x, weight([x.get_shape().as_list()[1], n]))\n"
    ),
    "kept in a list, and gone through the other way round": (
        "def net(x, n):\n    sizes, weights = [], []\n    for size in [5, n]:\n"
        "        sizes.append(x.get_shape().as_list())\n"
        "        weights.append(tf.Variable(tf.ones([sizes[-1][1], size]) / 4.0))\n"
        "        x = tf.matmul(x, weights[-1])\n    weights.reverse()\n    sizes.reverse()\n"
        "    for place, size in enumerate(sizes):\n        x = tf.matmul(x, weights[place], transpose_b=True)\n"
        "        x += tf.Variable(tf.fill([size[1]], 0.5))\n    return x\n"
    ),
    "a number or a size, and what is absolute": (
        "def net(x, n):\n    size = 4\n    if n != 4:\n        size = int(x.get_shape()[1])\n"
        "    w = tf.Variable(-tf.ones([size, n]))\n    for _ in range(size - 3):\n        x = x * 1.5\n"
        "    return abs(tf.matmul(x, w)) + abs(w[0])\n"
    ),
    "in a loop, each of the one before": (
        "def net(x, n):\n    for size in [5, n]:\n        given = int(x.get_shape()[1])\n"
        "        w = tf.Variable(tf.ones([given, size]) / math.pow(given, 2))\n        x = tf.matmul(x, w)\n"
        "    return x\n"
    ),
}


@pytest.mark.parametrize("name", SIZED)
def test_sizes(name: str, run_legacy: Callable[..., str]) -> None:
    code = HEAD + SIZED[name] + TAIL
    assert printed(made_native(code).text).split() == run_legacy(code).split()


GIVEN_AWAY = {
    "enumerate": "sum(row for _, row in enumerate(x))",
    "abs": "abs([x, x])[0]",
    "math.ceil": "x * math.ceil(x)",
    "isinstance": "x * 2.0 if isinstance(x.get_shape()[1], int) else x",
}


@pytest.mark.parametrize("name", GIVEN_AWAY)
def test_other_functions_are_given_no_tensors(name: str) -> None:
    code = f"def net(x, n):\n    w = tf.Variable(tf.ones([4, n]))\n    return tf.matmul({GIVEN_AWAY[name]}, w)\n"
    refuses(HEAD + code + TAIL, f"a part of the graph is given to `{name}`")


COMPUTED = {
    "of the input": "tf.Variable(tf.reduce_mean(x, 0, keepdims=True) * tf.ones([4, n]))",
    "of the sizes that it is fed": "tf.Variable(tf.ones([4, n]) * tf.cast(tf.shape(x)[0], tf.float32))",
    "of sizes and of the input": "tf.Variable(tf.ones([int(x.get_shape()[1]), n]) * tf.reduce_sum(x))",
    "drawn, and multiplied by the input": "tf.Variable(tf.random_uniform([int(x.get_shape()[1]), n]) * x[0, 0])",
    "of another variable": "tf.Variable(tf.Variable(tf.ones([4, n])) * float(x.get_shape()[1].value))",
}


@pytest.mark.parametrize("name", COMPUTED)
def test_values_are_not_computed_of_what_is_fed(name: str) -> None:
    code = f"def net(x, n):\n    w = {COMPUTED[name]}\n    return tf.matmul(x, w)\n"
    refuses(HEAD + code + TAIL, "the initial value is computed from tensors")
