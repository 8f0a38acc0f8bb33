"""Initializers that are fed what first values are computed of: their runs are steps, and do not go."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.many_programs import written
from tests.steps.migration import migrated, said_by

A_TABLE = """\
import numpy as np
import tensorflow as tf


class Rows(object):
    def __init__(self, matrix):
        self.start = tf.placeholder(tf.float32, matrix.shape)
        self.table = tf.Variable(self.start, trainable=False, collections=[])
        self.ids = tf.placeholder(tf.int32, [None])
        self.rows = tf.nn.embedding_lookup(self.table, self.ids)
        self.scale = tf.Variable(tf.reduce_mean(self.table.initialized_value()))
        self.sess = tf.Session()
        self.sess.run([self.table.initializer, tf.global_variables_initializer()], feed_dict={self.start: matrix})

    def look(self, ids):
        rows, scale = self.sess.run([self.rows, self.scale], {self.ids: ids})
        return rows.tolist(), "%g" % scale


print(Rows(np.arange(12.0).reshape(4, 3)).look([0, 3]))
"""
A_BATCH = """\
import numpy as np
import tensorflow as tf


def layer(x, scope, init):
    with tf.variable_scope(scope):
        if init:
            w = tf.get_variable("w", [2, 2], initializer=tf.constant_initializer(0.5))
            mean, var = tf.nn.moments(tf.matmul(x, w.initialized_value()), [0])
            tf.get_variable("s", initializer=1.0 / tf.sqrt(var + 0.1))
            return (tf.matmul(x, w.initialized_value()) - mean) / tf.sqrt(var + 0.1)
        return tf.matmul(x, tf.get_variable("w")) * tf.get_variable("s")


model = tf.make_template("m", lambda x, init=False: layer(layer(x, "a", init), "b", init))
first = tf.placeholder(tf.float32, [4, 2])
model(first, init=True)
x = tf.placeholder(tf.float32, [None, 2])
out = model(x)
init = tf.global_variables_initializer()
with tf.Session() as sess:
    sess.run(init, feed_dict={first: np.arange(8).reshape(4, 2) * 0.3})
    print(" ".join("%.4f" % value for value in sess.run(out, {x: [[1, 2]]})[0]))
"""
NOTHING_FED = """\
import tensorflow as tf

y = tf.placeholder(tf.float32, []) * tf.get_variable("w", [], initializer=tf.ones_initializer())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer(), feed_dict={})
    print("%g" % sess.run(y, {"Placeholder:0": 3.0}))
"""


@pytest.mark.parametrize("program", [A_TABLE, A_BATCH, NOTHING_FED], ids=["table", "batch", "nothing"])
def test_the_same_lines(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    text = migrated(program, tmp_path).contents["main.py"].decode()
    assert "Session" not in text
    assert said_by(text, tmp_path) == run_legacy(program)


def test_a_run_that_is_fed_nothing_goes() -> None:
    assert "global_variables_initializer" not in written(NOTHING_FED)
