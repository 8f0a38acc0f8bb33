"""Tests of a library of modules, as Sonnet is one: each becomes one function, whatever the base class does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.originals import pass_in_tensorflow_1
from tests.native.test_cases import fails, passes
from tests.native.test_traced_cases import CLASS, tiers

HEAD = """\
import contextlib

import numpy as np
import tensorflow as tf
from absl.testing import parameterized
from tensorflow.python.framework import function
from tensorflow.python.layers import utils

SAME = "SAME"
STACK = []


@contextlib.contextmanager
def noticed(callback):
    def creator(getter, **kwargs):
        made = getter(**kwargs)
        callback(made)
        return made
    with tf.variable_creator_scope(creator):
        yield


class Module(object):
    def __init__(self, name):
        self._template = tf.make_template(name, self._build, create_scope_now_=True)
        self._graph = None
        self._variables = set()

    def __call__(self, *args, **kwargs):
        with tf.init_scope():
            graph = tf.get_default_graph()
            eager = tf.executing_eagerly()
        if self._graph is None:
            self._graph = graph
            self._graph.add_to_collection("modules", self)
        if not eager and self._graph != graph:
            raise ValueError("a module of another graph")
        STACK.append(self)
        with noticed(self._variables.add):
            result = self._template(*args, **kwargs)
            self._variables.update(self._template.variables)
        STACK.pop()
        if STACK:
            STACK[-1]._variables.update(self._variables)
        return result

    def defun(self):
        self._build = tf.contrib.eager.defun(self._build)

    @property
    def variables(self):
        return tuple(sorted(self._variables, key=lambda variable: variable.name))


@function.Defun(python_grad_func=lambda op, grad: 10.0 * grad, func_name="Tenfold")
def tenfold(x):
    return x


class Linear(Module):
    def __init__(self, units, padding=SAME, initial=1.0, name="linear"):
        super(Linear, self).__init__(name)
        self._units = units
        self._padding = padding
        self._initial = initial

    def _build(self, x, training=True):
        if self._padding == SAME:
            x = tf.pad(x, [[0, 0], [1, 0]])
        width = x.get_shape().as_list()[1]
        w = tf.get_variable("w", [width, self._units], initializer=tf.constant_initializer(self._initial))
        b = tf.get_variable("b", [self._units], initializer=tf.zeros_initializer())
        y = tf.matmul(x, w) + b
        return utils.smart_cond(training, lambda: y, lambda: y * 2.0)


class Pair(Module):
    def __init__(self):
        super(Pair, self).__init__("pair")
        with tf.variable_scope(self._template.variable_scope):
            self.first = Linear(2)

    def _build(self, x):
        return Linear(1, name="second")(self.first(x))


"""

NATIVE = {
    "an error of the last of several runs": """\
    def testAny(self):
        y = Linear(1)(tf.ones([1, 1]))
        z = tf.gather(y, 5)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y).shape, [1, 1])
            with self.assertRaisesRegexp(tf.errors.InvalidArgumentError, "indices"):
                sess.run(z)
""",
    "variables in a set": """\
    def testVariables(self):
        pair = Pair()
        y = pair(tf.constant([[1.0, 2.0]]))
        self.assertEqual([v.name for v in pair.variables],
                         ["pair/linear/b:0", "pair/linear/w:0", "pair/second/b:0", "pair/second/w:0"])
        self.assertEqual(set(pair.variables), set(tf.trainable_variables()))
        self.assertTrue(pair.variables[0] in pair.first.variables)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [[6.0]])
""",
    "variables that are shared": """\
    def testShared(self):
        linear = Linear(1)
        total = linear(tf.ones([1, 2])) + linear(tf.ones([3, 2]), training=False)
        self.assertEqual(len(linear.variables), 2)
        with self.test_session() as sess:
            tf.variables_initializer(linear.variables).run()
            self.assertAllClose(sess.run(total), [[6.0]] * 3)
""",
    "a gradient of a function's own": """\
    def testGradient(self):
        x = tf.ones([1, 2])
        linear = Linear(1, padding="VALID", initial=2.0)
        y = tenfold(linear(x))
        w = linear.variables[1]
        gradients = tf.gradients(y, [x, w])
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            of_x, of_w = sess.run(gradients)
            self.assertAllClose(of_x, [[20.0, 20.0]])
            self.assertAllClose(of_w, [[10.0], [10.0]])
""",
    "what is expected is worked out between building and running": """\
    def testExpected(self):
        use_bias = True
        y = Linear(1)(tf.constant(np.ones([1, 2], dtype=np.float32)))
        expected = np.zeros([1, 1])
        # One for each weight.
        for _ in range(2):
            expected[0, 0] += 1.0
        if use_bias:
            expected += 0.0
        init_op = tf.variables_initializer(tf.global_variables())
        with self.test_session() as sess:
            sess.run(init_op)
            self.assertAllClose(np.reshape(sess.run(y), [1, 1]), expected)
""",
    "a list that is filled behind building": """\
    def testFilled(self):
        given = [1.0, 2.0]
        y = tf.reduce_sum(tf.constant(given)) * Linear(1)(tf.ones([1, 1]))
        given.append(3.0)
        given = [given]
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y) * 2.0, [[given[0][2] * 2.0]])
""",
    "a method of what a run gives": """\
    def testFlat(self):
        y = Linear(2)(tf.ones([1, 1]))
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y).flatten(), [1.0, 1.0])
""",
    "a name that is a value first and then a tensor": """\
    def testRebound(self):
        given = np.ones([1, 1], dtype=np.float32)
        given[0, 0] = 3.0
        given = tf.convert_to_tensor(given)
        y = Linear(1)(given)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [[3.0]])
""",
    "a variable in parts": """\
    def testParts(self):
        w = tf.get_variable("w", [4, 2], initializer=tf.ones_initializer(),
                            partitioner=tf.variable_axis_size_partitioner(16))
        y = tf.nn.embedding_lookup(w, [3], partition_strategy="div") * float(len(tf.global_variables()))
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [[2.0, 2.0]])
""",
    "numbers that a weight and what is computed with it take": """\
    def testDrawn(self):
        drawn = np.random.rand(2).astype(np.float32)
        w = tf.get_variable("w", initializer=tf.constant(drawn))
        y = Linear(1)(tf.ones([1, 1])) * (w - drawn)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [[0.0, 0.0]])
""",
    "what only building needs, beside what else is built": """\
    def testChosen(self):
        chosen = Linear(1, initial=1.0)
        # Another one.

        initial = {"initial": tf.float32.as_numpy_dtype(2.0)}
        chosen = Linear(1, **initial)
        y = chosen(tf.ones([1, 1]))
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            value = sess.run(y)
            self.assertAllClose(value, [[2.0]])
""",
}


@pytest.mark.parametrize("methods", NATIVE.values(), ids=NATIVE.keys())
def test_a_test_of_modules(methods: str, tmp_path: Path) -> None:
    text = HEAD + CLASS + methods
    result = rewritten(text)
    assert set(tiers(result)) == {"native"}, [site.reason for site in result.sites]
    assert "ession" not in result.text.partition("class AnyTest")[2]
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 1)
    fails(result.text.replace("assertAllClose", "assertNotAllClose"), tmp_path)


def test_they_pass_in_tensorflow_1(tmp_path: Path, legacy_python: Path) -> None:
    pass_in_tensorflow_1((f"{HEAD}{CLASS}{methods}" for methods in NATIVE.values()), tmp_path, legacy_python)


def test_beside_a_test_that_is_bridged(tmp_path: Path) -> None:
    updates = """\
    def testUpdate(self):
        linear = Linear(1)
        y = linear(tf.ones([1, 1]))
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(linear.variables[0].assign([3.0]))
            self.assertAllClose(sess.run(y), [[4.0]])

"""
    result = rewritten(HEAD + CLASS + updates + NATIVE["variables in a set"])
    assert tiers(result) == ["bridge", "bridge", "native"]
    passes(result.text, tmp_path, 2)


def test_a_test_that_only_builds_keeps_its_graph(tmp_path: Path) -> None:
    """It runs nothing, but makes variables: the class goes on opening a graph for it."""
    builds = """\
    def testNames(self):
        linear = Linear(1)
        linear(tf.ones([1, 2]))
        self.assertEqual([v.name for v in linear.variables], ["linear/b:0", "linear/w:0"])

"""
    result = rewritten(HEAD + CLASS + builds + NATIVE["variables that are shared"])
    assert tiers(result) == ["native"]
    passes(result.text, tmp_path, 2)


def test_modules_that_parameters_name(tmp_path: Path) -> None:
    test = """\
    @parameterized.parameters((Linear, {"units": 1}), (Linear, {"units": 1, "padding": "VALID"}))
    def testMade(self, kind, arguments):
        linear = kind(**arguments)
        y = linear(tf.ones([1, 2]))
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [[2.0]])
"""
    result = rewritten(HEAD + "class AnyTest(tf.test.TestCase, parameterized.TestCase):\n" + test)
    assert tiers(result) == ["native"]
    assert result.text.index("with store") < result.text.index("kind(**arguments)")
    passes(result.text, tmp_path, 2)


def test_a_comment_that_stands_apart() -> None:
    text = rewritten(HEAD + CLASS + NATIVE["what only building needs, beside what else is built"]).text
    assert "                # Another one.\n\n                initial = {" in text


def test_what_moves_behind_the_call() -> None:
    text = rewritten(HEAD + CLASS + NATIVE["what is expected is worked out between building and running"]).text
    assert (
        text.partition("return y\n")[2].partition("self.assert")[0]
        == """\

        y_value = tf.nest.map_structure(lambda value: value.numpy(), compute_y())
        # One for each weight.
        for _ in range(2):
            expected[0, 0] += 1.0
        if use_bias:
            expected += 0.0
        """
    )


RUN = "        with self.test_session() as sess:\n            sess.run(tf.global_variables_initializer())\n"
REFUSED = {
    "data that is filled before it is fed": "        x = tf.placeholder(tf.float32, [None, 1])\n"
    "        y = Linear(1)(x)\n        data = np.zeros([2, 1])\n        for i in range(2):\n            data[i] = i\n"
    "{run}            sess.run(y, {x: data})\n",
    "data that is filled under another name": "        x = tf.placeholder(tf.float32, [None, 1])\n"
    "        y = Linear(1)(x)\n        data = np.zeros([2, 1])\n        flat = data.ravel()\n"
    "        for i in range(2):\n            data[i] = i\n"
    "{run}            sess.run(y, {x: flat})\n",
    "a list that building reads later": "        given = [1.0]\n        linear = Linear(1)\n"
    "        size = [len(given)]\n        size.append(given.append(2.0))\n        y = linear(tf.constant([given]))\n"
    "{run}            self.assertAllClose(sess.run(y), size)\n",
    "a comparison that is a value": "        a = Linear(1)(tf.ones([1, 1]))\n        b = a + 0.0\n"
    "        y = tf.cast(a == b, tf.float32)\n{run}            sess.run(y)\n",
    "an error of the first of several runs": "        y = Linear(1)(tf.ones([1, 1]))\n"
    "        z = tf.gather(y, 5)\n"
    "{run}            with self.assertRaises(tf.errors.InvalidArgumentError):\n                sess.run(z)\n"
    "            sess.run(y)\n",
    "an error for want of initial values": "        y = Linear(1)(tf.ones([1, 1]))\n"
    "        with self.test_session() as sess:\n"
    "            with self.assertRaises(tf.errors.FailedPreconditionError):\n                sess.run(y)\n",
    "the nodes of the graph": "        y = Linear(1)(tf.ones([1, 1]))\n"
    "        names = tf.get_default_graph().get_operations()\n        y = y * float(len(names))\n"
    "{run}            sess.run(y)\n",
    "gradients that the graph overrides": "        with tf.get_default_graph().gradient_override_map({'Pad': 'Any'}):\n"
    "            y = Linear(1)(tf.ones([1, 1]))\n{run}            sess.run(y)\n",
    "an update of a variable of a set": "        linear = Linear(1)\n        y = linear(tf.ones([1, 1]))\n"
    "        change = linear.variables[0].assign([3.0])\n{run}            sess.run(change)\n            sess.run(y)\n",
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(body: str) -> None:
    result = rewritten(HEAD + CLASS + f"    def testAny(self):\n{body.replace('{run}', RUN)}")
    sites = [site for site in result.sites if not site.initializer_only]
    assert sites
    assert {site.tier for site in sites} == {"bridge"}
    assert all(site.reason and site.next_step for site in sites)
