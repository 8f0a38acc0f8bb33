"""Switches to what TensorFlow 1.15 does anyway change nothing; those to something else keep a program on the bridge."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, refuses, rewritten

TRAINING = """\
import tensorflow.compat.v1 as tf
SWITCHES
x = tf.placeholder(tf.float32, [None, 2])
w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        print("%.5f" % sess.run([loss, step], {x: [[1.0, 2.0]]})[0])
"""
LOSSES = "9.00000\n0.00000\n0.00000\n"
IN_MAIN = """\
import tensorflow.compat.v1 as tf


def main(_):
    tf.disable_v2_behavior()
    tf.disable_eager_execution()
    x = tf.placeholder(tf.float32, [2])
    y = x * 2.0
    with tf.Session() as sess:
        print(sess.run(y, {x: [1, 2]}))


if __name__ == "__main__":
    tf.disable_v2_behavior()
    tf.app.run()
"""


@pytest.mark.parametrize(
    "switches",
    [
        "tf.disable_v2_behavior()",
        "tf.disable_eager_execution()\ntf.disable_v2_tensorshape()\n",
        "\ntf.disable_tensor_equality()  # as in TensorFlow 1\n\ntf.disable_control_flow_v2()\n",
        "import tensorflow\ntensorflow.compat.v1.disable_v2_behavior()",
    ],
)
def test_what_is_so_anyway(switches: str) -> None:
    result = made_native(TRAINING.replace("SWITCHES", switches))
    assert "disable" not in result.text and "\n\n\n\n" not in result.text
    assert printed(result.text) == LOSSES


def test_in_a_function_and_above_its_call() -> None:
    result = made_native(IN_MAIN)
    assert "disable" not in result.text and "pass" not in result.text


@pytest.mark.parametrize("name", ["enable_tensor_equality", "enable_v2_tensorshape", "enable_control_flow_v2"])
def test_what_is_otherwise(name: str) -> None:
    code = TRAINING.replace("SWITCHES", f"tf.disable_v2_behavior()\ntf.{name}()")
    refuses(code, f"`tf.{name}` is not understood")


def test_variables_that_are_resources() -> None:
    refuses(
        TRAINING.replace("SWITCHES", "tf.disable_v2_behavior()\ntf.enable_resource_variables()"), "resource_variables"
    )


def test_eager_execution_is_none_of_them() -> None:
    code = TRAINING.replace("SWITCHES", "tf.enable_eager_execution()\ntf.disable_eager_execution()")
    assert {site.tier for site in rewritten(code).sites} == {"bridge"}
