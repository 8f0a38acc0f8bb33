"""Classes, and lists of what others define, that stand in the class of a test which becomes one function."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.originals import pass_in_tensorflow_1
from tests.native.test_cases import fails, passes, refusals
from tests.native.test_traced_cases import RUN, tiers

HEAD = """\
import functools

import numpy as np
import tensorflow as tf
from absl.testing import parameterized
from tensorflow.python.ops import variable_scope as variable_scope_ops


def scoped(method):
    @functools.wraps(method)
    def call(self, *args):
        with variable_scope_ops._pure_variable_scope(self.scope, reuse=self.made):
            self.made = True
            return method(self, *args)
    return call


def drawn(x):
    return x + np.random.rand()


class Line(object):
    def __init__(self, scale=1.0):
        self.scale = scale

    def __call__(self, x):
        return self.scale * x + tf.get_variable("start", [], initializer=tf.ones_initializer())


class Steep(Line):
    def __call__(self, x):
        return super(Steep, self).__call__(2.0 * x)


class Counting(Line):
    def __call__(self, x):
        tf.get_variable("calls", [], tf.int32, initializer=tf.zeros_initializer()).count_up_to(3)
        return super(Counting, self).__call__(x)


class AnyTest(parameterized.TestCase, tf.test.TestCase):
"""
INNER = """\
    class Slope(object):
        limit = (1.0, 2.0)

        def __init__(self):
            with tf.variable_scope("slope") as self.scope:
                self.made = False

        @scoped
        def line(self, x, shape=()):
            slope = tf.get_variable("w", shape, initializer=tf.constant_initializer(2.0))
            return self.limit[1] * slope * x

    def testDrawn(self):
        self.assertLess(np.random.rand(), self.Slope.limit[0])

"""
TEST = f"""\
{INNER}    def testAny(self):
        data = np.random.rand(2)
        x = tf.placeholder(tf.float32, [2])
        slope = AnyTest.Slope()
        y = slope.line(x)
        z = slope.line(y)
        given = np.random.rand(2)
{RUN}            self.assertAllClose(sess.run(y, {{x: data}}), 4.0 * data)
            self.assertAllClose(sess.run(z, {{x: given}}), 16.0 * given)
        self.assertEqual([v.name for v in tf.global_variables()], ["slope/w:0"])
"""
LISTED = f"""\
    lines = [(Line, 1.0), (Steep, 2.0)]
    named = dict_of = {{"scale": 3.0}}

    @parameterized.parameters(*lines)
    def testAny(self, line, factor):
        x = tf.placeholder(tf.float32, [])
        y = line(**self.named)(x)
{RUN}            self.assertAllClose(sess.run(y, {{x: 2.0}}), 6.0 * factor + 1.0)
"""
OWN = f"""\
{INNER}    def testAny(self):
        x = tf.placeholder(tf.float32, [2])
        y = self.Slope().line(x)
        data = np.random.rand(2)
{RUN}            self.assertAllClose(sess.run(y, {{x: data}}), 4.0 * data)
"""
LOOPED = f"""\
    lines = [Line, Steep]

    def testAny(self):
        x = tf.placeholder(tf.float32, [2])
        y = [line(3.0) for line in self.lines]
        y = y[0](x)
{RUN}            self.assertAllClose(sess.run(y, {{x: [1.0, 2.0]}}), [4.0, 7.0])
"""
NATIVE = {
    "a class": TEST.replace(
        "        self.assertEqual([v.name for v in tf.global_variables()]",
        "        self.assertEqual([v for v in ['slope/w:0']]",
    ),
    "classes in a list": LISTED,
    "classes of the test's object": LOOPED,
}


@pytest.mark.parametrize("methods", NATIVE.values(), ids=NATIVE.keys())
def test_it_becomes_one_function(methods: str, tmp_path: Path) -> None:
    result = rewritten(HEAD + methods)
    assert set(tiers(result)) == {"native"}, [site.reason for site in result.sites]
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 2 if methods is LISTED else methods.count("def test"))
    fails(result.text.replace("assertAllClose", "assertNotAllClose"), tmp_path)


def test_they_pass_in_tensorflow_1(tmp_path: Path, legacy_python: Path) -> None:
    pass_in_tensorflow_1((HEAD + methods for methods in NATIVE.values()), tmp_path, legacy_python)


DRAWN = f"""\
    drawn = 2.0

    def testAny(self):
        y = drawn(Line()(0.0))
        data = np.random.rand()
{RUN}            self.assertNotAllClose(sess.run(y), data)
"""
DRAWS = "building may have changed `random numbers`"
HOLDS = "the class holds a part of a graph"
REFUSED = {
    "another class takes its place": (TEST + "\n    def testOther(self):\n        AnyTest.Slope = Line\n", DRAWS),
    "a base that stands in the class": (
        TEST.replace("    class Slope(object)", "    class Base(object):\n        pass\n\n    class Slope(Base)"),
        DRAWS,
    ),
    "a class of the test's object": (OWN, "`self.assertAllClose`, a part of the graph, is used as a Python value"),
    "classes of the test's object that update": (
        LOOPED.replace("[Line, Steep]", "[Line, Counting]"),
        "what is called here may update a variable",
    ),
    "a function of the module under the name of an attribute": (DRAWN, DRAWS),
    "a class that is made twice": (TEST.replace("    def testDrawn", "    Slope = Slope\n\n    def testDrawn"), DRAWS),
    "a part of the graph": (LISTED.replace('{"scale": 3.0}', '{"scale": tf.constant(3.0)}'), HOLDS),
    "an object that builds": (LISTED.replace('{"scale": 3.0}', '{"scale": Line()(3.0)}'), HOLDS),
    "a part of the graph in a class": (
        TEST.replace("limit = (1.0, 2.0)", "limit = (1.0, tf.constant(2.0))"),
        HOLDS,
    ),
    "a part of the graph that is a default": (TEST.replace("shape=()", "shape=tf.zeros([0], tf.int32)"), HOLDS),
}


@pytest.mark.parametrize(("methods", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(methods: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert any(found.startswith(reason) for found in refusals(HEAD + methods, monkeypatch))
