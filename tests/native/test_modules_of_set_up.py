"""Tests of users whose `setUp` makes modules that hold variables: each function makes them again, in its own store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.test_cases import fails, passes
from tests.native.test_traced_cases import CLASS, tiers
from tests.native.test_traced_modules import HEAD

SET_UP = """\
    def setUp(self):
        super(AnyTest, self).setUp()
        self.units = 1
        # What the tests share.
        self.linear = Linear(self.units)
        self.x = tf.ones([1, 2])

"""
SHARING = """\
    def testRun(self):
        with tf.control_dependencies([tf.assert_positive(self.x)]):
            y = self.linear(tf.identity(self.x))
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [[2.0 * self.units]])

    def testOther(self):
        y = self.linear(self.x * 2.0)
        self.assertEqual(len(tf.trainable_variables()), 2)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [[4.0]])

"""
ONLY_BUILDING = """\
    def testNames(self):
        self.linear(self.x)
        self.assertEqual([v.name for v in self.linear.variables], ["linear/b:0", "linear/w:0"])

"""


@pytest.mark.parametrize(("others", "count"), [("", 2), (ONLY_BUILDING, 3)])
def test_modules_that_set_up_makes(others: str, count: int, tmp_path: Path) -> None:
    """Functions make them again, each in a store of its own; `setUp` only does in a graph."""
    text = HEAD + CLASS + SET_UP + others + SHARING
    result = rewritten(text)
    assert tiers(result) == ["native", "native"], [site.reason for site in result.sites]
    assert (
        "        self.units = 1\n        if not tf.executing_eagerly():\n            self._build_graph()\n\n"
        "    def _build_graph(self):\n        # What the tests share.\n        self.linear"
    ) in result.text
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, count)
    fails(result.text.replace("assertAllClose", "assertNotAllClose"), tmp_path)


def test_what_set_up_makes_and_a_test_needs_before() -> None:
    early = SHARING.replace(
        "        y = self.linear(self.x * 2.0)\n", "        y = self.linear(self.x * self.scale[0])\n"
    )
    early = early.replace("    def testOther(self):\n", "    def testOther(self):\n        scale = self.scale.copy()\n")
    set_up = SET_UP.replace(
        "Linear(self.units)\n", "Linear(self.units)\n        self.scale = np.array([2.0], np.float32)\n"
    )
    assert tiers(rewritten(HEAD + CLASS + set_up + early)) == ["native", "bridge"]
