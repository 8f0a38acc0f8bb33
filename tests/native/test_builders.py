"""What functions that build a part of the graph may hold: functions of their own, assertions, scopes that reuse."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten, tier_of

GAN = """import numpy as np
import tensorflow as tf

z = tf.placeholder(tf.float32, [None, 4])
real = tf.placeholder(tf.float32, [None, 3])


def generator(z):
    def layer(value, units):
        w = tf.get_variable("w%d" % units, [value.get_shape()[1], units], initializer=tf.constant_initializer(0.3))
        return tf.matmul(value, w) * scale

    scale = 0.5
    with tf.variable_scope("generator"):
        return layer(tf.nn.relu(layer(z, 5)), 3)


def discriminator(x, reuse=None):
    assert x.get_shape().ndims == 2, "a matrix"
    x.get_shape().assert_is_compatible_with([None, 3])
    with tf.variable_scope("discriminator") as scope:
        if reuse:
            scope.reuse_variables()
        hidden = tf.layers.dense(x, 6, activation=tf.nn.relu, kernel_initializer=tf.constant_initializer(0.2))
        return tf.layers.dense(hidden, 1, kernel_initializer=tf.constant_initializer(0.1))


fake = generator(z)
d_real = discriminator(real)
d_fake = discriminator(fake, True)
d_loss = tf.reduce_mean(
    tf.nn.sigmoid_cross_entropy_with_logits(logits=d_real, labels=tf.ones_like(d_real))
    + tf.nn.sigmoid_cross_entropy_with_logits(logits=d_fake, labels=tf.zeros_like(d_fake))
)
g_loss = tf.reduce_mean(d_real) - tf.reduce_mean(d_fake)
d_vars = tf.trainable_variables("discriminator")
g_vars = tf.trainable_variables("generator")
d_train = tf.train.AdamOptimizer(0.05).minimize(d_loss, var_list=d_vars)
g_train = tf.train.AdamOptimizer(0.05).minimize(g_loss, var_list=g_vars)

sess = tf.Session()
sess.run(tf.global_variables_initializer())
for step in range(3):
    _, g = sess.run([g_train, g_loss], feed_dict={real: np.ones([2, 3]), z: np.ones([2, 4])})
    _, d = sess.run([d_train, d_loss], feed_dict={real: np.ones([2, 3]) * step, z: np.ones([2, 4])})
    print("%.5f %.5f" % (d, g))
"""
# What TensorFlow 1.15.5 prints.
GAN_PRINTED = "1.50261 0.19800\n1.37243 0.05231\n1.35916 0.01142\n"
START = """import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
y = x * 2.0
"""
END = """
z = build(x)
sess = tf.Session()
print(sess.run(z, {x: [[1.0, 2.0]]}))
"""


def test_functions_inside_builders_and_scopes_that_reuse() -> None:
    assert {site.tier for site in rewritten(GAN).sites} == {"native"}
    assert printed(rewritten(GAN).text) == GAN_PRINTED


def test_what_reuses_variables_needs_what_makes_them() -> None:
    alone = GAN.replace("tf.reduce_mean(d_real) - tf.reduce_mean(d_fake)", "-tf.reduce_mean(d_fake)")
    alone = alone.replace("feed_dict={real: np.ones([2, 3]), z:", "feed_dict={z:")
    result = made_native(alone)
    # The function that makes the variables is traced first, though it runs later.
    assert result.text.index("d_train_step.get_concrete_function()") < result.text.index("def g_train_step(z)")
    # What TensorFlow 1.15.5 prints.
    assert printed(result.text) == "1.50261 -0.16200\n1.37243 -0.01769\n1.35916 0.06775\n"


CONVERTED = {
    "a function that sees what changes behind it": (
        "def build(t):\n    def twice():\n        return t * factor\n    factor = 3.0\n    return twice()",
        "[[3. 6.]]\n",
    ),
    "names of its own": (
        "def build(t):\n    value = t\n    def add():\n        value = t + 1.0\n        return value\n"
        "    more = add()\n    return value * more",
        "[[2. 6.]]\n",
    ),
    "a function that is handed to another": (
        "def apply(f, t):\n    return f(t)\ndef build(t):\n    def twice(value):\n        return value * 2.0\n"
        "    return apply(twice, t)",
        "[[2. 4.]]\n",
    ),
    "a name scope that has a name": (
        'def build(t):\n    with tf.name_scope("part") as scope:\n        return tf.identity(t, name=scope)',
        "[[1. 2.]]\n",
    ),
}


@pytest.mark.parametrize("name", CONVERTED)
def test_converted(name: str) -> None:
    body, expected = CONVERTED[name]
    code = START + body + END
    assert tier_of(code) == "native", deciding_site(code).reason
    assert printed(rewritten(code).text) == expected


REFUSED = {
    "a function that is returned": (
        "def make(t):\n    def twice():\n        return t * 2.0\n    return twice\ndef build(t):\n    return make(t)()",
        "returns a function that it defines",
    ),
    "a function that reads a tensor of the script": (
        "def build(t):\n    def more():\n        return y + t\n    return more()",
        "reads the tensor `y` from outside",
    ),
    "a function with a tensor as default": (
        "def build(t):\n    def more(value=t):\n        return value\n    return more()",
        "has defaults of a graph",
    ),
    "a decorated function": (
        "def build(t):\n    @print\n    def more():\n        return t\n    return t",
        "is decorated",
    ),
    "a function that counts": (
        "def build(t):\n    n = 0\n    def more():\n        nonlocal n\n        n += 1\n        return t * n\n"
        "    return more()",
        "does more than build",
    ),
    "an assertion about a tensor": (
        "def build(t):\n    assert t > 0.0\n    return t",
        "a tensor is asserted",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    body, reason = REFUSED[name]
    site = deciding_site(START + body + END)
    assert site.tier == "bridge"
    assert reason in (site.reason or "")


CELLS = """import numpy as np
import tensorflow as tf
kind = len("lstm")
x = tf.placeholder(tf.float32, [None, 4, 2])
init = tf.constant_initializer(0.1)
if kind == 4:
    cell = tf.nn.rnn_cell.LSTMCell(3, initializer=init)
else:
    cell = tf.nn.rnn_cell.GRUCell(3, kernel_initializer=init)
outputs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
loss = tf.reduce_mean(tf.square(outputs - 1.0))
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(3):
    print("%.4f" % sess.run([train, loss], {x: np.linspace(-1, 1, 16).reshape(2, 4, 2)})[1])
"""


def test_a_cell_that_a_condition_chooses() -> None:
    result = made_native(CELLS)
    # What TF 1.15.5 printed.
    assert printed(result.text).split() == ["1.0070", "0.8489", "0.7281"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    cell = tf.nn.rnn_cell.GRU", "    x = tf.layers.dense(x, 2)\n    cell = tf.nn.rnn_cell.GRU"),
        ("    cell = tf.nn.rnn_cell.GRU", "    print(sess)\n    cell = tf.nn.rnn_cell.GRU"),
        ("kind == 4", "tf.size(x) == 4"),
        ("cell = tf.nn.rnn_cell.GRUCell(3, kernel_initializer=init)", "cell = None"),
    ],
    ids=["a layer beside it", "something else beside it", "a tensor decides", "no cell on one way"],
)
def test_a_condition_that_does_more_than_choose_a_cell(old: str, new: str) -> None:
    assert tier_of(CELLS.replace(old, new)) == "bridge"


def test_a_choice_of_a_cell_that_would_be_another_by_then() -> None:
    code = CELLS.replace("sess = tf.Session()", "sess = tf.Session()\nkind = 3")
    assert "`kind` has another value here" in (deciding_site(code).reason or "")


BRACKETS = """
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
h = x * 2.0


def add(t, k=(1.0 + 1.0)):
    return t * k + h


y = add((x + 1.0))
z = add((x), k=(3.0))
with tf.Session() as sess:
    print(sess.run([y, z], {x: [1.0, 2.0]}))
"""


def test_brackets_around_the_last_argument_of_a_function_that_reads_a_tensor_from_outside() -> None:
    text = made_native(BRACKETS).text
    assert "add((x + 1.0), h=h)" in text
    assert "add((x), k=(3.0), h=h)" in text
    assert "def add(t, k=(1.0 + 1.0), *, h):" in text
    # What TensorFlow 1.15.5 prints.
    expected = "[array([6., 10.], dtype=float32), array([5., 10.], dtype=float32)]"
    assert printed(text).replace(" ", "") == expected.replace(" ", "") + "\n"
