"""Averages of tensors that functions keep: batch normalization by hand, as programs took it from Stack Overflow."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

from tests.native.native import made_native, printed, refuses

HEAD = """\
import json
import numpy as np
import tensorflow as tf
def batch_norm(x, size, phase, decay=0.5):
    with tf.variable_scope('bn'):
        beta = tf.Variable(tf.constant(0.0, shape=[size]), name='beta')
        gamma = tf.Variable(tf.constant(1.0, shape=[size]), name='gamma')
        mean, var = tf.nn.moments(x, [0], name='moments')
        ema = tf.train.ExponentialMovingAverage(decay=decay)
"""
NORMED = "        return tf.nn.batch_normalization(x, {}, {}, beta, gamma, 1e-3)\n"
IN_BRANCH = """\
        def update():
            apply_op = ema.apply([mean, var])
            with tf.control_dependencies([apply_op]):
                return tf.identity(mean), tf.identity(var)
        m, v = tf.cond(phase, update, lambda: (ema.average(mean), ema.average(var)))
"""
BEFORE = """\
        apply_op = tf.cond(phase, lambda: ema.apply([mean, var]), lambda: tf.no_op())
        def update():
            with tf.control_dependencies([apply_op]):
                return tf.identity(mean), tf.identity(var)
        m, v = tf.cond(phase, update, lambda: (ema.average(mean), ema.average(var)))
"""
NAMED = """\
        def update():
            with tf.control_dependencies([ema.apply([mean, var])]):
                m = tf.identity(mean)
                v = tf.identity(var)
            return m, v
        def kept():
            return ema.average(mean), ema.average(var)
        m, v = tf.cond(phase, true_fn=update, false_fn=kept)
"""
NET = """\
x = tf.placeholder(tf.float32, [None, 2])
phase = tf.placeholder(tf.bool, [])
h = tf.nn.relu(batch_norm(x, 2, phase))
y = batch_norm(tf.matmul(h, [[0.5, 1.0, 0.0], [1.0, -1.0, 2.0]]), 3, phase, 0.75)
loss = tf.reduce_mean(tf.square(y - 1.0))
step = tf.train.GradientDescentOptimizer(0.125).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
DATA = [[0.0, 2.0], [4.0, 3.0], [1.0, -1.0]]
"""
SHOW = "print(json.dumps(np.array(sess.run({}, {{x: DATA, phase: {}}})).tolist()))\n"


RUN = "sess.run(step, {x: DATA, phase: True})\n" + SHOW.format("y", "False")


def _program(body: str, results: tuple[str, str] = ("m", "v"), net: str = NET) -> str:
    return HEAD + body + NORMED.format(*results) + net


def _assert_like_tf1(code: str, run_legacy: Callable[..., str]) -> str:
    expected = [json.loads(line) for line in run_legacy(code).splitlines()]
    text = made_native(code).text
    for line, value in zip(printed(text).splitlines(), expected, strict=True):
        np.testing.assert_allclose(json.loads(line), value, atol=2e-5)
    return text


@pytest.mark.parametrize("body", [IN_BRANCH, BEFORE, NAMED], ids=["in the branch", "before", "named"])
def test_numbers_are_those_of_tf1(body: str, run_legacy: Callable[..., str]) -> None:
    shows = [SHOW.format("y", "False"), SHOW.format("loss", "True"), SHOW.format("y", "False")]
    runs = "for _ in range(3):\n    sess.run([step, loss], {x: DATA, phase: True})\n"
    code = _program(body) + "".join([*shows, runs, *shows, *shows])
    assert "compat.train.ExponentialMovingAverage(decay=decay)" in _assert_like_tf1(code, run_legacy)


CALLS = """\
def lrelu(t):
    return tf.where(t > 0.0, t, 0.25 * t)
def both(t, phase):
    for k in (0.5, 0.75):
        t = batch_norm(t * k, 2, phase, k)
    return t
"""


def _calling(expression: str) -> str:
    return _program(IN_BRANCH, net=CALLS + NET[: NET.index("h = ")] + f"y = {expression}\n" + NET[NET.index("loss") :])


def test_calls_inside_others(run_legacy: Callable[..., str]) -> None:
    code = _calling("lrelu(batch_norm(tf.layers.flatten(batch_norm(x, 2, phase)), 2, phase, 0.75))") + RUN * 2
    _assert_like_tf1(code, run_legacy)


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("[batch_norm(k * x, 2, phase) for k in (tf.constant(1.0), tf.constant(2.0))][0]", "are moved twice"),
        ("both(x, phase)", "may not wait for that"),
    ],
)
def test_calls_that_are_repeated_are_refused(expression: str, reason: str) -> None:
    refuses(_calling(expression) + RUN, reason)


def test_a_step_alone_moves_them(run_legacy: Callable[..., str]) -> None:
    code = _program(IN_BRANCH) + RUN * 3
    _assert_like_tf1(code, run_legacy)


STRAIGHT = """\
        apply_op = ema.apply([mean, var])
        def update():
            with tf.control_dependencies([apply_op]):
                return tf.identity(mean), tf.identity(var)
"""
TWO = NET.replace("loss =", "aside = batch_norm(x * 2.0, 2, phase)\nloss =")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        # In TF 1.15.5 nothing moves these averages.
        (_program("        apply_op = ema.apply([mean, var])\n", ("mean", "var")), "may not wait for that"),
        (
            _program(IN_BRANCH.replace("tf.identity(mean), tf.identity(var)", "mean, var")),
            "`mean` may make no operation that waits",
        ),
        (_program(IN_BRANCH, ("mean", "var")), "may not wait for that"),
        (_program(IN_BRANCH, ("tf.zeros_like(m)", "var")), "may not wait for that"),
        # Which of the two comes first is open.
        (
            _program(STRAIGHT + IN_BRANCH.splitlines(keepends=True)[-1]),
            "one run reads averages and moves them, in no order",
        ),
        (
            _program(BEFORE.replace("tf.cond(phase, update", "tf.cond(tf.logical_not(phase), update")),
            "one run reads averages and moves them, in no order",
        ),
        (
            _program(BEFORE.replace("        def update", "        phase = tf.logical_not(phase)\n        def update")),
            "one run reads averages and moves them, in no order",
        ),
        (
            _program(IN_BRANCH.replace("(ema.average(mean), ema", "(ema.apply([mean]), ema")),
            "averages of a function are moved twice",
        ),
        (
            _program(IN_BRANCH.replace("ema.apply([mean", "ema.apply([mean, beta")),
            "which tensors a function averages is not known",
        ),
        (
            _program(IN_BRANCH).replace("(decay=decay)", "(decay=decay, zero_debias=True)"),
            "`zero_debias` of averages that a function makes",
        ),
        (
            _program(IN_BRANCH).replace("(decay=decay)", "(decay, tf.train.get_or_create_global_step())"),
            "global step",
        ),
        (_program(IN_BRANCH, net=TWO), "the run may need `aside`, which does more than compute, or may not"),
        (
            _program(IN_BRANCH, net=NET.replace("sess =", "saver = tf.train.Saver()\nsess =")),
            "averages of tensors are saved or listed",
        ),
        (
            _program(IN_BRANCH, net=NET.replace("sess =", "names = [v.name for v in tf.global_variables()]\nsess =")),
            "`tf.global_variables` is not understood",
        ),
        (
            _program(
                STRAIGHT + "        m, v = update()\n        return apply_op\n",
                net=NET.replace("relu(batch_norm(", "relu(("),
            ),
            "may not wait for that",
        ),
        (
            _program(
                "        def loop(i, m):\n            with tf.control_dependencies([ema.apply([mean])]):\n"
                "                return i + 1, tf.identity(m)\n"
                "        _, m = tf.while_loop(lambda i, m: i < 2, loop, [0, mean])\n",
                ("m", "var"),
            ),
            "may not wait for that",
        ),
    ],
)
def test_what_is_not_sure_is_refused(code: str, reason: str) -> None:
    refuses(code + RUN, reason)
