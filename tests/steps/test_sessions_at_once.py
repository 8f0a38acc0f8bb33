"""Several sessions and graphs at once: each model has its own part of a graph, or a graph of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

APART = """\
import numpy as np
import tensorflow as tf


class Line(object):
    def __init__(self, order, rate):
        self.order = order
        self.sess = tf.Session()
        init = tf.contrib.layers.xavier_initializer(uniform=False, seed=3 + order)
        with tf.variable_scope("model", reuse=None, initializer=init):
            self.build(rate)
        self.sess.run(tf.global_variables_initializer())

    def build(self, rate):
        self.h = tf.placeholder(tf.int32, [None])
        self.t = tf.placeholder(tf.int32, [None])
        self.table = tf.get_variable("table" + str(self.order), [5, 3])
        self.context = tf.get_variable("context" + str(self.order), [5, 3])
        one = tf.nn.embedding_lookup(self.table, self.h)
        other = tf.nn.embedding_lookup(self.table if self.order == 1 else self.context, self.t)
        self.loss = -tf.reduce_mean(tf.log_sigmoid(tf.reduce_sum(one * other, axis=1)))
        self.train_op = tf.train.AdamOptimizer(rate).minimize(self.loss)

    def epoch(self, pairs):
        total = 0.0
        for h, t in pairs:
            _, loss = self.sess.run([self.train_op, self.loss], {self.h: h, self.t: t})
            total += loss
        print("order %d: %.5f" % (self.order, total))

    def vectors(self):
        return self.table.eval(session=self.sess)


class Both(object):
    def __init__(self, pairs, order, epochs):
        self.order = order
        if order == 3:
            self.first = Line(1, 0.1)
            self.second = Line(2, 0.1)
            for _ in range(epochs):
                self.first.epoch(pairs)
                self.second.epoch(pairs)
        else:
            self.model = Line(order, 0.1)
            for _ in range(epochs):
                self.model.epoch(pairs)

    def vectors(self):
        if self.order == 3:
            return np.append(self.first.vectors(), self.second.vectors(), axis=1)
        return self.model.vectors()


pairs = [([0, 1, 2], [1, 2, 3]), ([3, 4], [4, 0])]
found = Both(pairs, 3, 3).vectors()
print(found.shape, ["%.4f" % value for value in np.abs(found).sum(0)])
"""

TOWERS = """\
import tensorflow as tf


def tower(name, start):
    with tf.name_scope(name):
        x = tf.placeholder(tf.float32, [None], "x")
        w = tf.Variable(start, name="w")
        loss = tf.reduce_sum(tf.square(x * w - 1.0))
        return x, loss, tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss), w


def trained(sess, parts, rows):
    x, loss, train, w = parts
    for row in rows:
        sess.run(train, feed_dict={x: row})
    return sess.run([loss, w], feed_dict={x: rows[0]})


left, right = tower("left", 0.5), tower("right", 2.0)
one = tf.Session()
one.run(tf.global_variables_initializer())
print("%.5f %.5f" % tuple(trained(one, left, [[1.0], [2.0, 0.5]])))
other = tf.Session()
other.run(tf.global_variables_initializer())
print("%.5f %.5f" % tuple(trained(other, right, [[1.0, 1.0]])))
print("%.5f %.5f" % tuple(trained(one, left, [[0.5]])))
print("%.5f %.5f" % tuple(trained(other, right, [[3.0]])))
"""

SHARED = """\
import tensorflow as tf


class Player(object):
    def __init__(self, net):
        self.net = net
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def play(self):
        return self.sess.run([self.net["grow"], self.net["value"]])[1]


step = tf.get_variable("step", [], initializer=tf.zeros_initializer())
grow = tf.assign_add(step, 1.0)
with tf.control_dependencies([grow]):
    net = {"grow": grow, "value": step * 10.0}
one, other = Player(net), Player(net)
for _ in range(2):
    print(one.play())
print(other.play(), one.play())
"""

COUNTED = """\
import tensorflow as tf

count = tf.train.get_or_create_global_step()


class Critic(object):
    def __init__(self, name):
        with tf.variable_scope(name):
            self.x = tf.placeholder(tf.float32, [])
            w = tf.get_variable("w", [], initializer=tf.ones_initializer())
            self.loss = tf.square(w * self.x - 2.0)
            self.train = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss, global_step=count)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def fit(self, x):
        return self.sess.run([self.train, self.loss], {self.x: x})[1], self.sess.run(count)


one, other = Critic("one"), Critic("other")
for x in (1.0, 0.5, 2.0):
    print("%.4f %d" % one.fit(x), "%.4f %d" % other.fit(x))
"""

USED_AGAIN = TOWERS.replace("MomentumOptimizer(0.05, 0.9)", "GradientDescentOptimizer(0.05)").replace(
    'w = tf.Variable(start, name="w")',
    'with tf.variable_scope("all", reuse=tf.AUTO_REUSE):\n            w = tf.get_variable("w", initializer=2.0)',
)

SAVED = TOWERS.replace(
    'print("%.5f %.5f" % tuple(trained(one, left, [[0.5]])))',
    'tf.train.Saver().save(one, "./saved")\nprint("%.5f %.5f" % tuple(trained(one, left, [[0.5]])))',
)

TRAINED_TOGETHER = TOWERS.replace("def tower", "OPTIMIZER = tf.train.AdamOptimizer(0.05)\n\n\ndef tower").replace(
    "tf.train.MomentumOptimizer(0.05, 0.9)", "OPTIMIZER"
)

PROGRAMS = {"objects": APART, "functions": TOWERS}
STAYING = {
    "one model": SHARED,
    "a counter": COUNTED,
    "variables by name": USED_AGAIN,
    "a saver": SAVED,
    "an optimizer": TRAINED_TOGETHER,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_sessions_with_parts_of_their_own(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert "bridge" not in {site.tier for site in outcome.report.sites}
    text = outcome.contents["main.py"].decode()
    assert "restart" not in text and "reset" not in text
    assert said_by(text, tmp_path) == run_legacy(program)


@pytest.mark.parametrize("program", STAYING.values(), ids=STAYING)
def test_sessions_with_something_in_common(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert "sessions-at-once" in {reason.code for site in outcome.report.sites for reason in site.reasons}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program, cwd=tmp_path)


TUPLES = """\
import collections

import numpy as np
import tensorflow as tf

Model = collections.namedtuple("Model", ["graph", "session", "x", "out", "train", "loss"])


def make(units, rate):
    graph = tf.Graph()
    with graph.as_default():
        tf.set_random_seed(4)
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", [2, units], initializer=tf.constant_initializer(0.3))
        out = tf.matmul(x, w)
        loss = tf.reduce_mean(tf.square(out - 1.0))
        train = tf.train.GradientDescentOptimizer(rate).minimize(loss)
        session = tf.Session(graph=graph)
        session.run(tf.global_variables_initializer())
    return Model(graph, session, x, out, train, loss)


def fit(model, rows):
    _, loss = model.session.run([model.train, model.loss], feed_dict={model.x: rows})
    return loss


rows = np.eye(2)
models = {"small": make(1, 0.5), "wide": make(3, 0.25)}
for _ in range(3):
    for name in ("small", "wide"):
        print(name, "%.5f" % fit(models[name], rows))
for name in sorted(models):
    model = models[name]
    print(name, model.session.run(model.out, {model.x: rows}).round(4).tolist())
    model.session.close()
"""

TABLES = """\

import numpy as np
import tensorflow as tf



def make(units, rate):
    graph = tf.Graph()
    with graph.as_default():
        tf.set_random_seed(4)
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", [2, units], initializer=tf.constant_initializer(0.3))
        out = tf.matmul(x, w)
        loss = tf.reduce_mean(tf.square(out - 1.0))
        train = tf.train.GradientDescentOptimizer(rate).minimize(loss)
        session = tf.Session(graph=graph)
        session.run(tf.global_variables_initializer())
    return {"graph": graph, "session": session, "x": x, "out": out, "train": train, "loss": loss}


def fit(model, rows):
    _, loss = model["session"].run([model["train"], model["loss"]], feed_dict={model["x"]: rows})
    return loss


rows = np.eye(2)
models = {"small": make(1, 0.5), "wide": make(3, 0.25)}
for _ in range(3):
    for name in ("small", "wide"):
        print(name, "%.5f" % fit(models[name], rows))
for name in sorted(models):
    model = models[name]
    print(name, model["session"].run(model["out"], {model["x"]: rows}).round(4).tolist())
    model["session"].close()
"""


@pytest.mark.parametrize("program", [TUPLES, TABLES], ids=["named tuples", "dictionaries"])
def test_sessions_kept_beside_graphs(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert "bridge" not in {site.tier for site in outcome.report.sites}
    text = outcome.contents["main.py"].decode()
    assert "Session" not in text
    assert said_by(text, tmp_path) == run_legacy(program)
