"""Functions that may be given a session, and else use one of their object's: without sessions both ways are one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

HEAD = """\
import numpy as np
import tensorflow as tf


class Scores(object):
    def __init__(self, sess):
        self.sess = sess
        self.rows = tf.placeholder(tf.float32, [None, 3])
        self.weights = tf.get_variable("weights", [3, 2], initializer=tf.constant_initializer(0.5))
        self.out = tf.matmul(self.rows, self.weights)
        self.best = tf.argmax(self.out, 1)
        self.more = tf.assign_add(self.weights, [[1.0, 0.0]] * 3)
"""

ROWS = """\

rows = np.arange(6, dtype=np.float32).reshape(2, 3)
with tf.Session() as session:
    scores = Scores(session)
    session.run(tf.global_variables_initializer())
"""

RUNS = {
    "one branch each": """\

    def best_of(self, rows, sess=None):
        if sess is None:
            # in the session of its own
            found = self.sess.run(self.best, feed_dict={self.rows: rows})
        else:
            found = sess.run(self.best, feed_dict={self.rows: rows})
        return found

    def text_of(self, rows, verbose=False, sess=None):
        return "best " + str(self.best_of(rows, sess=sess)) if verbose else ""
""",
    "the rest of a function": """\

    def best_of(self, rows, sess=None):
        if not sess:
            found = self.sess.run(self.best, {self.rows: rows})
            return found
        found = sess.run(self.best, {self.rows: rows})
        return found

    def text_of(self, rows, verbose=False, sess=None):
        if verbose: return "best " + str(self.best_of(rows, sess))
        return ""
""",
    "a condition in an expression": """\

    def best_of(self, rows, tf_session=None):
        feed = {self.rows: rows}
        return (tf_session.run(self.best, feed) if tf_session is not None else self.sess.run(self.best, feed)).copy()

    def text_of(self, rows, verbose=False, tf_session=None):
        return "best " + str(self.best_of(rows, tf_session)) if verbose else ""
""",
    "a clause of its own": """\

    def best_of(self, rows, session=None, repeats=1):
        if repeats == 0:
            return None
        elif session is None:
            for _ in range(repeats):
                self.sess.run(self.more)
            return self.sess.run(self.best, feed_dict={self.rows: rows})
        else:
            for _ in range(repeats):
                session.run(self.more)
            return session.run(self.best, feed_dict={self.rows: rows})

    def text_of(self, rows, verbose=False, sess=None):
        return "best " + str(self.best_of(rows, sess)) if verbose else ""
""",
}

CALLS = {
    "nobody gives one": """\
    print(scores.best_of(rows))
    print(scores.text_of(rows, True))
    print(session.run(scores.out, {scores.rows: rows}))
""",
    "somebody gives one": """\
    print(scores.best_of(rows))
    print(scores.best_of(rows, session))
    print(scores.text_of(rows, True, session), scores.text_of(rows, False, None))
    print(session.run(scores.out, {scores.rows: rows}))
""",
    "nobody calls them": """\
    print(session.run(scores.out, {scores.rows: rows}))
""",
}


@pytest.mark.parametrize("calls", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("runs", RUNS.values(), ids=RUNS)
def test_both_ways_are_one(runs: str, calls: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    program = HEAD + runs + ROWS + calls
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    text = outcome.contents["main.py"].decode()
    assert "compat.run" not in text and "is None:" not in text and "not sess" not in text
    assert said_by(text, tmp_path) == run_legacy(program)


OTHER = """\

    def best_of(self, rows, sess=None):
        if sess is None:
            return self.sess.run(self.best, {self.rows: rows})
        return sess.run(self.best, {self.rows: rows})


rows = np.arange(6, dtype=np.float32).reshape(2, 3)
session = tf.Session()
scores = Scores(session)
session.run(tf.global_variables_initializer())
other = tf.Session()
other.run(tf.global_variables_initializer())
session.run(scores.more)
print(scores.best_of(rows), scores.best_of(rows, other), scores.best_of(rows))
"""


def test_two_sessions_with_values_of_their_own_stay(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    program = HEAD + OTHER
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)


DIFFERENT = """\

    def best_of(self, rows, sess=None):
        if sess is None:
            return self.sess.run(self.best, {self.rows: rows})
        return sess.run(self.out, {self.rows: rows})
"""


def test_ways_that_run_something_else_are_two(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    program = HEAD + DIFFERENT + ROWS + CALLS["nobody gives one"].replace("    print(scores.text_of(rows, True))\n", "")
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    text = outcome.contents["main.py"].decode()
    assert "if sess is None:" in text
    assert said_by(text, tmp_path) == run_legacy(program)


# What is asserted does not hold on all ways.
STARTED = """\
import tensorflow as tf


class Model(object):
    def __init__(self):
        self.sess = None
        self.x = tf.placeholder(tf.float32, [])
        self.y = self.x * 2.0

    def start(self):
        self.sess = tf.Session()

    def predict(self, x):
        assert self.sess is not None
        return self.sess.run(self.y, {self.x: x})


model = Model()
try:
    print(model.predict(1.0))
except AssertionError:
    print("not started")
model.start()
print(model.predict(2.0))
"""
OPENED = """\
import tensorflow as tf

session = None
x = tf.placeholder(tf.float32, [])
y = x + 1.0


def opened():
    global session
    session = tf.Session()


def shown(value):
    assert session, "there is no session"
    print(session.run(y, {x: value}))


for value in (1.0, 2.0):
    try:
        shown(value)
    except AssertionError as error:
        print(error)
        opened()
"""


@pytest.mark.parametrize(
    ("program", "expected"), [(STARTED, "not started\n4.0\n"), (OPENED, "there is no session\n3.0\n")]
)
def test_an_assertion_that_may_fail_stays(program: str, expected: str, tmp_path: Path) -> None:
    outcome = migrated(program, tmp_path)
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == expected


@pytest.mark.parametrize("program", [STARTED, OPENED])
def test_tensorflow_1_asserts_the_same(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    assert said_by(migrated(program, tmp_path).contents["main.py"].decode(), tmp_path) == run_legacy(program)
