"""Races with updates of which nobody knows how many there are: `tf.group(*updates)` behind a loop over a collection."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.steps.migration import migrated

OPTIMIZER = """\
import tensorflow as tf


class Momentum(object):
    def __init__(self, rate, turns):
        self.rate, self.turns = rate, float(turns)
        self.count = tf.Variable(0.0, trainable=False, name="count")

    def moves(self, loss):
        params = tf.trainable_variables()
        updates = [tf.assign_add(self.count, 1.0)]
        for param, grad in zip(params, tf.gradients(loss, params)):
            falling = self.rate * (1.0 - self.count / self.turns)
            updates.append(tf.assign_sub(param, falling * grad))
        return tf.group(*updates)


x = tf.placeholder(tf.float32, [])
w = tf.Variable(1.0)
b = tf.Variable(0.5)
train = Momentum(0.1, 8).moves(tf.square(w * x + b))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for turn in range(3):
        sess.run(train, {x: 1.0 + turn})
    print("%.4f" % sess.run(w))
"""

ORDERED = OPTIMIZER.replace("updates = [tf.assign_add(self.count, 1.0)]", "updates = []").replace(
    "        return tf.group(*updates)",
    """\
        with tf.control_dependencies(updates):
            return tf.group(tf.assign_add(self.count, 1.0))""",
)

ROWS = """\
import json
import os

import tensorflow as tf

sizes = json.loads(os.environ.get("SIZES", "[2, 3]"))
total = tf.get_variable("total", [], initializer=tf.zeros_initializer(), trainable=False)
x = tf.placeholder(tf.float32, [])
parts = []
for at, size in enumerate(sizes):
    row = tf.get_variable("row%d" % at, [size], initializer=tf.ones_initializer())
    parts.append(row.assign(row * x + total))
with tf.control_dependencies([total.assign_add(x)]):
    done = tf.no_op()
everything = tf.group(done, *parts)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        sess.run(everything, {x: 2.0})
    print("%.3f" % sess.run(total))
"""

TOLD = {
    OPTIMIZER: "`self.count / self.turns` (line 13) sees the variable of line 7 before",
    ROWS: "`row * x + total` (line 12) sees the variable of line 7 before",
}


@pytest.mark.parametrize("program", TOLD, ids=["an optimizer", "rows"])
def test_updates_of_a_list_that_a_loop_filled(program: str, tmp_path: Path) -> None:
    outcome = migrated(program, tmp_path)
    (found,) = [each for each in outcome.report.findings if each.rule == "TFM147"]
    assert TOLD[program] in found.message


def test_updates_that_wait_for_a_list_are_not_told(tmp_path: Path) -> None:
    assert "TFM147" not in {each.rule for each in migrated(ORDERED, tmp_path).report.findings}
