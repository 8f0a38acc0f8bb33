"""Placeholders that a run does not feed: layers of theirs are built in functions for their names, and never run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

SCRIPT = """\
import numpy as np
import tensorflow as tf

ones = tf.constant_initializer(0.1)
x = tf.placeholder(tf.float32, [2, 3, 4])
z = tf.placeholder(tf.float32, [2, 4])
one = tf.layers.dense(x, 2, kernel_initializer=ones)
two = tf.layers.dense(z, 2, kernel_initializer=ones)
one, other = tf.layers.dense(one, 3, kernel_initializer=ones), tf.reduce_sum(two)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run(two, {z: np.ones([2, 4])}))
print("%.5f" % sess.run(one, {x: np.ones([2, 3, 4])}).sum())
"""


def test_computes_what_tf1_computed(run_legacy: Callable[..., str]) -> None:
    assert printed(made_native(SCRIPT).text) == run_legacy(SCRIPT)


FIRST = "one = tf.layers.dense(x, 2, kernel_initializer=ones)\n"
CELL = "tf.nn.rnn_cell.GRUCell(2, kernel_initializer=ones)"
HELPER = "def unrolled(values):\n    return tf.nn.dynamic_rnn(" + CELL + ", values, dtype=tf.float32)[0]\n\n\n"
RUN_ANYWAY = {
    "a loop that reads variables": f"one, _ = tf.nn.dynamic_rnn({CELL}, x, dtype=tf.float32)\n",
    "a loop of a function": HELPER + "one = unrolled(x)\n",
    "moved averages": "one = tf.layers.batch_normalization(x, training=True)\n",
    "a printed tensor": "one = tf.layers.dense(tf.Print(x, [x]), 2, kernel_initializer=ones)\n",
    "a statement before": "shown = tf.Print(x, [x])\none = tf.layers.dense(shown, 2, kernel_initializer=ones)\n",
}


@pytest.mark.parametrize("name", RUN_ANYWAY)
def test_refuses_what_would_run_without_one(name: str) -> None:
    refuses(SCRIPT.replace(FIRST, RUN_ANYWAY[name]), "would run here without the placeholder `x`, which is not fed")
