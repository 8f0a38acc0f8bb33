"""Name scopes of functions: a plain variable in one has a number where another function opened its like before."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

CODE = """\
import tensorflow as tf
def scale(x):
    with tf.name_scope({own}):
        beta = tf.Variable([2.0], name="beta")
        return x * beta
def other(x):
    with tf.name_scope({other}):
        return x * 2.0
x = tf.placeholder(tf.float32, [None])
t = tf.placeholder(tf.float32, [None])
aux = other({given})
y = scale(x)
loss = tf.reduce_sum(y) + tf.reduce_sum(aux)
step = tf.train.GradientDescentOptimizer(0.125).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(2):
    print(sess.run([loss, step], {{x: [1.0], t: [3.0]}})[0])
    print(sess.run(y, {{x: [1.0]}})[0])
"""
# What TensorFlow 1.15.5 prints.
OUTPUT = ["4.0", "1.875", "3.875", "1.75"]


def _code(own: str, other: str, given: str = "x") -> str:
    return CODE.format(own=own, other=other, given=given)


@pytest.mark.parametrize(
    ("own", "other"), [("'part'", "'part'"), ("'part'", "'PART'"), ("'part'", "None"), ("'p%s' % 'art'", "'part'")]
)
def test_each_function_opens_all_scopes_of_one_name(own: str, other: str) -> None:
    # Without the scope of `other`, the one that computes `y` would make, and read, a variable of its own.
    text = made_native(_code(own, other)).text
    assert text.count("aux = other(x)") == 2
    assert printed(text).split() == OUTPUT


def test_scopes_are_opened_in_their_order(run_legacy: Callable[..., str]) -> None:
    code = _code("'part'", "'part'").replace("tf.reduce_sum(aux)", "2.0").replace("[loss, step]", "[step, loss][::-1]")
    code = code.replace("sess.run([step, loss][::-1], {x: [1.0], t: [3.0]})[0]", "sess.run(step, {x: [1.0], t: [3.0]})")
    # The loss needs nothing of `aux`, whose scope comes before that of the variable all the same.
    assert printed(made_native(code).text) == run_legacy(code)


def test_scopes_of_other_names_are_left_out() -> None:
    text = made_native(_code("'part'", "'loss'", "t")).text
    assert text.count("aux = other(t)") == 1
    assert printed(text).split() == ["8.0", "1.875", "7.875", "1.75"]


def test_a_scope_that_a_run_cannot_open_is_refused() -> None:
    refuses(_code("'part'", "'part'", "t"), "the placeholder `t` is not fed")
