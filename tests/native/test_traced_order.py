"""Tests that become one function: what statements change between building and runs, where TensorFlow 1 had it so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.changing_code import HELPERS
from tests.native.originals import pass_in_tensorflow_1
from tests.native.test_cases import refusals
from tests.native.test_traced_cases import RUN

HEAD = f"""\
import random

import numpy as np
import tensorflow as tf

{HELPERS}

def half(value):
    return value / 2.0


class BaseTest(tf.test.TestCase):
    pass


class AnyTest(BaseTest):
    def setUp(self):
        super(AnyTest, self).setUp()
        del STACK[:]
        COUNT["n"] = 1.0
        self.n = 1.0
        self.items = [1.0]
        np.random.seed(7)
        random.seed(7)
        a, b, c = np.random.rand(3)
        self.drawn = [a, b, c]
        np.random.seed(7)

    def _bump(self):
        self.n = 5.0

    def _add(self):
        self.items.append(3.0)

    def testAny(self):
"""
OPEN = "        with self.test_session() as sess:\n"
BEHIND = "what is built behind a run depends on it"
ASSIGNED = "what is assigned may be another value by then"
FED = "what is fed is not known here"
FETCHED = "what is fetched depends on another run"
BOTH = "both building and what follows need what this does"

REFUSED = {
    "a fetched name that is bound again": (
        """\
        y = tf.constant(0.0)
{open}            one = sess.run(y)
            y = y + 3.0
            two = sess.run(y)
        self.assertAllClose([one, two], [0.0, 3.0])
""",
        BEHIND,
    ),
    "a name of a result that is bound again": (
        """\
        y = tf.constant(0.0)
{open}            a = sess.run(y)
            kept = a + 1.0
            a = tf.constant(3.0)
            two = sess.run(a)
        self.assertAllClose([kept, two], [1.0, 3.0])
""",
        BEHIND,
    ),
    "an assignment of a number that is drawn": (
        """\
        v = tf.Variable(0.0)
        change = v.assign_add(np.random.rand())
{run}            sess.run(v)
            sess.run(change)
            sess.run(change)
            self.assertAllClose(sess.run(v), 2.0 * self.drawn[0])
""",
        ASSIGNED,
    ),
    "an assignment of what a list gives up": (
        """\
        v = tf.Variable(0.0)
        given = [1.0, 2.0]
        change = v.assign_add(given.pop())
{run}            sess.run(v)
            sess.run(change)
            sess.run(change)
            self.assertAllClose(sess.run(v), 4.0)
""",
        ASSIGNED,
    ),
    "an assignment of what a function changes": (
        """\
        v = tf.Variable(0.0)
        change = v.assign(COUNT['n'])
{run}            sess.run(v)
            grow()
            sess.run(change)
            self.assertAllClose(sess.run(v), 1.0)
""",
        ASSIGNED,
    ),
    "an assignment of an attribute that a method binds": (
        """\
        v = tf.Variable(0.0)
        change = v.assign(self.n)
{run}            sess.run(v)
            self._bump()
            sess.run(change)
            self.assertAllClose(sess.run(v), 1.0)
""",
        ASSIGNED,
    ),
    "an assignment of an attribute that a method fills": (
        """\
        v = tf.Variable(0.0)
        change = v.assign(self.items[-1])
{run}            sess.run(v)
            self._add()
            sess.run(change)
            self.assertAllClose(sess.run(v), 1.0)
""",
        ASSIGNED,
    ),
    "a drawn number that a loop feeds": (
        """\
        x = tf.placeholder(tf.float32, [])
        y = x + 1.0
        feed = {x: np.random.rand()}
{open}            for _ in range(2):
                self.assertAllClose(sess.run(y, feed), 1.0 + self.drawn[0])
""",
        FED,
    ),
    "a number that a loop changes": (
        """\
        x = tf.placeholder(tf.float32, [])
        y = x + 1.0
        n = 1.0
        feed = {x: n}
{open}            for _ in range(2):
                self.assertAllClose(sess.run(y, feed), 2.0)
                n += 1.0
""",
        FED,
    ),
    "a drawn number before another": (
        """\
        x = tf.placeholder(tf.float32, [])
        y = x + 1.0
        feed = {x: np.random.rand()}
        second = np.random.rand()
{open}            self.assertAllClose(sess.run(y, feed), 1.0 + self.drawn[0])
        self.assertAllClose(second, self.drawn[1])
""",
        FED,
    ),
    "a drawn number beside the run": (
        """\
        x = tf.placeholder(tf.float32, [])
        y = x + 1.0
        feed = {x: np.random.rand()}
{open}            self.assertAllClose((np.random.rand(), sess.run(y, feed)), [self.drawn[1], 1.0 + self.drawn[0]])
""",
        FED,
    ),
    "what a function takes away, before another fills it": (
        """\
        x = tf.placeholder(tf.float32, [])
        y = x + 1.0
        feed = {x: pop()}
        push(2.0)
{open}            self.assertAllClose(sess.run(y, feed), 101.0)
""",
        FED,
    ),
    "what is fed and built of the same list": (
        """\
        x = tf.placeholder(tf.float32, [])
        given = [1.0, 2.0]
        y = x + tf.constant(given)
{open}            self.assertAllClose(sess.run(y, {x: given.pop()}), [3.0, 4.0])
""",
        "building may have changed `given`",
    ),
    "what is fed changes what was built of": (
        """\
        x = tf.placeholder(tf.float32, [])
        y = x + float(len(STACK))
{open}            self.assertAllClose(sess.run(y, {x: push(3.0)}), 3.0)
""",
        "what is fed changes what building reads",
    ),
    "what is fed and built of one generator": (
        """\
        x = tf.placeholder(tf.float32, [])
        numbers = np.random.RandomState(7)
        y = x * 0.0 + tf.constant(numbers.rand(), tf.float32)
{open}            self.assertAllClose(sess.run(y, {x: numbers.rand()}), self.drawn[0])
""",
        "building may have changed `numbers`",
    ),
    "an array that a result is written into": (
        """\
        x = np.zeros(2)
        kept = x
        y = tf.constant(4.0)
{open}            kept[0] = sess.run(y)
            z = tf.constant(x) * 2.0
            self.assertAllClose(sess.run(z), [8.0, 0.0])
""",
        BEHIND,
    ),
    "a list that an assertion sorts": (
        """\
        x = [3.0, 1.0]
        kept = x
        y = tf.constant(4.0)
{open}            sess.run(y)
            self.assertIsNone(kept.sort())
            z = tf.constant(x) * 2.0
            self.assertAllClose(sess.run(z), [2.0, 6.0])
""",
        BEHIND,
    ),
    "functions that share a list, behind a run": (
        """\
        y = tf.constant(4.0)
{open}            sess.run(y)
            self.assertEqual(push(2.0), 2.0)
            z = tf.constant(pop()) * 2.0
            self.assertAllClose(sess.run(z), 4.0)
""",
        BEHIND,
    ),
    "functions that share a list, before building": (
        """\
        y = tf.constant(4.0)
        v = push(2.0)
        z = tf.constant(pop()) * 2.0
{open}            self.assertAllClose(sess.run([y, z]), [4.0, 4.0])
        self.assertEqual(v, 2.0)
""",
        BOTH,
    ),
    "numbers drawn behind a run": (
        """\
        y = tf.constant(4.0)
{open}            sess.run(y)
            v = np.random.rand()
            z = tf.constant(np.random.rand())
            self.assertAllClose(sess.run(z), self.drawn[1])
        self.assertAllClose(v, self.drawn[0])
""",
        BEHIND,
    ),
    "an index that changes in place": (
        """\
        ys = [tf.constant(1.0), tf.constant(2.0)]
        index = [0]
{open}            self.assertAllClose(sess.run(ys[index[0]]), 1.0)
            index[0] = 1
            self.assertAllClose(sess.run(ys[index[0]]), 2.0)
""",
        FETCHED,
    ),
    "an index that changes between building and running": (
        """\
        index = np.array([0])
        ys = [tf.constant(1.0), tf.constant(2.0)]
        index[0] = 1
{open}            self.assertAllClose(sess.run(ys[index[0]]), 2.0)
        self.assertEqual(index[0], 1)
""",
        BOTH,
    ),
    "a number that changes between what is built before a run and behind it": (
        """\
        n = 1.0
        y = tf.constant(1.0)
        n += max(self.items)
{open}            self.assertAllClose(sess.run(y), 1.0)
            z = y + n
            self.assertAllClose(sess.run(z), 3.0)
        self.assertEqual(n, 2.0)
""",
        BOTH,
    ),
    "an index that a function takes": (
        """\
        ys = [tf.constant(1.0), tf.constant(2.0)]
        push(0.0)
{open}            self.assertAllClose(sess.run(ys[1]), 2.0)
            size = len(STACK)
            self.assertAllClose(sess.run(ys[int(pop())]), 1.0)
        self.assertEqual(size, 1)
""",
        FETCHED,
    ),
    "an index that is sorted": (
        """\
        ys = [tf.constant(1.0), tf.constant(2.0)]
        index = [1, 0]
{open}            self.assertAllClose(sess.run(ys[index[0]]), 2.0)
            index.sort()
            self.assertAllClose(sess.run(ys[index[0]]), 1.0)
""",
        FETCHED,
    ),
}


def text_of(body: str) -> str:
    return HEAD + body.replace("{run}", RUN).replace("{open}", OPEN)


@pytest.mark.parametrize(("body", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_would_give_another_number(body: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reason in refusals(text_of(body), monkeypatch)


def test_they_pass_in_tensorflow_1(tmp_path: Path, legacy_python: Path) -> None:
    """What each asserts is what TensorFlow 1.15.5 computes."""
    pass_in_tensorflow_1((text_of(body) for body, _ in REFUSED.values()), tmp_path, legacy_python)
