"""Names for what asks for the default session go with all that calls it; functions that return one give None."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

UTILS = """\
import tensorflow as tf

getsess = tf.get_default_session


def shared(sess, variables):
    for variable in variables:
        sess.run(tf.assign(variable, 0.5 * sess.run(variable)))


def contexts(label):
    session = tf.Session()
    return label.upper(), session
"""

AGENT = """\
import tensorflow as tf
from utils import contexts, getsess, shared


class Agent(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.w = tf.get_variable("w", [], initializer=tf.constant_initializer(4.0))
        self.y = self.w * self.x

    def start(self):
        getsess().run(tf.global_variables_initializer())
        shared(getsess(), tf.trainable_variables())

    def act(self, x):
        return getsess().run(self.y, {self.x: x})


def main():
    label, context = contexts("agent")
    with context:
        agent = Agent()
        agent.start()
        print(label, agent.act([1.0, 3.0]))


main()
"""

ALONE = """\
import tensorflow as tf

session_of = tf.get_default_session
x = tf.placeholder(tf.float32, [])
y = x + 1.0


def later(value):
    return session_of().run(y, feed_dict={x: value})


with tf.Session().as_default():
    print("%.1f" % later(2.0), "%.1f" % session_of().run(y, {x: 4.0}))
"""

USED = ALONE.replace("print(", "print(session_of is not None, ")


def test_they_go_with_their_imports(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        folder.mkdir()
    outcome = migrated({"main.py": AGENT, "utils.py": UTILS}, before)
    assert "bridge" not in {site.tier for site in outcome.report.sites}
    for path, content in outcome.contents.items():
        (after / path).write_bytes(content)
        assert b"getsess" not in content and b"Session" not in content
    assert said_by(outcome.contents["main.py"].decode(), after) == run_legacy(AGENT, cwd=before)


@pytest.mark.parametrize(("program", "tier"), [(ALONE, "native"), (USED, "bridge")], ids=["called", "looked at"])
def test_a_name_of_its_own(program: str, tier: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {tier}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)


THREADS = """\
import threading

import tensorflow as tf

total = tf.Variable(0.0)
part = tf.placeholder(tf.float32, [])
add = tf.assign_add(total, part)


def fill(sess, rows):
    for row in rows:
        sess.run(add, {part: row})


class Counter:
    def __init__(self, rate, session=tf.Session(), name="counter"):
        self._sess = session
        self._sess.run(tf.global_variables_initializer())

    def count(self):
        return self._sess.run(total)


with tf.Session() as sess:
    counter = Counter(0.5, session=sess)
    arguments = (sess, [1.0, 2.0])
    thread = threading.Thread(target=fill, args=arguments)
    thread.start()
    thread.join()
    print("%.1f" % counter.count())
"""

MISSING = """\
from collections import defaultdict

import tensorflow as tf

x = tf.placeholder(tf.float32, [])
y = x * 2.0
marks = defaultdict(set)
for word in "to be or not to be".split():
    marks[len(word)].add(word)


def batches():
    for length in sorted(marks.keys()):
        if length > 1:
            yield float(len(marks[length]))


with tf.Session() as sess:
    for batch in batches():
        print("%.1f" % sess.run(y, {x: batch}))
"""


@pytest.mark.parametrize("program", [THREADS, MISSING], ids=["defaults and threads", "missing items"])
def test_what_else_holds_sessions_and_runs(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
