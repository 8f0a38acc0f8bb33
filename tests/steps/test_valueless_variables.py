"""Programs that see that a variable has no value: steps give variables their first values by themselves."""

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
from tf_migrate.pipeline import Outcome

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


def migrated(program: str, folder: Path) -> Outcome:
    (folder / "main.py").write_text(program)
    options = Options(paths=(folder,), root=folder)
    return pipeline.run(discover(options).code, options)


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
