"""Runs of one list or another, of which nobody knows what they hold: no step of one of them takes the place of both."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

TARGETS = """\
import tensorflow as tf


class Net(object):
    def __init__(self, scope):
        self.scope = scope
        with tf.variable_scope(scope):
            self.w = tf.get_variable("w", [], initializer=tf.ones_initializer())

    @property
    def vars(self):
        return sorted(tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope=self.scope), key=lambda v: v.name)


def copy(a, b, rate=None):
    return [y.assign(x + 2.0 if rate is None else rate * x + 100.0) for x, y in zip(a.vars, b.vars)]


net, target = Net("net"), Net("target")
hard = copy(net, target)
soft = copy(net, target, 0.5)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for i in range(6):
    sess.run(hard if i == 3 else soft)
    print(sess.run(target.w))
"""
PHASES = """\
import tensorflow as tf


def updates(by):
    return [v.assign_add(by) for v in tf.global_variables() if v.op.name.endswith("count")]


with tf.variable_scope("a"):
    tf.get_variable("count", [], initializer=tf.zeros_initializer())
count = tf.global_variables()[0]
phases = {"warm": updates(1.0), "train": updates(10.0)}


def main():
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for turn in range(5):
            chosen = phases["warm"]
            if turn in (1, 2):
                chosen = phases["train"]
            session.run(chosen)
            print(turn, session.run(count))


main()
"""


@pytest.mark.parametrize("program", [TARGETS, PHASES])
def test_each_turn_runs_its_own(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    text = migrated(program, tmp_path).contents["main.py"].decode()
    assert said_by(text, tmp_path) == run_legacy(program)
