"""Parts of a model that are built on some ways only: what runs them is a step where they are there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

CAPTIONER = """\
import os

import numpy as np
import tensorflow as tf


class Captioner:
    def __init__(self, phase):
        self.training = phase == "train"
        self.x = tf.placeholder(tf.float32, [None, 3], "x")
        self.build()
        if self.training:
            self.build_optimizer()

    def build(self):
        if self.training:
            self.y = tf.placeholder(tf.float32, [None], "y")
        self.w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
        self.out = tf.reduce_sum(self.x * self.w, 1)
        if self.training:
            self.loss = tf.reduce_mean(tf.square(self.out - self.y))

    def build_optimizer(self):
        self.step = tf.Variable(0, trainable=False, name="step")
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss, global_step=self.step)

    def fit(self, sess, rows):
        for x, y in rows:
            feed = {self.x: x, self.y: y}
            _, loss, step = sess.run([self.train_op, self.loss, self.step], feed_dict=feed)
            if step % 2 == 0:
                print(step, "%.4f" % loss)

    def improve(self, sess, x, y, careful):
        if careful:
            return sess.run(self.loss, {self.x: x, self.y: y})
        sess.run(self.train_op, {self.x: x, self.y: y})
        return None

    def predict(self, sess, x):
        return sess.run(self.out, {self.x: x})


def main():
    phase = os.environ.get("PHASE_OF_THIS", "train")
    model = Captioner(phase)
    x = np.array([[1.0, 2.0, 3.0], [0.5, 0.0, -1.0]], np.float32)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        if phase == "train":
            model.fit(sess, [(x, [1.0, 0.0])] * 3)
            print("%.4f" % model.improve(sess, x, [1.0, 1.0], True))
            print(model.improve(sess, x, [1.0, 1.0], False))
        print(model.predict(sess, x).round(4))


main()
"""

METRICS = """\
import argparse
import sys

import numpy as np
import tensorflow as tf

CHOSEN = "mean"
parser = argparse.ArgumentParser()
parser.add_argument("--metric", default=CHOSEN)
args = parser.parse_args()

image = tf.placeholder(tf.float32, [None])
label = tf.placeholder(tf.float32, [None])
error = tf.abs(image - label)

if args.metric.startswith("mean"):
    value, update = tf.metrics.mean(error)
elif args.metric == "rmse":
    value, update = tf.metrics.root_mean_squared_error(label, image)

sess = tf.Session()
sess.run(tf.local_variables_initializer())
for turn in range(3):
    a = np.arange(4, dtype=np.float32) + turn
    _ = sess.run(update, feed_dict={image: a, label: a * 0.5})
print("%.4f" % sess.run(value))
if len(sys.argv) < 9:
    print(sess.run(update, {image: [1.0], label: [1.0]}))
"""

# What may be missing is not read where the program may not come to the run.
LEFT_EARLY = """\
import os

import tensorflow as tf

MODE = os.environ.get("MODE_OF_THIS", "none")
x = tf.placeholder(tf.float32, [])


def evaluate(sess, value):
    if MODE == "sum":
        total = x + 1.0
    if MODE == "none":
        print("nothing to do")
        return
    print(sess.run(total, {x: value}))


def search(sess, value):
    if MODE == "sum":
        double = x * 2.0
    try:
        print(sess.run(double, {x: value}))
    except NameError:
        print("there is none")


with tf.Session() as sess:
    evaluate(sess, 2.0)
    search(sess, 3.0)
"""

# One object of a class has a part, another one has not.
TWO_OBJECTS = """\
import sys

import tensorflow as tf


class Tower:
    def __init__(self, name, learns):
        self.learns = learns
        with tf.variable_scope(name):
            self.x = tf.placeholder(tf.float32, [])
            self.w = tf.get_variable("w", [], initializer=tf.ones_initializer())
            self.out = self.x * self.w
            if learns:
                self.train_op = tf.train.GradientDescentOptimizer(0.5).minimize(tf.square(self.out - 3.0))

    def fit(self, sess, value, turns):
        for turn in range(turns):
            if turn % 2 == 0:
                sess.run(self.train_op, {self.x: value})
            print(sess.run(self.out, {self.x: value}))


towers = [Tower("first", True), Tower("second", len(sys.argv) > 7)]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    towers[0].fit(sess, 1.0, 3)
    towers[1].fit(sess, 1.0, 0)
    print([sess.run(tower.out, {tower.x: 2.0}) for tower in towers])
    try:
        towers[1].fit(sess, 1.0, 1)
    except AttributeError:
        print("it does not learn")
"""

# What a library is given to be called later uses an object that is filled in between.
LATER = """\
IMPORT

import numpy as np
import tensorflow as tf


class Speaker(object):
    def load(self, width):
        self.x = tf.placeholder(tf.float32, [None, width], "x")
        self.out = tf.layers.dense(self.x, 1, kernel_initializer=tf.ones_initializer(), name="out")
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def say(self, rows):
        return self.sess.run(self.out, feed_dict={self.x: rows}).ravel().tolist()


speaker = Speaker()


REGISTERED
def last():
    print("last", speaker.say(np.ones([2, 3], np.float32)))


speaker.load(3)
print(speaker.say([[1.0, 2.0, 3.0]]))
"""
REGISTERED = {
    "exit": ("import atexit", "@atexit.register", ""),
    "timer": (
        "import threading",
        "",
        "last = threading.Timer(0.1, last)\nspeaker.load(3)\nlast.start()\nlast.join()\n",
    ),
}


@pytest.mark.parametrize(
    ("program", "chosen", "other"),
    [(CAPTIONER, '"train")', '"test")'), (METRICS, 'CHOSEN = "mean"', 'CHOSEN = "rmse"')],
    ids=["phases", "metrics"],
)
def test_each_way_of_a_program_has_its_steps(
    program: str, chosen: str, other: str, tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    text = outcome.contents["main.py"].decode()
    assert said_by(text, tmp_path) == run_legacy(program)
    assert chosen in text
    assert said_by(text.replace(chosen, other), tmp_path) == run_legacy(program.replace(chosen, other))


@pytest.mark.parametrize("mode", ["none", "sum"])
def test_what_a_program_never_reads_may_be_missing(mode: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(LEFT_EARLY, tmp_path)
    texts = [each.replace('"none")', f'"{mode}")') for each in (outcome.contents["main.py"].decode(), LEFT_EARLY)]
    assert said_by(texts[0], tmp_path) == run_legacy(texts[1])


def test_an_object_without_a_part_has_no_step_of_it(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(TWO_OBJECTS, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(TWO_OBJECTS)


@pytest.mark.parametrize("kind", REGISTERED)
def test_what_is_called_later_finds_what_is_there_then(
    kind: str, tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    imported, decorator, start = REGISTERED[kind]
    program = LATER.replace("IMPORT", imported).replace("REGISTERED\n", f"{decorator}\n" if decorator else "")
    program = program.replace("speaker.load(3)\n", start) if start else program
    outcome = migrated(program, tmp_path)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {("native", "steps")}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
