"""Conditions and loops of the graph: their functions are built where they stand, with what they see from outside."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from tests.goldens.loop_programs import KINDS, MODEL, RUNS, SESSION, STEP
from tests.native.native import made_native, printed, refuses

# What TF 1.15.5 prints, line by line: what is computed, and the two variables behind the step.
EXPECTED = json.loads((Path(__file__).parents[1] / "goldens" / "loops.json").read_text())


@pytest.mark.parametrize("eagerly", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_numbers_and_training_are_those_of_tf1(kind: str, eagerly: bool) -> None:
    text = made_native(MODEL + KINDS[kind] + STEP + SESSION + RUNS).text
    tf.config.run_functions_eagerly(eagerly)
    try:
        lines = [json.loads(line) for line in printed(text).splitlines()]
    finally:
        tf.config.run_functions_eagerly(False)
    assert len(lines) == len(EXPECTED[kind])
    for line, expected in zip(lines, EXPECTED[kind], strict=True):
        np.testing.assert_allclose(line, expected, rtol=2e-6)


def test_a_branch_that_is_not_taken_has_gradients_of_zero() -> None:
    code = f"""{MODEL}z = tf.cond(p, lambda: h * v, lambda: x + v)
step = tf.train.AdamOptimizer(0.125).minimize(tf.square(z))
{SESSION}for flag in (True, False, False):
    sess.run(step, {{x: 1.5, p: flag}})
    print(json.dumps([float(item) for item in sess.run([w, v])]))
"""
    # What TF 1.15.5 prints: Adam goes on with `w`, which the second branch does not read.
    expected = [[1.875, 0.375], [1.7912429571, 0.2619006336], [1.7264988422, 0.152525261]]
    text = made_native(code).text
    for eagerly in (False, True):
        tf.config.run_functions_eagerly(eagerly)
        try:
            lines = [json.loads(line) for line in printed(text).splitlines()]
        finally:
            tf.config.run_functions_eagerly(False)
        np.testing.assert_allclose(lines, expected, rtol=2e-6)


def test_a_learning_rate_is_chosen_by_the_step() -> None:
    code = f"""{MODEL}n = tf.Variable(0, trainable=False)
rate = tf.cond(n < 2, lambda: 0.125, lambda: 0.0625)
step = tf.train.GradientDescentOptimizer(rate).minimize(tf.square(h), global_step=n)
{SESSION}for _ in range(3):
    print(sess.run([rate, step], {{x: 1.0}})[0], sess.run(w))
"""
    # What TF 1.15.5 prints.
    assert printed(made_native(code).text).split() == ["0.125", "1.5", "0.125", "1.125", "0.0625", "0.984375"]


def test_an_object_has_them() -> None:
    code = """\
import tensorflow as tf
class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [3])
        self.train = tf.placeholder_with_default(False, [])
        self.w = tf.get_variable("w", [], initializer=tf.constant_initializer(2.0))
        self.h = tf.reduce_sum(self.x) * self.w
        self.out = tf.cond(self.train, lambda: self.h * 2.0, lambda: self.h)
        self.each = tf.map_fn(lambda h: h + self.h, self.x)
        def body(i, total):
            return i + 1, total + self.out * tf.cast(i, tf.float32)
        _, self.total = tf.while_loop(lambda i, total: i < 4, body, [tf.constant(0), tf.constant(0.0)])
model = Model()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([model.total, model.out], {model.x: [1.0, 2.0, 3.0], model.train: True}))
    print(sess.run(model.out, {model.x: [1.0, 2.0, 3.0]}), sess.run(model.each, {model.x: [1.0, 2.0, 3.0]}))
"""
    shown = printed(made_native(code).text).replace("np.float32(", "").replace(")", "")
    # What TF 1.15.5 prints: the parameter `h` of the lambda is not the attribute.
    assert shown == "[144.0, 24.0]\n12.0 [13. 14. 15.]\n"


def test_of_constants_alone_they_need_no_function() -> None:
    code = f"""{MODEL}start = tf.constant(3.0)
z = tf.while_loop(lambda i, t: i < 2, lambda i, t: (i + 1, t * start), [0, start])[1]
y = tf.while_loop(lambda i, t: i < 2, lambda i, t: (i + 1, (t * start, t * h)[0]), [0, start])[1]
{SESSION}print(sess.run(z), sess.run(y, {{x: 1.0}}))
"""
    text = made_native(code).text
    # What TF 1.15.5 prints.
    assert printed(text).split() == ["27.0", "27.0"]
    assert "\nz = compat.while_loop(" in text
    assert "\n    y = compat.while_loop(" in text


def test_a_function_with_a_loop_is_traced_once() -> None:
    text = made_native(MODEL + KINDS["a loop of functions"] + STEP + SESSION + RUNS).text
    counted = text.replace("return [i + 1, t * v]", "print('traced')\n    return [i + 1, t * v]")
    assert counted != text
    assert printed(counted).count("traced") == printed(counted.replace("(False, 3.0), ", "")).count("traced")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            "z = tf.cond(p, lambda: tf.nn.dropout(h, 0.5), lambda: h)\n",
            "`tf.nn.dropout` stands in a condition or a loop",
        ),
        (
            "def no():\n    return h + tf.random_uniform([])\nz = tf.cond(p, lambda: h, no)\n",
            "`tf.random_uniform` stands",
        ),
        (
            "def noisy(t):\n    return t + tf.random_normal([])\nz = tf.map_fn(lambda t: noisy(t), tf.stack([x, v]))\n",
            "`tf.random_normal` stands in a condition or a loop",
        ),
        ("z = tf.cond(p, lambda: tf.Variable(1.0) * h, lambda: h)\n", "`tf.Variable` stands in a condition or a loop"),
        (
            "z = tf.cond(p, lambda: tf.get_variable('u', []) * h, lambda: h)\n",
            "`tf.get_variable` stands in a condition",
        ),
        (
            "z = tf.cond(p, lambda: tf.layers.dense([[h]], 1), lambda: [[h]])\n",
            "`tf.layers.dense` stands in a condition",
        ),
        ("z = tf.cond(p, lambda: v.assign_add(1.0), lambda: v)\n", "`v.assign_add` stands in a condition or a loop"),
        ("z = tf.cond(p, lambda: tf.assign(v, 1.0), lambda: v)\n", "`tf.assign` stands in a condition or a loop"),
        ("z = tf.cond(p, lambda: tf.Print(h, [h]), lambda: h)\n", "`tf.Print` stands in a condition or a loop"),
        (
            "z = tf.cond(p, lambda: tf.gradients(h, w)[0], lambda: h)\n",
            "`tf.gradients` stands in a condition or a loop",
        ),
        ("z = tf.cond(p, lambda: tf.no_op(), lambda: tf.no_op())\n", "takes or gives what is no tensor"),
        ("inc = v.assign_add(1.0)\nz = tf.cond(p, lambda: inc, lambda: v)\n", "takes or gives what is no tensor"),
        (
            "def yes():\n    with tf.variable_scope('s'):\n        return h * 2.0\nz = tf.cond(p, yes, lambda: h)\n",
            "opens a scope of variables",
        ),
        ("def yes():\n    print('built')\n    return h\nz = tf.cond(p, yes, lambda: h)\n", "does more than build"),
        (
            "made = []\ndef yes():\n    made.append(1)\n    return h\nz = tf.cond(p, yes, lambda: h)\n",
            "more than build",
        ),
        ("z = tf.cond(True, lambda: h, lambda: x)\n", "the condition is no tensor"),
        ("z = tf.cond(p, lambda: (h, x), lambda: h)\n", "different structures of tensors"),
        ("z = tf.cond(p, lambda: None, lambda: None)\n", "takes or gives what is no tensor"),
        ("z = tf.cond(p, lambda y=h: y, lambda: x)\n", "takes other arguments than it gets"),
        (
            "import functools\nz = tf.cond(p, functools.partial(tf.identity, h), lambda: h)\n",
            "what function a condition",
        ),
        (
            "def plain(f):\n    return f\n@plain\ndef yes():\n    return h\nz = tf.cond(p, yes, lambda: h)\n",
            "what function `yes` is",
        ),
        (
            "def yes():\n    return h\nz = tf.cond(p, yes, lambda: x)\nother = [yes]\n",
            "reads the tensor `h` from outside",
        ),
        ("z = tf.case([(p, lambda: h)])\n", "the cases and their default are not written out"),
        ("z = tf.case({p: lambda: h}, default=lambda: x)\n", "the cases and their default are not written out"),
        ("z = tf.case([(p, lambda: h)], default=lambda: x, exclusive=True)\n", "conditions exclude each other"),
        (
            "z = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t + tf.random_uniform([])), [0, h])[1]\n",
            "`tf.random_uniform` stands in a condition or a loop",
        ),
        (
            "a = tf.TensorArray(tf.float32, 3)\n"
            "z = tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a.write(i, h)), [0, a])[1].stack()\n",
            "`tf.TensorArray` is not understood",
        ),
        (
            "many = tf.split(tf.stack([x, h]), 2)\n"
            "z = tf.while_loop(lambda a, b: a[0] < 3.0, lambda a, b: (a + 1.0, b), many)[0]\n",
            "what the variables of the loop are is not known",
        ),
        (
            "z = tf.while_loop(lambda i, t: True, lambda i, t: (i + 1, t), [0, h])[1]\n",
            "the condition of the loop is no",
        ),
        (
            "z = tf.while_loop(lambda i, t: i < 3, lambda i, t: i + 1, [0, h])[1]\n",
            "different structures of tensors",
        ),
        ("z = tf.map_fn(lambda t: t * h, [1.0, 2.0])\n", "what `tf.map_fn` goes through is no tensor"),
        ("z = tf.foldl(lambda a: a + h, tf.stack([x, v]))\n", "takes other arguments than it gets"),
        ("z = tf.foldl(tf.random_shuffle, tf.stack([x, v]))\n", "what function `tf.random_shuffle` is"),
    ],
)
def test_what_is_not_sure_is_refused(code: str, reason: str) -> None:
    refuses(MODEL + code + SESSION + "print(sess.run(z, {x: 1.0, p: True}))\n", reason)


@pytest.mark.parametrize(
    "tensor",
    [
        "tf.cond(p, lambda: v, lambda: h)",
        "tf.cond(p, lambda: tf.reshape(v, [1]), lambda: tf.stack([h]))",
        "tf.while_loop(lambda i, t: i < 0, lambda i, t: (i + 1, t * h), [0, v])[1]",
        "tf.case([(p, lambda: h)], default=lambda: v)",
        "tf.foldl(lambda a, t: a, tf.stack([x, x]), initializer=v)",
    ],
)
def test_what_may_share_a_variables_memory_is_not_fetched_beside_its_update(tensor: str) -> None:
    # TF 1.15.5 gives for them what the variable holds behind the update.
    code = f"{MODEL}z = {tensor}\ninc = v.assign_add(1.0)\n{SESSION}print(sess.run([z, inc], {{x: 1.0, p: True}}))\n"
    refuses(code, "shares the memory of a variable")


def test_a_tensor_that_a_comprehension_hides_is_refused() -> None:
    code = f"""{MODEL}def scaled(t):
    return t * h
z = tf.add_n([scaled(h) for h in [x + 1.0, x]])
{SESSION}print(sess.run(z, {{x: 3.0}}))
"""
    # TF 1.15.5 prints 42.0: `scaled` sees the script's `h`.
    refuses(code, "reads the tensor `h` from outside")


def test_a_lambda_that_hides_a_tensor_is_refused() -> None:
    code = f"""{MODEL}def scaled(t):
    return t * h
z = tf.map_fn(lambda h: scaled(h), tf.stack([x, v]))
{SESSION}print(sess.run(z, {{x: 3.0}}))
"""
    refuses(code, "reads the tensor `h` from outside")


def test_a_function_that_is_defined_again_is_refused() -> None:
    code = f"""{MODEL}def yes():
    return x * 2.0
z = tf.cond(p, yes, lambda: x)
def yes():
    return x * 3.0
{SESSION}print(sess.run(z, {{x: 3.0, p: True}}))
"""
    refuses(code, "reads the tensor `x` from outside")
    refuses(code.replace("x * 2.0", "w * 2.0").replace("x * 3.0", "w * 3.0"), "`yes`")
