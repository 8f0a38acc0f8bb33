"""Updates that wait for others which fail: TensorFlow 1 did not make them, as a program sees that goes on."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from tests.native.models import SESSION
from tests.native.native import made_native, printed, refuses, rewritten

HEAD = """\
import contextlib
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
i = tf.placeholder(tf.int32, [None])
v = tf.Variable([1.0, 3.0])
w = tf.Variable(2.0)
n = tf.Variable(0, trainable=False)
loss = tf.reduce_sum(v * (x + [1.0, 1.0]))
"""
BEHIND = "with tf.control_dependencies([a]):\n    z = w.assign_add(1.0)\n"
RUNS = """\
for value in ([5.0, 6.0], [1.0, 2.0, 3.0], [1.0, 1.0]):
    try:
        sess.run(z, {x: value})
    except tf.errors.InvalidArgumentError:
        print("0.5")
    print(sess.run(w))
"""
COUNTS = """\
for _ in range(3):
    try:
        sess.run(z)
    except tf.errors.OutOfRangeError:
        print("0.5")
    print(sess.run(w))
"""
FAILING = {
    "an assignment": ("a = v.assign(x)\n", RUNS),
    "a step": ("a = tf.train.GradientDescentOptimizer(0.5).minimize(loss, var_list=[v])\n", RUNS),
    "parts": (
        "a = tf.scatter_add(v, i, [1.0])\n",
        RUNS.replace("([5.0, 6.0], [1.0, 2.0, 3.0], [1.0, 1.0])", "([0], [7], [1])").replace("{x:", "{i:"),
    ),
    "a count": ("a = tf.count_up_to(n, 2)\n", COUNTS),
}
REASON = "the program goes on where that one fails"


def _program(name: str) -> str:
    update, runs = FAILING[name]
    return HEAD + update + BEHIND + SESSION + runs


@pytest.mark.parametrize("name", FAILING)
def test_numbers_are_those_of_tf1(name: str, run_legacy: Callable[..., str]) -> None:
    code = _program(name)
    refuses(code, REASON)
    expected = [ast.literal_eval(line) for line in run_legacy(code).splitlines()]
    assert [ast.literal_eval(line) for line in printed(rewritten(code).text).splitlines()] == expected
    assert 0.5 in expected


UPDATE = FAILING["an assignment"][0]
RUN = "sess.run(z, {x: [1.0, 2.0]})\n"


@pytest.mark.parametrize(
    "runs",
    [
        RUNS.replace("tf.errors.InvalidArgumentError", "(KeyError, Exception)"),
        RUNS.replace(" tf.errors.InvalidArgumentError", ""),
        "Wrong = tf.errors.OpError\n" + RUNS.replace("tf.errors.InvalidArgumentError", "Wrong"),
        f"with contextlib.suppress(tf.errors.OpError):\n    {RUN}print(sess.run(w))\n",
        f"def train():\n    {RUN}try:\n    train()\nexcept tf.errors.OpError:\n    pass\nprint(sess.run(w))\n",
    ],
    ids=["any", "bare", "a name", "a context", "a function"],
)
def test_errors_that_may_be_handled(runs: str) -> None:
    refuses(HEAD + UPDATE + BEHIND + SESSION + runs, REASON)


@pytest.mark.parametrize(
    ("code", "runs"),
    [
        (UPDATE + BEHIND, RUN),
        (UPDATE + BEHIND, f"try:\n    {RUN}except KeyboardInterrupt:\n    pass\n"),
        (UPDATE + BEHIND, f"try:\n    {RUN}except tf.errors.OutOfRangeError:\n    pass\n"),
        (UPDATE + BEHIND, f"try:\n    float('a')\nexcept Exception:\n    {RUN}"),
        (UPDATE + BEHIND.replace("1.0", "v[0]"), f"try:\n    {RUN}except Exception:\n    pass\n"),
    ],
    ids=["none", "another", "the end of data", "in the handler", "what reads it"],
)
def test_what_fails_in_silence_nowhere_stays_native(code: str, runs: str) -> None:
    made_native(HEAD + code + SESSION + runs + "print(sess.run(w))\n")


def test_what_reads_an_update_that_failed_is_not_made(run_legacy: Callable[..., str]) -> None:
    runs = RUNS.replace("InvalidArgumentError", "OpError")
    code = HEAD + UPDATE + BEHIND.replace("1.0", "v[0]") + SESSION + runs
    assert printed(made_native(code).text) == run_legacy(code)
