"""Tests of Python's own `unittest.TestCase`: they shared the program's default graph, but where they made another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.originals import pass_in_tensorflow_1
from tests.native.test_cases import fails, passes, refusals, tiers

HEAD = """\
import unittest
import numpy as np
import tensorflow as tf


class Line(object):
    def __init__(self, slope):
        self._slope = slope

    def __call__(self, x):
        with tf.variable_scope("line"):
            self.slope = tf.get_variable("slope", [], initializer=tf.constant_initializer(self._slope))
            return x * self.slope


def doubled(x, name="doubled"):
    y = tf.multiply(x, 2.0, name=name)
    y.factor = 2.0
    return y


"""
CLASS = "class AnyTest(unittest.TestCase):\n"
MAIN = "\n\nif __name__ == '__main__':\n    unittest.main()\n"
NATIVE = {
    "no variables": """\
    def test_sum(self):
        total = tf.reduce_sum(tf.constant([1.0, 2.0]))
        with tf.Session() as sess:
            self.assertEqual(sess.run(total), 3.0)
""",
    "a placeholder that several runs feed": """\
    def test_square(self):
        x = tf.placeholder(tf.float32, [])
        y = tf.square(x)
        with tf.Session() as sess:
            self.assertEqual(sess.run(y, {x: 2.0}), 4.0)
            self.assertEqual(sess.run(y, {x: 3.0}), 9.0)
""",
    "what is not understood in parts": """\
    def test_doubled(self):
        x = tf.placeholder(tf.float32, [2])
        y = doubled(x)
        with tf.Session() as sess:
            value = sess.run(y, feed_dict={x: np.array([1.0, 2.0])})
        self.assertEqual(list(value), [2.0, 4.0])
""",
    "variables in a graph of its own": """\
    def test_line(self):
        with tf.Graph().as_default():
            # The slope is 2.
            y = Line(2.0)(3.0)
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                value = sess.run(y)
        self.assertEqual(value, 6.0)
""",
    "the graph and the session in one block": """\
    def test_line(self):
        expected = 6.0
        with tf.Graph().as_default(), tf.Session() as sess:
            y = Line(2.0)(3.0)
            sess.run(tf.global_variables_initializer())
            self.assertEqual(sess.run(y), expected)
""",
    "a session of a statement": """\
    def test_line(self):
        with tf.Graph().as_default():
            y = Line(2.0)(3.0)
            sess = tf.Session()
            with sess.as_default():
                sess.run(tf.global_variables_initializer())
                value = sess.run(y)
                self.assertEqual(value, 6.0)
""",
    "a variable by itself, in a graph of its own": """\
    def test_count(self):
        with tf.Graph().as_default():
            count = tf.Variable(1.0)
            step = count.assign_add(1.0)
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                for _ in range(3):
                    sess.run(step)
                self.assertEqual(sess.run(count), 4.0)
""",
}
NATIVE["a test that is skipped elsewhere, and draws"] = """\
    @unittest.skipIf(np.array_equal([1], [2]), "not today")
    def test_draws(self):
        x = tf.random_uniform([100], 1.0, 2.0)
        with tf.Session() as sess:
            self.assertEqual(1.0 <= sess.run(tf.reduce_mean(x)) < 2.0, True)
"""
BRIDGED = """\

    def test_named(self):
        tf.add(1.0, 2.0, name="three")
        with tf.Session() as sess:
            self.assertEqual(sess.run("three:0"), 3.0)
"""


@pytest.mark.parametrize("methods", NATIVE.values(), ids=NATIVE.keys())
def test_a_test_of_unittest(methods: str, tmp_path: Path) -> None:
    result = rewritten(f"{HEAD}{CLASS}{methods}{MAIN}")
    assert set(tiers(result)) == {"native"}, [site.reason for site in result.sites]
    assert "ession" not in result.text
    assert "with_open_graph" not in result.text
    assert "tf.Graph" not in result.text
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 1)
    fails(result.text.replace("assertEqual", "assertNotEqual"), tmp_path)


@pytest.mark.parametrize("methods", NATIVE.values(), ids=NATIVE.keys())
def test_beside_a_test_that_is_bridged(methods: str, tmp_path: Path) -> None:
    """Only the other one opens the default graph."""
    result = rewritten(f"{HEAD}{CLASS}{methods}{BRIDGED}{MAIN}")
    assert tiers(result)[-1] == "bridge"
    assert set(tiers(result)[:-1]) == {"native"}
    assert result.text.count("@compat.with_open_graph") == 1
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 2)


def test_they_pass_in_tensorflow_1(tmp_path: Path, legacy_python: Path) -> None:
    bodies = [*NATIVE.values(), BRIDGED]
    pass_in_tensorflow_1((f"{HEAD}{CLASS}{body}" for body in bodies), tmp_path, legacy_python)


SHARED = "the test keeps variables in the graph that all tests share"
OTHER = "the test makes a graph, and builds or runs another"
REFUSED = {
    "variables in the graph that all share": (
        """\
    def test_line(self):
        y = Line(2.0)(3.0)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertEqual(sess.run(y), 6.0)
""",
        SHARED,
    ),
    "several graphs": (
        """\
    def test_line(self):
        with tf.Graph().as_default():
            y = Line(2.0)(3.0)
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                first = sess.run(y)
        with tf.Graph().as_default():
            y = Line(3.0)(3.0)
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                second = sess.run(y)
        self.assertEqual(first + 3.0, second)
""",
        "a test builds several graphs",
    ),
    "what is built beside the graph": (
        """\
    def test_line(self):
        name = doubled(tf.constant(1.0)).name
        with tf.Graph().as_default():
            y = Line(2.0)(3.0)
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                value = sess.run(y)
        self.assertEqual(value, 6.0)
""",
        OTHER,
    ),
    "a session beside the graph": (
        """\
    def test_line(self):
        sess = tf.Session()
        with tf.Graph().as_default():
            y = doubled(3.0)
            self.assertRaises(ValueError, None)
            value = sess.run(y)
        self.assertEqual(value, 6.0)
""",
        OTHER,
    ),
    "setUp that builds": (
        """\
    def setUp(self):
        self.x = doubled(3.0)

    def test_line(self):
        with tf.Session() as sess:
            value = sess.run(doubled(self.x))
        self.assertEqual(value, 12.0)
""",
        "`setUp` builds in a graph that is not the test's",
    ),
    "a session that other code gets": (
        """\
    def test_line(self):
        sess = tf.Session()
        y = doubled(3.0)
        value = sess.run(y)
        print(sess)
        self.assertEqual(value, 6.0)
""",
        "the session is handed to other code",
    ),
}


@pytest.mark.parametrize(("methods", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(methods: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report tells why its parts cannot be; this is why the whole cannot be either."""
    assert refusals(f"{HEAD}{CLASS}{methods}{MAIN}", monkeypatch) == [reason]


def test_variables_that_all_tests_share() -> None:
    """Such a test is not read in parts either."""
    shared = """\
    def test_count(self):
        count = tf.Variable(1.0)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertEqual(sess.run(count), 1.0)
"""
    result = rewritten(f"{HEAD}{CLASS}{shared}{MAIN}")
    assert all((site.reason or "").startswith(SHARED) for site in result.sites)
    assert "    @compat.with_open_graph\n    def test_count" in result.text
