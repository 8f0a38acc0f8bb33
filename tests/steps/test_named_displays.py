"""Lists of fetches and dictionaries of feeds that have names: their words are those of the run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

# Which model it is only the running program knows, and so does nobody what its tensors are one by one.
CHOSEN = """\
import sys

import tensorflow as tf


class Plain(object):
    def __init__(self, x):
        self.training = tf.placeholder(tf.bool, name="training")
        self.weight = tf.get_variable("weight", [], initializer=tf.constant_initializer(3.0))
        self.out = self.head(x)
        self.cost = tf.reduce_sum(tf.square(self.out)) + tf.cast(self.training, tf.float32)
        self.train_op = tf.train.GradientDescentOptimizer(0.01).minimize(self.cost)

    def head(self, x):
        return x * self.weight


class Squared(Plain):
    def head(self, x):
        return tf.square(x) * self.weight


class Network(object):
    def __init__(self, kind):
        graph = tf.Graph()
        self.sess = tf.Session(graph=graph)
        with graph.as_default():
            self.rows = tf.placeholder(tf.float32, [None])
            models = {"plain": lambda: Plain(self.rows), "squared": lambda: Squared(self.rows)}
            self.model = models[kind]()
            self.sess.run(tf.global_variables_initializer())

    def train(self, rows, turns):
        for turn in range(turns):
            feed_dict = {self.rows: rows, self.model.training: True}
            try:
                fetches = [self.model.train_op, self.model.cost, self.model.out]
                _, cost, out = self.sess.run(fetches, feed_dict=feed_dict)
            except tf.errors.InvalidArgumentError:
                continue
            print("%d %.4f %.4f" % (turn, cost, out.sum()))

    def test(self, rows):
        fed = {self.rows: rows, self.model.training: False}
        wanted = [self.model.cost, self.model.out]
        cost, out = self.sess.run(wanted, fed)
        return "%.4f %.4f" % (cost, out.sum())


network = Network(sys.argv[9] if len(sys.argv) > 9 else "squared")
network.train([1.0, 2.0], 3)
print(network.test([0.5, 1.5]))
"""

# A generator that runs a list which it fills anew in its loops; one of its items is one of two things.
LOOPED = """\
import numpy as np
import tensorflow as tf


def steps(rows, slow, turns):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    with tf.Session() as sess:
        if slow:
            preds = tf.Variable(np.ones((2, 2), np.float32))
        else:
            preds = tf.layers.dense(x, 2, kernel_initializer=tf.constant_initializer(0.5))
        far = tf.reduce_mean(tf.square(preds - 2.0 * x))
        whole = far + 0.1 * tf.reduce_mean(tf.abs(preds))
        train = tf.train.GradientDescentOptimizer(0.1).minimize(whole)
        sess.run(tf.global_variables_initializer())
        for turn in range(turns):
            for row in rows:
                feed = {}
                feed[x] = [row, row]
                train.run(feed_dict=feed)
                if turn % 2 == 1:
                    to_get = [far, whole, preds]
                    tup = sess.run(to_get, feed_dict=feed)
                    yield tup[0], tup[1], tup[2].sum()


for slow in (False, True):
    with tf.Graph().as_default():
        for values in steps(np.float32([[1.0, 2.0], [3.0, 4.0]]), slow, 4):
            print(" ".join("%.4f" % each for each in values))
"""

# The words of a list do not mean what they meant: the list has the tensors of before.
CHANGED = """\
import tensorflow as tf


class Net(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [])
        self.one = self.x + 1.0
        self.two = self.x + 2.0
        self.at = self.one


net = Net()
sess = tf.Session()


def show(turns):
    for turn in range(turns):
        fetches = [net.at, net.two]
        fed = {net.x: float(turn)}
        net.at = net.two
        print(sess.run(fetches, fed))
        net.at = net.one if turn == 0 else net.two
        fetches = [net.at]
        fetches[0] = net.two
        print(sess.run(fetches, {net.x: 10.0}))


show(3)
"""


@pytest.mark.parametrize(
    ("program", "dynamic"), [(CHOSEN, 0), (LOOPED, 0), (CHANGED, 1)], ids=["chosen", "looped", "changed"]
)
def test_runs_of_lists_and_dictionaries_with_names(
    program: str, dynamic: int, tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    outcome = migrated(program, tmp_path)
    sites = [site for site in outcome.report.sites if not site.initializer_only]
    assert sorted(site.tier for site in sites) == ["dynamic"] * dynamic + ["native"] * (2 - dynamic)
    assert {site.form for site in sites} == {"steps"}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
