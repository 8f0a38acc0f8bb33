"""Names that methods give to parts of the graph before they run them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

CODE = """\
import tensorflow as tf


class Model:
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.w = tf.Variable(2.0)
        self.loss = tf.reduce_sum(self.x * self.w)
        self.double = self.loss * 2.0
        self.train = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def fit(self, x):
        # what to run
        train = self.train
        loss = self.loss
        print("fit", len(x))
        return "%.3f" % self.sess.run([loss, train], feed_dict={self.x: x})[0]

    def look(self, x, twice):
        if twice:
            value = self.double
            return self.sess.run(value, {self.x: x})
        loss = self.loss
        for _ in range(2):
            found = self.sess.run([loss, self.double], {self.x: x})
        loss, double = found
        return loss + double


model = Model()
print(model.fit([1.0, 2.0]), model.fit([1.0]))
print("%.3f %.3f" % (model.look([1.0], True), model.look([1.0], False)))
"""


def test_computes_what_tf1_computed(run_legacy: Callable[..., str]) -> None:
    result = made_native(CODE)
    assert "loss = self.loss" not in result.text
    assert printed(result.text) == run_legacy(CODE)


FETCH = "self.sess.run([loss, train], feed_dict={self.x: x})[0]"
REFUSED = {
    "used in an expression": (FETCH, "self.sess.run([loss + 1.0, train], {self.x: x})[0]", "is used where it is not"),
    "used as a Python value": ('print("fit", len(x))', "print(loss)", "is used where it is not fetched"),
    "one of two": (
        "        loss = self.loss\n        print",
        "        loss = self.loss if x else self.double\n        print",
        "the graph grows",
    ),
    "bound again by a loop": (
        "            found = self.sess.run([loss, self.double], {self.x: x})\n        loss, double = found\n",
        "            loss, double = self.sess.run([loss, self.double], {self.x: x})\n",
        "is not known",
    ),
    "one of two branches": (
        "        loss = self.loss\n        print",
        "        loss = None\n        if x:\n            print(x)\n            loss = self.loss\n        print",
        "is not known",
    ),
    "alone in a block": (
        "        loss = self.loss\n        print",
        "        if x:\n            loss = self.loss\n        print",
        "the graph grows inside a loop",
    ),
    "deleted": ('        print("fit", len(x))\n', "        del loss\n        loss = self.loss\n", "the graph grows"),
    "read by a function inside": ('print("fit", len(x))', "print((lambda: loss)())", "the session runs inside the"),
    "a variable": ("loss = self.loss\n        print", "loss = self.w\n        print", "the graph grows"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    old, new, reason = REFUSED[name]
    assert old in CODE
    code = CODE.replace(old, new)
    refuses(code, reason)
