"""Numbers of arrays of one element, which NumPy 2.4 makes no more."""

from __future__ import annotations

import pytest

from tests.engine import migrated
from tests.native.native import printed, rewritten

MODEL = """\
import math
import numpy as np
import tensorflow as tf


class Net:
    def __init__(self):
        self.sess = tf.Session()
        self.first = tf.Variable([0.5], dtype=tf.float32)
        self.second = tf.get_variable("second", shape=[1, 1], initializer=tf.ones_initializer())
        self.scaled = tf.exp(self.first * 2.0)
        self.loss = tf.reduce_mean(tf.square(self.first - 1.0))
        self.sess.run(tf.global_variables_initializer())

    def show(self):
        loss, scaled = self.sess.run([self.loss, self.scaled])
        print("%.3f %d%% %s, %.3f" % (loss, 5, "x", scaled))


net = Net()
net.show()
value = net.sess.run(net.first)
error = np.abs(value - 0.25) / 0.5 * 100
print("%.2f" % error, int(value), float(net.sess.run(net.second)), math.exp(net.sess.run(net.second)) > 2)
print("%.1f" % (value + 1.0))
"""
SHOWN = "0.250 5% x, 2.718\n50.00 0 1.0 True\n1.5\n"


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_a_model_that_prints_its_coefficients(tier: str) -> None:
    result = rewritten(MODEL, tier=tier)
    assert printed(result.text) == SHOWN
    assert sum(finding.rule == "TFM132" for finding in result.findings) == 6


SCIPY = """\
import tensorflow as tf


class Fit:
    def __init__(self, sess):
        self.w = tf.Variable([5.0])
        loss = tf.reduce_sum(tf.square(self.w - 3.0))
        optimizer = tf.contrib.opt.ScipyOptimizerInterface(loss, method="L-BFGS-B")
        sess.run(tf.global_variables_initializer())
        optimizer.minimize(sess, fetches=[loss, self.w], loss_callback=self.callback)

    def callback(self, loss, w):
        print("%.2e, %.5f" % (loss, w))
"""


def test_what_an_optimizer_gives_a_callback() -> None:
    assert '"%.2e, %.5f" % (loss, w.item())' in migrated(SCIPY).text


HEAD = "import tensorflow as tf\nsess = tf.Session()\nw = tf.Variable([1.0])\nv = tf.Variable(1.0)\n"


@pytest.mark.parametrize(
    "line",
    [
        "print('%.5f' % sess.run(v))",
        "print('%s' % sess.run(w))",
        "a = [0.5]\nprint(float(a[0]))",
        "a, b = [0.5], [1.0]\nprint(f(float(a)))",
        "a = sess.run(tf.Variable([1.0, 2.0]))\nprint(float(a))",
        "a = sess.run(w)\na = a[0]\nprint(float(a))",
        "a = float(w)",
        "float = str\na = float(sess.run(w))",
        "print('%.5f %s' % sess.run(w))",
    ],
)
def test_other_values_stay(line: str) -> None:
    assert ".item()" not in migrated(f"{HEAD}{line}\n").text


CHOICES = """\
import numpy as np
import tensorflow as tf

tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, 3])
scores = tf.nn.softmax(x)
best = tf.argmax(scores, 1)
most = tf.reduce_max(scores, axis=-1)


class Policy:
    def __init__(self, sess):
        self.sess = sess

    def scores(self, row):
        return self.sess.run(scores, {x: [row]})

    def act(self, row, explore=False):
        given = self.scores(row)
        chosen = np.argmax(given, axis=1)
        if explore:
            chosen = np.random.choice(3, 1, p=[0.0, 0.0, 1.0])
        return int(chosen)


with tf.Session() as sess:
    policy = Policy(sess)
    row = [1.0, 3.0, 2.0]
    print(policy.act(row), policy.act(row, True), int(np.random.randint(4, 5, size=1)))
    print("%d %.3f" % (np.argmin(policy.scores(row), 1), np.max(policy.scores(row), axis=1)))
    print(int(sess.run(best, {x: [row]})), "%.3f" % sess.run(most, {x: [row]}))
    drawn = sess.run(scores, {x: [row]})
    print(float(drawn.max(axis=1)) > 0.5, int(np.argmax(drawn)), float(np.sum(drawn, axis=None)) > 0.9)
"""


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_choices_of_a_policy(tier: str) -> None:
    result = rewritten(CHOICES, tier=tier)
    assert printed(result.text) == "1 2 4\n0 0.665\n1 0.665\nTrue 1 True\n"
    assert sum(finding.rule == "TFM132" for finding in result.findings) == 7
