"""Choices that Python makes while the graph is built, and functions under their paths into TensorFlow's sources."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed
from tf_migrate.facts import public_function

CODE = """\
import tensorflow as tf
from tensorflow.python.framework import ops
from tensorflow.python.layers import utils
from tensorflow.python.ops import array_ops, math_ops, random_ops


def kept(x, keep, training=False, name=None):
    def thinned(value):
        value = ops.convert_to_tensor(value, name="value")
        noise = random_ops.random_uniform(array_ops.shape(value), seed=1)
        return value * math_ops.floor(keep + noise) / keep

    with ops.name_scope(name, "kept", [x]) as name:
        return utils.smart_cond(training, lambda: thinned(x), lambda: array_ops.identity(x))


x = tf.placeholder(tf.float32, [None, 4])
keep = tf.placeholder(tf.float32)
w = tf.Variable([[1.0], [2.0], [3.0], [4.0]])
flag = len("abc") == 3
y = tf.matmul(kept(x, keep), w)
z = tf.reduce_sum(utils.smart_cond(flag, lambda: y * 2.0, lambda: y))
loss = tf.reduce_mean(tf.square(y))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        print("%.4f" % sess.run([train, loss], {x: [[1.0, 0.0, 1.0, 0.5]], keep: 0.5})[1])
    print("%.4f" % sess.run(z, {x: [[1.0, 0.0, 1.0, 0.5]], keep: 0.5}))
"""


def test_choices_of_python() -> None:
    result = made_native(CODE)
    # What TensorFlow 1.15.5 prints.
    assert printed(result.text) == "36.0000\n32.8329\n10.9443\n"


def test_the_function_that_is_chosen_is_read() -> None:
    code = CODE.replace("kept(x, keep)", "kept(x, keep, training=True)")
    # All runs go through the one sequence of numbers that the seed begins.
    assert "draws one sequence of numbers by its seed" in (deciding_site(code).reason or "")
    result = made_native(code.replace("keep: 0.5", "keep: 1.0").replace(", seed=1", ""))
    # With nothing thrown away the numbers are the same.
    assert printed(result.text) == "36.0000\n32.8329\n10.9443\n"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("kept(x, keep)", "kept(x, keep, training=keep > 0.5)", "a tensor is used as a condition"),
        ("utils.smart_cond(flag, lambda: y * 2.0, lambda: y)", "utils.smart_cond(flag, f, g)", "no two functions"),
        ("lambda: y * 2.0, lambda: y)", "lambda: y * 2.0)", "no two functions"),
        ("lambda: y * 2.0, lambda: y)", "lambda k=2.0: y * k, lambda: y)", "no two functions"),
        ("lambda: y * 2.0, lambda: y)", "lambda: tf.Variable(1.0), lambda: y)", "a variable is created inside"),
        (
            "smart_cond(flag, lambda: y * 2.0, lambda: y)",
            "smart_cond(pred=flag, fn1=lambda: y, fn2=lambda: y)",
            "`fn1`",
        ),
    ],
)
def test_what_is_not_sure(old: str, new: str, reason: str) -> None:
    assert old in CODE
    site = deciding_site(CODE.replace(old, new))
    assert site.tier == "bridge"
    assert reason in (site.reason or ""), site.reason


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("tensorflow.python.framework.ops.convert_to_tensor", "tf.convert_to_tensor"),
        ("tensorflow.python.ops.random_ops.random_uniform", "tf.random_uniform"),
        ("tensorflow.python.ops.nn_ops.leaky_relu", "tf.nn.leaky_relu"),
        # No public functions of TensorFlow 1, whatever they are rewritten to.
        ("tensorflow.python.ops.math_ops.floor_div", "tf.floor_div"),
        ("tensorflow.python.ops.math_ops.reduce_sum", None),
        ("tensorflow.python.ops.gen_math_ops.arg_max", "tf.arg_max"),
        ("tensorflow.python.ops.nn_ops.softmax_cross_entropy_with_logits_v2_helper", None),
        ("tf.floor", None),
    ],
)
def test_public_functions(path: str, name: str | None) -> None:
    assert public_function(path) == (name or path)
