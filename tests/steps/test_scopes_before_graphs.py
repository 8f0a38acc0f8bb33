"""Programs that set what the outermost variable scope begins with, before they build anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

FIRST_LINE = """\
import tensorflow as tf

tf.get_variable_scope().set_regularizer(tf.contrib.layers.l2_regularizer(0.1))
x = tf.placeholder(tf.float32, [None, 2])


def net(v):
    return tf.layers.dense(v, 1, name="d", kernel_initializer=tf.ones_initializer())


a = net(x)
print(len(tf.losses.get_regularization_losses()))
tf.get_variable_scope().reuse_variables()
print(tf.get_variable_scope().reuse)
total = tf.reduce_sum(a + net(x * 2)) + tf.losses.get_regularization_loss()
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    print("%.4f" % s.run(total, {x: [[1, 2]]}))
"""
BY_A_HELPER = """\
import tensorflow as tf


def defaults(seed):
    scope = tf.get_variable_scope()
    scope.set_initializer(tf.random_uniform_initializer(-1, 1, seed=seed))


class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 2])
        self.y = tf.matmul(self.x, tf.get_variable("w", [2, 2]))


defaults(3)
rate = 0.5
m = Model()
with tf.Session() as sess:
    tf.global_variables_initializer().run()
    print(" ".join("%.4f" % value for value in sess.run(m.y, {m.x: [[1, 2]]})[0] * rate))
"""


@pytest.mark.parametrize("program", [FIRST_LINE, BY_A_HELPER], ids=["first-line", "helper"])
def test_the_same_lines(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    text = migrated(program, tmp_path).contents["main.py"].decode()
    assert "Session" not in text
    assert said_by(text, tmp_path) == run_legacy(program)
