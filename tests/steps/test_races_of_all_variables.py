"""Races that take a second look: averages of all variables, decay that waits for nothing, sums that need no value."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.steps.migration import migrated

AVERAGES = """\
import numpy as np
import tensorflow as tf


class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 2])
        w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
        b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
        self.loss = tf.reduce_mean(tf.square(tf.matmul(self.x, w) + b))
        self.ema = tf.train.ExponentialMovingAverage(0.9)
        averaged = self.ema.apply(tf.trainable_variables())
        step = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)
        with tf.control_dependencies([step]):
            self.train = tf.group(averaged)
        self.average = self.ema.average(w)


m = Model()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        sess.run(m.train, {m.x: np.ones((2, 2))})
    print(sess.run(m.average).shape)
"""
DECAYS = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable([[1.0], [2.0]])
loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
train = tf.contrib.opt.AdamWOptimizer(0.01, learning_rate=0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        sess.run(train, {x: np.ones((4, 2))})
    print(sess.run(w).shape)
"""
CRITIC = """\
import numpy as np
import tensorflow as tf

B = 16

def critic(x, reuse=None):
    with tf.variable_scope("critic", reuse=reuse):
        h = tf.layers.dense(x, 8, activation=tf.nn.relu)
        return tf.layers.dense(h, 1)

real = tf.placeholder(tf.float32, [B, 4])
fake = tf.placeholder(tf.float32, [B, 4])
c_loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real, reuse=True))
c_vars = [v for v in tf.trainable_variables() if v.name.startswith("critic")]
c_step = tf.train.RMSPropOptimizer(5e-3).minimize(c_loss, var_list=c_vars)
with tf.control_dependencies([c_step]):
    clip = tf.group(*[v.assign(tf.clip_by_value(v, -0.1, 0.1)) for v in c_vars])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        _, loss = sess.run([c_step, c_loss], {real: np.ones((B, 4)), fake: np.zeros((B, 4))})
        sess.run(clip)
    print("ok")
"""
CRITICS = """\
import numpy as np
import tensorflow as tf

class Critic(object):
    def __init__(self, size):
        self.size = size
        self.w1 = tf.Variable(tf.ones([4, 8]) * 0.1)
        self.w2 = tf.Variable(tf.ones([8, 1]) * 0.1)
        self.b2 = tf.Variable(tf.zeros([1]))

    def __call__(self, x):
        h = tf.nn.tanh(tf.matmul(x, self.w1))
        return tf.nn.bias_add(tf.matmul(h, self.w2), self.b2)

critic = Critic(4)
x = tf.placeholder(tf.float32, [32, 4])
z = tf.placeholder(tf.float32, [32, 4])
loss = -(tf.reduce_mean(critic(x)) - tf.reduce_mean(critic(z)))
step = tf.train.AdamOptimizer(1e-2).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        l, _ = sess.run([loss, step], {x: np.ones((32, 4)), z: np.zeros((32, 4))})
    print("ok")
"""
SIZES = """\
import numpy as np
import tensorflow as tf

w1 = tf.Variable(tf.ones([4, 8]) * 0.1)
w2 = tf.Variable(tf.ones([8, 1]) * 0.1)
x = tf.placeholder(tf.float32, [None, 4])
loss = -tf.reduce_mean(tf.matmul(tf.nn.relu(tf.matmul(x, w1)), w2))
step = tf.train.AdamOptimizer(1e-2).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        l, _ = sess.run([loss, step], {x: np.ones((32, 4))})
        print("%.6f" % l)
"""
PENALTY = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
reg = tf.contrib.layers.l2_regularizer(0.1)
with tf.variable_scope("net", regularizer=reg):
    h = tf.layers.dense(x, 3, activation=tf.nn.relu)
    y = tf.layers.dense(h, 1)
data = tf.reduce_mean(tf.square(y))
extra = tf.losses.get_regularization_loss()
train = tf.train.GradientDescentOptimizer(0.1).minimize(data + extra)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        _, e = sess.run([train, extra], {x: np.ones((2, 2))})
    print("ok")
"""
PENALTIES = """\
import numpy as np
import tensorflow as tf

class Net(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.get_variable("w", [2, 1], regularizer=tf.contrib.layers.l2_regularizer(0.5))
        self.loss = tf.reduce_mean(tf.square(tf.matmul(self.x, self.w)))
        self.reg = tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))
        self.l2 = tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables()])
        self.train = tf.train.AdamOptimizer(0.1).minimize(self.loss + self.reg + 1e-3 * self.l2)

    def fit(self, sess, x):
        return sess.run([self.train, self.reg], {self.x: x})[1]

    def fit2(self, sess, x):
        return sess.run([self.train, self.l2], {self.x: x})[1]

net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    net.fit(sess, np.ones((2, 2)))
    net.fit2(sess, np.ones((2, 2)))
    print("ok")
"""
WAITS = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
ema = tf.train.ExponentialMovingAverage(0.9)
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.control_dependencies([step]):
    train = ema.apply(tf.trainable_variables())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train, {x: np.ones((2, 2))})
    print(sess.run(ema.average(w)).shape)
"""
BEFORE = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
ema = tf.train.ExponentialMovingAverage(0.9)
averaged = ema.apply(tf.trainable_variables())
with tf.control_dependencies([averaged]):
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run([step, averaged], {x: np.ones((2, 2))})
    print(sess.run(ema.average(w)).shape)
"""
TURNS = """\
import tensorflow as tf

v = tf.Variable(0, name="last")


def waits(i):
    with tf.control_dependencies([tf.assign(v, i)]):
        return tf.add(i, 1)


n = tf.while_loop(lambda i: i < 5, waits, [0])
m = tf.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, tf.assign(v, i * 2)), [0, 0])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(n))
    print(sess.run(m)[0])
"""
TOLD = {
    AVERAGES: {23: "a value here sees a variable"},
    DECAYS: {11: "`tf.matmul(x, w)`"},
    CRITIC: {21: "`tf.layers.dense(h, 1)`"},
    CRITICS: {23: "`tf.matmul(h, self.w2)`"},
    SIZES: {},
    PENALTY: {15: "`tf.losses.get_regularization_loss()`"},
    PENALTIES: {14: "REGULARIZA", 17: "`tf.nn.l2_loss(v)`"},
    WAITS: {},
    BEFORE: {},
    TURNS: {16: "changes the variable of line 3 last in this turn of the loop or in another one"},
}
NAMES = ("averages", "decays", "critic", "critics", "sizes", "penalty", "penalties", "waits", "before", "turns")


@pytest.mark.parametrize(("program", "places"), TOLD.items(), ids=NAMES)
def test_what_is_told(program: str, places: dict[int, str], tmp_path: Path) -> None:
    found = migrated(program, tmp_path).report.findings
    told = {each.line: each.message for each in found if "left open" in each.message}
    assert told.keys() == places.keys()
    assert all(words in told[line] for line, words in places.items())
