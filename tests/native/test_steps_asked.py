"""`tf.train.global_step(sess, step)`: TensorFlow runs the session itself, and gives a number of Python's."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

METHODS = """\
import tensorflow as tf


class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.w = tf.Variable(1.0)
        self.step = tf.Variable(0, trainable=False)
        self.loss = tf.reduce_mean(tf.square(self.x * self.w))
        self.train = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss, global_step=self.step)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def fit(self, x):
        self.sess.run(self.train, {self.x: x})
        return tf.train.global_step(self.sess, self.step)


model = Model()
print(model.fit([1.0]), model.fit([1.0]))
"""
CODE = """\
import tensorflow as tf

x = tf.placeholder(tf.int32, [])
global_step = tf.Variable(0, name="global_step", trainable=False)
w = tf.Variable(2.0)
train = tf.train.GradientDescentOptimizer(0.1).minimize(w * w, global_step=global_step)
double = global_step * 2
count = tf.assign_add(global_step, 5)


def report(session, when):
    print(when, tf.train.global_step(session, global_step))


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    report(sess, "before")
    while tf.train.global_step(sess, global_step) < 3:
        sess.run(train)
        current = tf.train.global_step(sess, global_step)
        print(current, isinstance(current, int), sess.run(x + global_step, {x: 1}))
    print(tf.train.global_step(global_step_tensor=global_step, sess=sess) + tf.train.global_step(sess, double))
    print(tf.train.global_step(sess, count), tf.train.global_step(sess, global_step * 3))
    report(sess, "behind")
"""


def test_computes_what_tf1_computed(run_legacy: Callable[..., str]) -> None:
    assert printed(made_native(CODE).text) == run_legacy(CODE)
    result = made_native(METHODS)
    assert "        return int(self.step.numpy())\n" in result.text
    assert printed(result.text) == run_legacy(METHODS)


COUNTED = "        current = tf.train.global_step(sess, global_step)\n"
REFUSED = {
    "no session": (COUNTED, COUNTED.replace("sess,", "None,"), "where the session that is asked for the step comes"),
    "a placeholder": (COUNTED, COUNTED.replace("global_step)", "x)"), "is not fed"),
    "a list of arguments": (COUNTED, COUNTED.replace("sess,", "*[sess],"), "the argument `…`"),
    "another meaning of `int`": ("double =", "int = float\ndouble =", "Python's own `int`"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    old, new, reason = REFUSED[name]
    assert old in CODE
    refuses(CODE.replace(old, new), reason)


MONITORED = """\
import tensorflow as tf

step = tf.train.get_or_create_global_step()
w = tf.Variable(2.0)
train = tf.train.GradientDescentOptimizer(0.1).minimize(w * w, global_step=step)
with tf.train.MonitoredTrainingSession() as sess:
    for _ in range(3):
        sess.run(train)
        print(tf.train.global_step(sess, step))
"""


def test_a_monitored_session_is_refused() -> None:
    refuses(MONITORED, "where the session that is asked for the step comes from is not known")
