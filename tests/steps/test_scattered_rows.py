"""Updates of rows that have another shape than the rows are refused, as TensorFlow 1 refused them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

EVERY = """\
import numpy as np
import tensorflow as tf

v = tf.get_variable("v", [4, 2], initializer=tf.zeros_initializer())
w = tf.get_variable("w", [6], initializer=tf.zeros_initializer())
u = tf.placeholder(tf.float32)
two = tf.placeholder(tf.float32, [None, None])
one = tf.placeholder(tf.float32, [None])
i = tf.placeholder(tf.int32, [None])
j = tf.placeholder(tf.int32, [])
any_i = tf.placeholder(tf.int32)
cases = [
    (tf.scatter_update(v, j, one), [{j: at, one: row} for at, row in ((1, [1, 2]), (1, [1, 2, 3]), (3, [1]))]),
    (tf.scatter_add(v, i, two), [{i: [0, 1], two: np.ones(shape)} for shape in ((2, 2), (2, 3), (1, 2), (4, 1))]),
    (tf.scatter_sub(w, i, one), [{i: [0, 1], one: [1, 2]}, {i: [0, 1, 2], one: [1, 2]}, {i: [-1], one: [1]}]),
    (tf.scatter_mul(v, i, u), [{i: [0, 1], u: value} for value in (3.0, np.ones((2, 2)), [1, 1], np.ones((2, 5)))]),
    (tf.scatter_update(v, any_i, u), [{any_i: 2, u: value} for value in ([5, 6], [5, 6, 7], 9.0)]),
    (tf.scatter_update(v, any_i, u), [{any_i: [[0, 1]], u: np.ones(shape)} for shape in ((1, 2, 2), (2, 2), (4,))]),
    (tf.scatter_nd_update(v, i[:, None], two), [{i: [0], two: np.ones((1, 2))}, {i: [0], two: np.ones((1, 3))}]),
]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for op, feeds in cases:
        for feed in feeds:
            try:
                print(np.asarray(sess.run(op, feed)).tolist())
            except tf.errors.InvalidArgumentError:
                print("refused")
    print(sess.run([v, w]))
"""
MEMORY = """\
import tensorflow as tf


class Memory(object):
    def __init__(self, rows, width):
        self.rows = tf.Variable(tf.zeros([rows, width]), trainable=False)
        self.at = tf.Variable(0, trainable=False)
        self.row = tf.placeholder(tf.float32, [None])
        with tf.control_dependencies([tf.assert_equal(tf.shape(self.row), [width])]):
            written = tf.scatter_update(self.rows, self.at, self.row)
        with tf.control_dependencies([written]):
            self.append = tf.assign_add(self.at, 1)


memory = Memory(3, 2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for row in ([1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0]):
        try:
            print(sess.run(memory.append, {memory.row: row}))
        except tf.errors.InvalidArgumentError:
            print("refused")
    print(sess.run(memory.rows).tolist(), sess.run(memory.at))
"""


@pytest.mark.parametrize("program", [EVERY, MEMORY], ids=["every kind", "a memory"])
def test_rows_of_another_shape_are_refused(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
