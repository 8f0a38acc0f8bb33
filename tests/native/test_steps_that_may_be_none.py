"""Training steps that are None first, and made where a condition holds: nothing but a run may ask for them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

CLASS = """\
import numpy as np
import tensorflow as tf

X = np.arange(6, dtype=np.float32).reshape(3, 2)


class Model(object):
    def __init__(self, is_training):
        self.train_op = None
        self.x = tf.placeholder(tf.float32, [None, 2])
        self.y = tf.layers.dense(self.x, 1, kernel_initializer=tf.ones_initializer())
        self.loss = tf.reduce_mean(tf.square(self.y))
        if is_training:
            self.train_op = tf.train.GradientDescentOptimizer(0.01).minimize(self.loss)


model = Model(len(X) > 2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        _, value = sess.run([model.train_op, model.loss], {model.x: X})
        print("%.4f" % value)
"""
SCRIPT = """\
import numpy as np
import tensorflow as tf

X = np.arange(6, dtype=np.float32).reshape(3, 2)
training = len(X) > LEAST
x = tf.placeholder(tf.float32, [None, 2])
y = tf.layers.dense(x, 1, kernel_initializer=tf.ones_initializer())
loss = tf.reduce_mean(tf.square(y))
train_op = None
if training:
    train_op = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        if training:
            _, value = sess.run([train_op, loss], {x: X})
        else:
            value = sess.run(loss, {x: X})
        print("%.4f" % value)
"""


@pytest.mark.parametrize("code", [CLASS, SCRIPT.replace("LEAST", "2"), SCRIPT.replace("LEAST", "3")])
def test_computes_what_tf1_computed(code: str, run_legacy: Callable[..., str]) -> None:
    assert printed(made_native(code).text) == run_legacy(code)


BUILT = "the graph grows inside a loop or a condition"
REFUSED = {
    "a script that asks": SCRIPT.replace("        if training:", "        if train_op is not None:"),
    "fetches that ask": SCRIPT.replace(
        "[train_op, loss], {", "[loss, train_op] if train_op is not None else [loss, y], {"
    ),
    "a script that shows it": SCRIPT.replace("with tf", "print(train_op)\nwith tf"),
    "a name for it": SCRIPT.replace("with tf", "step = train_op\nwith tf"),
    "a method that asks": CLASS.replace(
        "\n\nmodel =", "\n\n    def trains(self):\n        return self.train_op is not None\n\n\nmodel ="
    ),
    "a script that asks the object": CLASS.replace("with tf", "print(model.train_op is None)\nwith tf"),
    "a constructor that asks": CLASS.replace(
        "        if is_training:", "        print(self.train_op)\n        if is_training:"
    ),
    "another step in the other branch": SCRIPT.replace(
        "with tf", "else:\n    train_op = tf.train.AdamOptimizer(0.01).minimize(loss)\nwith tf"
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses(name: str) -> None:
    refuses(REFUSED[name].replace("LEAST", "2"), BUILT)
