"""Tests of users: each test of a class is a program of its own, and becomes native by itself."""

from __future__ import annotations

import runpy
import unittest
from pathlib import Path
from typing import Any

import pytest

from tests.native.native import Rewritten, rewritten
from tf_migrate.planning import planner
from tf_migrate.stages.user_tests.case_function import Traced
from tf_migrate.stages.user_tests.traced import trace_of
from tf_migrate.stages.values import Refused

HEAD = """\
import numpy as np
import tensorflow as tf
from absl.testing import parameterized


def scaled(x, factor=2.0):
    return x * factor


"""
CLASS = "class AnyTest(tf.test.TestCase):\n"
SET_UP = """\
    def setUp(self):
        super(AnyTest, self).setUp()
        self.x = tf.constant([1.0, 2.0])
        self.expected = [2.0, 4.0]

"""
BRIDGED = """
    def testOther(self):
        tf.add(1.0, 2.0, name="three")
        with self.test_session() as sess:
            self.assertEqual(sess.run("three:0"), 3.0)
"""


def module(*methods: str, head: str = CLASS) -> str:
    return HEAD + head + "\n".join(methods)


def tiers(result: Rewritten) -> list[str]:
    return [site.tier for site in result.sites if not site.initializer_only]


def run_tests(text: str, folder: Path) -> unittest.TestResult:
    """Runs the tests of a module, each as a test runner does."""
    path = folder / "any_test.py"
    path.write_text(text, encoding="utf-8")
    found = runpy.run_path(str(path))
    classes = [item for item in found.values() if isinstance(item, type) and issubclass(item, unittest.TestCase)]
    own = [item for item in classes if item.__module__ not in ("tensorflow", "absl.testing.parameterized")]
    result = unittest.TestResult()
    for item in own:
        unittest.defaultTestLoader.loadTestsFromTestCase(item).run(result)
    return result


def passes(text: str, folder: Path, count: int) -> None:
    """Checks that the tests of a module pass, and that as many as expected ran."""
    result = run_tests(text, folder)
    assert not [*result.failures, *result.errors]
    assert result.testsRun - len(result.skipped) == count


def fails(text: str, folder: Path) -> None:
    assert run_tests(text, folder).failures


def refusals(text: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Why the tests of a module, all of which stay on the bridge, do not become one function each."""
    found: list[str] = []

    def read(*args: Any) -> Traced:
        try:
            return trace_of(*args)
        except Refused as refused:
            assert refused.next_step
            found.append(refused.reason)
            raise

    monkeypatch.setattr(planner, "trace_of", read)
    assert set(tiers(rewritten(text))) == {"bridge"}
    return found


NATIVE = {
    "a constant": """\
    def testSum(self):
        total = tf.reduce_sum(self.x)
        with self.test_session() as sess:
            self.assertAllClose(sess.run(total), 3.0)
""",
    "a placeholder": """\
    def testScaled(self):
        x = tf.placeholder(tf.float32, [None])
        y = scaled(x)
        with self.session() as sess:
            self.assertAllClose(sess.run(y, feed_dict={x: np.array([1.0, 2.0])}), self.expected)
""",
    "eval in a session without a name": """\
    def testEval(self):
        with self.cached_session():
            self.assertAllClose((self.x * 2.0).eval(), self.expected)
""",
    "several sessions, which are one": """\
    def testCount(self):
        v = tf.Variable(1.0, name="v")
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(v.assign_add(1.0))
        with self.test_session() as sess:
            self.assertAllClose(sess.run(v), 2.0)
""",
    "shapes of constants": """\
    def testShape(self):
        doubled = [scaled(self.x) for _ in range(3)]
        total = tf.add_n(doubled)
        self.assertEqual(total.get_shape(), tf.TensorShape(2))
        self.assertEqual(total.get_shape().as_list(), [2])
        with self.test_session() as sess:
            self.assertAllClose(sess.run(total), [6.0, 12.0])
""",
    "a helper method": """\
    def _doubled(self, x):
        return scaled(x)

    def testHelper(self):
        x = tf.placeholder(tf.float32, [2])
        y = self._doubled(x)
        with self.test_session(use_gpu=False) as sess:
            self.assertAllClose(sess.run(y, {x: [1.0, 2.0]}), self.expected)
""",
    "a constant of setUp in a function": """\
    def testAdd(self):
        v = tf.Variable(tf.zeros([2]), name="v")
        step = v.assign_add(self.x)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(step)
            sess.run(step)
            self.assertAllClose(v.eval(), self.expected)
""",
    "static shapes beside a run": """\
    def testShape(self):
        x = tf.placeholder(tf.float32, [None, 2])
        y = tf.reduce_sum(x, axis=1)
        self.assertEqual(y.get_shape().as_list(), [None])
        with self.test_session() as sess:
            self.assertAllClose(sess.run(y, {x: [[1.0, 2.0]]}), [3.0])
""",
    "a member of the class": """\
    factor = 2.0

    def testMember(self):
        x = tf.placeholder(tf.float32, [])
        y = scaled(x, self.factor)
        with self.test_session() as sess:
            self.assertAllClose(sess.run(y, {x: 2.0}), 4.0)
""",
}


@pytest.mark.parametrize("methods", NATIVE.values(), ids=NATIVE.keys())
def test_a_class_of_native_tests(methods: str, tmp_path: Path) -> None:
    result = rewritten(module(SET_UP, methods))
    assert set(tiers(result)) == {"native"}, [site.reason for site in result.sites]
    assert "ession" not in result.text
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 1)
    fails(result.text.replace("assertAllClose", "assertNotAllClose"), tmp_path)


@pytest.mark.parametrize("methods", NATIVE.values(), ids=NATIVE.keys())
def test_beside_a_test_that_is_bridged(methods: str, tmp_path: Path) -> None:
    """The class opens a graph for one test, and none for the other."""
    result = rewritten(module(SET_UP, methods, BRIDGED))
    assert tiers(result)[-1] == "bridge"
    assert set(tiers(result)[:-1]) == {"native"}
    assert result.text.count("@compat.test.without_graph") == 1
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 2)


def test_parameters(tmp_path: Path) -> None:
    """The mark stands below the decorator that calls the test several times."""
    test = """\
    @parameterized.parameters((1.0, 2.0), (3.0, 6.0))
    def testScaled(self, given, expected):
        x = tf.placeholder(tf.float32, [])
        y = scaled(x)
        with self.test_session() as sess:
            self.assertAllClose(sess.run(y, {x: given}), expected)
"""
    head = "class AnyTest(tf.test.TestCase, parameterized.TestCase):\n"
    result = rewritten(module(test, BRIDGED, head=head))
    assert tiers(result) == ["native", "bridge"]
    passes(result.text, tmp_path, 3)
    alone = rewritten(module(test, head=head))
    assert "class AnyTest(tf.test.TestCase, parameterized.TestCase):" in alone.text
    assert "without_graph" not in alone.text
    passes(alone.text, tmp_path, 2)


def test_a_test_that_runs_nothing_decides_for_its_class_too() -> None:
    """One that builds a placeholder needs a graph; one that builds nothing does not."""
    builds = "    def testBuild(self):\n        x = tf.placeholder(tf.float32)\n        self.assertIsNotNone(x.graph)\n"
    plain = "    def testPlain(self):\n        self.assertEqual(1 + 1, 2)\n"
    assert "without_graph" in rewritten(module(SET_UP, NATIVE["a constant"], builds)).text
    assert "without_graph" not in rewritten(module(SET_UP, NATIVE["a constant"], plain)).text


def test_classes_are_apart(tmp_path: Path) -> None:
    other = f"\n\nclass OtherTest(tf.test.TestCase):\n{BRIDGED}"
    result = rewritten(module(SET_UP, NATIVE["a constant"]) + other)
    assert tiers(result) == ["native", "bridge"]
    assert "class AnyTest(tf.test.TestCase):" in result.text
    assert "class OtherTest(compat.test.TestCase):" in result.text
    passes(result.text, tmp_path, 2)


def test_the_runner_of_the_module(tmp_path: Path) -> None:
    result = rewritten(module(SET_UP, NATIVE["a constant"]) + '\n\nif __name__ == "__main__":\n    tf.test.main()\n')
    assert tiers(result) == ["native"]
    passes(result.text, tmp_path, 1)


def test_seeds_of_numpy_are_those_of_tf1(tmp_path: Path) -> None:
    """`setUp` seeds NumPy and Python in both: TF 1.15.5 shows these numbers."""
    test = """\
    def testSeed(self):
        x = tf.placeholder(tf.float32, [2])
        with self.test_session() as sess:
            self.assertAllClose(sess.run(scaled(x), {x: np.random.rand(2)}), [0.36926866, 1.5496218])
"""
    result = rewritten(module(SET_UP, test))
    assert tiers(result) == ["native"]
    passes(result.text, tmp_path, 1)


WHOLE = {
    "random numbers": ("    def testAny(self):\n        y = tf.random_uniform([2])\n{run}"),
    "random initial values": (
        "    def testAny(self):\n        v = tf.get_variable('v', [2])\n        y = v + 1.0\n{run}"
    ),
    "a layer": ("    def testAny(self):\n        y = tf.layers.dense(tf.ones([1, 2]), 2)\n{run}"),
    "an error that is expected of building": (
        "    def testAny(self):\n        y = tf.zeros([2])\n        with self.assertRaises(ValueError):\n"
        "            tf.reshape(y, [3])\n{run}"
    ),
    "an error that a function is called for": (
        "    def testAny(self):\n        y = tf.zeros([2])\n        self.assertRaises(ValueError, scaled, y)\n{run}"
    ),
    "tensors that are compared themselves": (
        "    def testAny(self):\n        y = tf.zeros([2])\n        self.assertIsNotNone(y)\n{run}"
    ),
    "a name of the module": (
        "    def testOther(self):\n        scaled(np.zeros([2]))\n\n"
        "    def testAny(self):\n        scaled = tf.zeros([2])\n        y = scaled + 1.0\n{run}"
    ),
    "a name of Python's own that other tests read": (
        "    def testOther(self):\n        self.assertEqual(repr(1), '1')\n\n"
        "    def testAny(self):\n        repr = tf.zeros([2])\n        y = repr + 1.0\n{run}"
    ),
    "a method that is a generator": (
        "    @contextlib.contextmanager\n    def held(self):\n        yield tf.zeros([2])\n\n"
        "    def testAny(self):\n        with self.held() as y:\n            pass\n{run}"
    ),
    "a class that builds": ("    def testAny(self):\n        y = Model().y\n{run}"),
}
"""Tests that move into a function as a whole."""

REFUSED = {
    "a tensor where a value is asserted": (
        "    def testAny(self):\n        x = tf.placeholder(tf.float32, [])\n        y = x + 1.0\n"
        "        self.assertAllClose(y, 1.0)\n{run}",
        "is given to `self.assertAllClose`",
    ),
    "a session with a graph of its own": (
        "    def testAny(self):\n        y = tf.zeros([2])\n        with self.session(graph=tf.Graph()) as sess:\n"
        "            sess.run(y)\n",
        "this form of `self.session` is not understood",
    ),
    "a decorator": (
        "    @unittest.expectedFailure\n    def testAny(self):\n        y = tf.zeros([2])\n{run}",
        "is decorated",
    ),
    "a function that runs": (
        "    def testAny(self):\n        y = tf.zeros([2])\n        ran(y)\n{run}",
        "`ran` runs the session",
    ),
    "a graph of the module": (
        "    def testAny(self):\n        y = outside + 1.0\n{run}",
        "",
    ),
}
_RUN = "        with self.test_session() as sess:\n            sess.run(y)\n"
_BESIDE = """\
import contextlib
import unittest


class Model(object):
    def __init__(self):
        self.y = tf.zeros([2])


def ran(y):
    with tf.Session() as sess:
        return sess.run(y)


"""


@pytest.mark.parametrize("test", WHOLE.values(), ids=WHOLE.keys())
def test_what_is_understood_as_a_whole_only(test: str) -> None:
    result = rewritten(module(test.replace("{run}", _RUN), head=_BESIDE + CLASS))
    assert {site.tier for site in result.sites if site.function != "ran"} == {"native"}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(case: tuple[str, str]) -> None:
    test, reason = case
    beside = _BESIDE if reason else f"{_BESIDE}outside = tf.placeholder(tf.float32, [2])\n\n\n"
    result = rewritten(module(test.replace("{run}", _RUN), head=beside + CLASS))
    inside = [site for site in result.sites if site.function != "ran"]
    assert {site.tier for site in inside} == {"bridge"}
    assert (reason or "outside the tests") in str(inside[0].reason)
    assert inside[0].next_step


def test_setup_that_builds_ties_the_tests_together() -> None:
    made = "tf.placeholder(tf.float32, [2])"
    result = rewritten(module(SET_UP.replace("tf.constant([1.0, 2.0])", made), NATIVE["a constant"]))
    assert tiers(result) == ["bridge"]
    assert "`setUp` builds a part of the graph" in str(result.sites[0].reason)


def test_a_class_that_others_derive_from() -> None:
    derived = "\n\nclass MoreTest(AnyTest):\n    pass\n"
    result = rewritten(module(SET_UP, NATIVE["a constant"]) + derived)
    assert tiers(result) == ["bridge"]
