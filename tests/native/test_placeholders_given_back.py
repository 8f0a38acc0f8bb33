"""Placeholders that get other names: a function gives back what it was given. Under each of them the same is fed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

HEAD = """\
import numpy as np
import tensorflow as tf


def build(x, t):
    w = tf.Variable([[1.0], [2.0]])
    y = tf.matmul(x, w)
    loss = tf.reduce_mean(tf.square(y - t))
    return {}


x = tf.placeholder(tf.float32, [None, 2])
t = tf.placeholder(tf.float32, [None, 1])
a, b = np.array([[1.0, 2.0], [3.0, 4.0]]), np.ones((2, 1))
"""
TAIL = """\
train = tf.train.GradientDescentOptimizer(0.01).minimize(LOSS)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(3):
    print("%.4f" % sess.run([LOSS, train], FED)[0])
"""


def program(returned: str, code: str, loss: str, fed: str) -> str:
    return HEAD.replace("{}", returned) + code + TAIL.replace("LOSS", loss).replace("FED", fed)


SAME = {
    "under the same name": program("x, y, loss", "x, y, loss = build(x, t)\n", "loss", "{x: a, t: b}"),
    "under another name": program("x, y, loss", "data, y, loss = build(x, t)\n", "loss", "{t: b, data: a}"),
    "under both names": program("x, y, loss", "data, y, loss = build(x, t)\n", "loss", "{x: a, t: b}")
    + "print(sess.run(y, {data: a})[0, 0].round(4), sess.run(y, {x: a[:1]})[0, 0].round(4))\n",
    "in a dictionary": program(
        "{'x': x, 't': t, 'loss': loss}", "net = build(x, t)\n", "net['loss']", "{net['x']: a, net['t']: b}"
    ),
    "what is computed of it later": program(
        "x, loss", "data, loss = build(x, t)\nmore = tf.reduce_sum(data * 2.0)\n", "loss", "{data: a, t: b}"
    )
    + "print(sess.run(more, {data: a}), sess.run(more, {x: a[:1]}))\n",
    "by an assignment": program("y, loss", "y, loss = build(x, t)\ndata = x\n", "loss", "{data: a, t: b}"),
    "two names the other way round": program("t, x, loss", "x, t, loss = build(x, t)\n", "loss", "{x: b, t: a}"),
}


@pytest.mark.parametrize("name", SAME)
def test_it_is_fed_by_any_name(name: str, run_legacy: Callable[..., str]) -> None:
    code = SAME[name]
    assert printed(made_native(code).text).split() == run_legacy(code).split()


def test_fed_under_two_names_at_once() -> None:
    code = program("x, y, loss", "data, y, loss = build(x, t)\n", "loss", "{x: a, t: b, data: a * 2.0}")
    refuses(code, "`x` is fed twice, under two names")


def test_one_of_several_that_a_list_holds() -> None:
    code = program("loss", "loss = build(x, t)\ngiven = [x, t]\n", "loss", "{given[0]: a, t: b}")
    refuses(code, "something other than a placeholder is fed")
