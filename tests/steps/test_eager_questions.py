"""`tf.executing_eagerly()` says what it said in TensorFlow 1, where what runs is eager now."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

TRAINER = """\
import numpy as np
import tensorflow as tf


class Trainer(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.w = tf.get_variable("w", [], initializer=tf.ones_initializer())
        self.loss = tf.reduce_sum(self.x * self.w)
        if not tf.executing_eagerly():
            self.update = tf.assign_add(self.w, 1.0)

    def fit(self, sess, x):
        if tf.executing_eagerly():
            return "eager"
        return sess.run([self.loss, self.update], {self.x: x})


def report(value):
    mode = "eager" if tf.executing_eagerly() else "graph"
    print(mode, value)


t = Trainer()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    report(t.fit(sess, [1.0, 2.0])[1])
    report(tf.executing_eagerly())
"""
LOG = """\
import tensorflow as tf
from tensorflow.python.eager import context

def log(what, *more):
    if context.executing_eagerly():
        print("now", what)
    else:
        print("later", what, *more)

def main(_):
    log("start", tf.executing_eagerly())
    a = tf.constant(2.0)
    b = tf.square(a, name="b")
    log(b.op.name)
    with tf.Session() as sess:
        log("run", sess.run(b))

if __name__ == "__main__":
    main(None)
"""


@pytest.mark.parametrize("program", [TRAINER, LOG], ids=["trainer", "log"])
def test_a_program_is_as_eager_as_it_was(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
