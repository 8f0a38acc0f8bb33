"""Tests that become one function: values that are asserted while it builds, operations that do nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.originals import pass_in_tensorflow_1
from tests.native.test_cases import passes, run_tests
from tests.native.test_traced_cases import RUN, module, tiers
from tests.native.test_traced_names import DERIVED, HEAD

PAIR = """\
import collections

Pair = collections.namedtuple("Pair", ["first", "second"])


"""
NATIVE = {
    "tensors": """\
    def testTensors(self):
        x = tf.constant([1.0, 2.0])
        y = Line(2.0)(x)
        self.assertAllEqual(x, tf.identity([1.0, 2.0]))
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertEqual(list(sess.run(y)), [3.0, 5.0])
""",
    "shapes, in conditions and loops": """\
    @parameterized.parameters((2,), (3,))
    def testShapes(self, size):
        x = tf.ones([size, 2])
        y = Line(2.0)(x)
        if size > 2:
            self.assertAllEqual((size, 2), y.get_shape().as_list())
        for item in (x, y):
            self.assertAllEqual(np.array([size, 2]), tf.shape(item))
        self.assertAllEqual(None, None)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertEqual(sess.run(y).shape, (size, 2))
""",
    "an attribute of the test": """\
    expected = [1.0, 2.0]

    def testAttribute(self):
        x = tf.constant([1.0, 2.0])
        y = Line(2.0)(x)
        self.assertAllEqual(self.expected, x)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertEqual(list(sess.run(y)), [3.0, 5.0])
""",
    "gradients that are none": """\
    def testNone(self):
        x = tf.constant([1.0, 2.0])
        y = Line(2.0)(x)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertEqual(list(sess.run(y)), [3.0, 5.0])
            self.assertAllEqual(tf.gradients([y], [tf.constant(1.0)]), [None])
""",
    "an operation that does nothing": """\
    def testIdle(self):
        pair = Pair(Line(2.0)(tf.constant([1.0])), tf.no_op())
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            found, idle = sess.run([pair, tf.no_op()])
        self.assertIsNone(idle)
        self.assertIsNone(found.second)
        self.assertAllEqual(found.first, [3.0])
""",
    "a loop's own name": """\
    @parameterized.parameters(([],), ([1.0, 2.0],))
    def testLoops(self, given):
        total = 0.0
        for item in given:
            total += item
        line = Line(2.0)
        for item in (1.0, 2.0):
            y = line(tf.constant(item))
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertEqual(sess.run(y) + total, 5.0 + sum(given))
""",
}


@pytest.mark.parametrize("methods", NATIVE.values(), ids=NATIVE.keys())
def test_it_becomes_one_function(methods: str, tmp_path: Path) -> None:
    result = rewritten(PAIR + module(methods, head=HEAD))
    assert set(tiers(result)) == {"native"}, [site.reason for site in result.sites]
    assert "ession" not in result.text.partition("class AnyTest")[2]
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 2 if "parameterized" in methods else 1)


def test_they_pass_in_tensorflow_1(tmp_path: Path, legacy_python: Path) -> None:
    texts = (PAIR + module(methods, head=HEAD) for methods in NATIVE.values())
    pass_in_tensorflow_1(texts, tmp_path, legacy_python)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("tensors", "tf.identity([1.0, 2.0])", "tf.identity([1.0, 3.0])"),
        ("shapes, in conditions and loops", "(size, 2), y", "(size, 4), y"),
        ("shapes, in conditions and loops", "np.array([size, 2])", "np.array([size, 5])"),
        ("an attribute of the test", "expected = [1.0, 2.0]", "expected = [1.0, 3.0]"),
        ("gradients that are none", "[None])", "[1.0])"),
        ("an operation that does nothing", "[3.0]", "[4.0]"),
    ],
)
def test_what_is_wrong_fails(name: str, right: str, wrong: str, tmp_path: Path) -> None:
    """What the function asserts is asserted when it runs."""
    assert NATIVE[name].count(right) == 1
    result = rewritten(PAIR + module(NATIVE[name].replace(right, wrong), head=HEAD))
    assert set(tiers(result)) == {"native"}
    outcome = run_tests(result.text, tmp_path)
    assert [*outcome.failures, *outcome.errors]


REFUSED = {
    "random numbers": (
        "x = tf.random_uniform([2])\n        self.assertAllEqual(x * 0.0, [0.0, 0.0])",
        "values that may be drawn at random are asserted beside a run",
    ),
    "a list that is filled": (
        "x = tf.ones([2])\n        expected = []\n        self.assertAllEqual(x, expected)\n        expected.append(2)",
        "a part of the graph is given to `self.assertAllEqual`",
    ),
    "an array that changes": (
        "x = tf.ones([2])\n        expected = np.ones([2])\n        self.assertAllEqual(x, expected)\n"
        "        expected[0] = 2.0",
        "a part of the graph is given to `self.assertAllEqual`",
    ),
    "an array that changes under another name": (
        "x = tf.ones([2])\n        expected = np.ones([2])\n        other = expected\n"
        "        self.assertAllEqual(x, expected)\n        other[0] = 2.0",
        "a part of the graph is given to `self.assertAllEqual`",
    ),
    "an attribute that a method may change": (
        "x = tf.ones([2])\n        self.assertAllEqual(x, self.expected)\n        self.fill()",
        "a part of the graph is given to `self.assertAllEqual`",
    ),
    "an attribute that is changed": (
        "x = tf.ones([2])\n        self.assertAllEqual(x, self.expected)\n        self.expected[0] = 1.0",
        "a part of the graph is given to `self.assertAllEqual`",
    ),
    "an assertion that is to fail": (
        "x = tf.ones([2])\n        with self.assertRaises(AssertionError):\n"
        "            self.assertAllEqual(x, [2.0, 2.0])",
        "a part of the graph is given to `self.assertAllEqual`",
    ),
    "another assertion": (
        "x = tf.ones([2])\n        self.assertAllClose([x], [[1.0, 1.0]])",
        "a part of the graph is given to `self.assertAllClose`",
    ),
    "a value": ("x = tf.constant(self.evaluate(tf.ones([2])))", "a part of the graph is given to `self.evaluate`"),
}


def test_elements_of_what_is_called_a_graph(tmp_path: Path) -> None:
    """A graph of TensorFlow has no elements: `.graph` is something else where code takes some."""
    test = """\
    def testElements(self):
        other = Pair(None, None)
        graphs = collections.namedtuple("Graphs", ["graph"])({"start": 1.0})
        y = Line(2.0)(graphs.graph["start"] if "start" in graphs.graph else 0.0)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertEqual(sess.run(y), 3.0)
"""
    result = rewritten(PAIR + module(test, head=HEAD))
    assert tiers(result) == ["native"], [site.reason for site in result.sites]
    passes(result.text, tmp_path, 1)
    looks = test.replace('graphs.graph["start"] if "start" in graphs.graph else 0.0', "float(y_graph(graphs) is None)")
    looks = looks.replace("        other =", "        y_graph = lambda known: known.graph\n        other =")
    refused = rewritten(PAIR + module(looks, head=DERIVED))
    (reason,) = {site.reason for site in refused.sites if site.function == "AnyTest.testElements"} - {None}
    assert "may look into the graph" in reason


def test_runs_that_change_what_is_asserted() -> None:
    test = f"""\
    def testAny(self):
        line = Line(2.0)
        y = line(1.0)
        change = tf.assign(line.slope, 3.0)
        self.assertAllEqual(tf.shape(y), [])
{RUN}            sess.run(y)
            sess.run(change)
            sess.run(y)
"""
    asserted = rewritten(module(test, head=DERIVED))
    assert {site.tier for site in asserted.sites if site.function == "AnyTest.testAny"} == {"bridge"}
    other = rewritten(module(test.replace("        self.assertAllEqual(tf.shape(y), [])\n", ""), head=DERIVED))
    assert {site.tier for site in other.sites if site.function == "AnyTest.testAny"} == {"native"}


@pytest.mark.parametrize(("building", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(building: str, reason: str) -> None:
    test = f"    def testAny(self):\n        {building}\n        y = Line(2.0)(x)\n{RUN}            sess.run(y)\n"
    result = rewritten(module(test, head=DERIVED))
    (site,) = (site for site in result.sites if site.function == "AnyTest.testAny" and not site.initializer_only)
    assert site.tier == "bridge"
    assert (site.reason or "").startswith(reason)
