"""Fetched variables of one element, where numbers are wanted: NumPy took an array of one for a number then."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from native import printed, rewritten

HEAD = "import numpy as np\nimport tensorflow as tf\n"
START = "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\n"
PROGRAMS = {
    "a physical model": """\
class Model(object):
    def __init__(self):
        self.first = tf.Variable([0.5], dtype=tf.float32)
        self.second = tf.Variable([-2.0], dtype=tf.float32)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())
    def show(self):
        first, second = self.sess.run([self.first, self.second])
        second = np.exp(second)
        error = np.abs(first - 1.0) * 100
        print("first %.3f, second: %.5f, error %.2f%%" % (first, second, error))
        print("Error: %.5f" % (error))
Model().show()
""",
    "a step counter": "step = tf.Variable(tf.zeros([1]), name='step')\nmore = step + 3.0\n"
    + START
    + "value = sess.run(step)\nprint(int(value), float(sess.run(step)) + 1.0, '%s %d' % ('steps', sess.run(step)))\n"
    "print(value.shape, sess.run(more).tolist())\n",
    "what is shown as it is": "b = tf.get_variable('b', [1], initializer=tf.zeros_initializer())\n"
    + START
    + "value = b.eval(session=sess)\nprint('%s' % value, '%.1f' % (value + 1), value)\n",
}


@pytest.mark.parametrize("code", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_numbers_of_arrays(code: str, tier: str, run_legacy: Callable[..., str]) -> None:
    assert printed(rewritten(HEAD + code, tier=tier).text) == run_legacy(HEAD + code)


def test_other_values_are_left_alone() -> None:
    code = HEAD + "w = tf.Variable([1.0, 2.0])\nv = tf.Variable(3.0)\n" + START
    code += "print(float(sess.run(v)), '%.1f' % sess.run(v), int(np.float32(2)), '%s' % sess.run(w))\n"
    assert ".item()" not in rewritten(code).text
