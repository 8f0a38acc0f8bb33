"""Whole programs: what TensorFlow 1.15.5 prints, and what they print once they are written in steps."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options

NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")

# Bases, a feed that a method makes, a counter that is read, an update among results that are unpacked by name.
TRAINER = '''\
import numpy as np
import tensorflow as tf


class Model(object):
    """What all models have."""

    def __init__(self, sess, sizes):
        self.sess = sess
        self.counter = tf.Variable(0, trainable=False, name="counter")
        x = tf.placeholder(tf.float32, [None, sizes[0]], name="x")
        self.inputs = dict(x=x, keep=tf.placeholder_with_default(1.0, []))
        self.wanted = tf.placeholder(tf.float32, [None], name="wanted")
        self.build(sizes)
        self.loss = tf.losses.mean_squared_error(self.wanted, self.out)
        self.train_op = tf.train.AdamOptimizer(0.1).minimize(self.loss, global_step=self.counter)
        sess.run(tf.global_variables_initializer())

    def build(self, sizes):
        raise NotImplementedError


class Network(Model):
    def build(self, sizes):
        x = self.inputs["x"] * self.inputs["keep"]
        for number, size in enumerate(sizes[1:]):
            start = np.cos(np.arange(int(x.shape[1]) * size)).reshape(-1, size)
            x = tf.layers.dense(x, size, name="layer%d" % number, kernel_initializer=tf.constant_initializer(start))
        self.out = tf.reduce_sum(x, axis=1)


class Trainer(object):
    def __init__(self, model, sess):
        self.model, self.sess = model, sess

    def feed(self, x, y, keep=1.0):
        return {self.model.inputs["x"]: x, self.model.wanted: y, self.model.inputs["keep"]: keep}

    def fit(self, batches):
        for x, y in batches:
            _, loss, step = self.sess.run(
                [self.model.train_op, self.model.loss, self.model.counter], feed_dict=self.feed(x, y, 0.5))
            print("%d %.5f" % (step, loss))

    def predict(self, x):
        return self.sess.run(self.model.out, {self.model.inputs["x"]: x})


def main():
    rows = np.sin(np.arange(24)).reshape(4, 3, 2)
    with tf.Session() as sess:
        model = Network(sess, [2, 4, 3])
        trainer = Trainer(model, sess)
        trainer.fit([(each, each.sum(axis=1)) for each in rows])
        print(" ".join("%.5f" % number for number in trainer.predict(rows[0])))
        print(sess.run(model.counter), [variable.name for variable in tf.global_variables()])


if __name__ == "__main__":
    main()
'''

# Closures over a script's names, a fetch made where it is fetched, one that a condition adds, `eval`, `finally`.
SCRIPT = '''\
import numpy as np
import tensorflow as tf

tf.set_random_seed(3)
x = tf.placeholder(tf.float32, [None, 2])
w = tf.get_variable("w", [2, 1], initializer=tf.constant_initializer([[0.5], [-1.0]]))
noise = tf.random_uniform([], seed=4)
y = tf.squeeze(tf.matmul(x, w), 1)
cost = tf.reduce_mean(tf.square(y - 1.0))
learn = tf.train.MomentumOptimizer(0.05, 0.9).minimize(cost)
double = w.assign(w * 2.0)
sess = tf.Session()
rows = np.array([[1.0, 2.0], [0.5, -1.0]])


def report(turn):
    """Says
      how it stands."""
    wanted = {"cost": cost}
    if turn % 2:
        wanted["noise"] = noise
    found = sess.run(wanted, {x: rows})
    print(turn, " ".join("%s=%.5f" % (name, found[name]) for name in sorted(found)))


try:
    sess.run(tf.global_variables_initializer())
    for turn in range(4):
        sess.run(learn, feed_dict={x: rows})
        report(turn)
    sess.run(double)
    print("%.5f" % y.eval({x: [[1.0, 0.0]]}, session=sess)[0], sess.run(w).ravel())
finally:
    sess.close()
'''

# What is fetched is a list of names, which is as long as the program says.
NAMED = """\
import numpy as np
import tensorflow as tf


class Tower(object):
    def __init__(self, sizes):
        self.x = tf.placeholder(tf.float32, [None, sizes[0]])
        out = self.x
        for number, size in enumerate(sizes[1:]):
            start = np.sin(np.arange(int(out.shape[1]) * size)).reshape(-1, size)
            out = tf.layers.dense(out, size, name="floor%d" % number, kernel_initializer=tf.constant_initializer(start))
        self.loss = tf.reduce_mean(tf.square(out))
        self.climb = tf.train.AdamOptimizer(0.1).minimize(self.loss)


tower = Tower([3, 2, 1])
with tf.Session() as sess:
    tf.global_variables_initializer().run()
    for _ in range(2):
        print("%.5f" % sess.run([tower.loss, tower.climb], {tower.x: [[1.0, 2.0, 3.0]]})[0])
    names = [v.name for v in tf.global_variables() if "Adam" not in v.name and "power" not in v.name]
    values = sess.run(names)
    for name, value in zip(names, values):
        print(name, value.shape, "%.5f" % value.sum())
"""


@pytest.fixture
def run_migrated() -> Callable[[Path], str]:
    def run(folder: Path) -> str:
        environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
        done = warm.run([sys.executable, "-c", (folder / "main.py").read_text()], cwd=folder, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.mark.parametrize(("program", "tiers"), [(TRAINER, {"native"}), (SCRIPT, {"native"}), (NAMED, {"native"})])
def test_the_same_numbers(
    program: str,
    tiers: set[str],
    tmp_path: Path,
    run_legacy: Callable[..., str],
    run_migrated: Callable[[Path], str],
) -> None:
    (tmp_path / "main.py").write_text(program)
    options = Options(paths=(tmp_path,), root=tmp_path)
    outcome = pipeline.run(discover(options).code, options)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {(tier, "steps") for tier in tiers}
    text = outcome.contents["main.py"].decode()
    assert "Session" not in text
    assert "sess" not in text

    before = run_legacy(program)
    (tmp_path / "main.py").write_text(text)
    after = run_migrated(tmp_path)
    assert NUMBER.sub("#", after) == NUMBER.sub("#", before)
    numbers = [[float(number) for number in NUMBER.findall(said)] for said in (after, before)]
    assert numbers[0] == pytest.approx(numbers[1], abs=2e-5)
    assert len(numbers[0]) > 5
