"""Settings that a program puts among the names of a module: `globals().update(vars(args))`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tests.steps.migration import before_and_after, migrated

ARGUMENTS = """\
import argparse

import numpy as np
import tensorflow as tf


def layer(x, name):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [width, width], initializer=tf.constant_initializer(scale))
        return tf.tanh(tf.matmul(x, w))


def evaluate(rows):
    return float(sess.run(loss, {inputs: rows}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=3)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--scale", type=float, default=0.25)
    parser.add_argument("--momentum", action="store_true")
    args = parser.parse_args()
    globals().update(args.__dict__)
    inputs = tf.placeholder(tf.float32, [None, width])
    hidden = inputs
    for at in range(depth):
        hidden = layer(hidden, "layer%d" % at)
    loss = tf.reduce_mean(tf.square(hidden - 1.0))
    if momentum:
        train = tf.train.MomentumOptimizer(0.5, 0.9).minimize(loss)
    else:
        train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    data = np.arange(2 * width, dtype=np.float32).reshape(2, width)
    for _ in range(depth + 1):
        sess.run(train, {inputs: data})
    print("%.4f" % evaluate(data))
"""

ITEMS = """\
import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--gain", type=float, default=2.0)
parser.add_argument("--bias", type=float, default=0.5)
for key, value in sorted(vars(parser.parse_args()).items()):
    globals()[key] = value

x = tf.placeholder(tf.float32, [])
y = gain * x + bias


def told(value):
    with tf.Session() as sess:
        print("%.3f" % sess.run(y, {x: value}))


told(1.0)
told(2.0)
"""

OF_A_FILE = {
    "settings.py": """\
import json
import os

rate = 0.1
steps = 2
names = globals()
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "settings.json")) as file:
    names.update(json.load(file))
""",
    "settings.json": '{"steps": 4, "start": 2.0, "clip": true}\n',
    "net.py": """\
import tensorflow as tf

import settings as cfg


class Net(object):
    def __init__(self):
        self.goal = tf.placeholder(tf.float32, [])
        self.w = tf.Variable(cfg.start)
        error = tf.square(self.w - self.goal)
        self.error = tf.minimum(error, 1.0) if cfg.clip else error
        self.train = tf.train.GradientDescentOptimizer(cfg.rate).minimize(error)

    def fit(self, sess, goal):
        return sess.run([self.error, self.train], {self.goal: goal})[0]
""",
    "main.py": """\
import tensorflow as tf

from net import Net
from settings import *

net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(steps):
        print("%.4f" % net.fit(sess, start + 1.5))
    print("%.4f" % sess.run(net.w))
""",
}

CODE = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
exec("y = x * 3.0")
with tf.Session() as sess:
    print("%.3f" % sess.run(y, {x: 2.0}))
"""

# What TensorFlow 1.15.5 printed of them.
SAID = [
    ({"main.py": ARGUMENTS}, [], "0.0444\n"),
    ({"main.py": ARGUMENTS}, ["--momentum", "--depth", "1"], "0.0139\n"),
    ({"main.py": ITEMS}, ["--gain", "3"], "3.500\n6.500\n"),
    (OF_A_FILE, [], "1.0000\n1.0000\n0.9216\n0.5898\n2.8856\n"),
]


@pytest.mark.parametrize(("files", "arguments", "said"), SAID, ids=["arguments", "others", "items", "of a file"])
def test_runs_become_steps(files: dict[str, str], arguments: list[str], said: str, tmp_path: Path) -> None:
    outcome, _, new = before_and_after(files, tmp_path)
    assert {site.tier for site in outcome.report.sites if not site.initializer_only} == {"native"}
    known = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "main.py", *arguments], cwd=new, env=known)
    assert (done.stdout, done.returncode) == (said, 0), done.stderr


def test_names_that_code_in_a_text_binds_are_not_known(tmp_path: Path) -> None:
    outcome = migrated(CODE, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert "names-unseen" in {reason.code for site in outcome.report.sites for reason in site.reasons}
