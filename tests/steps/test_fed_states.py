"""States of recurrent cells that are fed part by part."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options

# A loop puts the parts of a structure into a feed; one of two networks over the same weights is chosen by an argument.
GONE_THROUGH = """\
import numpy as np
import tensorflow as tf


class Net(object):
    def __init__(self, rows):
        self.x = tf.placeholder(tf.float32, [rows, 3])
        cells = [tf.nn.rnn_cell.BasicLSTMCell(2) for _ in range(2)]
        cell = tf.nn.rnn_cell.MultiRNNCell(cells)
        self.initial_state = cell.zero_state(rows, tf.float32)
        self.out, self.final_state = cell(self.x, self.initial_state)
        self.cost = tf.reduce_sum(self.out)


def epoch(sess, net, rows):
    state = sess.run(net.initial_state)
    for k in range(3):
        feed = {net.x: np.ones((rows, 3)) * k}
        for i, (c, h) in enumerate(net.initial_state):
            feed[c] = state[i].c
            feed[h] = state[i].h
        cost, state = sess.run([net.cost, net.final_state], feed)
        print("%.4f" % cost, "%.4f" % state[1].c[0, 0])


with tf.variable_scope("net", initializer=tf.constant_initializer(0.2)):
    first = Net(2)
with tf.variable_scope("net", reuse=True):
    second = Net(1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    epoch(sess, first, 2)
    epoch(sess, second, 1)
"""

# Parts have names of their own, and one of them alone is fed; a list of states goes beside the values.
UNPACKED = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [1, 2])
lstm = tf.nn.rnn_cell.BasicLSTMCell(2)
begin = lstm.zero_state(1, tf.float32)
grus = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(2) for _ in range(2)])
init = grus.zero_state(1, tf.float32)
with tf.variable_scope("both", initializer=tf.constant_initializer(0.3)):
    out, end = lstm(x, begin)
    last, states = grus(x * 2.0, init)
left, right = tf.unstack(tf.constant([1.5, 2.5]))
both = left * 10.0 + right


def steps(sess):
    ic, ih = begin
    c, h = sess.run(begin)
    found = sess.run(init)
    for k in range(3):
        value, (c, h) = sess.run([out, end], {x: [[k, 1.0]], ic: c, ih: h})
        print("%.4f" % value[0, 1], "%.4f" % sess.run(out, {x: [[1.0, 1.0]], ic: c + 1.0})[0, 0])
        feed = dict()
        feed[x] = np.ones((1, 2)) * k
        for place, state in zip(init, found):
            feed[place] = state
        value, found = sess.run([last, states], feed_dict=feed)
        print("%.4f" % value[0, 0], "%.4f" % found[0][0, 1])
    print("%.4f" % sess.run(both, {left: 3.0}), "%.4f" % sess.run(both, {right: 3.0}))


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    steps(sess)
"""


@pytest.mark.parametrize("program", [GONE_THROUGH, UNPACKED])
def test_parts_of_a_state_are_fed(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    (tmp_path / "main.py").write_text(program)
    options = Options(paths=(tmp_path,), root=tmp_path)
    outcome = pipeline.run(discover(options).code, options)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {("native", "steps")}
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    text = outcome.contents["main.py"].decode()
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout == run_legacy(program)
