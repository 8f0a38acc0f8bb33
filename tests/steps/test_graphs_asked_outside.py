"""What a program asks of the default graph, beside graphs of its own and before it builds anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

MODEL = """\
import numpy as np
import tensorflow as tf


class Model(object):
    def __init__(self, size):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.x = tf.placeholder(tf.float32, [None, size])
            self.w = tf.get_variable("w", [size, 1], initializer=tf.ones_initializer())
            self.y = tf.matmul(self.x, self.w)
            tf.add_to_collection("outputs", self.y)
            self.init = tf.global_variables_initializer()
        self.sess = tf.Session(graph=self.graph)
        self.sess.run(self.init)

    def count(self):
        with self.graph.as_default():
            return len(tf.trainable_variables())

    def predict(self, x):
        return self.sess.run(self.y, {self.x: x})


def describe(model):
    print("here", len(tf.global_variables()), "there", model.count(), len(model.graph.get_collection("outputs")))


print([v.name for v in tf.trainable_variables()])
model = Model(3)
describe(model)
print(model.predict(np.ones((2, 3))))
describe(model)
assert not tf.get_collection("outputs")
"""
FUNCTION = """\
import tensorflow as tf

def evaluate(scale):
    with tf.Graph().as_default() as g:
        v = tf.Variable(2.0, name="v")
        out = v * scale
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            inside = len(tf.trainable_variables())
            result = sess.run(out)
    return result, inside, len(tf.trainable_variables())

def main(argv=None):
    for scale in (1.0, 3.0):
        print(evaluate(scale))
    if tf.losses.get_losses() or tf.get_collection_ref("a"):
        print("losses")
    w = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
    print([each.name for each in tf.global_variables()])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        print(sess.run(w))
    print(evaluate(2.0))

main()
"""


@pytest.mark.parametrize("program", [MODEL, FUNCTION], ids=["model", "function"])
def test_the_default_graph_is_there(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
