"""Programs that see that a variable has no value: steps give variables their first values by themselves."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tests.steps.migration import migrated

LATE = """\
import tensorflow as tf


class Cache:
    def __init__(self):
        self.v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
        self.x = tf.placeholder(tf.float32, [2])
        self.out = self.v * self.x
        self.sess = tf.Session()

    def ask(self, x):
        try:
            return self.sess.run(self.out, {self.x: x}).tolist()
        except tf.errors.FailedPreconditionError:
            print("cold")
            self.sess.run(tf.global_variables_initializer())
            return self.sess.run(self.out, {self.x: x}).tolist()


cache = Cache()
print(cache.ask([1.0, 2.0]), cache.ask([3.0, 4.0]))
"""
BY_CALLER = """\
import tensorflow as tf

a = tf.get_variable("a", initializer=1.0)
b = tf.get_variable("b", initializer=2.0)
total = a * 10.0 + b


def show(sess, what):
    print("%g" % sess.run(what))


with tf.Session() as sess:
    sess.run(a.initializer)
    try:
        show(sess, a)
        show(sess, total)
    except Exception as error:
        print(type(error).__name__)
    sess.run(tf.assign(b, 7.0))
    show(sess, total)
"""
SUPPRESSED = """\
import contextlib
import tensorflow as tf
from tensorflow.python.framework.errors import FailedPreconditionError as Cold

w = tf.Variable(3.0)
for turn in range(2):
    with tf.Session() as sess, contextlib.suppress(Cold):
        if turn:
            sess.run(w.initializer)
        print(turn, "%g" % sess.run(w))
print("end")
"""
ASKED = """\
import tensorflow as tf

v = tf.Variable(3.0, name="v")
w = tf.Variable(4.0, name="w")


def missing(sess):
    return [name.decode() for name in sess.run(tf.report_uninitialized_variables())]


with tf.Session() as sess:
    print(missing(sess))
    sess.run(v.initializer)
    print(missing(sess))
    left = [each for each in tf.global_variables() if not sess.run(tf.is_variable_initialized(each))]
    sess.run(tf.variables_initializer(left))
    print([each.name for each in left], missing(sess), "%g" % sess.run(v + w))
"""
PRINTED = {
    LATE: "cold\n[1.0, 2.0] [3.0, 4.0]\n",
    BY_CALLER: "1\nFailedPreconditionError\n17\n",
    SUPPRESSED: "1 3\nend\n",
    ASKED: "['v', 'w']\n['w']\n['w:0'] [] 7\n",
}
"""What TensorFlow 1.15.5 prints."""


@pytest.mark.parametrize("program", PRINTED, ids=["late", "by caller", "suppressed", "asked"])
def test_it_stays_on_the_bridge(program: str, tmp_path: Path) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert "uninitialized" in {reason.code for site in outcome.report.sites for reason in site.reasons}
    text = outcome.contents["main.py"].decode()
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert (done.stdout, done.returncode) == (PRINTED[program], 0), done.stderr


@pytest.mark.parametrize("program", PRINTED, ids=["late", "by caller", "suppressed", "asked"])
def test_what_tensorflow_1_prints(program: str, run_legacy: Callable[..., str]) -> None:
    assert run_legacy(program) == PRINTED[program]


INITIALIZED = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
w = tf.Variable(2.0)
out = w * x


def ask(sess, value):
    try:
        return sess.run(out, {x: value})
    except Exception:
        return None


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(ask(sess, 1.0))
"""


def test_behind_an_initializer_errors_are_of_something_else(tmp_path: Path) -> None:
    outcome = migrated(INITIALIZED, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}


# No variable is there yet when the rows are read; the branch that makes some comes behind.
ROWS_FIRST = """\
import tensorflow as tf


def moments(n):
    rows = tf.data.Dataset.range(n).map(lambda i: tf.cast(i, tf.float32) * 2.0).batch(2)
    scaled = tf.log(tf.abs(rows.make_one_shot_iterator().get_next()) + 1.0)
    found = []
    with tf.Session() as sess:
        while True:
            try:
                found += sess.run(scaled).tolist()
            except:
                break
    tf.reset_default_graph()
    return sum(found) / len(found)


def train(mean):
    x = tf.placeholder(tf.float32, [None])
    w = tf.get_variable("w", [], initializer=tf.constant_initializer(2.0))
    loss = tf.reduce_mean(tf.square(w * x - mean))
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(2):
            print("%.4f" % sess.run([loss, step], {x: [1.0, 2.0]})[0])


mean = moments(5)
print("%.4f" % mean)
train(mean)
"""
IN_A_GENERATOR = """\
import numpy as np
import tensorflow as tf


class Reader(object):
    def __init__(self, rows):
        self.graph = tf.Graph()
        with self.graph.as_default():
            queue = tf.data.Dataset.from_tensor_slices(rows).repeat(2)
            self.row = tf.image.flip_left_right(queue.make_one_shot_iterator().get_next())

    def __iter__(self):
        with tf.Session(graph=self.graph) as sess:
            while True:
                try:
                    row = sess.run(self.row)
                except Exception:
                    return
                yield row.ravel().tolist()


class Model(object):
    def __init__(self):
        self.w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
        self.x = tf.placeholder(tf.float32, [3])
        self.y = tf.reduce_sum(self.w * self.x)


reader, model = Reader(np.arange(6, dtype=np.float32).reshape(2, 1, 3, 1)), Model()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for row in reader:
        print(row, "%g" % sess.run(model.y, {model.x: row}))
"""
# The layer makes variables, and the run that may lack their values is seen to.
OF_LAYERS = """\
import tensorflow as tf


class Cache(object):
    def __init__(self):
        ones = tf.ones([1, 2])
        self.total = tf.reduce_sum(tf.layers.dense(ones, 1, kernel_initializer=tf.ones_initializer()))

    def ask(self, sess):
        try:
            print("%g" % sess.run(self.total))
        except Exception as error:
            print("cold", type(error).__name__)
            sess.run(tf.global_variables_initializer())


with tf.Session() as sess:
    cache = Cache()
    cache.ask(sess)
    cache.ask(sess)
"""


@pytest.mark.parametrize(
    ("program", "tier"),
    [(ROWS_FIRST, "native"), (IN_A_GENERATOR, "native"), (OF_LAYERS, "bridge")],
    ids=["rows first", "in a generator", "of layers"],
)
def test_only_variables_may_lack_values(
    program: str, tier: str, tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {tier}
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    text = outcome.contents["main.py"].decode()
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert (done.stdout, done.returncode) == (run_legacy(program), 0), done.stderr
