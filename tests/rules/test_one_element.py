"""Numbers of arrays of one element, which NumPy 2.4 makes no more."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tests.engine import migrated
from tests.native.native import printed, rewritten
from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.pipeline import run

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


WRAPPED = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable([[2.0]])
rate = tf.Variable([0.5])
y = tf.matmul(x, w)
total = tf.reduce_sum(y, keepdims=True)
accuracy = tf.reduce_mean(tf.cast(x > 0.5, tf.float32), axis=0)


def predict(sess, row):
    return sess.run(y, {x: [[row]]})


def get(sess, tensor, feed=None):
    return sess.run(tensor, feed_dict=feed)


def both(sess):
    found, again = sess.run([total, rate], {x: [[1.0], [2.0]]})
    return found, again


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(int(predict(sess, 4.0)), "%.2f" % get(sess, rate), int(get(sess, feed={x: [[3.0]]}, tensor=total)))
    print("%.2f" % get(sess, accuracy, {x: [[1.0], [0.0]]}))
    one, two = both(sess)
    print("%d %.1f" % (one, two))
    kept = np.zeros(2)
    kept[0] = one
    for i in range(2):
        kept[i] = kept[i] + predict(sess, 5.0)
        kept[i] += get(sess, rate)
    print(kept.tolist())
    summed = 0.0
    for i in range(3):
        summed += get(sess, rate)
    print("%.2f" % (summed / 3))
    print("%.1f %s" % (get(sess, tf.reduce_sum(y), {x: [[1.0]]}), get(sess, y, {x: [[1.0]]}).tolist()))
"""


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_what_functions_return(tier: str) -> None:
    shown = "8 0.50 6\n0.50\n6 0.5\n[16.5, 10.5]\n0.50\n2.0 [[2.0]]\n"
    assert printed(rewritten(WRAPPED, tier=tier).text) == shown


MODULES = {
    "net.py": """\
import tensorflow as tf


class Net(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 2])
        self.scale = tf.get_variable("scale", [1], initializer=tf.constant_initializer(2.5))
        self.best = tf.argmax(self.x, axis=1)

    def choose(self, sess, row):
        return sess.run(self.best, {self.x: [row]})


def evaluate(session, tensor):
    return session.run(tensor)
""",
    "main.py": """\
import tensorflow as tf
from net import Net, evaluate

net = Net()
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(int(net.choose(sess, [1.0, 3.0])), "%.2f" % evaluate(sess, net.scale))
""",
}


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_what_functions_of_other_modules_return(tier: str, tmp_path: Path) -> None:
    for name, text in MODULES.items():
        (tmp_path / name).write_text(text)
    options = Options(paths=(tmp_path,), root=tmp_path, jobs=1, tier=tier)
    for name, content in run(discover(options).code, options).contents.items():
        (tmp_path / name).write_bytes(content)
    done = warm.run([sys.executable, "main.py"], cwd=tmp_path, env=dict(os.environ, PYTHONPATH=str(ROOT)))
    assert (done.stdout, done.returncode) == ("1 2.50\n", 0), done.stderr


TOTALS = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
penalty = tf.constant(0.5, tf.float32, [1])
cost = tf.reduce_mean(x)
with tf.Session() as sess:
    total, extra = 0.0, 0.0
    for row in ([1.0, 2.0], [3.0, 4.0]):
        part, more = sess.run([cost, penalty], {x: row})
        total += part
        extra += more
    print("%.2f + %.2f" % (total, extra))
"""
PARTS = """\
import tensorflow as tf


class Ranking(object):
    def __init__(self):
        self.pairs = tf.placeholder(tf.float32, [None])
        self.margin, self.decay = self.costs()

    def costs(self):
        decay = tf.constant(value=0.25, shape=[1])
        return tf.reduce_sum(self.pairs), decay


if __name__ == "__main__":
    ranking = Ranking()
    sess = tf.Session()
    for epoch in range(2):
        margins, decays = 0., 0.
        for pairs in ([1.0], [2.0, epoch]):
            margin, decay = sess.run([ranking.margin, ranking.decay], feed_dict={ranking.pairs: pairs})
            margins += margin
            decays += decay
        print("%d %.1f %.1f" % (epoch, margins, decays))
"""


@pytest.mark.parametrize("tier", ["native", "bridge"])
@pytest.mark.parametrize(
    ("program", "shown"), [(TOTALS, "5.00 + 1.00\n"), (PARTS, "0 3.0 0.5\n1 4.0 0.5\n")], ids=["script", "class"]
)
def test_constants_with_a_shape_that_are_summed(program: str, shown: str, tier: str) -> None:
    result = rewritten(program, tier=tier)
    assert printed(result.text) == shown
    assert sum(finding.rule == "TFM132" for finding in result.findings) == 1
