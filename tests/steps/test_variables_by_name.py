"""Variables that a program finds in its graph by their names, and updates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

SCHEDULE = """\
import tensorflow as tf


def make(n):
    with tf.variable_scope("layer"):
        for i in range(n):
            tf.get_variable("w%d" % i, [2], initializer=tf.constant_initializer(float(i)))
    return tf.reduce_sum(tf.stack([tf.get_default_graph().get_tensor_by_name("layer/w%d:0" % i) for i in range(n)]))


class Schedule(object):
    def __init__(self, graph, names):
        self.by = tf.placeholder(tf.float32, [])
        self.ops = [tf.assign(graph.get_tensor_by_name(n), graph.get_tensor_by_name(n) * self.by) for n in names]
        self.count = tf.Variable(0, name="count", use_resource=False)
        self.up = tf.assign_add(graph.get_tensor_by_name("count:0"), 1)
        self.scattered = tf.scatter_update(graph.as_graph_element("layer/w1:0"), [0], [self.by])

    def step(self, sess, by):
        return sess.run(self.ops + [self.up], {self.by: by})


total = make(3)
s = Schedule(tf.get_default_graph(), ["layer/w1:0", "layer/w2:0"])
g = tf.gradients(total * total, tf.get_default_graph().get_tensor_by_name("layer/w2:0"))[0]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for by in (2.0, 0.5):
        print([v.tolist() for v in s.step(sess, by)], sess.run(total))
    print(sess.run(s.scattered, {s.by: 7.0}), sess.run(["layer/w1:0", "count:0"]), sess.run(g))
    try:
        tf.assign(total, 1.0)
    except AttributeError:
        print("no variable")
"""
RATE = """\
import numpy as np
import tensorflow as tf

graph = tf.Graph()
with graph.as_default():
    x = tf.placeholder(tf.float64, [None, 2], "x")
    w = tf.Variable(np.eye(2), name="w")
    loss = tf.reduce_sum(tf.square(tf.matmul(x, w)))
    rate = tf.Variable(0.5, name="rate", trainable=False, dtype=tf.float64)
    step = tf.train.GradientDescentOptimizer(rate).minimize(loss, name="step")
    tf.assign(graph.get_tensor_by_name("rate:0"), graph.get_tensor_by_name("rate:0") / 2, name="half")
    initial = tf.global_variables_initializer()
with tf.Session(graph=graph) as sess:
    sess.run(initial)
    for _ in range(2):
        sess.run("step", {"x:0": [[0.1, 0.2]]})
        sess.run(graph.get_operation_by_name("half"))
        print(sess.run(["rate:0", w]))
"""


@pytest.mark.parametrize("program", [SCHEDULE, RATE], ids=["a schedule", "a rate"])
def test_variables_are_updated_by_their_names(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
