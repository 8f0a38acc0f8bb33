"""Losses of regularizers, which layers put into a collection of the graph and programs ask for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

HEAD = """\
import numpy as np
import tensorflow as tf

layers = tf.contrib.layers
x = tf.placeholder(tf.float32, [None, 3])
ones = tf.ones_initializer()
l2 = layers.l2_regularizer(0.1)
"""
LAYERS = """\
h = tf.layers.dense(x, 4, tf.nn.relu, kernel_initializer=ones, kernel_regularizer=l2, bias_regularizer=l2)
y = tf.layers.dense(h, 1, kernel_initializer=ones, kernel_regularizer=layers.l1_regularizer(0.2))
"""
RUNS = """
step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
data = np.arange(6.0).reshape(2, 3)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        print("%.3f %.3f" % tuple(sess.run([penalty, loss], {x: data})))
        sess.run(step, {x: data})
    print("%.3f" % sess.run(y, {x: data}).sum())
"""
ALL = "penalty = tf.losses.get_regularization_loss()\nloss = tf.reduce_mean(y * y) + penalty\n"
BUILT = {
    "their sum": LAYERS + ALL,
    "a collection": LAYERS + "found = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)\n"
    "penalty = tf.add_n(found)\nloss = tf.add_n([tf.reduce_mean(y * y)] + found)\n",
    "a collection by its text": LAYERS + 'found = tf.get_collection("regularization_losses")\n'
    "penalty = sum(found)\nloss = tf.reduce_mean(y) + penalty\n",
    "a list that goes on": "w = tf.Variable(2.0)\n" + LAYERS + "found = tf.losses.get_regularization_losses() + [w]\n"
    "penalty = found[1] + found[-1]\nloss = tf.reduce_mean(y) + penalty\n",
    "a list": LAYERS + "found = tf.losses.get_regularization_losses()\npenalty = tf.reduce_sum(found)\n"
    "loss = tf.reduce_mean(y)\nfor each in found:\n    loss += each * 2.0\n",
    "several kinds": "both = layers.sum_regularizer([l2, layers.l1_l2_regularizer(0.1, 0.3)])\n"
    "h = tf.layers.conv1d(x[:, :, None], 2, 2, kernel_initializer=ones, kernel_regularizer=both)\n"
    "h = tf.layers.flatten(tf.layers.batch_normalization(h, gamma_regularizer=l2))\n"
    "y = tf.layers.dense(h, 1, kernel_initializer=ones, activity_regularizer=l2)\n"
    "penalty = tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)[:-1])\n"
    "loss = tf.reduce_mean(y) + tf.losses.get_regularization_loss()\n",
    "layers of slim": "slim = tf.contrib.slim\n"
    "regularizer = slim.l2_regularizer(0.1)\n"
    "with slim.arg_scope([slim.fully_connected], weights_initializer=ones, weights_regularizer=regularizer):\n"
    "    h = slim.fully_connected(x, 4)\n    y = slim.fully_connected(h, 1, activation_fn=None)\n" + ALL,
    "weights that are used twice": "def net(values, again):\n"
    '    with tf.variable_scope("net", reuse=again):\n'
    '        w = tf.get_variable("w", [3, 1], initializer=ones, regularizer=l2)\n'
    "        h = tf.layers.dense(values, 2, kernel_initializer=ones, kernel_regularizer=l2, name='h')\n"
    "        return tf.matmul(values, w) + tf.reduce_sum(h, 1, keepdims=True)\n"
    "y = net(x, False) + net(x * 2.0, True)\n" + ALL,
    "a scope that regularizes": "def net(values):\n"
    '    with tf.variable_scope("net", regularizer=l2, initializer=ones):\n'
    '        w = tf.get_variable("w", [3, 1])\n'
    "        return tf.matmul(values, w) + tf.layers.dense(values, 1)\n"
    "y = net(x)\n" + ALL,
    "a function of the script": "def weighed(kernel):\n    return 0.5 * tf.reduce_sum(tf.abs(kernel))\n"
    "h = tf.layers.dense(x, 4, tf.nn.relu, kernel_initializer=ones, kernel_regularizer=weighed)\n"
    "y = tf.layers.dense(h, 1, kernel_initializer=ones, kernel_regularizer=l2)\n" + ALL,
    "functions that ask": "def net(values):\n"
    "    h = tf.layers.dense(values, 4, kernel_initializer=ones, kernel_regularizer=l2)\n"
    "    own = tf.losses.get_regularization_losses()\n"
    "    return tf.layers.dense(h, 1, kernel_initializer=ones, kernel_regularizer=l2) + tf.add_n(own)\n"
    "def total(values):\n"
    "    found = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)\n"
    "    return tf.add_n([tf.reduce_mean(values)] + found)\n"
    "y = net(x)\npenalty = tf.losses.get_regularization_loss()\nloss = total(y)\n",
    "a layer that has none": LAYERS + "y = tf.layers.dense(y, 1, kernel_initializer=ones)\n" + ALL,
}


@pytest.mark.parametrize("name", BUILT)
def test_computes_what_tf1_computed(name: str, run_legacy: Callable[..., str]) -> None:
    code = HEAD + BUILT[name] + RUNS
    assert printed(made_native(code).text) == run_legacy(code)


MODEL = """
class Model(object):
    def __init__(self):
        self.hidden = tf.layers.dense(x, 4, tf.nn.relu, kernel_initializer=ones, kernel_regularizer=l2)
        self.y = tf.layers.dense(self.hidden, 1, kernel_initializer=ones, bias_regularizer=l2)
        self.build_loss()
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def build_loss(self):
        self.penalty = tf.losses.get_regularization_loss()
        self.loss = tf.reduce_mean(self.y) + self.penalty
        self.step = tf.train.GradientDescentOptimizer(0.01).minimize(self.loss)

    def fit(self, values):
        before = self.sess.run([self.penalty, self.loss], {x: values})
        self.sess.run(self.step, {x: values})
        return "%.3f %.3f" % tuple(before)


model = Model()
print(model.fit([[1.0, 2.0, 3.0]]), model.fit([[1.0, 2.0, 3.0]]))
"""


def test_a_model_computes_what_tf1_computed(run_legacy: Callable[..., str]) -> None:
    assert printed(made_native(HEAD + MODEL).text) == run_legacy(HEAD + MODEL)


def test_several_models_are_refused() -> None:
    refuses(f"{HEAD}{MODEL}other = Model()\n", "of which there may be several objects, depends on the others")


MINIMIZED = "step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)\n"
REFUSED = {
    "those of a scope": (ALL, ALL.replace("loss()", 'loss("dense")'), "are asked for by a scope, or get a name"),
    "a name": (ALL, ALL.replace("loss()", 'loss(name="all")'), "are asked for by a scope, or get a name"),
    "a collection of a scope": (
        ALL,
        'penalty = tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES, "dense"))\nloss = penalty + y\n',
        "are asked for by a scope, or get a name",
    ),
    "inside the run": ("[penalty, loss]", "[tf.losses.get_regularization_loss(), loss]", "inside another expression"),
    "before all layers": ("h = tf.layers", "first = tf.losses.get_regularization_loss()\nh = tf.layers", "before all"),
    "layers behind": (MINIMIZED, f"other = tf.layers.dense(x, 1)\n{MINIMIZED}", "layers are built behind a list"),
    "what layers need is not fed": ("[penalty, loss], {x: data}", "[penalty, penalty]", "`x` is not fed"),
    "a regularizer of a tensor": (
        "l1_regularizer(0.2)",
        "l1_regularizer(tf.reduce_sum(x))",
        "an argument of `layers.l1_regularizer` is part of the graph",
    ),
    "a variable of the script": (
        "h = tf",
        'w = tf.get_variable("w", [3], regularizer=l2)\nh = tf',
        "the argument `regularizer`",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    old, new, reason = REFUSED[name]
    code = HEAD + LAYERS + ALL + RUNS
    assert old in code
    refuses(code.replace(old, new), reason)
