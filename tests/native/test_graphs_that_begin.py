"""A graph that begins: behind functions that run one, and without the seed of the one before it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

HEAD = """\
import tensorflow as tf


class Net(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.w = tf.Variable(2.0)
        self.loss = tf.reduce_sum(self.x * self.w)
        self.double = tf.assign(self.w, self.w * 2.0)


def show(sess, net, scale):
    print(sess.run(net.loss, {net.x: [scale]}))


"""
BUILD = """\
net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess, net, 1.0)
    sess.run(net.double)
    show(sess, net, 3.0)
"""
RESET = "tf.reset_default_graph()\n"
DRAWN = """\
v = tf.Variable(tf.random_normal([3], seed=42))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(v))
"""
SEED = "tf.set_random_seed(1)\n"
IMPORT = "import tensorflow as tf\n"
GRAPH = "with tf.Graph().as_default():\n"


def indented(code: str) -> str:
    return "".join(f"    {line}\n" for line in code.splitlines())


NATIVE = {
    "behind a class and a function that runs": HEAD + RESET + BUILD,
    "twice": HEAD + RESET + RESET + BUILD,
    "with a seed of its own": IMPORT + RESET + SEED + DRAWN,
    "with a seed in the place of another": IMPORT + SEED.replace("1", "7") + RESET + SEED + DRAWN,
    "in a block, with a seed of its own": IMPORT + GRAPH + indented(SEED + DRAWN),
    "in a block, with a seed in the place of another": IMPORT + SEED.replace("1", "7") + GRAPH + indented(SEED + DRAWN),
}


@pytest.mark.parametrize("code", NATIVE.values(), ids=NATIVE.keys())
def test_computes_what_tf1_computed(code: str, run_legacy: Callable[..., str]) -> None:
    result = made_native(code)
    assert "reset_default_graph" not in result.text
    assert printed(result.text) == run_legacy(code)


LOST = "is a seed of another graph than the one that begins here"
REFUSED = {
    "a seed that is thrown away": (IMPORT + SEED + RESET + DRAWN, LOST),
    "a seed that is set anew too late": (IMPORT + SEED + RESET + "v = tf.zeros([2])\n" + SEED + DRAWN, LOST),
    "a seed that a function set": (IMPORT + f"def start():\n    {SEED}\n\nstart()\n" + RESET + DRAWN, LOST),
    "a seed outside a block of a graph": (IMPORT + SEED + GRAPH + indented(DRAWN), LOST),
    "a seed outside a graph that has a name": (
        IMPORT + SEED + "graph = tf.Graph()\nwith graph.as_default():\n" + indented(DRAWN),
        LOST,
    ),
    "a session of the graph that is thrown away": (
        HEAD + "sess = tf.Session()\n" + RESET + BUILD.replace("with tf.Session() as sess:\n", "if True:\n"),
        "is thrown away",
    ),
    "a part of the graph that is thrown away": (HEAD + "c = tf.constant(1.0)\n" + RESET + BUILD, "is thrown away"),
    "a graph that an object throws away": (
        HEAD.replace("        self.x =", f"        {RESET}        self.x =") + BUILD,
        "is thrown away",
    ),
    "a graph that is thrown away in a loop": (HEAD + f"for _ in range(2):\n    {RESET}" + BUILD, "is thrown away"),
}


@pytest.mark.parametrize(("code", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_refuses(code: str, reason: str) -> None:
    refuses(code, reason)
