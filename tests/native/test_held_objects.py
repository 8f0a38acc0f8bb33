"""Objects that hold objects of another class, and run parts of these."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

CODE = """\
import numpy as np
import tensorflow as tf


class Model(object):
    def __init__(self, name, size, start):
        with tf.variable_scope(name):
            self.x = tf.placeholder(tf.float32, [None, size], name="x")
            self.y = tf.placeholder(tf.float32, [None, 1], name="y")
            self.rate = tf.Variable(0.1, trainable=False, name="rate")
            hidden = tf.layers.dense(self.x, 3, tf.nn.tanh, kernel_initializer=tf.constant_initializer(start))
            net = tf.layers.dense(hidden, 1, kernel_initializer=tf.ones_initializer())
            self.loss = tf.reduce_mean(tf.square(net - self.y))
            self.mean = tf.reduce_mean(net)
            self.train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(self.loss)


class Solver(object):
    def __init__(self, sess, model, label="solver"):
        self.label = label
        self.model = model
        self.sess = sess

    def fit(self, x, y):
        feed = {
            self.model.x: x,
            self.model.y: y,
        }
        train = self.model.train
        loss = self.model.loss
        return self.sess.run([train, loss], feed_dict=feed)

    def look(self, x, y):
        loss, mean = self.sess.run([self.model.loss, self.model.mean], {self.model.y: y, self.model.x: x})
        return "%s %.5f %.5f %.2f" % (self.label, loss, mean, self.sess.run(self.model.rate))


sess = tf.Session()
one = Model("one", 2, 0.5)
solvers = [Solver(sess, one), Solver(sess, label="second", model=Model("two", 3, 0.25))]
sess.run(tf.global_variables_initializer())
data = np.array([[1.0, 2.0, 0.5], [0.5, -1.0, 1.0]])
for _ in range(3):
    print("%.5f" % solvers[0].fit(data[:, :2], [[1.0], [2.0]])[1])
    print("%.5f" % solvers[1].fit(data, [[1.0], [0.0]])[1])
print(solvers[0].look(data[:, :2], [[1.0], [2.0]]), solvers[1].look(data, [[1.0], [0.0]]))
"""
MADE = CODE[CODE.index("one = Model") : CODE.index("sess.run(tf.glob")]
ONE_OF_EACH = CODE.replace(MADE, 'model = Model("one", 2, 0.5)\nsolver = Solver(sess, model)\n')
ONE_OF_EACH = ONE_OF_EACH.replace('    print("%.5f" % solvers[1].fit(data, [[1.0], [0.0]])[1])\n', "")
ONE_OF_EACH = ONE_OF_EACH.replace(", solvers[1].look(data, [[1.0], [0.0]])", "").replace("solvers[0]", "solver")
LOOP = """\
solvers = []
for i in range(2):
    made = Model("model%d" % i, i + 2, 0.5 - 0.25 * i)
    solvers.append(Solver(sess, made))
"""
FUNCTION = ONE_OF_EACH.replace("sess = tf.Session()\n", "def main():\n    sess = tf.Session()\n")
_BODY = FUNCTION[FUNCTION.index("model = Model(") :]
FUNCTION = FUNCTION.replace(_BODY, "".join(f"    {line}\n" for line in _BODY.splitlines()) + "\n\nmain()\n")
OWN_METHODS = ONE_OF_EACH.replace(
    "\n\nclass Solver",
    """
    def predict(self, x):
        return sess.run(self.mean, {self.x: x})


class Solver""",
).replace("self.label, loss, mean,", "self.label, loss, self.model.predict(x),")
PROGRAMS = {
    "one that runs as well": OWN_METHODS,
    "two of each": CODE,
    "one of each": ONE_OF_EACH,
    "made in a loop": CODE.replace(MADE, LOOP),
    "made in a function": FUNCTION,
    "held on a condition": CODE.replace(
        "        self.model = model\n", "        if label:\n            self.model = model\n"
    ),
    "two that hold one": CODE.replace('model=Model("two", 3, 0.25)', "model=one").replace("(data,", "(data[:, :2],"),
}


@pytest.mark.parametrize("code", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_computes_what_tf1_computed(code: str, run_legacy: Callable[..., str]) -> None:
    result = made_native(code)
    assert "self.model.train_step(x, y)" in result.text
    assert printed(result.text) == run_legacy(code)


FETCH = "self.sess.run(self.model.rate)"
REFUSED = {
    "another object later": (
        "sess.run(tf.global_variables_initializer())\n",
        "sess.run(tf.global_variables_initializer())\nsolvers[0].model = one\n",
        "what is fed is not known",
    ),
    "another object, by a text": (
        "sess.run(tf.global_variables_initializer())\n",
        'sess.run(tf.global_variables_initializer())\nsetattr(solvers[0], "model", one)\n',
        "asks by a text",
    ),
    "one of two objects": (
        "Solver(sess, one)",
        'Solver(sess, one if len("a") else Model("three", 2, 0.5))',
        "what is fed is not known",
    ),
    "a name of two classes": (
        "solvers = [Solver(sess, one)",
        "other = one\none = None\none = other\nsolvers = [Solver(sess, one)",
        "what is fed is not known",
    ),
    "a default": ("Solver(sess, one)", "Solver(sess)", "what is fed is not known"),
    "arguments that are unpacked": ("Solver(sess, one)", "Solver(*[sess, one])", "others do not"),
    "a parameter that is bound again": (
        "        self.model = model\n",
        "        model = model or None\n        self.model = model\n",
        "what is fed is not known",
    ),
    "bound in a loop": (
        "        self.model = model\n",
        "        for _ in label:\n            self.model = model\n",
        "what is fed is not known",
    ),
    "an update that is built in the run": (
        FETCH,
        "self.sess.run(self.model.rate.assign(0.5))",
        "in the run",
    ),
    "a tensor that is built in the run": (FETCH, "self.sess.run(self.model.mean * 2.0)", "in the run"),
    "what the script built": (
        FETCH,
        "self.sess.run([self.model.rate, total])[0]",
        "runs parts of several objects",
    ),
    "two objects in one run": (
        FETCH,
        "self.sess.run([self.model.rate, self.other.rate])[0]",
        "runs parts of several objects",
    ),
    "a graph built on it": (
        "        self.sess = sess\n",
        "        self.sess = sess\n        self.double = model.loss * 2.0\n",
        "is not known",
    ),
    "used as a Python value": (FETCH, "self.model.mean", "is formatted as text"),
    "arguments that are unpacked behind the session": (
        "Solver(sess, one)",
        "Solver(sess, *[one])",
        "what is fed is not known",
    ),
    "used where no run is": (
        "    def look(self",
        "    def give(self):\n        return self.model.mean\n\n    def look(self",
        "is used where no run is",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    old, new, reason = REFUSED[name]
    assert old in CODE
    code = CODE.replace(old, new)
    if "default" in name:
        code = code.replace("sess, model, label", "sess, model=None, label")
    if "script" in name:
        code = code.replace("sess = tf.Session()\n", "sess = tf.Session()\ntotal = tf.Variable(1.0)\n")
    if "two objects in" in name:
        code = code.replace("        self.model = model\n", "        self.model = model\n        self.other = model\n")
    if "built on it" in name:
        code = code.replace(FETCH, "self.sess.run(self.double, {self.model.y: y, self.model.x: x})")
    refuses(code, reason)
