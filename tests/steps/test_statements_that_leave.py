"""Steps stand where the program comes by: not behind a block that ends with a `return`, in whatever way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

PROGRAMS = {
    "a method called behind what built it returns in its scope": """\
import numpy as np
import tensorflow as tf


class Agent(object):
    def __init__(self, sess):
        self.sess = sess
        self.s = tf.placeholder(tf.float32, [None, 2], "s")
        self.a = self._actor(self.s)
        with tf.variable_scope("critic"):
            q = self._critic(self.s, self.a, True)
            self._critic(self.s, self.a, False)
        self.loss = tf.reduce_mean(q)
        self.sess.run(tf.global_variables_initializer())

    def _actor(self, s):
        with tf.variable_scope("actor"):
            w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
            return tf.matmul(s, w, name="a")

    def _critic(self, s, a, trained):
        with tf.variable_scope("eval" if trained else "target"):
            v = tf.get_variable("v", [2, 1], initializer=tf.ones_initializer(), trainable=trained)
            return tf.nn.relu(tf.matmul(s, v) + a)

    def act(self, s):
        return self.sess.run(self.a, {self.s: s[np.newaxis, :]})[0]

    def judge(self, s):
        return self.sess.run(self.loss, {self.s: s})


agent = Agent(tf.Session())
print(agent.act(np.array([1.0, 2.0])), agent.judge([[1.0, 2.0], [-3.0, 1.0]]))
""",
    "a method whose condition returns on both ways": """\
import tensorflow as tf


class Net:
    deep = True

    def __init__(self):
        self.x = tf.placeholder(tf.float32, [2])
        self.loss = tf.reduce_sum(self.tower())

    def tower(self):
        self.scale = tf.Variable(3.0)
        self.hidden = self.x * self.scale
        if self.deep:
            self.top = tf.nn.relu(self.hidden)
            return self.top
        else:
            self.top = self.hidden
            return self.top + 1.0

    def look(self, sess, x):
        return sess.run([self.hidden, self.top], {self.x: x})


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(net.look(sess, [1.0, -1.0]), sess.run(net.loss, {net.x: [1.0, 2.0]}))
""",
    "a method that returns what it tried": """\
import tensorflow as tf


class Model(object):
    def build(self):
        try:
            with tf.name_scope("model"):
                self.ids = tf.placeholder(tf.int32, [None], "ids")
                self.table = tf.get_variable("table", initializer=[1.0, 2.0, 4.0])
                self.rows = tf.gather(self.table, self.ids)
                return self
        finally:
            print("built")


class Server(object):
    def __init__(self):
        self.session = tf.Session()
        self.model = Model().build()
        self.session.run(self.model.table.initializer)

    def answer(self, ids):
        return self.session.run(self.model.rows, feed_dict={self.model.ids: ids}).tolist()


server = Server()
print(server.answer([0, 2]), server.answer([1]))
""",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_steps_behind_returns(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    text = outcome.contents["main.py"].decode()
    assert "compat.step(" in text
    assert said_by(text, tmp_path) == run_legacy(program)
