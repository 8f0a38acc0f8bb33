"""A loop whose gradient waits for an assignment to the state that it begins with: TensorFlow 1 shared memory there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import HighestTier, Options

SCRIPT = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3, 2])
cell = tf.nn.rnn_cell.LSTMCell(4)
c = tf.Variable(tf.zeros([2, 4]), trainable=False)
h = tf.Variable(tf.zeros([2, 4]), trainable=False)
out, state = tf.nn.dynamic_rnn(cell, x, initial_state=tf.nn.rnn_cell.LSTMStateTuple(c, h))
keep = [tf.assign(c, state.c), tf.assign(h, state.h)]
with tf.control_dependencies(keep):
    last = tf.identity(out[:, -1])
loss = tf.reduce_mean(tf.square(last))
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run([loss, train], {x: np.ones([2, 3, 2])})
    sess.run(loss, {x: np.ones([2, 3, 2])})
"""
NET = """\
import numpy as np
import tensorflow as tf


class Language(object):
    def __init__(self, batch, hidden):
        self.words = tf.placeholder(tf.int32, [batch, 6])
        table = tf.get_variable("table", [7, hidden])
        cell = tf.nn.rnn_cell.BasicLSTMCell(hidden)
        with tf.variable_scope("state"):
            first = [tf.get_variable(name, [batch, hidden], trainable=False) for name in "ch"]
        self.state = tf.nn.rnn_cell.LSTMStateTuple(*first)
        out, new = tf.nn.dynamic_rnn(cell, tf.nn.embedding_lookup(table, self.words), initial_state=self.state)
        updates = [old.assign(each) for old, each in zip(self.state, new)]
        with tf.control_dependencies(updates):
            self.loss = tf.reduce_mean(tf.layers.dense(out, 7))
        optimizer = tf.train.AdamOptimizer(0.05)
        self.train_op = optimizer.apply_gradients(optimizer.compute_gradients(self.loss))


def main(batches):
    net = Language(3, 5)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for words in batches:
            sess.run(net.train_op, {net.words: words})
            sess.run(net.loss, {net.words: words})


main([np.ones([3, 6])])
"""


def told(code: str, tmp_path: Path, tier: HighestTier = "native") -> list[tuple[int, str]]:
    (tmp_path / "train.py").write_text(code)
    options = Options(paths=(tmp_path,), root=tmp_path, tier=tier)
    report = pipeline.run(discover(options).code, options).report
    return [(each.line, each.message) for each in report.findings if each.rule == "TFM149"]


@pytest.mark.parametrize(("code", "line"), [(SCRIPT, 16), (NET, 26)])
def test_the_run_that_trains_is_told(code: str, line: int, tmp_path: Path) -> None:
    [(found, message)] = told(code, tmp_path)
    assert found == line
    assert "tf.nn.dynamic_rnn(" in message
    assert "changes a state" in message


def test_the_bridge_tells_too(tmp_path: Path) -> None:
    assert [line for line, _ in told(SCRIPT, tmp_path, "bridge")] == [16]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("with tf.control_dependencies(keep):\n    last", "if True:\n    last"),
        ("initial_state=tf.nn.rnn_cell.LSTMStateTuple(c, h)", "dtype=tf.float32"),
        ("tf.assign(c, state.c), tf.assign(h, state.h)", "tf.assign(c * 1.0, state.c)"),
        ("minimize(loss)", "minimize(tf.reduce_mean(out))"),
    ],
)
def test_what_does_not_wait_is_not(before: str, after: str, tmp_path: Path) -> None:
    assert before in SCRIPT
    assert told(SCRIPT.replace(before, after), tmp_path) == []
