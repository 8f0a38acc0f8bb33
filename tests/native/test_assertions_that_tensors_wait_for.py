"""Assertions that tensors wait for, and `tf.Print`: runs that need the tensors make them, and no others."""

from __future__ import annotations

import pytest
import tensorflow as tf

from tests.native.native import deciding_site, made_native, printed, refuses

MODEL = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(2.0, name="w")
y = x * w
"""
RUN = """\
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(float(sess.run(z, {x: [1.0, 2.0]})), sess.run(y, {x: [-1.0]}).tolist())
try:
    sess.run(z, {x: [-1.0]})
except tf.errors.InvalidArgumentError:
    print("refused")
"""


@pytest.mark.parametrize(
    "check",
    [
        "check = tf.assert_greater(x, 0.0)\nwith tf.control_dependencies([check]):\n    z = tf.reduce_sum(y)\n",
        "with tf.control_dependencies([tf.assert_positive(x, message='small')]):\n    z = tf.reduce_sum(y)\n",
        "with tf.control_dependencies([tf.Assert(tf.reduce_all(x > 0.0), [x, y])]):\n    z = tf.reduce_sum(y)\n",
        "checks = [tf.assert_less(0.0, x), tf.assert_rank(x, 1)]\n"
        "with tf.control_dependencies(checks):\n    u = tf.identity(y)\n    z = tf.reduce_sum(u)\n",
        "with tf.name_scope('checked'):\n    with tf.control_dependencies([tf.debugging.assert_positive(x)]):\n"
        "        z = tf.reduce_sum(y)\n",
    ],
    ids=["named", "in the block", "Assert", "several", "scope"],
)
def test_what_waits_for_an_assertion_makes_it(check: str) -> None:
    text = made_native(MODEL + check + RUN).text
    # What TF 1.15.5 prints.
    assert printed(text).split("\n")[:2] == ["6.0 [-2.0]", "refused"]
    assert text.count("control_dependencies") >= 1


def test_gradients_go_through_what_waits() -> None:
    code = f"""{MODEL}with tf.control_dependencies([tf.assert_positive(x)]):
    loss = tf.reduce_mean(tf.square(y - 3.0))
train = tf.train.GradientDescentOptimizer(0.125).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(2):
    _, value = sess.run([train, loss], {{x: [1.0]}})
    print(float(value), sess.run(w))
"""
    # What TF 1.15.5 prints.
    assert printed(made_native(code).text).split() == ["1.0", "2.25", "0.5625", "2.4375"]


def test_tensors_that_are_printed_are_what_they_were(capfd: pytest.CaptureFixture[str]) -> None:
    code = f"""{MODEL}z = tf.reduce_sum(tf.Print(y, [tf.shape(y), x], message="seen "))
v = tf.Print(w, [w])
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(float(sess.run(z, {{x: [1.0, 2.0]}})), sess.run(y, {{x: [4.0]}}).tolist(), sess.run(v))
"""
    assert printed(made_native(code).text).strip() == "6.0 [8.0] 2.0"
    # What TF 1.15.5 writes.
    assert capfd.readouterr().err.count("seen [2][1 2]") == 1


def test_a_printed_variable_is_not_fetched_beside_its_update() -> None:
    code = f"{MODEL}v = tf.Print(w, [w])\nadd = w.assign_add(1.0)\nsess = tf.Session()\n"
    code += "sess.run(tf.global_variables_initializer())\nprint(sess.run([v, add]))\n"
    assert "shares the memory" in (deciding_site(code).reason or "")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("z = tf.assert_positive(x)\n", "an assertion is fetched"),
        (
            "with tf.control_dependencies([tf.assert_positive(x)]):\n    z = w.assign(3.0)\n",
            "something else than tensors",
        ),
        (
            "with tf.control_dependencies([tf.assert_positive(x)]):\n    v = tf.Variable(1.0)\n    z = v * x\n",
            "something else than tensors",
        ),
        (
            "with tf.control_dependencies([tf.assert_positive(x)]):\n    z = tf.layers.dense(x[None], 1)\n",
            "something else than tensors",
        ),
        (
            "with tf.control_dependencies([tf.assert_positive(x)]):\n"
            "    z = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y))\n",
            "something else than tensors",
        ),
        (
            "with tf.control_dependencies([w.assign_add(1.0), tf.assert_positive(x)]):\n    z = tf.reduce_sum(y)\n",
            "`tf.control_dependencies` is",
        ),
        ("z = tf.Print(*[y, [y]])\n", "takes its arguments from a container"),
    ],
)
def test_what_is_not_sure_is_refused(code: str, reason: str) -> None:
    refuses(MODEL + code + RUN, reason)


def test_eager_functions_check_as_well() -> None:
    code = MODEL + "with tf.control_dependencies([tf.assert_positive(x)]):\n    z = tf.reduce_sum(y)\n" + RUN
    text = made_native(code).text
    tf.config.run_functions_eagerly(True)
    try:
        assert printed(text).split("\n")[:2] == ["6.0 [-2.0]", "refused"]
    finally:
        tf.config.run_functions_eagerly(False)
