"""Learning rates that are tensors: decays over a global step, placeholders, and what is computed of them."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, refuses, rewritten

MODEL = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
rate = tf.placeholder(tf.float32, [])
w = tf.Variable(2.0, name="w")
step = tf.Variable(0, trainable=False, name="step")
loss = tf.reduce_sum(tf.square(x * w))
"""
RUN = """\
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""

DECAYED = f"""\
{MODEL}lr = tf.train.exponential_decay(0.1, step, 2, 0.5, staircase=True)
train = tf.train.MomentumOptimizer(lr, 0.9).minimize(loss, global_step=step)
{RUN}for _ in range(4):
    print(sess.run([loss, lr, train], {{x: [1.0]}})[:2])
print(sess.run([w, step, tf.maximum(lr, 0.03)]))
"""

FED = f"""\
{MODEL}optimizer = tf.train.AdamOptimizer(learning_rate=tf.maximum(rate * 0.5, 0.01))
grads = optimizer.compute_gradients(loss, [w])
train = optimizer.apply_gradients([(tf.clip_by_value(g, -1.0, 1.0), v) for g, v in grads])
{RUN}for i in range(4):
    sess.run(train, {{x: [1.0], rate: 0.1 * i}})
    print(sess.run(w))
"""

HELD = f"""\
{MODEL}lr = tf.Variable(0.1, trainable=False, name="lr")
halve = lr.assign(lr * 0.5)
train = tf.train.GradientDescentOptimizer(lr).minimize(loss)
{RUN}for _ in range(3):
    sess.run(train, {{x: [1.0]}})
    sess.run(halve)
    print(sess.run([w, lr]))
"""

OF_AN_OBJECT = """\
import tensorflow as tf
class Model:
    def __init__(self, sess):
        self.sess = sess
        self.x = tf.placeholder(tf.float32, [None])
        self.rate = tf.placeholder(tf.float32, [])
        self.w = tf.Variable(2.0)
        self.loss = tf.reduce_sum(tf.square(self.x * self.w))
        self.train = tf.train.GradientDescentOptimizer(self.rate).minimize(self.loss)
    def step(self, value):
        self.sess.run(self.train, {self.x: [1.0], self.rate: value})
        print(self.sess.run(self.w))
sess = tf.Session()
model = Model(sess)
sess.run(tf.global_variables_initializer())
model.step(0.1)
model.step(0.25)
"""

# What the originals print in TF 1.15.5.
PRINTED = {
    "a decay": (DECAYED, [4.0, 0.1, 2.56, 0.1, 0.8464, 0.05, 0.272484, 0.05, 0.1116, 4, 0.03]),
    "a placeholder": (FED, [1.99, 1.9399998, 1.8399998, 1.6899997]),
    "an attribute": (OF_AN_OBJECT, [1.6, 0.8]),
    "a variable": (HELD, [1.6, 0.05, 1.44, 0.025, 1.368, 0.0125]),
}


def _numbers(text: str) -> list[float]:
    for mark in "[]()":
        text = text.replace(mark, " ")
    words = text.replace("np.float32", "").replace("np.int32", "").replace(",", " ").split()
    return [float(word) for word in words]


@pytest.mark.parametrize("name", PRINTED)
def test_each_step_sees_its_own_rate(name: str) -> None:
    code, expected = PRINTED[name]
    result = made_native(code)
    assert _numbers(printed(result.text)) == pytest.approx(expected, rel=1e-4)


def test_an_optimizer_of_another_method_is_refused() -> None:
    step = "        self.train = tf.train.GradientDescentOptimizer(self.rate).minimize(self.loss)\n"
    apart = "        self.optimizer = tf.train.GradientDescentOptimizer(self.rate)\n        self.build()\n"
    apart += "    def build(self):\n        self.train = self.optimizer.minimize(self.loss)\n"
    code = OF_AN_OBJECT.replace(step, apart)
    refuses(code, "in another function than its step")


def test_the_rate_is_no_variable_of_the_model() -> None:
    saver = "saver = tf.train.Saver()\nsess.run(train, {x: [1.0], rate: 0.1})\nsaver.save(sess, './m')\n"
    result = rewritten(FED.replace(RUN, RUN + saver))
    line = next(line for line in result.text.splitlines() if "Saver(" in line)
    assert "rate" not in line
    assert "*optimizer.variables()" in line


REFUSED = {
    "a rate that is computed in a function": (
        "def make(r):\n    return tf.train.AdamOptimizer(r)\ntrain = make(rate).minimize(loss)\n",
        "is part of the graph",
    ),
    "a rate of another type": (
        "wide = tf.placeholder(tf.float64, [])\ntrain = tf.train.AdamOptimizer(wide).minimize(loss)\n",
        "is part of the graph",
    ),
    "another argument": (
        "train = tf.train.MomentumOptimizer(0.1, rate).minimize(loss)\n",
        "is part of the graph",
    ),
    "a decay without a step": (
        "lr = tf.train.exponential_decay(0.1, 3, 2, 0.5)\ntrain = tf.train.AdamOptimizer(lr).minimize(loss)\n",
        "no variable to count the steps",
    ),
    "a rate that is drawn": (
        "train = tf.train.AdamOptimizer(tf.random_uniform([])).minimize(loss)\n",
        "is part of the graph",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    code, reason = REFUSED[name]
    text = f"{MODEL}{code}{RUN}sess.run(train, {{x: [1.0]}})\n"
    refuses(text, reason)


IN_PLACE = """\
import argparse
import tensorflow as tf
args = argparse.Namespace(rate=0.5, scale=2.0)
x = tf.placeholder(tf.float32, [])
w = tf.Variable(1.0)
loss = tf.square(w * x)
step = tf.train.GradientDescentOptimizer(args.rate * 0.5).minimize(loss)
args.rate = 7.0
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(2):
    print("%.4f" % sess.run([step, loss], {x: 1.0})[1])
"""


def test_an_optimizer_is_made_of_what_its_arguments_are_where_its_step_stands() -> None:
    result = made_native(IN_PLACE)
    assert "optimizer = compat.train.GradientDescentOptimizer(args.rate * 0.5)" in result.text
    # What TensorFlow 1.15.5 prints.
    assert printed(result.text) == "1.0000\n0.2500\n"


def test_refused_where_the_loss_itself_is_made_of_such_values() -> None:
    code = IN_PLACE.replace("tf.square(w * x)", "tf.square(w * x) * args.scale")
    assert "`args.scale` is computed while the graph is built" in (deciding_site(code).reason or "")
