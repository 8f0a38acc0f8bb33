"""Lambdas that have a name are functions; functions that layers are given are read for what they see of the graph."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed

LAMBDAS = """\
import tensorflow as tf

scale = 3.0
f = lambda t, k=2.0: tf.nn.relu(t) * k
g = lambda t: f(t) + scale


def build(t):
    scale = 100.0
    h = lambda v: g(v) * scale
    scale = 10.0
    return h(t) - g(t)


x = tf.placeholder(tf.float32, [None])
w = tf.Variable(2.0)
y = build(x)
weighted = lambda t: tf.reduce_sum(t * w)
loss = tf.square(weighted(x))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(*sess.run(f(x), {x: [1.0, -2.0]}), *sess.run(y, {x: [1.0, -2.0]}), *sess.run(f(x, 5.0), {x: [1.0, -2.0]}))
    print("%.4f" % sess.run([train, loss], {x: [1.0, -2.0]})[1])
    print("%.4f" % sess.run(w))
"""
# What TensorFlow 1.15.5 prints.
LAMBDAS_PRINTED = "2.0 0.0 45.0 27.0 5.0 0.0\n4.0000\n1.6000\n"
GIVEN = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
q = tf.Variable(2.0)


def scaled(t):
    return t * q


def act(t):
    return scaled(tf.nn.relu(t))


def build(t, activation):
    return tf.layers.dense(t, 3, activation=activation, kernel_initializer=tf.ones_initializer())


h = tf.layers.dense(x, 3, activation=act, kernel_initializer=tf.ones_initializer())
h = build(h, act)
loss = tf.reduce_mean(tf.square(h))
train = tf.train.GradientDescentOptimizer(0.0001).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        print("%.3f" % sess.run([train, loss], {x: [[1.0, -2.0], [0.5, 3.0]]})[1])
    print("%.4f" % sess.run(q))
"""
# What TensorFlow 1.15.5 prints.
GIVEN_PRINTED = "882.000\n529.561\n1.7074\n"


def test_lambdas_that_have_a_name() -> None:
    result = made_native(LAMBDAS)
    assert printed(result.text) == LAMBDAS_PRINTED


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("with tf.Session", "f = lambda t, k=1.0: tf.tanh(t)\nwith tf.Session", "has another value here"),
        ("with tf.Session", "scale = 4.0\nwith tf.Session", "has another value here"),
        ("t * w)", "t * y)", "reads the tensor `y` from outside"),
        ("lambda t: tf.reduce_sum(t * w)", "lambda t, v=w: tf.reduce_sum(t * v)", "used as a Python value"),
        ("lambda t: tf.reduce_sum(t * w)", "lambda *t: tf.reduce_sum(t[0] * w)", "any number of arguments"),
        ("lambda t: tf.reduce_sum(t * w)", "lambda t: tf.assign(w, tf.reduce_sum(t))", "updates a variable"),
        ("weighted = lambda", "weighted = other = lambda", "used as a Python value"),
        ("weighted = lambda t: tf", "weighted = [lambda t: tf", "used as a Python value"),
    ],
)
def test_lambdas_that_are_not_sure(old: str, new: str, reason: str) -> None:
    assert old in LAMBDAS
    code = LAMBDAS.replace(old, new, 1)
    if "[lambda" in new:
        code = code.replace("(t * w)\n", "(t * w)][0]\n")
    site = deciding_site(code)
    assert site.tier == "bridge"
    assert reason in (site.reason or ""), site.reason


def test_layers_are_given_functions_that_read_variables() -> None:
    result = made_native(GIVEN)
    assert "[q, *store.trainable_variables]" in result.text
    assert printed(result.text) == GIVEN_PRINTED


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("    return t * q\n", "    return t * tf.reduce_sum(x)\n", "is passed on"),
        ("h = tf", "acts = {'act': act}\nh = tf", "is passed on"),
        ("h = tf", "acts = [tf.nn.relu, act]\nh = tf", "is passed on"),
        ("h = tf", "other = act\nh = tf", "is passed on"),
        ("h = tf", "import functools\nother = functools.partial(act)\nh = tf", "is passed on"),
    ],
)
def test_functions_that_are_passed_on(old: str, new: str, reason: str) -> None:
    assert old in GIVEN
    site = deciding_site(GIVEN.replace(old, new, 1))
    assert site.tier == "bridge"
    assert reason in (site.reason or ""), site.reason


REMARK = """\
import tensorflow as tf


def build(t):
    with tf.name_scope("part") as scope:
        y = tf.nn.relu(t)
        y -= 0.5
    y.scope = scope
    y.before = t
    return y


x = tf.placeholder(tf.float32, [None])
z = build(x)
with tf.Session() as sess:
    print(*sess.run(z, {x: [1.0, -2.0]}))
"""


def test_what_is_kept_with_a_tensor() -> None:
    result = made_native(REMARK)
    # What TensorFlow 1.15.5 prints.
    assert printed(result.text) == "0.5 -0.5\n"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("y.scope = scope", "y.op = scope", "stores a value outside"),
        ("y.scope = scope", "y._shape = scope", "stores a value outside"),
        ("y.scope = scope", "build.scope = scope", "stores a value outside"),
        ("with tf.Session", "print(z.scope)\nwith tf.Session", "`.scope` of a part of the graph is read"),
        ("sess.run(z,", "sess.run(z.before,", "`.before` of a part of the graph is read"),
    ],
)
def test_what_is_kept_elsewhere(old: str, new: str, reason: str) -> None:
    assert old in REMARK
    site = deciding_site(REMARK.replace(old, new, 1))
    assert site.tier == "bridge"
    assert reason in (site.reason or ""), site.reason
