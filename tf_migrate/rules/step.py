"""A place that runs a session calls a step: a function that is bound behind the code that builds, with its inputs
written down. The building code stays as and where it was, is marked, and runs once; a step computes what its fetches
and its updates need, and nothing else. There is no session any more.
"""

from __future__ import annotations

from tf_migrate.rules import Rule

RULE = Rule(
    id="TFM205",
    name="step",
    before="""\
import tensorflow as tf


class Line:
    def __init__(self, sess):
        self.sess = sess
        self.x = tf.placeholder(tf.float32, [None])
        self.w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
        self.y = self.x * self.w

    def of(self, values):
        return self.sess.run(self.y, {self.x: values})
""",
    after="""\
import tensorflow as tf
import compat


class Line:
    @compat.builder
    def __init__(self):
        self.x = compat.Input(tf.float32, [None])
        self.w = compat.get_variable("w", [], initializer=compat.zeros_initializer())
        self.y = self.x * self.w
        self.y_step = compat.step(self.y, self.x)

    def of(self, values):
        return self.y_step(values)
""",
)
