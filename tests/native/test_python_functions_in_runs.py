"""`tf.py_func`: Python functions that runs call become those of `tf.numpy_function`, where they only compute."""

from __future__ import annotations

import json

import numpy as np
import pytest
import tensorflow as tf

from tests.native.native import made_native, printed, refuses

MODEL = """\
import json
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(2.0)
factor = 3.0
"""
SESSION = "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\n"
RUNS = """\
step = tf.train.GradientDescentOptimizer(0.125).minimize(tf.reduce_mean(x * w) + tf.reduce_sum(tf.cast(z, tf.float32)))
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(2):
    print(json.dumps(np.asarray(sess.run(z, {x: [3.0, 1.5]})).tolist()))
    sess.run(step, {x: [3.0, 1.5]})
    print(float(sess.run(w)))
"""


@pytest.mark.parametrize("eagerly", [False, True])
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # What TF 1.15.5 prints: no gradients come through the function.
        (
            "z = tf.py_func(lambda t: np.clip(t, 0.0, 5.0), [x * w], tf.float32)\n",
            [[5.0, 3.0], 1.71875, [5.0, 2.578125], 1.4375],
        ),
        (
            "def both(rows, k):\n    out = []\n    for item in rows:\n        out.append(item * k + factor)\n"
            "    return np.array(out, np.float32), rows.sum().astype(np.int64)\n"
            "a, z = tf.py_func(both, [x * w, w], [tf.float32, tf.int64], stateful=False)\n",
            [9, 1.71875, 7, 1.4375],
        ),
        (
            "def scaled(t):\n    if t.shape[0] > 1:\n        return t * np.float32(0.5)\n    else:\n        return t\n"
            "def build(t):\n    return tf.py_func(scaled, [t], tf.float32, name='scaled')\nz = build(x * w) + x\n",
            [[6.0, 3.0], 1.71875, [5.578125, 2.7890625], 1.4375],
        ),
        (
            "z = tf.py_func(lambda t, n: t.mean() * n, (x, np.float32(2.0)), np.float32)\n",
            [4.5, 1.71875, 4.5, 1.4375],
        ),
    ],
)
def test_numbers_and_training_are_those_of_tf1(code: str, expected: list[object], eagerly: bool) -> None:
    text = made_native(MODEL + code + RUNS).text
    assert "tf.numpy_function(" in text
    tf.config.run_functions_eagerly(eagerly)
    try:
        lines = [json.loads(line) for line in printed(text).splitlines()]
    finally:
        tf.config.run_functions_eagerly(False)
    for line, value in zip(lines, expected, strict=True):
        np.testing.assert_allclose(line, value, rtol=1e-6)


def test_a_type_that_tf1_did_not_take_is_an_error_too() -> None:
    code = f"{MODEL}z = tf.py_func(lambda t: 1.0, [x], tf.float32)\n{SESSION}print(sess.run(z, {{x: [1.0]}}))\n"
    text = made_native(code).text
    with pytest.raises(tf.errors.InvalidArgumentError, match="double, but expects float"):
        printed(text)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("def f(t):\n    open(str(t))\n    return t\nz = tf.py_func(f, [x], tf.float32)\n", "does more than build"),
        (
            "def f(t):\n    global factor\n    factor = t\n    return t\nz = tf.py_func(f, [x], tf.float32)\n",
            "does more",
        ),
        (
            "def f(t):\n    np.random.shuffle(t)\n    return t\nz = tf.py_func(f, [x], tf.float32)\n",
            "does more than build",
        ),
        (
            "seen = [] + []\ndef f(t):\n    seen.append(t)\n    return t\nz = tf.py_func(f, [x], tf.float32)\n",
            "does more than",
        ),
        (
            "def f(t):\n    t += 1.0\n    return t\nz = tf.py_func(f, [x], tf.float32)\n",
            "`t += 1.0`, in a function that",
        ),
        ("def f(t):\n    t[0] = 1.0\n    return t\nz = tf.py_func(f, [x], tf.float32)\n", "stores a value outside"),
        ("z = tf.py_func(lambda t: t.fill(0.0), [x], tf.float32)\n", "`t.fill(0.0)`, in a function that"),
        ("import time\nz = tf.py_func(lambda t: t * time.time(), [x], tf.float32)\n", "`time.time()`, in a function"),
        ("z = tf.py_func(lambda t: np.add(t, t, t), [x], tf.float32)\n", "`np.add(t, t, t)`, in a function that"),
        (
            "h = x * w\nz = tf.py_func(lambda t: t * h, [x], tf.float32)\n",
            "what function `tf.py_func` calls is not known",
        ),
        # TF 1.15.5 raises TypeError for NumPy's own functions that work elementwise.
        ("z = tf.py_func(np.square, [x], tf.float32)\n", "what function `np.square` is"),
        ("z = tf.py_func(np.random.permutation, [x], tf.float32)\n", "what function `np.random.permutation` is"),
        ("import scipy.special\nz = tf.py_func(scipy.special.expit, [x], tf.float32)\n", "what function `scipy"),
        ("z = tf.py_func(lambda t: t, x, tf.float32)\n", "what `tf.py_func` gives its function is not written out"),
        ("z, = tf.py_func(lambda t: t, [x], [tf.float32])\n", "gives one tensor in a list"),
        ("types = [tf.float32]\nz = tf.py_func(lambda t: t, [x], types)[0]\n", "how many tensors `tf.py_func` gives"),
        (
            # TF 1.15.5 multiplies by 5.0.
            "z = tf.py_func(lambda t: t * factor, [x], tf.float32)\nfactor = np.float32(5.0)\n",
            "reads `factor`, which may mean something else in a run",
        ),
        (
            "def f(t):\n    return t\nz = tf.py_func(f, [x], tf.float32)\ndef f(t):\n    return t * t\n",
            "`f`",
        ),
        ("z = tf.cond(x[0] > 0.0, lambda: tf.py_func(lambda t: t, [x], tf.float32), lambda: x)\n", "stands in a"),
    ],
)
def test_what_is_not_sure_is_refused(code: str, reason: str) -> None:
    refuses(f"{MODEL}{code}{SESSION}print(sess.run(z, {{x: [1.0, 2.0]}}))\n", reason)


def test_what_may_share_a_variables_memory_is_not_fetched_beside_its_update() -> None:
    code = f"{MODEL}z = tf.py_func(lambda t: t, [w], tf.float32)\ninc = w.assign_add(1.0)\n{SESSION}"
    refuses(f"{code}print(sess.run([z, inc]))\n", "shares the memory of a variable")


def test_a_list_that_is_filled_later_is_refused() -> None:
    code = f"""{MODEL}factors = [3.0]
z = tf.py_func(lambda t: np.float32(t * factors[-1]), [x], tf.float32)
{SESSION}factors.append(5.0)
print(sess.run(z, {{x: [1.0]}}))
"""
    refuses(code, "`factors`, which the graph was built with, may be changed here")


def test_what_no_run_needs_is_not_called() -> None:
    code = f"""{MODEL}y = tf.py_func(lambda t: t / 0, [x], tf.float32)
z = x * w
{SESSION}print(sess.run(z, {{x: [1.0]}}))
"""
    assert printed(made_native(code).text) == "[2.]\n"
