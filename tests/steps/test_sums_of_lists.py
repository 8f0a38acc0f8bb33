"""Runs that fetch sums of lists of unknown lengths: steps are bound to the sum, where all stays as it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options

# The lists are attributes of an object, as long as an option says, and one of them is a display.
OF_AN_OBJECT = """\
import argparse
import numpy as np
import tensorflow as tf


class Draw(object):
    def __init__(self, steps):
        self.x = tf.placeholder(tf.float32, [None, 2])
        self.canvases, self.losses = [], []
        h = self.x
        for t in range(steps):
            start = tf.constant_initializer(0.3)
            h = tf.layers.dense(h, 2, kernel_initializer=start, name="d", reuse=True if t else None)
            self.canvases.append(h)
            self.losses.append(tf.reduce_sum(tf.square(h)))
        self.total = tf.add_n(self.losses)
        self.train = tf.train.GradientDescentOptimizer(0.01).minimize(self.total)

    def fit(self, sess, rows, n):
        for _ in range(n):
            results = sess.run(self.losses + [self.total, self.train], {self.x: rows})
            print(["%.4f" % result for result in results[:-1]], results[-1])

    def pictures(self, sess, rows):
        every = sess.run(self.canvases + self.losses, feed_dict={self.x: rows})
        return every[: len(self.canvases)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=3)
    net = Draw(parser.parse_args([]).steps)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        net.fit(sess, np.ones((2, 2)), 2)
        for picture in net.pictures(sess, np.ones((1, 2))):
            print(["%.4f" % number for number in picture.ravel()])


main()
"""

# Lists of a script grow between two calls of a function, and one is another list in the end.
GROWING = """\
import sys
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [2])
levels, extra = [], []
h = x
for i in range(len(sys.argv) + 1):
    h = h * 2.0
    levels.append(h)
    extra.append(tf.reduce_sum(h))
sess = tf.Session()


def show(value):
    print(["%g" % np.sum(each) for each in sess.run(levels + extra, {x: value})])


show([1.0, 2.0])
extra.append(h - 1.0)
show([1.0, 2.0])
levels = [h * 3.0]
show([1.0, 3.0])
counts = np.zeros(2)
for _ in range(2):
    first, *rest = sess.run(levels + extra, feed_dict={x: counts})
    counts = counts + 1
    print(first.tolist(), len(rest))
"""


@pytest.mark.parametrize(
    ("program", "steps", "runs"), [(OF_AN_OBJECT, 2, 0), (GROWING, 1, 1)], ids=["of an object", "growing"]
)
def test_the_same_lines(program: str, steps: int, runs: int, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    (tmp_path / "main.py").write_text(program)
    options = Options(paths=(tmp_path,), root=tmp_path)
    text = pipeline.run(discover(options).code, options).contents["main.py"].decode()
    assert (text.count("compat.step("), text.count("compat.run(")) == (steps, runs)
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert (done.stdout, done.returncode) == (run_legacy(program), 0), done.stderr
