"""The None that a run of an operation gives stays one, also where another run of it gives values beside."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed

MODEL = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [])
w = tf.Variable(1.0)
loss = tf.square(w * x - 3.0)
train = tf.train.GradientDescentOptimizer(0.25).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""
# What TensorFlow 1.15.5 prints.
USES = {
    "print(sess.run(train, {x: 1.0}), sess.run([train, w], {x: 1.0})[1])": "None 2.5\n",
    "def step():\n    return sess.run(train, {x: 1.0})\nprint(step(), sess.run([train, w], {x: 1.0})[1])": "None 2.5\n",
    "print(sess.run(train, {x: 1.0}) is None)\nprint(sess.run([train, w], {x: 1.0})[1])": "True\n2.5\n",
}


@pytest.mark.parametrize("code", USES)
def test_the_run_of_a_step_gives_none(code: str) -> None:
    assert printed(made_native(MODEL + code + "\n").text) == USES[code]


def test_a_step_whose_run_is_a_statement_calls_the_function_that_gives_values() -> None:
    code = "for _ in range(2):\n    sess.run(train, {x: 1.0})\n_, v = sess.run([train, w], {x: 1.0})\nprint(v)\n"
    text = made_native(MODEL + code).text
    assert text.count("apply_gradients") == 1
    assert printed(text) == "2.75\n"


# What TensorFlow 1.15.5 prints.
IDLE = {
    "built in the run": ("_, v = sess.run([tf.no_op(), loss], {x: 1.0})\nprint(v)\n", "4.0\n"),
    "with a name": ("idle = tf.no_op()\nv, _ = sess.run([loss, idle], {x: 1.0})\nprint(v)\n", "4.0\n"),
    "in a group": ("both = tf.group(train, tf.no_op())\nsess.run(both, {x: 1.0})\nprint(sess.run(w))\n", "2.0\n"),
    "alone": (
        "sess.run(tf.no_op())\nprint(sess.run([tf.no_op(), tf.no_op()]), sess.run(w))\n",
        "[None, None] 1.0\n",
    ),
    "a name alone": (
        "idle = tf.no_op()\nfor _ in range(2):\n    sess.run(idle)\nprint(sess.run(idle, {x: 1.0}), sess.run(w))\n",
        "None 1.0\n",
    ),
    "instead of a step": (
        "test = tf.no_op(name='test')\nprint(sess.run([loss, test], {x: 1.0})[0])\n",
        "4.0\n",
    ),
}


@pytest.mark.parametrize(("code", "output"), IDLE.values(), ids=IDLE.keys())
def test_an_operation_that_does_nothing(code: str, output: str) -> None:
    assert printed(made_native(MODEL + code).text) == output
