"""Functions that run the session of an object, and that nobody calls: methods of classes elsewhere, or helpers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import before_and_after, said_by

FLOW = """\
import numpy as np


def train(self, steps):
    for i in range(steps):
        loss, _ = self.sess.run([self.loss, self.train_op], {self.inp: np.ones([2, 3])})
        print("%d %.4f" % (i, loss))


def predict(self, row):
    fed = {self.inp: np.expand_dims(row, 0)}
    return self.sess.run(self.out, fed)[0]
"""

NET = """\
import tensorflow as tf
import flow


class Net(object):
    train = flow.train
    predict = flow.predict

    def __init__(self, rate):
        self.rate = rate
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.build()
            self.sess = tf.Session()
            self.sess.run(tf.global_variables_initializer())

    def build(self):
        self.inp = tf.placeholder(tf.float32, [None, 3], "input")
        w = tf.get_variable("w", [3, 1], initializer=tf.constant_initializer(0.5))
        self.out = tf.matmul(self.inp, w, name="output")
        self.loss = tf.reduce_mean(tf.square(self.out - 1.0))
        self.train_op = tf.train.GradientDescentOptimizer(self.rate).minimize(self.loss)
"""

TRAINED = """\
from net import Net

net = Net(0.1)
net.train(3)
"""

SCORES = """\
import tensorflow as tf


class Scorer(object):
    def __init__(self, units):
        self.rows = tf.placeholder(tf.float32, [None, 2])
        hidden = tf.layers.dense(self.rows, units, kernel_initializer=tf.constant_initializer(0.25))
        self.scores = tf.reduce_sum(hidden, axis=1)
        self.session = tf.Session()
        self.session.run(tf.global_variables_initializer())


class Best(Scorer):
    def shown(self, rows):
        print(self.session.run(tf.reduce_max(self.scores), {self.rows: rows}))
"""

PLUGINS = """\
from scores import Best


def ranked(scorer, rows):
    found = scorer.session.run(scorer.scores, feed_dict={scorer.rows: rows})
    return [int(2 * score) for score in sorted(found)]


def install():
    Best.ranked = ranked
"""

SHOWN = """\
import plugins
import scores

plugins.install()
scores.Best(3).shown([[1.0, 2.0], [3.0, 4.0]])
"""

HELPER = """\
import tensorflow as tf


class Sums(object):
    def __init__(self):
        self.rows = tf.placeholder(tf.float32, [None, 2])
        self.sums = tf.reduce_sum(self.rows, axis=1)
        self.session = tf.Session()

    def largest(self, rows):
        return int(self.session.run(tf.reduce_max(self.sums), {self.rows: rows}))


def ranked(model, rows):
    found = model.session.run(model.sums, feed_dict={model.rows: rows})
    return [int(one) for one in sorted(found)]


def smallest(model, rows):
    return int(min(model.session.run(model.sums, {model.rows: rows})))


sums = Sums()
print(sums.largest([[1.0, 2.0], [3.0, 4.0]]))
"""

PROGRAMS = {
    "bound in a class's body": (
        {"flow.py": FLOW, "net.py": NET, "main.py": TRAINED},
        "print(net.predict([1.0, 2.0, 3.0]))\n",
    ),
    "given to a class later": (
        {"scores.py": SCORES, "plugins.py": PLUGINS, "main.py": SHOWN},
        "print(scores.Best(3).ranked([[2.0, 2.0], [1.0, 0.0]]))\n",
    ),
    "given an object": (
        {"main.py": HELPER},
        "print(ranked(sums, [[2.0, 2.0], [1.0, 0.0]]), smallest(sums, [[5.0, 2.0]]))\n",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_run_of_an_object_is_a_step(name: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    files, call = PROGRAMS[name]
    outcome, old, new = before_and_after(files, tmp_path)
    assert {site.form for site in outcome.report.sites if not site.initializer_only} == {"steps"}
    shown = (new / "main.py").read_text() + call
    assert said_by(shown, new) == run_legacy((old / "main.py").read_text() + call, cwd=old)
