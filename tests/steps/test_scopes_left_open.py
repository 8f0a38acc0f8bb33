"""Scopes that are entered by hand, and whose objects nothing holds: TensorFlow 1's stayed open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

DROPPED = """\
import tensorflow as tf

tf.variable_scope("v").__enter__()
w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
print(w.name, tf.constant(2.0).name)
try:
    tf.get_variable("w", [2])
except ValueError:
    print("it is there")
with tf.variable_scope("inner", reuse=tf.AUTO_REUSE):
    print(tf.get_variable("u", initializer=1.0).name)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(w))
"""
BY_FUNCTIONS = """\
import tensorflow as tf


class Part(object):
    def __init__(self, name):
        self.name = name

    def begin(self):
        tf.variable_scope(self.name, initializer=tf.constant_initializer(3.0)).__enter__()
        return tf.get_variable_scope()

    def build(self, x):
        return x * tf.get_variable("scale", [])


x = tf.placeholder(tf.float32, [None])
part = Part("part")
scope = part.begin()
out = part.build(x)
with tf.variable_scope(scope, reuse=True):
    again = part.build(x + 1.0)
held = tf.variable_scope("held")
held.__enter__()
last = part.build(x)
held.__exit__(None, None, None)
print([v.name for v in tf.global_variables()], tf.get_variable_scope().name)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([out, again, last], {x: [1.0, 2.0]}))
"""


@pytest.mark.parametrize("program", [DROPPED, BY_FUNCTIONS], ids=["dropped", "by functions"])
def test_scopes_stay_open(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
