"""Graphs that are made for the session that enters them: the store is made and entered in its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

A_FUNCTION = """\
import numpy as np
import tensorflow as tf


def predict(kind, rows):
    with tf.Session(graph=tf.Graph()) as sess:
        tf.set_random_seed(4)
        x = tf.placeholder(tf.float32, [None, 3])
        with tf.variable_scope(kind):
            w = tf.get_variable("w", [3, 2])
        y = tf.matmul(x, w)
        sess.run(tf.global_variables_initializer())
        return [v.name for v in tf.trainable_variables()], sess.run(y, {x: rows}).round(5).tolist()


print(predict("a", np.ones([1, 3])))
print(predict("b", np.ones([2, 3])))
"""

A_METHOD = """\
import tensorflow as tf


class Scorer(object):
    def __init__(self, scale):
        self.scale = scale

    def score(self, values):
        out = []
        with tf.device("/cpu:0"), tf.Session("", tf.Graph()) as session:
            total = tf.Variable(0.0, name="total")
            given = tf.placeholder(tf.float32, [])
            add = tf.assign_add(total, given * self.scale)
            tf.global_variables_initializer().run()
            for v in values:
                out.append(float(session.run(add, feed_dict={given: v})))
            out.append(float(total.eval()))
            print([v.name for v in tf.global_variables()], [o.name for o in session.graph.get_operations()][:1])
        return out


def main(_):
    v = tf.Variable(1.0)
    for s in (1.0, 2.0):
        print(Scorer(s).score([1.0, 2.0, 3.5]))
    print(v.name)


tf.app.run(main)
"""


@pytest.mark.parametrize("program", [A_FUNCTION, A_METHOD], ids=["in a function", "in a method"])
def test_a_graph_made_for_a_session(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    text = outcome.contents["main.py"].decode()
    assert "compat.VariableStore()" in text
    assert said_by(text, tmp_path) == run_legacy(program)
