"""Tests whose runs feed different placeholders: each run is a call of a function that takes what it feeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.originals import pass_in_tensorflow_1
from tests.native.test_cases import fails, passes, refusals
from tests.native.test_traced_cases import tiers

TEST = """\
import numpy as np
import tensorflow as tf


class Total(object):
    def __init__(self, *functions):
        self._functions = list(functions)

    def __call__(self, *tensors):
        for function in self._functions:
            tensors = [function(tensor) for tensor in tensors]
        with tf.name_scope("total"):
            product = 1.0
            for tensor in tensors:
                product = product * tensor
            return tf.reduce_sum(product)


NUMBERS = [1.0]


def numbered(x):
    NUMBERS.append(2.0)
    return x * float(len(NUMBERS))


def defaulted(x, numbers=[]):
    numbers.append(2.0)
    return x * float(len(numbers))


class Kept(object):
    numbers = []

    def __call__(self, x):
        self.numbers.append(2.0)
        return x * float(len(self.numbers))


class Numbered(object):
    number = 0

    def __call__(self, x):
        type(self).number += 1
        return x * float(self.number)


NUMBERED = Numbered()


class AnyTest(tf.test.TestCase):
    def testAny(self):
"""
NATIVE = {
    "one of two": """\
        size = 2
        x = tf.placeholder(tf.float32, [size])
        y = tf.placeholder(tf.float32, [size])
        both = Total()(x, y)
        one = Total(tf.square, tf.sqrt)(x)
        with self.test_session() as sess:
            both = sess.run(both, feed_dict={x: [1.0, 2.0], y: [3.0, 4.0]})
            one = sess.run(one, {x: [1.0, 2.0]})
        self.assertAllClose(both, 11.0)
        self.assertAllClose(one, 3.0)
""",
    "nothing, and in another order": """\
        x = tf.placeholder(tf.float32, [None])
        y = tf.placeholder(tf.float32)
        z = tf.constant([2.0])
        both = Total()(x, y - 1.0)
        other = tf.reduce_sum(y)
        with self.test_session() as sess:
            self.assertAllClose(sess.run(z), [2.0])
            self.assertAllClose(sess.run(both, {y: [3.0, 5.0], x: [1.0, 2.0]}), 10.0)
            self.assertAllClose(sess.run([other, z], {y: [[6.0]]})[0], 6.0)
            self.assertAllClose(sess.run(z * 2.0), [4.0])
""",
    "the same fetched with more than it needs": """\
        x = tf.placeholder(tf.float32, [])
        y = tf.placeholder(tf.float32, [])
        twice = Total()(x, 2.0)
        with self.test_session() as sess:
            for value in (1.0, 2.0):
                self.assertAllClose(sess.run(twice, {x: value}), 2.0 * value)
                self.assertAllClose(sess.run(twice, {x: value, y: 5.0}), np.multiply(value, 2.0))
""",
    "a shape whose name is bound again": """\
        size = 2
        x = tf.placeholder(tf.float32, [size])
        y = tf.placeholder(tf.float32, [size])
        width = tf.reduce_sum(tf.ones_like(y))
        both = Total()(x, y)
        with self.test_session() as sess:
            self.assertAllClose(sess.run(both, {x: [1.0, 2.0], y: [3.0, 4.0]}), 11.0)
            size = 3
            self.assertAllClose(sess.run(width), size - 1.0)
""",
}


@pytest.mark.parametrize("body", NATIVE.values(), ids=NATIVE.keys())
def test_each_run_takes_what_it_feeds(body: str, tmp_path: Path) -> None:
    result = rewritten(TEST + body)
    assert set(tiers(result)) == {"native"}, [site.reason for site in result.sites]
    assert "ession" not in result.text.partition("class AnyTest")[2]
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 1)
    fails(result.text.replace("assertAllClose", "assertNotAllClose"), tmp_path)


def test_they_pass_in_tensorflow_1(tmp_path: Path, legacy_python: Path) -> None:
    pass_in_tensorflow_1((TEST + body for body in NATIVE.values()), tmp_path, legacy_python)


def test_the_functions() -> None:
    text = rewritten(TEST + NATIVE["one of two"]).text
    assert (
        """
        size = 2

        y_spec = tf.TensorSpec([size], tf.float32)

        def build(x, y):
            both = Total()(x, y)
            one = Total(tf.square, tf.sqrt)(x)
            return both, one

        @tf.function(input_signature=[tf.TensorSpec([size], tf.float32), y_spec], autograph=False)
        def compute_both(x, y):
            return build(x, y)[0]

        @tf.function(input_signature=[tf.TensorSpec([size], tf.float32)], autograph=False)
        def compute_one(x):
            return build(x, compat.unfed(y_spec))[1]
"""
        in text
    )


def test_a_run_that_needs_what_it_does_not_feed(tmp_path: Path) -> None:
    """It failed in TensorFlow 1 too."""
    body = NATIVE["one of two"].replace("one = Total(tf.square, tf.sqrt)(x)", "one = Total()(y)")
    result = rewritten(TEST + body)
    assert set(tiers(result)) == {"native"}
    folder = tmp_path / "any"
    folder.mkdir()
    with pytest.raises(AssertionError, match="Placeholder"):
        passes(result.text, folder, 1)


FEEDS = "        x = tf.placeholder(tf.float32, [None])\n        y = tf.placeholder(tf.float32, [None])\n"
RUNS = """\
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(a, {x: [1.0]})
            sess.run(b, {x: [1.0], y: [2.0]})
"""
REMEMBERS = "what each run builds anew draws random numbers, or remembers something"
DIFFER = "runs of a test feed different placeholders"
REFUSED = {
    "a variable that may be read behind a placeholder": (
        "        v = tf.get_variable('v', [])\n        a, b = Total()(x, v), tf.gather(x, tf.cast(y, tf.int32))\n",
        DIFFER,
    ),
    "a condition": ("        a, b = Total()(x), tf.cond(y[0] > 0.0, lambda: x, lambda: y)\n", DIFFER),
    "an assertion": (
        "        a = Total()(x)\n        with tf.control_dependencies([tf.assert_positive(y)]):\n"
        "            b = tf.identity(y)\n",
        DIFFER,
    ),
    "an assertion of a loss": ("        a, b = Total()(x), tf.losses.mean_squared_error(x, y)\n", DIFFER),
    "random numbers": ("        a, b = Total()(x), y + tf.random_normal([1])\n", DIFFER),
    "a file": ("        a, b = Total()(x), tf.read_file(tf.as_string(y[0]))\n", DIFFER),
    "a list of the module": ("        a, b = Total(numbered)(x), Total(numbered)(y)\n", REMEMBERS),
    "a list that is a default": ("        a, b = Total(defaulted)(x), Total(defaulted)(y)\n", REMEMBERS),
    "a list of a class": ("        a, b = Total(Kept())(x), Total(Kept())(y)\n", REMEMBERS),
    "an attribute of a class": ("        a, b = Total(Numbered())(x), Total(Numbered())(y)\n", REMEMBERS),
    "an object of the module": ("        a, b = Total(NUMBERED)(x), Total(NUMBERED)(y)\n", REMEMBERS),
    "a list that building fills": (
        "        found = []\n        a, b = Total()(x), y + len(found)\n        found.append(a)\n",
        "building may change `found`, and is repeated",
    ),
    "values that are asserted in building": (
        "        a, b = Total()(x), y\n        self.assertAllEqual(tf.ones([2]), [1.0, 1.0])\n",
        "what each run builds anew is needed for more than what runs fetch",
    ),
    "a placeholder that no run feeds": (
        "        z = tf.placeholder(tf.float32, [])\n        a, b = Total()(x), y\n",
        "a placeholder is made that the run does not feed",
    ),
}


@pytest.mark.parametrize(("body", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_may_need_more_than_is_fed(body: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reason in " ".join(refusals(TEST + FEEDS + body + RUNS, monkeypatch))
