"""`tf.py_func` of functions that do more than compute: they are called as often as in TF1, and in its order."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

HEAD = """\
import json
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
w = tf.Variable([2.0, 1.0])
seen = []
count = {"calls": 0}
np.random.seed(3)
def show(value):
    print(json.dumps(np.asarray(value, np.float64).tolist()))
"""
LISTING = """\
def f(t):
    seen.append(t)
    count["calls"] += 1
    return t * np.float32(2.0)
"""
PRINTING = """\
def f(t):
    if t.shape[0] > 1:
        print("several", t.shape[0])
    return t + np.float32(1.0)
"""
DRAWING = """\
def f(t):
    return np.float32(t * np.random.uniform(0.5, 1.0, t.shape))
"""
RUNS = """\
y = tf.reduce_sum(tf.square(z * w))
step = tf.train.GradientDescentOptimizer(0.01).minimize(y)
aside = x * 3.0
sess = tf.Session()
sess.run(tf.global_variables_initializer())
DATA = {x: [1.0, 2.0]}
for _ in range(2):
    show(sess.run(z, DATA))
    sess.run(step, DATA)
    show(sess.run([aside, w], DATA))
    show(sess.run([y, step], DATA)[0])
    show(np.random.rand())
show(sess.run(aside, DATA))
show(seen)
print(count["calls"])
"""
ONE = "z = tf.py_func(f, [x * w], tf.float32)\n"
TWO = """\
def g(t, k):
    seen.append(t - k)
    return t - k, k
a = tf.py_func(f, [x * w], tf.float32)
z, b = tf.py_func(g, [a, w], [tf.float32, tf.float32])
"""


@pytest.mark.parametrize(
    "code",
    [LISTING + ONE, PRINTING + ONE, DRAWING + ONE, LISTING + TWO],
    ids=["a list", "printed", "drawn", "one behind the other"],
)
def test_calls_are_those_of_tf1(code: str, run_legacy: Callable[..., str]) -> None:
    code = HEAD + code + RUNS
    for line, expected in zip(printed(made_native(code).text).splitlines(), run_legacy(code).splitlines(), strict=True):
        if expected.startswith("several"):
            assert line == expected
        else:
            assert _flat(json.loads(line)) == pytest.approx(_flat(json.loads(expected)), rel=1e-5)


def _flat(value: object) -> list[float]:
    if isinstance(value, list):
        return [number for inner in value for number in _flat(inner)]
    assert isinstance(value, int | float)
    return [float(value)]


RUN = "sess.run(z, {x: [1.0, 2.0]})\n"
SESSION = "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\n"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            f"{LISTING}{ONE}b = tf.py_func(f, [x], tf.float32)\n{SESSION}sess.run([z, b], {{x: [1.0, 2.0]}})\n",
            "several Python functions that `tf.py_func` calls do more than compute, in no order",
        ),
        (
            f"{LISTING}z = tf.py_func(f, [x], tf.float32, stateful=False)\n{SESSION}{RUN}",
            "TensorFlow 1 may have left out calls",
        ),
        (
            f"{LISTING}z = tf.shape(tf.py_func(f, [x], tf.float32))\n{SESSION}{RUN}",
            "may not wait for that",
        ),
        (
            # The gradient needs no more than the shape of it.
            f"{LISTING}{ONE}loss = tf.reduce_sum(z + w)\n"
            f"step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)\n{SESSION}{RUN.replace('z', 'step')}",
            "the run may need `z`, which does more than compute, or may not",
        ),
        (
            f"{LISTING}z = [tf.py_func(f, [k * x], tf.float32) for k in (w, w)][0]\n{SESSION}{RUN}",
            "in no order",
        ),
        (
            f"{LISTING}{ONE}seen = []\n{SESSION}{RUN}",
            "does more than build",
        ),
        (
            f"{LISTING}{ONE}{SESSION}seen = seen[1:]\nsess.run(z, {{x: [1.0, 2.0]}})\n",
            "does more than build",
        ),
        (
            f"{LISTING}{SESSION}sess.run(tf.py_func(f, [x], tf.float32), {{x: [1.0, 2.0]}})\n",
            "may not wait for that",
        ),
    ],
)
def test_what_is_not_sure_is_refused(code: str, reason: str) -> None:
    refuses(HEAD + code, reason)
