"""Conditions of a constructor that build one of several graphs: each moves as a whole, with the attributes it binds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses, rewritten

NET = """\
import numpy as np
import tensorflow as tf

OPTIONS = [dict(name="penalty", lam=0.5, low=0.01), dict(name="clip", epsilon=0.25)][KIND]


class Net(object):
    def __init__(self, size):
        self.sess = tf.Session()
        self.x = tf.placeholder(tf.float32, [None, size])
        self.y = tf.placeholder(tf.float32, [None, 1])
        with tf.variable_scope("net"):
            out = tf.layers.dense(self.x, 1, kernel_initializer=tf.constant_initializer(0.5))
        with tf.variable_scope("loss"):
            error = tf.square(self.y - out)
            if OPTIONS["name"] == "penalty":
                # how much is added
                self.lam = tf.placeholder(tf.float32, None, "lam")
                size_of = tf.square(out)
                self.extra = tf.reduce_mean(size_of)
                self.loss = tf.reduce_mean(error) + self.lam * self.extra
            else:  # only so much
                self.loss = tf.reduce_mean(tf.minimum(error, OPTIONS["epsilon"]))
        self.train = tf.train.AdamOptimizer(0.1).minimize(self.loss)
        self.sess.run(tf.global_variables_initializer())

    def learn(self, x, y):
        if OPTIONS["name"] == "penalty":
            _, extra = self.sess.run([self.train, self.extra], {self.x: x, self.y: y, self.lam: OPTIONS["lam"]})
            if extra > OPTIONS["low"]:
                OPTIONS["lam"] *= 0.5
            return extra
        self.sess.run(self.train, {self.x: x, self.y: y})
        return self.sess.run(self.loss, {self.x: x, self.y: y})


net = Net(2)
rng = np.random.RandomState(0)
for _ in range(4):
    print("%.5f" % net.learn(rng.rand(3, 2), rng.rand(3, 1)))
if OPTIONS["name"] == "penalty":
    print("%.5f" % OPTIONS["lam"])
"""
# What TensorFlow 1.15.5 prints.
OUTPUTS = {
    0: "0.33823\n0.11364\n0.10600\n0.00900\n0.06250\n",
    1: "0.07900\n0.16716\n0.25000\n0.25000\n",
}


@pytest.mark.parametrize("kind", OUTPUTS)
def test_a_condition_that_binds_attributes(kind: int) -> None:
    result = made_native(NET.replace("KIND", str(kind)))
    assert "lam = tf.placeholder" not in result.text
    assert "loss = tf.reduce_mean(error) + lam * extra" in result.text
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == OUTPUTS[kind]


def test_a_placeholder_that_stands_alone_in_its_branch() -> None:
    code = NET.replace("KIND", "1").replace('            if OPTIONS["name"] == "penalty":\n                # how', "#")
    lines = '            if OPTIONS["name"] != "clip":\n                self.lam = tf.placeholder(tf.float32, None)\n'
    lines += "            else:\n                self.loss = tf.reduce_mean(tf.minimum(error, OPTIONS['epsilon']))\n"
    start, end = code.index("#"), code.index("        self.train")
    code = code[:start] + lines + code[end:]
    code = code.replace("[self.train, self.extra]", "[self.train, self.loss]")
    result = made_native(code)
    assert printed(result.text) == OUTPUTS[1]


WEIGHED = """\
import tensorflow as tf


class Net:
    def __init__(self, sess, name, weighed):
        self.sess = sess
        self.weighed = weighed
        with tf.variable_scope(name):
            self.x = tf.placeholder(tf.float32, [None, 2])
            if self.weighed:
                # how much each counts
                self.weights = tf.placeholder(tf.float32, [None, 1])
            out = tf.layers.dense(self.x, 1, kernel_initializer=tf.constant_initializer(0.5), name="out")
            if self.weighed:
                self.errors = tf.abs(out - 2.0)
                self.loss = tf.reduce_mean(self.weights * self.errors)
            else:
                self.loss = tf.reduce_mean(tf.square(out - 2.0))
            self.train = tf.train.RMSPropOptimizer(0.1).minimize(self.loss)

    def learn(self, x, weights):
        if self.weighed:
            fed = {self.x: x, self.weights: weights}
            _, errors, loss = self.sess.run([self.train, self.errors, self.loss], feed_dict=fed)
            return "%.4f %.4f" % (errors[0, 0], loss)
        _, loss = self.sess.run([self.train, self.loss], {self.x: x})
        return "%.4f" % loss


sess = tf.Session()
nets = [Net(sess, "weighed", True), Net(sess, "plain", False)]
sess.run(tf.global_variables_initializer())
for _ in range(3):
    print([net.learn([[1.0, 2.0], [0.5, 1.0]], [[0.5], [1.5]]) for net in nets])
"""


def test_a_condition_that_makes_a_placeholder_only(run_legacy: Callable[..., str]) -> None:
    result = made_native(WEIGHED)
    assert result.text.count("if self.weighed:") == 3, "one in each of two functions, and that of the method"
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == run_legacy(WEIGHED)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if self.weighed:\n                #", "if self.count():\n                #"),
        ("                self.weights =", "                self.seen = 1\n                self.weights ="),
        ("if self.weighed:\n                #", "while self.weighed:\n                #"),
    ],
    ids=["a condition that does something", "something beside it", "a loop"],
)
def test_a_condition_that_does_more(old: str, new: str) -> None:
    assert old in WEIGHED
    code = WEIGHED.replace(old, new)
    refuses(code, "inside a loop or a condition")


REFUSED = {
    "a value that the graph reads is changed": ('OPTIONS["lam"] *= 0.5', 'OPTIONS["epsilon"] = 0.5', "may be changed"),
    "a dictionary of lists": ("lam=0.5, low", "lam=[0.5], low", "may be changed"),
    "a dictionary that is given away": ("net = Net(2)\n", "net = Net(2)\nshow(OPTIONS)\n", "may be changed"),
    "all of a dictionary is read": ('OPTIONS["epsilon"])', 'max(OPTIONS["epsilon"], len(OPTIONS)))', "may be changed"),
    "a Python value beside": (
        "                self.extra = ",
        "                self.kind = 3\n                self.extra = ",
        "inside a loop or a condition",
    ),
    "a placeholder in both branches": (
        "            else:  # only so much\n",
        "            else:\n                self.lam = tf.placeholder(tf.float32, None)\n",
        "inside a loop or a condition",
    ),
    "a placeholder of a shape of its branch": (
        'self.lam = tf.placeholder(tf.float32, None, "lam")',
        'shape = []\n                self.lam = tf.placeholder(tf.float32, shape, "lam")',
        "inside a loop or a condition",
    ),
    "a variable in a branch": (
        'self.lam = tf.placeholder(tf.float32, None, "lam")',
        "self.lam = tf.Variable(0.5)",
        "a tensor is fed of which unnamed layers are counted together with others",
    ),
    "a tensor is the condition": (
        'if OPTIONS["name"] == "penalty":\n                #',
        "if out > 0.0:\n                #",
        "is used as a Python value",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    old, new, reason = REFUSED[name]
    assert old in NET
    code = NET.replace(old, new).replace("KIND", "0")
    refuses(code, reason)
