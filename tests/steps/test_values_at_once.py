"""Runs of what is built where they run, of Python's values and variables alone: they are computed at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

# Functions that are called again and again; one of them needs what was built before.
REPORT = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
w = tf.get_variable("w", [2, 2], initializer=tf.constant_initializer([[1.0, 2.0], [3.0, 4.0]]))
out = tf.matmul(x, w)


class Model(object):
    def __init__(self):
        self.table = tf.get_variable("table", [3], initializer=tf.constant_initializer(2.0))
        self.doubled = self.table * 2.0


def encoded(sess, labels, size):
    return sess.run(tf.one_hot(labels, size))


def report(sess, model, rows, scale):
    hot = [encoded(sess, row, 3).tolist() for row in rows]
    emb = sess.run(model.table.read_value())
    norm = sess.run(tf.reduce_sum(tf.square(w)) * scale)
    best = tf.argmax(rows, 1).eval(session=sess)
    mixed = sess.run(tf.reduce_sum(model.doubled) + scale)
    print(hot, emb.tolist(), type(norm).__name__, norm, best.tolist(), best.dtype, mixed)


with tf.Session() as sess:
    model = Model()
    sess.run(tf.global_variables_initializer())
    report(sess, model, np.int64([[0, 1], [2, 1]]), 0.5)
    sess.run(w.assign([[1.0, 0.0], [0.0, 1.0]]))
    report(sess, model, np.int64([[2, 2]]), 3.0)
    print(sess.run(out, {x: [[1.0, 2.0]]}).tolist())
"""

# The zeros that cells begin with, as a structure.
STATES = """\
import numpy as np
import tensorflow as tf


class Model(object):
    def __init__(self, infer):
        cells = [tf.nn.rnn_cell.BasicLSTMCell(3) for _ in range(2)]
        self.cell = cell = tf.nn.rnn_cell.MultiRNNCell(cells)
        self.x = tf.placeholder(tf.float32, [1, 2])
        self.initial = cell.zero_state(1, tf.float32)
        with tf.variable_scope("net", initializer=tf.constant_initializer(0.25)):
            out, self.final = cell(self.x, self.initial)
        self.out = tf.reduce_sum(out)

    def sample(self, sess, rows, pick):
        def search(rows):
            state = sess.run(self.cell.zero_state(1, tf.float32))
            for row in rows:
                out, state = sess.run([self.out, self.final], {self.x: [row], self.initial: state})
            return out

        if pick:
            return search(rows)
        state = sess.run(self.cell.zero_state(1, tf.float32))
        for row in rows[::-1]:
            out, state = sess.run([self.out, self.final], {self.x: [row], self.initial: state})
        return out


with tf.Session() as sess:
    model = Model(True)
    sess.run(tf.global_variables_initializer())
    for pick in (True, False, True):
        print("%.5f" % model.sample(sess, [[1.0, 2.0], [0.5, 0.25], [3.0, 1.0]], pick))
"""

# What is drawn behind such runs depends on how many operations the graph has.
SEEDED = """\
import numpy as np
import tensorflow as tf

tf.set_random_seed(3)
w = tf.Variable([1.0, 2.0])
sess = tf.Session()
sess.run(tf.global_variables_initializer())


def drawn(rows):
    sums = sess.run(tf.reduce_sum(w * rows))
    return sums, sess.run(tf.random_uniform([2]))


for rows in np.float32([[1.0, 2.0], [3.0, 4.0]]):
    sums, numbers = drawn(rows)
    print("%.5f" % sums, " ".join("%.5f" % each for each in numbers))
"""

# Names of operations count those that such runs make.
NAMED = """\
import tensorflow as tf

x = tf.constant([1.0, 2.0])
v = tf.Variable([3.0, 4.0])
sess = tf.Session()
sess.run(tf.global_variables_initializer())


def total(scale):
    return sess.run(tf.reduce_sum(v) * scale)


print(total(1.0), total(2.0))
tf.reduce_sum(x)
print(sess.run(tf.get_default_graph().get_tensor_by_name("Sum_2:0")), sess.run("Sum:0"))
"""


@pytest.mark.parametrize(
    ("program", "dynamic"),
    [(REPORT, 1), (STATES, 0), (SEEDED, 2), (NAMED, 2)],
    ids=["report", "states", "seeded", "named"],
)
def test_values_that_need_no_graph(program: str, dynamic: int, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    tiers = [site.tier for site in outcome.report.sites]
    assert (tiers.count("dynamic"), set(tiers)) == (dynamic, {"dynamic", "native"} if dynamic else {"native"})
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
