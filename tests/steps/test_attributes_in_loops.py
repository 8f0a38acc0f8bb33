"""Loops that run attributes of objects, which other code of the program might change by names that nobody reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

CONFIG = """\
import os

import numpy as np
import tensorflow as tf


class Config(object):
    def __init__(self, **values):
        self.__dict__.update(values)

    def __getattr__(self, name):
        return None


class Base(object):
    def __init__(self, config):
        self._config = config
        self._source, self._label = self.build_inputs()
        self._loss, self._train_op = None, None

    def build_inputs(self):
        raise NotImplementedError

    def train(self, data):
        for epoch in range(self._config.epochs):
            losses = []
            for samples in data:
                rows, labels = samples[0], samples[1]
                if rows is None:
                    continue
                _, loss = self._sess.run(
                    fetches=[self._train_op, self._loss],
                    feed_dict={
                        self._source: rows,
                        self._label: labels,
                    },
                )
                losses.append(loss)
            print("%.5f" % np.mean(losses))


class Trainer(Base):
    def __init__(self, config):
        super(Trainer, self).__init__(config)
        weight = tf.get_variable("weight", [], initializer=tf.ones_initializer())
        self._loss = tf.reduce_mean(tf.square(self._source * weight - self._label))
        self._train_op = tf.train.GradientDescentOptimizer(config.rate).minimize(self._loss)
        self._sess = tf.Session()
        self._sess.run(tf.global_variables_initializer())

    def build_inputs(self):
        return [tf.placeholder(tf.float32, [None], name=name) for name in self._config.names]


trainer = Trainer(Config(rate=0.1, epochs=int("3"), names=os.environ.get("NAMES", "x y").split()))
trainer.train([(np.float32([1.0, 2.0]), np.float32([3.0, 5.0])), (None, None), (np.float32([0.5]), np.float32([2.0]))])
"""

# The loop sets attributes by names that only the running program knows.
SET = """\
import os

import tensorflow as tf


class Net(object):
    def __init__(self):
        self.places = [tf.placeholder(tf.float32, []) for _ in os.environ.get("NAMES", "x y").split()]
        self.x, self.y = self.places
        self.out = self.x * 2.0 + self.y
        self.other = self.y * 10.0
        self.sess = tf.Session()

    def change(self, name):
        setattr(self, name, self.other)

    def show(self, turns):
        for turn in range(turns):
            print(self.sess.run([self.out, self.other], {self.x: turn, self.y: 1.0}))
            if turn == 1:
                self.change(os.environ.get("WHICH", "out"))


Net().show(3)
"""


@pytest.mark.parametrize(("program", "tier"), [(CONFIG, "native"), (SET, "dynamic")], ids=["config", "set"])
def test_loops_of_attributes(program: str, tier: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {tier}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
