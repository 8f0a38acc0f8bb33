"""Default sessions that are entered by hand or asked for, and functions with sessions that nobody calls."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tests.steps.migration import migrated
from tf_migrate.pipeline import Outcome

NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")

# What enters a session is kept in an object, and in the session itself; nobody calls the decorator.
ENTERED = """\
import contextlib
import functools

import tensorflow as tf


def in_session(f):
    @functools.wraps(f)
    def run(*args, **kwargs):
        with tf.Session():
            f(*args, **kwargs)

    return run


class Net(object):
    def __init__(self, rate):
        self.x = tf.placeholder(tf.float32, [None])
        self.w = tf.Variable(rate)
        self.y = self.x * self.w

    def open(self):
        self.sess = tf.Session()
        self.manager = self.sess.as_default()
        self.manager.enforce_nesting = False
        self.manager.__enter__()
        self.sess.run(self.w.initializer)
        return self

    def value(self, x):
        return self.sess.run(self.y, {self.x: x})

    def never(self):
        session = tf.InteractiveSession()
        session.close()


def evaluate(t, sess=None):
    sess = sess or tf.get_default_session()
    return sess.run(t)


@contextlib.contextmanager
def session():
    with tf.Session() as made:
        yield made


net = Net(3.0).open()
print("%.3f" % net.value([1.5])[0], "%.3f" % evaluate(net.w), "%.3f" % net.w.eval())
net.manager.__exit__(None, None, None)
net.sess.close()
with tf.Graph().as_default():
    total = tf.reduce_sum(tf.constant([1.5, 2.5]))
    with session():
        print("%.3f" % total.eval(), "%.3f" % tf.get_default_session().run(total * 2.0))
    last = tf.Session()
    last._default = last.as_default()
    last._default.enforce_nesting = False
    last._default.__enter__()
    print("%.3f" % evaluate(total), "%.3f" % evaluate(total, last))
"""

REFUSED = {
    "asks whether there is one": """\
import tensorflow as tf


def begin():
    if tf.get_default_session() is None:
        tf.set_random_seed(5)
        tf.InteractiveSession()


begin()
print("%.5f" % tf.get_default_session().run(tf.random_uniform([])))
""",
    "keeps what it asked for": """\
import tensorflow as tf

x = tf.constant(1.5)


def begin():
    sess = tf.get_default_session()
    if sess is None:
        print("none yet")
        sess = tf.InteractiveSession()
    return sess


sess = begin()
print("%.5f" % sess.run(x))
print("%.5f" % begin().run(x))
""",
    "enters its graph by hand": """\
import tensorflow as tf

graph = tf.Graph()
sess = tf.Session(graph=graph)
sess.__enter__()
v = tf.Variable(2.5)
sess.run(v.initializer)
print("%.5f" % sess.run(v), v.graph is graph)
""",
}


def printed(outcome: Outcome, folder: Path) -> str:
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", outcome.contents["main.py"].decode()], cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_default_sessions_go(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(ENTERED, tmp_path)
    assert {site.form for site in outcome.report.sites} == {"steps"}
    assert "Session" not in outcome.contents["main.py"].decode()
    assert printed(outcome, tmp_path) == run_legacy(ENTERED)


@pytest.mark.parametrize("program", REFUSED.values(), ids=REFUSED)
def test_what_asks_for_one_stays_on_the_bridge(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert printed(outcome, tmp_path) == run_legacy(program)
