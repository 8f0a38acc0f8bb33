"""The seed of a program's default graph: wherever it is set and drawn under, and not in graphs beside that one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options

LEGACY = {"PATH": os.environ["PATH"], "CUDA_VISIBLE_DEVICES": "", "PYTHONWARNINGS": "ignore"}
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")

# A module of its own seeds everything while it is imported.
SETTINGS = {
    "settings.py": """\
import random
import tensorflow as tf

RATE = 0.5
random.seed(1)
tf.set_random_seed(5)
""",
    "main.py": """\
import numpy as np
import tensorflow as tf
import settings

x = tf.placeholder(tf.float32, [None, 3])
w = tf.get_variable("w", [3, 2])
y = tf.nn.dropout(tf.matmul(x, w), settings.RATE)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        print(sess.run(y, {x: np.ones((2, 3))}).ravel().tolist())
""",
}

# The program seeds, and a class of another module, of which it knows no numbers, draws.
ENTRY = {
    "nets/__init__.py": "from nets.small import Small\n",
    "nets/small.py": """\
import tensorflow as tf


class Small(object):
    def __init__(self, width):
        self.width = width

    def __call__(self, x):
        hidden = tf.layers.dense(x, self.width, activation=tf.nn.tanh)
        scale = tf.Variable(tf.truncated_normal([self.width]), name="scale")
        return tf.reduce_sum(hidden * scale, 1) + tf.random_normal([])
""",
    "main.py": """\
import numpy as np
import tensorflow as tf
from nets import Small


def main():
    tf.set_random_seed(11)
    x = tf.placeholder(tf.float32, [None, 2])
    y = Small(3)(x)
    loss = tf.reduce_mean(tf.square(y - 1.0))
    train = tf.train.AdamOptimizer(0.1).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for turn in range(3):
            _, found = sess.run([train, loss], {x: np.eye(2) * turn})
            print("%d %.6f" % (turn, found))


if __name__ == "__main__":
    main()
""",
}

# Graphs beside the default one have no seed: what has one of its own draws as TensorFlow 1 did without the other.
BESIDE = {
    "main.py": """\
import tensorflow as tf

tf.set_random_seed(1)


def numbers():
    x = tf.placeholder(tf.float32, [None])
    return x, x + tf.random_normal([2], seed=3)


x, y = numbers()
with tf.Session() as sess:
    print(sess.run(y, {x: [0.0]}).tolist())
with tf.Graph().as_default():
    x, y = numbers()
    with tf.Session() as sess:
        print(sess.run(y, {x: [0.0]}).tolist())
tf.reset_default_graph()
x, y = numbers()
with tf.Session() as sess:
    print(sess.run(y, {x: [0.0]}).tolist())
""",
}

# Each experiment begins anew, one of them with a seed that the others do not see.
EXPERIMENTS = {
    "main.py": """\
import numpy as np
import tensorflow as tf


class Experiment(object):
    def __init__(self, sess, size):
        self.sess = sess
        self.x = tf.placeholder(tf.float32, [None, size], name="x")
        start = tf.random_uniform_initializer(-1.0, 1.0, seed=7)
        self.out = tf.layers.dense(self.x, 2, kernel_initializer=start, name="out")
        sess.run(tf.global_variables_initializer())

    def predict(self, rows):
        return self.sess.run(self.out, feed_dict={self.x: rows})


def experiment(size, seed=None):
    with tf.Graph().as_default():
        if seed is not None:
            tf.set_random_seed(seed)
        with tf.Session() as sess:
            print(Experiment(sess, size).predict(np.ones([1, size])).ravel().tolist())


tf.set_random_seed(2)
experiment(3)
experiment(3, seed=8)
experiment(3)
""",
}


def run(python: Path | None, folder: Path) -> str:
    """What a program prints, in TensorFlow 1.15.5 where its interpreter is given."""
    environment = dict(os.environ, PYTHONPATH=f"{folder}{os.pathsep}{ROOT}", PYTHONWARNINGS="ignore")
    if python is not None:
        done = subprocess.run(
            [str(python), "main.py"], cwd=folder, env=LEGACY, capture_output=True, text=True, check=False
        )
    else:
        done = warm.run([sys.executable, "-c", (folder / "main.py").read_text()], cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("files", [SETTINGS, ENTRY, BESIDE, EXPERIMENTS])
@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_the_numbers_of_tensorflow_1(files: Mapping[str, str], tier: str, tmp_path: Path, legacy_python: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
    options = Options(paths=(after,), root=after, tier=tier)
    outcome = pipeline.run(discover(options).code, options)
    assert {site.tier for site in outcome.report.sites} <= {"native", "dynamic"} if tier == "native" else {"bridge"}
    for name, content in outcome.contents.items():
        (after / name).write_bytes(content)
    said = run(legacy_python, before), run(None, after)
    numbers = [[float(number) for number in NUMBER.findall(text)] for text in said]
    assert numbers[1] == pytest.approx(numbers[0], abs=2e-5)
    assert len(numbers[0]) > 2
