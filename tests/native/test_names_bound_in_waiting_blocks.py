"""Blocks that wait, and that give what they wait for another meaning: the header means what it meant above."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from native import printed, rewritten

HEAD = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(2.0)
y = x * w
"""
START = "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\nfeed = {x: [1.0, 2.0]}\n"
REBOUND = {
    "a list": "u = [x * 10.0, x * 20.0]\nwith tf.control_dependencies(u):\n    u = tf.identity(y)\n"
    + "    z = tf.reduce_sum(u)\n"
    + START
    + "print(sess.run(z, feed), sess.run(u, feed).tolist())\n",
    "a tensor": "h = x * 100.0\nwith tf.control_dependencies([h]):\n    h = y + 1.0\n    h = h * 2.0\n"
    + "    z = tf.reduce_max(h)\n"
    + START
    + "print(sess.run(z, feed), sess.run(h, feed).tolist())\n",
    "a list that grows": "checks = [x * 10.0]\nwith tf.control_dependencies(checks):\n    a = tf.identity(y)\n"
    "    checks.append(a)\n    b = tf.add_n(checks)\n"
    + START
    + "print(sess.run(b, feed).tolist(), sess.run(a, feed).tolist())\n",
    "a name that it adds to": "total = tf.reduce_sum(x)\nwith tf.control_dependencies([total]):\n    total += 1.0\n"
    "    z = total * w\n" + START + "print(sess.run(z, feed), sess.run(total, feed))\n",
    "an attribute": "class Net(object):\n    def __init__(self):\n        self.h = x * 10.0\n"
    "        with tf.control_dependencies([self.h]):\n            self.h = tf.identity(y)\n"
    "            self.z = tf.reduce_sum(self.h)\nnet = Net()\n" + START + "print(sess.run(net.z, feed))\n",
    "the last statement": "h = x * 100.0\nwith tf.control_dependencies([h]):\n    z = y + 1.0\n    h = z * 2.0\n"
    + START
    + "print(sess.run(z, feed).tolist(), sess.run(h, feed).tolist())\n",
    "the only statement": "h = x * 100.0\ncheck = tf.reduce_sum(h)\nwith tf.control_dependencies([h, check]):\n"
    "    h = tf.identity(h * w)\nz = tf.reduce_sum(h)\n"
    + START
    + "print(sess.run(z, feed), sess.run(h, feed).tolist())\n",
}
NATIVE = ("the last statement", "the only statement")


@pytest.mark.parametrize("kind", REBOUND)
def test_is_as_in_tf1(kind: str, run_legacy: Callable[..., str]) -> None:
    code = HEAD + REBOUND[kind]
    result = rewritten(code)
    assert {site.tier for site in result.sites} == {"native" if kind in NATIVE else "bridge"}
    assert printed(result.text) == run_legacy(code)
