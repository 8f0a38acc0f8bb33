"""Tests that become one function: attributes of the test that its own methods bind, or other code that is given it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.originals import pass_in_tensorflow_1
from tests.native.test_cases import fails, passes
from tests.native.test_traced_cases import CLASS, RUN, module, tiers

FILL = """\
def fill(test):
    test.scale = 2.0
    test.y = tf.constant(3.0)


"""
DERIVED = "class BaseTest(tf.test.TestCase):\n    pass\n\n\nclass AnyTest(BaseTest):\n"
PREPARE = """\
    scale = 1.0

    def prepare(self):
        self.rescale()
        self.y = Line(2.0)(1.0)

    def rescale(self):
        self.scale = 2.0

"""
NATIVE = {
    "what a method builds": PREPARE
    + """\
    def testPrepared(self):
        expected = 3.0 * self.scale
        self.prepare()
        y = self.y * self.scale
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), 2.0 * expected)
""",
    "what a method builds, fetched": PREPARE
    + """\
    def testFetched(self):
        self.prepare()
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(self.y), 3.0)
""",
}


@pytest.mark.parametrize("methods", NATIVE.values(), ids=NATIVE.keys())
def test_it_becomes_one_function(methods: str, tmp_path: Path) -> None:
    result = rewritten(module(methods, head=CLASS))
    assert set(tiers(result)) == {"native"}, [site.reason for site in result.sites]
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 1)
    fails(result.text.replace("assertAllClose", "assertNotAllClose"), tmp_path)


def test_they_pass_in_tensorflow_1(tmp_path: Path, legacy_python: Path) -> None:
    pass_in_tensorflow_1((module(methods) for methods in NATIVE.values()), tmp_path, legacy_python)


REFUSED = {
    "a number that a method binds before it is read": (
        PREPARE + "    def testAny(self):\n        self.prepare()\n        expected = 3.0 * self.scale\n"
        "        y = self.y + 0.0\n{run}            found = sess.run(y)\n"
        "        self.assertEqual(2.0 * found, expected)\n",
        "what is built behind a run depends on it",
    ),
    "a number that a method binds, read behind": (
        PREPARE + "    def testAny(self):\n        self.prepare()\n        y = self.y + 0.0\n"
        "{run}            self.assertEqual(self.scale, sess.run(y))\n",
        "`self.scale`, a part of the graph, is used as a Python value",
    ),
    "a number that other code binds": (
        "    scale = 1.0\n\n    def testAny(self):\n        fill(self)\n"
        "        expected = 3.0 * self.scale\n        y = self.y + 0.0\n"
        "{run}            found = sess.run(y)\n        self.assertEqual(2.0 * found, expected)\n",
        "what is built behind a run depends on it",
    ),
}


@pytest.mark.parametrize(("methods", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_bound_when_the_function_runs(methods: str, reason: str) -> None:
    result = rewritten(module(methods.replace("{run}", RUN), head=FILL + DERIVED))
    (site,) = (site for site in result.sites if site.function == "AnyTest.testAny" and not site.initializer_only)
    assert site.tier == "bridge"
    assert (site.reason or "").startswith(reason)
