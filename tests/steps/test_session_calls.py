"""What gives a run its session may do more: it is called still. Each program's output is TensorFlow 1.15.5's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

AGAIN = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
v = tf.Variable(1.0)
out, up = x * v, tf.assign_add(v, 1.0)
_session = None


def session():
    global _session
    if not _session:
        _session = tf.Session()
        _session.run(tf.global_variables_initializer())
    return _session


def shutdown():
    global _session
    if _session is not None:
        _session.close()
    _session = None


for turn in range(2):
    session().run(up)
    print(session().run(out, {x: [1.0, 2.0]}).tolist())
    shutdown()
"""
PROPERTY = """\
import numpy as np
import tensorflow as tf


class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.Variable(tf.random_normal([2, 1], seed=3))
        self.loss = tf.reduce_mean(tf.square(tf.matmul(self.x, self.w) - 1.0))
        self.train = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)
        self._sess = None
        self.opened = 0

    @property
    def sess(self):
        if self._sess is None:
            config = tf.ConfigProto()
            config.gpu_options.allow_growth = True
            self._sess = tf.Session(config=config)
            self._sess.run(tf.global_variables_initializer())
            self.opened += 1
        return self._sess

    def release(self):
        if self._sess is not None:
            self._sess.close()
            self._sess = None
            print("released", self.opened)

    def step(self, rows):
        loss, _ = self.sess.run([self.loss, self.train], feed_dict={self.x: rows})
        return loss


m = Model()
for turn in range(2):
    print(["%.5f" % m.step(np.eye(2)) for _ in range(2)])
    m.release()
m.release()
"""
ASKED = """\
import tensorflow as tf

asked = []
v = tf.Variable(3)
x = tf.placeholder(tf.int32, [])
y = x * v


def make():
    s = tf.Session()
    s.run(tf.global_variables_initializer())
    return s


S = make()


def current(tag):
    asked.append(tag)
    return S


print(y.eval({x: 2}, session=current("eval")))
with current("with").as_default():
    print(current("a").run(y, {x: 3}))
if current("test").run(y, {x: 0}) == 0:
    print("zero")
for i in range(3):
    print(current(i).run(y, {x: i}))
print(asked)
"""
POOL = """\
import tensorflow as tf


class Pool(object):
    def __init__(self, graph):
        self.handed = 0
        self.session = tf.Session(graph=graph)

    def lease(self):
        self.handed += 1
        print("lease %d" % self.handed)
        return self.session


graph = tf.Graph()
with graph.as_default():
    text = tf.placeholder(tf.string, [None])
    joined = tf.reduce_join(text, separator="-")
pool = Pool(graph)


def join(*words):
    return pool.lease().run(joined, {text: list(words)}).decode()


print(join("a", "b"))
print(join("c"), pool.handed)
"""
CASES = {
    "again": (AGAIN, "[2.0, 4.0]\n[2.0, 4.0]\n"),
    "property": (
        PROPERTY,
        "['1.76643', '1.43081']\nreleased 1\n['1.76643', '1.43081']\nreleased 2\n",
    ),
    "asked": (ASKED, "6\n9\nzero\n0\n3\n6\n['eval', 'with', 'a', 'test', 0, 1, 2]\n"),
    "pool": (POOL, "lease 1\na-b\nlease 2\nc 2\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_else_it_does_is_done(name: str, tmp_path: Path) -> None:
    code, expected = CASES[name]
    outcome = migrated(code, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == expected


@pytest.mark.parametrize(
    "run",
    [
        "print([current(i).run(y, {x: i}) for i in range(3)])",
        "print(current('a').run(y, {x: 1}) + current('b').run(y, {x: 2}))",
        "print(len(asked.copy()), current('a').run(y, {x: 1}))",
        "while current('a').run(y, {x: 1}) + len(asked) < 9: pass",
    ],
)
def test_no_statement_before_it_would_do_the_same(run: str, tmp_path: Path) -> None:
    outcome = migrated(ASKED.replace("print(asked)", run), tmp_path)
    assert "does more than give a session" in str([site.reasons for site in outcome.report.sites])


def test_what_only_gives_a_session_goes(tmp_path: Path) -> None:
    text = migrated(ASKED.replace("    asked.append(tag)\n", ""), tmp_path).contents["main.py"].decode()
    assert "current(" not in text.replace("def current(tag)", "")
