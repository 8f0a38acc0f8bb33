"""Runs that write down what they fetch and feed, of objects that only the running program knows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

# A module that an argument names gives the network and what is told at the end.
NETWORK = """\
import tensorflow as tf

SHIFT = tf.placeholder(tf.float32, [])
SCALE = SHIFT * 3.0


class Network:
    def __call__(self, z):
        return tf.layers.dense(z, 3, kernel_initializer=tf.ones_initializer(), name="net")
"""
TRAINER = """\
import argparse
import importlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("kind", nargs="?")
module = importlib.import_module("networks." + (parser.parse_args().kind or "small"))


class Trainer:
    def __init__(self, network):
        self.z = tf.placeholder(tf.float32, [None, 2], "z")
        self.fake = network(self.z)
        self.loss = tf.reduce_mean(tf.square(tf.reduce_sum(self.fake, 1) - 1.5))
        self.train_op = tf.train.GradientDescentOptimizer(0.05).minimize(self.loss)
        self.sess = tf.Session()

    def train(self, turns):
        self.sess.run(tf.global_variables_initializer())
        for turn in range(turns):
            z = np.full([2, 2], 0.1 * (turn + 1), np.float32)
            self.sess.run(self.train_op, feed_dict={self.z: z})
            if turn % 2 == 0:
                fake = self.sess.run(self.fake, feed_dict={self.z: z})
                print(turn, ["%.4f" % value for row in fake for value in row])


trainer = Trainer(module.Network())
trainer.train(3)
for value in (1.0, 2.0):
    print(trainer.sess.run(module.SCALE, {module.SHIFT: value}))
"""

# Functions that only a person calls, with a model of the program.
GRIDS = """\
import numpy as np
import tensorflow as tf


class Model:
    def __init__(self):
        self.z = tf.placeholder(tf.float32, [None, 2], "z")
        self.target = tf.placeholder(tf.float32, [None], "target")
        self.w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
        self.fake = self.z * self.w
        self.loss = tf.reduce_mean(tf.square(tf.reduce_sum(self.fake, 1) - self.target))
        self.train_op = tf.train.GradientDescentOptimizer(0.25).minimize(self.loss)


def grid(sess, model, option):
    if option == 0:
        samples = sess.run(model.fake, feed_dict={model.z: np.ones([1, 2], np.float32)})
        print(samples.tolist())
    elif option == 1:
        values = np.arange(0, 1, 0.5)
        for at, value in enumerate(values):
            z = np.zeros([1, 2], np.float32)
            z[:, at] = value
            feed = {model.z: z, model.target: [value]}
            samples, loss, none = sess.run([model.fake, model.loss, model.train_op], feed_dict=feed)
            print(at, samples.tolist(), loss, none)
    nest = sess.run({"w": model.w, "nested": (model.fake, [model.z])}, {model.z: [[0.5, 0.25]]})
    return nest["w"].tolist(), nest["nested"][1][0].tolist()


model = Model()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(model.fake, {model.z: [[1.0, 2.0]]}).tolist())
"""
GRIDS_CALLED = "{session}    print(grid({given}model, 1), grid({given}model, 0))\n"

# What a loop does may give the words of a run another meaning, or not come to it.
GROWING = """\
import numpy as np
import tensorflow as tf


class Series:
    def __init__(self, x):
        self.x = x
        self.out = x * 1.0
        self.every = [self.out]

    def grow(self):
        self.out = self.out * 2.0
        self.every.append(self.out)


def deeper(series):
    series.grow()


def told(sess, series, turns):
    for turn in range(turns):
        print(sess.run(series.out, {series.x: 1.0}), sess.run(series.every[-1], {series.x: 1.0}))
        deeper(series)


def named(sess, series, name):
    for turn in range(2):
        print(sess.run(series.out, {series.x: 3.0}))
        setattr(series, name, series.x)


def fed(sess, one, other):
    for series in (one, other):
        print(sess.run(series.out, {series.x: 2.0}))


def filled(sess, series):
    fetches = {"out": series.out}
    for turn in range(2):
        print(sorted(sess.run(fetches, {series.x: 4.0}).items()))
        fetches["more"] = series.every[0]
    parts = [series.out]
    for turn in range(2):
        print(sess.run(parts, {series.x: 4.0}))
        longer(parts, series)
    for turn in range(2):
        print(sess.run(parts, {series.x: 4.0}))
    given(sess, parts, series)


def given(sess, parts, series):
    for turn in range(2):
        print(sess.run(parts, {series.x: 4.0}))
        longer(parts, series)


def longer(values, series):
    values.append(series.every[0])


def perhaps(sess, series, turns):
    for turn in range(turns):
        if turn > 3:
            print(sess.run(series.nothing, {series.x: 2.0}))


x = tf.placeholder(tf.float32, [])
series, other = Series(x), Series(x)
with tf.Session() as sess:
    print(sess.run(series.out, {x: 5.0}))
"""
GROWING_CALLED = """\
{session}    named({given}series, "out")
    fed({given}series, other)
    filled({given}series)
    perhaps({given}series, 2)
"""


def test_what_a_module_gives_that_an_argument_names(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    files = {"main.py": TRAINER, "networks/__init__.py": "", "networks/small.py": NETWORK}
    outcome = migrated(files, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    joined = TRAINER.replace("module = importlib", NETWORK + "\n\nimport sys\nmodule = sys.modules['__main__']\n# ")
    for name in files:
        (tmp_path / name).write_bytes(outcome.contents.get(name, b""))
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(joined)


SESSION = "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"


@pytest.mark.parametrize(
    ("program", "called", "tiers"),
    [(GRIDS, GRIDS_CALLED, {"native"}), (GROWING, GROWING_CALLED, {"native", "dynamic"})],
    ids=["grids", "growing"],
)
def test_functions_that_only_a_person_calls(
    program: str, called: str, tiers: set[str], tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    outcome = migrated({"main.py": program}, tmp_path)
    assert {site.tier for site in outcome.report.sites} == tiers
    text = outcome.contents["main.py"].decode()
    migrated_call = called.format(session="if True:\n", given="")
    assert said_by(text + migrated_call, tmp_path) == run_legacy(
        program + called.format(session=SESSION, given="sess, ")
    )
