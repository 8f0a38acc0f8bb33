"""Runs of an item of what is in the graph, where the line is shared with another run: it is not computed at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

SCAN = """\
import tensorflow as tf

v = tf.Variable(tf.zeros([3]), name="v")
x = tf.placeholder(tf.float32, [])
out = x + 1.0


def add(before, new):
    with tf.control_dependencies([tf.scatter_add(v, [2], [new])]):
        other = tf.identity(before[1])
    return before[0] + new, other


sums = tf.scan(add, tf.constant([1.0, 2.0, 3.0]), initializer=(tf.constant(0.0), tf.constant(0.0)))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(out, {x: 1.0}), sess.run(v)); print(sess.run(sums[0]), sess.run(v))
"""
ROWS = """\
import tensorflow as tf

w = tf.get_variable("w", [2, 2], initializer=tf.constant_initializer([1.0, 2.0, 3.0, 4.0]))
rows = tf.nn.relu(w - 2.0) if True else None
grown = w.assign_add([[1.0, 1.0], [1.0, 1.0]])
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run(rows[1])); print(sess.run(grown)); print(sess.run(rows[1]), sess.run(w[0]))
"""


@pytest.mark.parametrize("program", [SCAN, ROWS])
def test_an_item(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    text = migrated(program, tmp_path).contents["main.py"].decode()
    assert said_by(text, tmp_path) == run_legacy(program)
