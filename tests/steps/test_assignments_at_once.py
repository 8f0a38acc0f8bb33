"""Runs of assignments of what Python has: they are made where they stand, however they are run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

# By `eval`, in a list that nobody reads, of variables that a text names, under a name of their own.
TRAINER = """\
import numpy as np
import tensorflow as tf


class Net(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.w = tf.get_variable("w", [2], initializer=tf.constant_initializer(2.0))
        self.best = tf.Variable(0.0, trainable=False, name="best")
        self.epoch = tf.Variable(0, trainable=False)
        self.out = tf.reduce_sum(self.w) * self.x


def better(net, score):
    best = net.best.eval()
    if score > best:
        tf.assign(net.best, score).eval()
    return score > best


def load(weights, session):
    for scope, rows in weights.items():
        with tf.variable_scope(scope, reuse=True):
            for name, data in rows.items():
                var = tf.get_variable(name)
                session.run(var.assign(data))


def train(net, sess, epochs):
    for e in range(epochs):
        assign_op = net.epoch.assign(e)
        sess.run(assign_op)
        _ = sess.run([net.w.assign(np.float32([e, e + 1]))])
        print(sess.run(net.epoch), sess.run(net.w).tolist(), sess.run(net.out, {net.x: [1.0, 2.0]}).tolist())


with tf.variable_scope("part"):
    tf.get_variable("v", [2], initializer=tf.zeros_initializer())
net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    load({"part": {"v": np.float32([3.0, 4.0])}}, sess)
    for score in (1.0, 0.5, 2.0):
        print(better(net, score), net.best.eval())
    train(net, sess, 3)
    with tf.variable_scope("part", reuse=True):
        print(sess.run(tf.get_variable("v")).tolist())
"""

# The assignment is run again under its name, takes what the graph has, or gives what is read.
KEPT = """\
import tensorflow as tf

count = tf.Variable(0.0)
other = tf.Variable(10.0)
sess = tf.InteractiveSession()
tf.global_variables_initializer().run()


def up(by, times):
    bump = tf.assign_add(count, by)
    sess.run(bump)
    for _ in range(times):
        sess.run(bump)
    return sess.run(count)


def moved():
    move = tf.assign(other, count + 1.0)
    sess.run(move)
    now = tf.assign_sub(other, 0.5).eval()
    return now, sess.run(other)


print(up(1.0, 2), up(10.0, 0), moved(), moved())
"""

# What is drawn behind them depends on how many operations the graph has.
SEEDED = """\
import tensorflow as tf

tf.set_random_seed(7)
rate = tf.Variable(0.5, trainable=False)
sess = tf.Session()
sess.run(tf.global_variables_initializer())


def draw(value):
    change = rate.assign(value)
    sess.run(change)
    drawn = tf.random_uniform([2]) * rate
    return sess.run(drawn)


print(" ".join("%.5f" % each for value in (1.0, 2.0) for each in draw(value)))
"""


@pytest.mark.parametrize(
    ("program", "tiers"),
    [(TRAINER, {"native"}), (KEPT, {"native", "dynamic"}), (SEEDED, {"native"})],
    ids=["trainer", "kept", "seeded"],
)
def test_assignments_where_they_stand(
    program: str, tiers: set[str], tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == tiers
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
