"""Lists in which numbers stand beside arrays of one element: the targets of a network where episodes end."""

from __future__ import annotations

import pytest

from tests.native.native import printed, rewritten

# What TensorFlow 1.15.5 prints with NumPy 1.18.
CRITIC = """\
import numpy as np
import tensorflow as tf


class Critic:
    def __init__(self, sess):
        self.sess = sess
        self.state = tf.placeholder(tf.float32, [None, 2])
        self.y = tf.placeholder(tf.float32, [None, 1])
        self.w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
        self.q = tf.matmul(self.state, self.w)
        self.loss = tf.reduce_mean(tf.square(self.q - self.y))
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)

    def value(self, state):
        return self.sess.run(self.q, {self.state: state})

    def train(self, y, state):
        return self.sess.run([self.loss, self.train_op], {self.y: y, self.state: state})[0]


def learn(critic, states, rewards, done):
    later = critic.value(states)
    targets = []
    for i in range(len(states)):
        if done[i]:
            targets.append(rewards[i])
        else:
            targets.append(rewards[i] + 0.5 * later[i])
    return critic.train(np.resize(targets, [len(states), 1]), states)


with tf.Session() as sess:
    critic = Critic(sess)
    sess.run(tf.global_variables_initializer())
    for done in ([True, False, False], [False, False, False], [True, True, True]):
        states = np.array([[1.0, 2.0], [0.5, 1.5], [3.0, 1.0]])
        print("%.4f" % learn(critic, states, np.array([1.0, 2.0, 0.25]), done))
"""
SCRIPT = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
target = tf.placeholder(tf.float32, [None])
column = tf.reduce_sum(x, axis=1, keepdims=True)
error = tf.reduce_sum(tf.abs(column[:, 0] - target))
rewards, ends = [1.0, 0.5], [True, False]
with tf.Session() as sess:
    values = sess.run(column, {x: np.eye(3)[:2]})
    wanted = np.array([reward if end else reward - 2.0 * value for reward, end, value in zip(rewards, ends, values)])
    print(sess.run(error, {x: np.eye(3)[:2], target: wanted}))
"""


@pytest.mark.parametrize("tier", ["native", "bridge"])
@pytest.mark.parametrize(
    ("program", "shown"), [(CRITIC, "2.6875\n0.8756\n1.4836\n"), (SCRIPT, "2.5\n")], ids=["critic", "script"]
)
def test_targets_are_numbers(program: str, shown: str, tier: str) -> None:
    result = rewritten(program, tier=tier)
    assert printed(result.text) == shown
    assert [finding.rule for finding in result.findings].count("TFM150") == 1


def test_lists_of_one_kind_stay() -> None:
    program = CRITIC.replace("0.5 * later[i])", "0.5 * np.max(later[i]))")
    assert "TFM150" not in {finding.rule for finding in rewritten(program).findings}
