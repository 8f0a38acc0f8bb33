"""Tests that become one function: statements of which TensorFlow 1 gave the same number in either order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.originals import pass_in_tensorflow_1
from tests.native.test_cases import fails, passes
from tests.native.test_traced_cases import tiers
from tests.native.test_traced_order import text_of

NATIVE = {
    "an array that a function of NumPy writes into": """\
        y = tf.constant(0.0)
        a = np.ones(2)
        z = tf.constant(a)
        b = np.add(a, 1.0, out=a)
{open}            self.assertAllClose(sess.run([y, z])[1], [1.0, 1.0])
        self.assertAllClose(b, [2.0, 2.0])
""",
    "an array that is written into by position": """\
        y = tf.constant(0.0)
        a = np.zeros(2)
        z = tf.constant(a)
        b = np.exp(a, a)
{open}            self.assertAllClose(sess.run([y, z])[1], [0.0, 0.0])
        self.assertAllClose(b, [1.0, 1.0])
""",
    "an assignment of a number": """\
        v = tf.Variable(0.0)
        n = half(4.0)
        change = v.assign_add(n + self.n)
{run}            sess.run(v)
            grow()
            sess.run(change)
            sess.run(change)
            self.assertAllClose(sess.run(v), 6.0)
""",
    "a drawn array, fed by name": """\
        x = tf.placeholder(tf.float32, [2])
        y = x + 1.0
        feed = {x: np.random.rand(2)}
{open}            self.assertAllClose(sess.run(y, feed), [1.0 + value for value in self.drawn[:2]])
""",
    "an array that a loop feeds by name": """\
        x = tf.placeholder(tf.float32, [2])
        y = x + 1.0
        value = np.random.rand(2)
        feed = {x: value}
{open}            for _ in range(2):
                self.assertAllClose(sess.run(y, feed), [1.0 + value for value in self.drawn[:2]])
""",
    "something built behind a run": """\
        given = [1.0, 2.0]
        y = tf.constant(given)
{open}            first = sess.run(y)
            self.assertAllClose(first, given)
            z = y * 2.0
            self.assertAllClose(sess.run(z), 2.0 * first)
""",
    "numbers drawn beside building": """\
        y = tf.constant(4.0)
        a = np.random.rand()
        b = np.random.rand()
{open}            self.assertAllClose(sess.run(y) + a, 4.0 + self.drawn[0])
        self.assertAllClose(b, self.drawn[1])
""",
    "an iterator that building takes of": """\
        given = iter([1.0, 2.0, 3.0])
        y = tf.constant(next(given))
        rest = list(given)
{open}            self.assertAllClose(sess.run(y), 1.0)
        self.assertAllClose(rest, [2.0, 3.0])
""",
}


@pytest.mark.parametrize("body", NATIVE.values(), ids=NATIVE.keys())
def test_what_gives_the_same(body: str, tmp_path: Path) -> None:
    result = rewritten(text_of(body))
    assert set(tiers(result)) == {"native"}, [site.reason for site in result.sites]
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 1)
    fails(result.text.replace("assertAllClose(", "assertNotAllClose("), tmp_path)


def test_they_pass_in_tensorflow_1(tmp_path: Path, legacy_python: Path) -> None:
    """What each asserts is what TensorFlow 1.15.5 computes."""
    pass_in_tensorflow_1(map(text_of, NATIVE.values()), tmp_path, legacy_python)
