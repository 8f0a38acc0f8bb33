"""Tests that become one function: what decorators pass, names that are bound again, tensors asserted to be the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.originals import pass_in_tensorflow_1
from tests.native.test_cases import fails, passes, run_tests
from tests.native.test_traced_cases import RUN, module, tiers

HEAD = "class AnyTest(tf.test.TestCase, parameterized.TestCase):\n"
NATIVE = {
    "a value that is passed beside a function": """\
    @parameterized.named_parameters(("twice", lambda x: tf.multiply(x, 2.0), [2.0, 4.0]))
    def testPassed(self, build, expected):
        y = build(tf.constant([1.0, 2.0]))
        with self.test_session() as sess:
            found = sess.run(y)
        self.assertAllClose(np.reshape(np.array(expected), [2]), found)
""",
    "a parameter that takes the tensor of its value": """\
    @parameterized.parameters(([1.0, 2.0],))
    def testRebound(self, x):
        line = Line(2.0)
        x = tf.constant(x)
        y = line(x) + x
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [4.0, 7.0])
""",
    "a parameter that is bound again in a condition": """\
    @parameterized.parameters((None, 3.0), (tf.negative, -3.0))
    def testChosen(self, reducer, expected):
        y = Line(2.0)(tf.constant(1.0))
        if reducer is None:
            reducer = reducer or tf.identity
        y = reducer(y)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), expected)
""",
    "a number that is needed behind, and becomes a tensor": """\
    @parameterized.parameters((False,), (True,))
    def testIndex(self, given):
        values = [1.0, 5.0]
        index = 1
        expected = values[index]
        if given:
            index = tf.constant(index)
        y = tf.gather(Line(2.0)(tf.constant(values)), index)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), 2.0 * expected + 1.0)
""",
    "an array that is changed before it becomes a tensor": """\
    def testBefore(self):
        x = np.ones([2])
        kept = x
        kept[0] = 2.0
        scale = x[1]
        x = tf.to_float(x)
        y = Line(scale)(x)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y) - 1.0, kept)
""",
    "an array that is changed when it has become a tensor": """\
    def testBehind(self):
        x = np.ones([2])
        kept = x
        x = tf.to_float(x)
        kept[0] = 5.0
        y = Line(2.0)(x)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [3.0, kept[0] - 2.0])
""",
    "the same tensors": """\
    def testSame(self):
        x = tf.constant([1.0, 2.0])
        line = Line(2.0)
        y = line(x)
        line.given = x
        given = {"x": x, "none": None}
        self.assertEqual(line.given, given["x"])
        self.assertEqual(given["none"], None)
        self.assertEqual(x, x, "the same tensor")
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [3.0, 5.0])
""",
}


@pytest.mark.parametrize("methods", NATIVE.values(), ids=NATIVE.keys())
def test_it_becomes_one_function(methods: str, tmp_path: Path) -> None:
    result = rewritten(module(methods, head=HEAD))
    assert set(tiers(result)) == {"native"}, [site.reason for site in result.sites]
    assert "ession" not in result.text.partition("class AnyTest")[2]
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, methods.count("(None, ") + methods.count("(False,") + 1)
    fails(result.text.replace("assertAllClose", "assertNotAllClose"), tmp_path)


def test_they_pass_in_tensorflow_1(tmp_path: Path, legacy_python: Path) -> None:
    pass_in_tensorflow_1((module(methods, head=HEAD) for methods in NATIVE.values()), tmp_path, legacy_python)


def test_the_names() -> None:
    """The parameter keeps its name outside, and where the function binds the new value of it."""
    text = rewritten(module(NATIVE["a parameter that takes the tensor of its value"], head=HEAD)).text
    assert "own_x = tf.constant(x)\n                y = line(own_x) + own_x\n" in text
    text = rewritten(module(NATIVE["a parameter that is bound again in a condition"], head=HEAD)).text
    assert "own_reducer = reducer\n" in text and "y = own_reducer(y)\n" in text


def test_other_tensors_are_not_the_same(tmp_path: Path) -> None:
    """Tensors of equal values were not equal in TensorFlow 1."""
    other = NATIVE["the same tensors"].replace("line.given = x", "line.given = tf.identity(x)")
    result = rewritten(module(other, head=HEAD))
    assert tiers(result) == ["native"]
    assert 'self.assertEqual([line.given], [given["x"]])' in result.text
    outcome = run_tests(result.text, tmp_path)
    assert len([*outcome.failures, *outcome.errors]) == 1


DERIVED = """\
class BaseTest(tf.test.TestCase, parameterized.TestCase):
    pass


class AnyTest(BaseTest):
"""
REFUSED = {
    "a function that reads a name that is bound again": (
        "    @parameterized.parameters((1.0,))\n    def testAny(self, x):\n        given = lambda: x\n"
        "        first = given()\n        x = tf.constant(5.0)\n        y = Line(2.0)(given())\n{run}"
        "            found = sess.run(y)\n        self.assertEqual(found, 10.0 + first)\n",
        "`x`, a part of the graph, is used as a Python value",
    ),
    "a generator of a name that is bound again": (
        "    @parameterized.parameters((1.0,))\n    def testAny(self, x):\n        given = (x for _ in range(2))\n"
        "        first = next(given)\n        x = tf.constant(5.0)\n        y = Line(2.0)(next(given))\n{run}"
        "            found = sess.run(y)\n        self.assertEqual(found, 10.0 + first)\n",
        "`x`, a part of the graph, is used as a Python value",
    ),
    "a function of the test that updates": (
        "    def testAny(self):\n        change = lambda variable: variable.assign_add(1.0)\n        line = Line(2.0)\n"
        "        y = line(1.0)\n        change(line.slope)\n{run}            sess.run(y)\n",
        "building may change `change`, and is repeated",
    ),
    "any number of parameters": (
        "    @parameterized.parameters((tf.negative, 2.0))\n    def testAny(self, *given):\n"
        "        y = Line(2.0)(1.0)\n{run}            found = sess.run(y)\n"
        "        self.assertEqual(given[0](found), given[1])\n",
        "what is built behind a run depends on it",
    ),
    "what may be called behind a run": (
        "    @parameterized.parameters((tf.negative, 2.0))\n    def testAny(self, change, expected):\n"
        "        y = Line(2.0)(1.0)\n{run}            found = sess.run(y)\n"
        "        self.assertEqual(change(found), expected)\n",
        "what is built behind a run depends on it",
    ),
    "values that are not written out": (
        "    @parameterized.parameters(*[(tf.add, 3.0)])\n    def testAny(self, build, expected):\n"
        "        y = build(Line(2.0)(1.0), 1.0)\n{run}            found = sess.run(y)\n"
        "        self.assertEqual(found, np.reshape(build, []))\n",
        "what is built behind a run depends on it",
    ),
    "tensors asserted to be others": (
        "    def testAny(self):\n        line = Line(2.0)\n        y = line(1.0)\n"
        "        self.assertNotEqual(y, line.slope)\n{run}            sess.run(y)\n",
        "what may be tensors is compared",
    ),
    "a name that a function inside has for itself": (
        "    @parameterized.parameters((1.0,))\n    def testAny(self, x):\n        double = lambda x: tf.add(x, x)\n"
        "        x = double(x)\n        y = Line(2.0)(x)\n{run}            sess.run(y)\n",
        "`x` is bound twice",
    ),
}


@pytest.mark.parametrize(("test", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(test: str, reason: str) -> None:
    result = rewritten(module(test.replace("{run}", RUN), head=DERIVED))
    (site,) = (site for site in result.sites if site.function == "AnyTest.testAny" and not site.initializer_only)
    assert site.tier == "bridge"
    assert (site.reason or "").startswith(reason)
