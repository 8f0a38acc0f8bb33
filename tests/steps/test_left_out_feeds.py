"""Dictionaries that feed more at one time than at another: what nothing needs may be left out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

# One of two dictionaries, and one that grows where the model trains.
GROWN = """\
import sys

import tensorflow as tf


class Line(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None], name="rows")
        self.rate = tf.placeholder(tf.float32, [])
        self.keep = tf.placeholder(tf.float32, [])
        self.y = self.x * 2.0
        self.z = self.y * self.rate
        self.loss = tf.reduce_sum(self.y) * self.keep

    def at(self, session, x, rate=None, both=False):
        if rate is None:
            feed = {self.x: x}
        else:
            feed = {self.x: x, self.rate: rate}
        if both:
            return session.run([self.y, self.z], feed)
        return session.run(self.y, feed_dict=feed)

    def score(self, session, x, train):
        feed = {self.x: x}
        if len(sys.argv) < 9:
            feed[self.rate] = 7.0
        if train:
            feed[self.keep] = 0.5
            return session.run(self.loss, feed)
        return session.run([self.y], feed)


line = Line()
with tf.Session() as session:
    print(line.at(session, [1.0]), line.at(session, [1.0], 3.0), line.at(session, [4.0], 5.0, True))
    print(line.score(session, [1.0, 2.0], True), line.score(session, [1.0, 2.0], False))
"""

# A global dictionary that a function of a script goes on with.
GLOBAL = """\
import sys

import numpy as np
import tensorflow as tf

places = {
    "x": tf.placeholder(tf.float32, [2]),
    "noise": tf.placeholder(tf.float32, []),
    "drop": tf.placeholder_with_default(0.0, []),
}
weight = tf.get_variable("weight", [2], initializer=tf.ones_initializer())
mean = tf.reduce_mean(weight * places["x"]) * (1.0 - places["drop"])
cost = tf.square(mean + places["noise"])
train = tf.train.GradientDescentOptimizer(0.1).minimize(cost)
sess = tf.Session()
sess.run(tf.global_variables_initializer())


def construct(x, noise):
    feed = dict()
    feed.update({places["x"]: x})
    if noise is not None:
        feed[places["noise"]] = noise
    return feed


def score(scale):
    feed_dict.update({places["drop"]: 0})
    return scale * sess.run(mean, feed_dict=feed_dict)


for turn in range(int(len(sys.argv) > 9) + 3):
    feed_dict = construct(np.float32([1.0, turn]), float(turn))
    feed_dict.update({places["drop"]: 0.5})
    _, value = sess.run([train, cost], feed_dict=feed_dict)
    print("%.4f %.4f" % (value, score(2.0)))
print("%.4f %.4f" % (score(3.0), sess.run(mean, construct(np.float32([2.0, 3.0]), None))))
"""

# Which inputs are fed is told by the names of variables, or by numbers: a dictionary or a list holds them all.
SETTERS = """\
import tensorflow as tf


class SetWeights(object):
    def __init__(self, session, var_list):
        self.session = session
        self.policy_vars = [var for var in var_list if "policy" in var.name]
        self.placeholders = {}
        self.assigns = []
        for var in self.policy_vars:
            self.placeholders[var.name] = tf.placeholder(tf.float32, var.get_shape())
            self.assigns.append(tf.assign(var, self.placeholders[var.name]))

    def __call__(self, weights):
        feed_dict = {}
        count = 0
        for var in self.policy_vars:
            feed_dict[self.placeholders[var.name]] = weights[count]
            count += 1
        self.session.run(self.assigns, feed_dict)


class Parts(object):
    def __init__(self, count):
        self.places = [tf.placeholder(tf.float32, [], name="part_%d" % at) for at in range(count)]
        self.first = self.places[0] * 2.0
        self.last = self.places[-1] + 1.0

    def first_of(self, sess, pairs):
        return sess.run(self.first, dict_of(self.places, pairs))


def dict_of(places, pairs):
    feed = {}
    for at, value in pairs:
        feed[places[at]] = value
    return feed


with tf.variable_scope("policy"):
    for at in range(2):
        tf.get_variable("w%d" % at, [at + 1], initializer=tf.zeros_initializer())
parts = Parts(3)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
setter = SetWeights(sess, tf.trainable_variables())
setter([[1.0], [2.0, 3.0]])
print([value.tolist() for value in sess.run(tf.trainable_variables())])
pairs = [(int(text), float(text)) for text in "0 2".split()]
print(parts.first_of(sess, pairs), parts.first_of(sess, pairs[:1]))
"""

# What is left out may not even be there: a step could not name it.
MISSING = """\
import sys

import tensorflow as tf


class Net(object):
    def __init__(self, noisy):
        self.noisy = noisy
        self.x = tf.placeholder(tf.float32, [None])
        self.out = self.x * 2.0
        if noisy:
            self.scale = tf.placeholder(tf.float32, [])
            self.out = self.out * self.scale

    def score(self, session, x):
        feed = {self.x: x}
        if self.noisy:
            feed[self.scale] = 3.0
        return session.run(self.out, feed)


with tf.Session() as session:
    print(Net(len(sys.argv) > 9).score(session, [1.0, 2.0]), Net(len(sys.argv) < 9).score(session, [1.0, 2.0]))
"""


@pytest.mark.parametrize(
    ("program", "tier"),
    [(GROWN, "native"), (GLOBAL, "native"), (SETTERS, "native"), (MISSING, "dynamic")],
    ids=["grown", "global", "setters", "missing"],
)
def test_feeds_that_are_left_out_on_some_ways(
    program: str, tier: str, tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {tier}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
