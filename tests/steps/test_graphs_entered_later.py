"""Contexts of graphs that are made ahead and entered later, or never."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

KEPT = """\
import tensorflow as tf


def net(scale):
    x = tf.placeholder(tf.float32, [None])
    w = tf.get_variable("w", [], initializer=tf.constant_initializer(scale))
    return x, x * w, w.assign_add(1.0)


tf.Graph().as_default()
first = tf.Graph().as_default()
second = tf.Graph().as_default()
with first:
    sess_one = tf.Session()
    one = net(2.0)
    sess_one.run(tf.global_variables_initializer())
with second:
    sess_two = tf.Session()
    two = net(5.0)
    sess_two.run(tf.global_variables_initializer())
print(sess_one.run(one[1], {one[0]: [1.0, 2.0]}).tolist())
print(sess_two.run(two[1], {two[0]: [1.0]}).tolist())
sess_one.run(one[2])
print(sess_one.run(one[1], {one[0]: [1.0, 2.0]}).tolist(), sess_two.run(two[1], {two[0]: [1.0]}).tolist())
"""

NEVER_ENTERED = """\
import tensorflow as tf


class Converter(object):
    def __init__(self):
        self.graph = tf.Graph()
        self.context = self.graph.as_default()

    def convert(self, value):
        with self.context:
            v = tf.Variable(value, name="v")
            names = [each.op.name for each in tf.global_variables()]
        with tf.Session(graph=self.graph) as sess:
            sess.run(v.initializer)
            return names, sess.run(v * 2)


tf.Graph().as_default()
a = tf.Variable(1.0, name="a")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print([v.op.name for v in tf.global_variables()], sess.run(a))
tf.reset_default_graph()
tf.Graph().as_default()
b = tf.Variable(3.0, name="b")
print([v.op.name for v in tf.global_variables()])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(b + 1.0))
print(Converter().convert(4.0))
"""

MADE_BY_A_FUNCTION = """\
import tensorflow as tf


def made():
    print("made")
    return tf.Graph()


made().as_default()
kept = made().as_default()
with kept:
    v = tf.Variable(2.0, name="v")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        print(sess.run(v))
"""


@pytest.mark.parametrize(
    "program", [KEPT, NEVER_ENTERED, MADE_BY_A_FUNCTION], ids=["kept", "never entered", "made by a function"]
)
def test_a_store_is_entered_where_the_graph_was(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {("native", "steps")}
    text = outcome.contents["main.py"].decode()
    assert "as_default" not in text
    assert said_by(text, tmp_path) == run_legacy(program)
