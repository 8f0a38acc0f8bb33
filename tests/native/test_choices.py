"""Parts of the graph that one branch builds, and placeholders that a run needs nothing of."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten, tier_of

HEAD = """\
import numpy as np
import tensorflow as tf
def double(t, reuse=False):
    with tf.variable_scope("net", reuse=reuse):
        return t * tf.get_variable("w", [], initializer=tf.constant_initializer(2.0))
x = tf.placeholder(tf.float32, [None])
z = tf.placeholder(tf.float32, [None])
y = double(x)
loss = tf.reduce_sum(y)
train = tf.train.GradientDescentOptimizer(0.25).minimize(loss)
show = np.ones(1)[0] > {least}
"""
CHOICE = """\
if show:
    print("showing")
    points = np.array([1.0, 3.0])
    {bound}
"""
RUNS = """\
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run([train, loss], {x: [1.0, 2.0]})[1].tolist())
if show:
    print(sess.run(shown, {z: points}).tolist())
"""
BOUND = "shown = double(z, reuse=True)"


def _script(bound: str = BOUND, *, least: float = 0.0, between: str = "") -> str:
    return HEAD.format(least=least) + CHOICE.format(bound=bound) + between + RUNS


def test_a_tensor_of_one_branch_becomes_a_function_of_it() -> None:
    result = made_native(_script())
    # What TF 1.15.5 prints: the step takes 0.75 from the weight of 2.
    assert printed(result.text) == "showing\n6.0\n[1.25, 3.75]\n"


def test_a_branch_that_is_not_taken_computes_nothing() -> None:
    assert printed(rewritten(_script(least=2.0)).text) == "6.0\n"


def test_branches_in_branches() -> None:
    nested = "if len(points) > 1:\n        shown = double(z, reuse=True)\n        print('inside')"
    result = made_native(_script(nested))
    assert printed(result.text) == "showing\ninside\n6.0\n[1.25, 3.75]\n"


@pytest.mark.parametrize(
    "bound",
    [
        "shown = tf.layers.dense(z[:, None], 1)",
        "shown = double(z, reuse=True)\nelse:\n    shown = None",
        "shown = double(z, reuse=True)\n    shown = shown + 1.0",
        "shown = tf.placeholder(tf.float32)",
        "shown = tf.Variable(1.0)",
        "for _ in points:\n        shown = double(z, reuse=True)\n        print(_)",
        "shown = double(z, reuse=True)\n    step = tf.assign_add(tf.Variable(1.0), 1.0)",
    ],
)
def test_what_else_a_branch_may_build_is_refused(bound: str) -> None:
    assert tier_of(_script(bound)) == "bridge"


def test_a_value_of_the_branch_that_changes_is_refused() -> None:
    code = _script("shown = double(z, reuse=True) * float(points[0])\n    points = points + 1.0")
    assert tier_of(code) == "bridge"


def test_variables_behind_such_a_branch_are_refused() -> None:
    code = _script(between="later = tf.Variable(1.0, name='later')\n")
    assert "made behind a condition that builds" in (deciding_site(code).reason or "")


SEVERAL = """\
import numpy as np
import tensorflow as tf
def model(x, y):
    with tf.variable_scope("net"):
        scale = tf.get_variable("w", [], initializer=tf.constant_initializer(2.0))
        guess = x * scale
    return guess, tf.reduce_sum(tf.square(guess - y))
x = tf.placeholder(tf.float32, [None])
y = tf.placeholder(tf.float32, [None])
"""


def test_a_placeholder_that_another_result_needs() -> None:
    code = f"""{SEVERAL}guess, loss = model(x, y)
sess = tf.Session()
sess.run(tf.global_variables_initializer(), {{y: [0.0]}})
print(sess.run(guess, {{x: [1.0, 2.0]}}).tolist())
print(sess.run(loss, {{x: [1.0, 2.0], y: [1.0, 1.0]}}).tolist())
"""
    result = made_native(code)
    assert "y = compat.unfed(tf.TensorSpec([None], tf.float32))" in result.text
    assert printed(result.text) == "[2.0, 4.0]\n10.0\n"


def test_a_placeholder_that_is_needed_is_asked_for() -> None:
    code = f"{SEVERAL}guess, _ = model(x, y)\nfar = guess - y\nsess = tf.Session()\n"
    code += "sess.run(tf.global_variables_initializer())\nprint(sess.run(y * 2.0, {x: [1.0]}))\n"
    assert "`y` is not fed" in (deciding_site(code).reason or "")


@pytest.mark.parametrize("fed", ["np.random.rand(1)", "[float(np.random.rand())]"])
def test_an_initializer_that_is_fed_something_computed_is_refused(fed: str) -> None:
    code = f"{SEVERAL}guess, loss = model(x, y)\nsess = tf.Session()\n"
    code += f"sess.run(tf.global_variables_initializer(), {{y: {fed}}})\nprint(sess.run(guess, {{x: [1.0]}}))\n"
    assert "the initializer is fed" in (deciding_site(code).reason or "")
