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

# Each part of a program initializes what it built, in the same statement, and the next one draws behind it.
PARTS = {
    "main.py": """\
import numpy as np
import tensorflow as tf


class Agent(object):
    def __init__(self, name):
        with tf.variable_scope(name):
            self.x = tf.placeholder(tf.float32, [None, 2], name="x")
            self.y = tf.layers.dense(self.x, 3, name="y")
            self.noisy = tf.nn.dropout(self.y, 0.5)
            self.vars = tf.global_variables(scope=name)
        tf.get_default_session().run(tf.variables_initializer(self.vars))

    def go(self, x):
        return tf.get_default_session().run([self.y, self.noisy], {self.x: x})


def main():
    tf.set_random_seed(8)
    with tf.Session():
        agents = [Agent("one")]
        print([float(part) for row in agents[0].go(np.ones((1, 2))) for part in row.ravel()])
        for variable in tf.trainable_variables():
            tf.get_default_session().run(tf.assign(variable, np.ones(variable.shape.as_list())))
        agents.append(Agent("two"))
        for agent in agents:
            print([float(part) for row in agent.go(np.ones((1, 2))) for part in row.ravel()])


main()
""",
}

# An initializer between what builds, in a function that builds else; savers count too.
BETWEEN = {
    "main.py": """\
import numpy as np
import tensorflow as tf

tf.set_random_seed(11)


def nets(sess):
    w = tf.Variable(tf.truncated_normal([3]), name="w")
    hits = tf.Variable(0, trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    noise = tf.random_uniform([3])
    return w, hits, w + noise


with tf.Session() as sess:
    w, hits, out = nets(sess)
    saver = tf.train.Saver()
    print(sess.run(out).tolist())
    sess.run(w.assign(np.zeros(3)))
    other = tf.random_normal([2]) + 0 * w[0]
    print(sess.run(other).tolist())
    print(sess.run(out).tolist())
""",
}

# What is made before the run draws behind it, where it is called.
CALLED_LATER = {
    "main.py": """\
import numpy as np
import tensorflow as tf

tf.set_random_seed(21)
cell = tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(3), output_keep_prob=0.5)
x = tf.placeholder(tf.float32, [4, 2])
with tf.variable_scope("first"):
    w = tf.get_variable("w", [2, 2])
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run(w).ravel().tolist())
with tf.variable_scope("second", initializer=tf.constant_initializer(0.1)):
    out, _ = cell(x, 0.5 * tf.ones([4, 3]))
for v in [v for v in tf.global_variables() if v.name.startswith("second")]:
    sess.run(tf.assign(v, 0.1 * np.ones(v.shape)))
print(sess.run(out, {x: np.ones((4, 2))}).ravel().tolist())
""",
}

# Cells draw their weights and what they drop where they are called; datasets and distributions draw by methods.
METHODS = {
    "main.py": """\
import numpy as np
import tensorflow as tf

tf.set_random_seed(5)
x = tf.placeholder(tf.float32, [None, 3, 2])
cells = [tf.contrib.rnn.DropoutWrapper(tf.contrib.rnn.BasicLSTMCell(3), output_keep_prob=0.8) for _ in range(2)]
out, _ = tf.contrib.rnn.static_rnn(tf.contrib.rnn.MultiRNNCell(cells), tf.unstack(x, axis=1), dtype=tf.float32)
normal = tf.distributions.Normal(0.0, 1.0).sample(3)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for one in sess.run(out, {x: np.ones([1, 3, 2])}):
        print(one.ravel().tolist())
    print(sess.run(normal).tolist())
""",
}

# What a cell drops at all steps is drawn where the cell is made.
SAME_COLUMNS = {
    "main.py": """\
import numpy as np
import tensorflow as tf

tf.set_random_seed(3)
x = tf.placeholder(tf.float32, [None, 3, 4])
cell = tf.contrib.rnn.GRUCell(4, kernel_initializer=tf.constant_initializer(0.1))
cell = tf.contrib.rnn.DropoutWrapper(cell, output_keep_prob=0.5, variational_recurrent=True, dtype=tf.float32)
noise = tf.random_uniform([2])
outs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        print(sess.run(outs, {x: np.ones((2, 3, 4))}).ravel().tolist())
    print(sess.run(noise).tolist())
""",
}

# The columns of inputs and of both states, in a stack.
SAME_COLUMNS_OF_STATES = {
    "main.py": """\
import numpy as np
import tensorflow as tf
from tensorflow.contrib import rnn


class Encoder(object):
    def __init__(self, sizes, keep):
        self.x = tf.placeholder(tf.float32, [2, 3, 4])
        cells, before = [], 4
        for size in sizes:
            cells.append(self.dropped(rnn.LSTMCell(size, initializer=tf.constant_initializer(0.2)), before, keep))
            before = size
        steps = tf.unstack(self.x, axis=1)
        self.outputs, self.state = rnn.static_rnn(rnn.MultiRNNCell(cells), steps, dtype=tf.float32)
        self.weights = tf.get_variable("weights", [3])

    def dropped(self, cell, size, keep):
        return rnn.DropoutWrapper(
            cell, keep, state_keep_prob=0.7, variational_recurrent=True, input_size=size, dtype=tf.float32
        )


tf.set_random_seed(8)
encoder = Encoder([3, 2], tf.placeholder_with_default(0.5, []))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        print(sess.run(encoder.outputs[-1], {encoder.x: np.ones((2, 3, 4))}).ravel().tolist())
    print(sess.run(encoder.weights).tolist())
""",
}

# Nothing but a method of a dataset draws.
SHUFFLED = {
    "main.py": """\
import tensorflow as tf

tf.set_random_seed(9)
rows = tf.data.Dataset.from_tensor_slices([0.5, 1.5, 2.5, 3.5, 4.5, 5.5]).shuffle(5).batch(3)
row = rows.make_one_shot_iterator().get_next()
with tf.Session() as sess:
    for _ in range(2):
        print(sess.run(row).tolist())
""",
}

# TensorFlow's tests give the graph of each test a seed; nothing in the program does.
TESTS = {
    "main.py": """\
import tensorflow as tf


class DrawsTest(tf.test.TestCase):

    def test_draws(self):
        x = tf.random_normal([3])
        w = tf.get_variable("w", [2])
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            print(sess.run(x).tolist(), sess.run(w).tolist())

    def test_the_next_begins_anew(self):
        with self.cached_session():
            print(tf.random_normal([3]).eval().tolist())


if __name__ == "__main__":
    tf.test.main()
""",
}

# The class of tests is derived in one module, and a library draws in another.
LIBRARY_TESTS = {
    "layers.py": """\
import tensorflow as tf


def dense(x, units):
    w = tf.Variable(tf.truncated_normal([x.shape[1].value, units], stddev=0.1))
    return tf.nn.dropout(tf.matmul(x, w), keep_prob=0.5)
""",
    "cases.py": """\
import tensorflow as tf


class LayersTest(tf.test.TestCase):

    def evaluated(self, value):
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            return sess.run(value)
""",
    "main.py": """\
import tensorflow as tf

import cases
import layers


class DenseTest(cases.LayersTest):

    def test_dense(self):
        found = self.evaluated(layers.dense(tf.ones([2, 3]), 4))
        self.assertEqual(found.shape, (2, 4))
        print(found.ravel().tolist())


if __name__ == "__main__":
    tf.test.main()
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


@pytest.mark.parametrize(
    "files",
    [
        *(SETTINGS, ENTRY, BESIDE, EXPERIMENTS, PARTS, BETWEEN, CALLED_LATER, METHODS, SHUFFLED, TESTS, LIBRARY_TESTS),
        *(SAME_COLUMNS, SAME_COLUMNS_OF_STATES),
    ],
)
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
