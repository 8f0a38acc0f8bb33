"""Methods that build keep what they make as attributes, which only they read: `self.h, self.w = linear(z)`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

MODEL = """\
import numpy as np
import tensorflow as tf

X = np.sin(np.arange(12.0)).reshape(4, 3)


def linear(t, size, name):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [t.get_shape()[1], size], initializer=tf.constant_initializer(0.3))
        try:
            product = tf.matmul(t, w)
        except AttributeError:
            # Before TensorFlow 1.0.
            product = tf.batch_matmul(t, w)
        return product, w


class Model(object):
    def __init__(self, sess):
        self.sess = sess
        self.z = tf.placeholder(tf.float32, [4, 3])
        self.made = self.generator(self.z)
        self.sampled = self.sampler(self.z)
        self.loss = tf.reduce_mean(tf.square(self.made - 1.0))
        self.step = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)

    def generator(self, z):
        with tf.variable_scope("generator"):
            self.h0, self.h0_w = linear(z, 2, "g_h0")
            h0 = tf.nn.relu(self.h0)
            self.h1, _ = linear(h0, 1, "g_h1")
            return tf.nn.tanh(self.h1)

    def sampler(self, z):
        with tf.variable_scope("generator", reuse=True):
            self.h0 = linear(z, 2, "g_h0")[0]
            return tf.nn.tanh(linear(tf.nn.relu(self.h0), 1, "g_h1")[0])

    def train(self):
        self.sess.run(tf.global_variables_initializer())
        for _ in range(3):
            print("%.4f" % self.sess.run([self.step, self.loss], {self.z: X})[1])
        print(self.sess.run(self.sampled, {self.z: X}).round(4).tolist())


with tf.Session() as sess:
    model = Model(sess)
    model.train()
"""


def test_computes_what_tf1_computed(run_legacy: Callable[..., str]) -> None:
    result = made_native(MODEL)
    assert "self.h0" not in result.text
    assert printed(result.text) == run_legacy(MODEL)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("    model.train()", "    model.train()\n    print(model.h0)", "`generator` stores a value outside"),
        (
            "            h0 = tf.nn.relu(self.h0)",
            "            self.sampler(z)\n            h0 = tf.nn.relu(self.h0)",
            "outside",
        ),
        ("self.h0, self.h0_w = linear", "self.loss, self.h0_w = linear", "`generator` stores a value outside"),
        (
            "    def train(self):",
            "    def train(self):\n        self.h0 = 0.5\n        print(self.h0)",
            "`self.h0` is bound by methods that build, and by others",
        ),
    ],
)
def test_refuses_attributes_that_others_may_see(old: str, new: str, reason: str) -> None:
    refuses(MODEL.replace(old, new), reason)


def test_refuses_handlers_that_ask_for_what_it_does_not_know() -> None:
    refuses(
        MODEL.replace("tf.batch_matmul(t, w)", "tf.load_op_library(t, w)"), "`tf.load_op_library` is not understood"
    )
