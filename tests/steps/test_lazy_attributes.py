"""Attributes that build what they give when they are first asked for: no step stands in what computes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

PROGRAMS = {
    "a decorator that keeps what was built": """\
import functools

import tensorflow as tf


def lazy(function):
    attribute = "_cache_" + function.__name__

    @property
    @functools.wraps(function)
    def decorator(self):
        if not hasattr(self, attribute):
            with tf.variable_scope(function.__name__):
                setattr(self, attribute, function(self))
        return getattr(self, attribute)

    return decorator


class Model(object):
    def __init__(self, data, target):
        self.data, self.target = data, target
        self.prediction
        self.optimize
        self.error

    @lazy
    def prediction(self):
        w = tf.get_variable("w", [2, 1], initializer=tf.constant_initializer(0.5))
        return tf.matmul(self.data, w)

    @lazy
    def optimize(self):
        return tf.train.GradientDescentOptimizer(0.125).minimize(self.error)

    @lazy
    def error(self):
        return tf.reduce_mean(tf.square(self.target - self.prediction))


class Other(Model):
    @lazy
    def prediction(self):
        return 2.0 * tf.layers.dense(self.data, 1, kernel_initializer=tf.ones_initializer())


def train(sess, model, x, y):
    for _ in range(2):
        sess.run(model.optimize, {x: [[1.0, 2.0]], y: [[1.0]]})
        yield sess.run(model.error, {x: [[1.0, 2.0]], y: [[1.0]]})


def main():
    x, y = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [None, 1])
    models = []
    for scope, kind in (("a", Model), ("b", Other)):
        with tf.variable_scope(scope):
            models.append(kind(x, y))
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    for model in models:
        print(["%.4f" % error for error in train(sess, model, x, y)])
    print([v.name for v in tf.trainable_variables()])


main()
""",
    "a property that builds once": """\
import tensorflow as tf


class Net:
    def __init__(self):
        self._out = self._loss = None
        self.x = tf.placeholder(tf.float32, [None])
        self.w = tf.Variable(3.0)
        self.ready = self.loss is not None

    @property
    def out(self):
        if self._out is None:
            self._out = self.x * self.w
        return self._out

    @property
    def loss(self):
        if self._loss is None:
            self._loss = tf.reduce_sum(self.out)
        return self._loss

    def look(self, sess, x):
        return sess.run([self.out, self.loss], {self.x: x})


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(net.look(sess, [1.0, 2.0]), sess.run(net.loss, {net.x: [3.0]}))
""",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_what_lazy_attributes_build(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    text = migrated(program, tmp_path).contents["main.py"].decode()
    assert "compat.step(" in text or "compat.run(" in text
    assert said_by(text, tmp_path) == run_legacy(program)
