"""Functions that only build: whatever they do on the way, their results are computed of their arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native import trees
from tests.native.native import deciding_site, made_native, printed, rewritten

# Checks, loops and errors that the analysis does not follow one by one.
LIBRARY = """\
import collections

import numpy as np
import tensorflow as tf

LIMIT = 3.0
Loss = collections.namedtuple("Loss", ["loss", "extra"])
Extra = collections.namedtuple("Extra", "target error")


def check(tensors, rank, name):
    try:
        for tensor in tensors:
            tensor.get_shape().assert_has_rank(rank)
    except ValueError as error:
        tf.logging.error("ranks of %s", name)
        raise ValueError("{}: {}".format(name, error))


def check_alike(value_shape, reward_shape):
    if value_shape and reward_shape:
        try:
            assert (value_shape.ndims, reward_shape.ndims) in [(1, 1), (2, 2)], "ranks"
            assert value_shape[:-1].is_compatible_with(reward_shape[:-1]), "sizes"
        except AssertionError as error:
            raise ValueError(error)


def discounted(rewards, decay):
    with tf.control_dependencies([tf.assert_greater_equal(decay, 0.0)]):
        return tf.scan(lambda total, reward: reward + decay * total, rewards)


def td_loss(values, rewards, decay=0.5, name="loss"):
    check([values, rewards], 1, name)
    check_alike(tf.convert_to_tensor(values).shape, rewards.shape)
    with tf.name_scope(name, values=[values, rewards]):
        target = tf.minimum(discounted(rewards, decay), LIMIT)
        error = target - values
        return Loss(0.5 * tf.square(error), Extra(target, error))


def total(values):
    parts = []
    for value in tf.unstack(values, num=2):
        parts.append(value * np.float32(2.0))
    return tf.add_n(parts)


"""
SCRIPT = """\
values = tf.constant([1.0, 2.0])
rewards = tf.placeholder(tf.float32, [2])
constant = td_loss(values, tf.constant([1.0, 1.0]))
fed = td_loss(values, rewards)
summed = total(rewards)
with tf.Session() as sess:
    print(sess.run(constant.extra.error))
    loss, target = sess.run([fed.loss, fed.extra.target], {rewards: [2.0, 4.0]})
    print(loss, target)
    print(sess.run(summed, {rewards: [1.0, 2.0]}))
"""
# What TensorFlow 1.15.5 prints.
OUTPUT = "[ 0.  -0.5]\n[0.5 0.5] [2. 3.]\n6.0\n"


def test_functions_of_the_script() -> None:
    result = made_native(LIBRARY + SCRIPT)
    assert "constant.extra.error.numpy()" in result.text
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == OUTPUT


def test_functions_of_another_module(tmp_path: Path) -> None:
    head = "import tensorflow as tf\nfrom library import td_loss, total\n\n"
    outcome = trees.rewritten(tmp_path, {"library.py": LIBRARY, "train.py": head + SCRIPT})
    assert trees.tiers(outcome) == {"native"}, trees.reasons(outcome)
    assert trees.printed(tmp_path, "train.py") == OUTPUT


def test_a_class_of_tests(tmp_path: Path) -> None:
    """`setUp` computes constants with a function of the library; a test beside needs a graph to see an error."""
    code = """\
import tensorflow as tf
import library


class LossTest(tf.test.TestCase):
    def setUp(self):
        super(LossTest, self).setUp()
        self.values = tf.constant([1.0, 2.0])
        self.result = library.td_loss(self.values, tf.constant([1.0, 1.0]))

    def testError(self):
        with self.test_session() as sess:
            self.assertAllClose(sess.run(self.result.extra.error), [0.0, -0.5])

    def testFed(self):
        rewards = tf.placeholder(tf.float32, [None])
        result = library.td_loss(self.values, rewards)
        with self.test_session() as sess:
            self.assertAllClose(sess.run(result.loss, {rewards: [2.0, 4.0]}), [0.5, 0.5])

    def testRank(self):
        with self.assertRaisesRegex(ValueError, "loss: "):
            library.td_loss(self.values, tf.placeholder(tf.float32, [2, 2]))


if __name__ == "__main__":
    tf.test.main()
"""
    outcome = trees.rewritten(tmp_path, {"library.py": LIBRARY, "loss_test.py": code})
    assert trees.tiers(outcome) == {"native"}, trees.reasons(outcome)
    text = (tmp_path / "loss_test.py").read_text()
    assert text.count("@compat.test.without_graph") == 2
    trees.printed(tmp_path, "loss_test.py")


REFUSED = {
    "random numbers": "    return tf.random_uniform([2]) + values\n",
    "a variable": "    for _ in [1]:\n        v = tf.get_variable('v', [2])\n    print(v)\n    return v + values\n",
    "an update": "    for _ in [1]:\n        x = tf.assign(other, values)\n    print(x)\n    return x\n",
    "a check that nothing waits for": "    print(tf.assert_equal(values, 1.0))\n    return values + 1.0\n",
    "a print": "    print('built')\n    return values + 1.0\n",
    "a global name": "    global seen\n    seen = 1\n    return values + 1.0\n",
    "a list of the module that changes": "    print(count)\n    SEEN.append(1)\n    return values + 1.0\n",
    "a list of the caller": "    seen.append(values)\n    return values + 1.0\n",
    "the name of a tensor": "    assert values.name\n    return values + 1.0\n",
    "tensors that are compared by identity": "    if values == other:\n        pass\n    return values + 1.0\n",
    "a file": "    open('file').read()\n    return values + 1.0\n",
    "random numbers of NumPy": "    np.random.seed(1)\n    return values + np.random.rand()\n",
    "an error that a tensor had in TensorFlow 1": (
        "    try:\n        if values[0] > 0.0:\n            values = values * 2.0\n"
        "    except (ValueError, TypeError):\n        pass\n    return values + 1.0\n"
    ),
    "any error": "    try:\n        n = len(values)\n    except Exception:\n        n = 7\n    return values + n\n",
    "a function that it is given": "    assert seen(values) is not None\n    return values + 1.0\n",
    "a function that calls it in turn": "    assert turn(values, seen) is not None\n    return values + 1.0\n",
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(body: str) -> None:
    head = (
        "import numpy as np\nimport tensorflow as tf\nSEEN = []\ncount = 0\nother = tf.placeholder(tf.float32, [2])\n"
    )
    function = f"def build(values, seen):\n    check(values)\n{body}\n\n"
    # Nothing of what `check` does is followed, so all depends on what `build` may do besides.
    checking = (
        "def check(values):\n    try:\n        values.get_shape().assert_has_rank(1)\n    except ValueError as e:\n"
    )
    checking += "        raise ValueError(str(e))\n\n\ndef turn(values, seen):\n    return build(values, seen)\n\n\n"
    run = "x = tf.placeholder(tf.float32, [2])\ny = build(x, [])\nwith tf.Session() as sess:\n"
    run += "    print(sess.run(y, {x: [1.0, 1.0], other: [1.0, 1.0]}))\n"
    site = deciding_site(head + checking + function + run)
    assert site.tier == "bridge"
    assert (site.reason or "").startswith("`build` does more than build a part of the graph")
    plain = f"def build(values, seen):\n    check(values)\n    return values + 1.0\n\n\n{run}"
    assert {site.tier for site in rewritten(head + checking + plain.replace(", other: [1.0, 1.0]", "")).sites} == {
        "native"
    }


COMPARING = """\
import collections

import tensorflow as tf

Result = collections.namedtuple("Result", ["total", "extra"])
Extra = collections.namedtuple("Extra", ["first", "weight"])


def check(values):
    try:
        values.get_shape().assert_has_rank(1)
    except ValueError as error:
        raise ValueError(str(error))


def weighted(values, weight=1):
    check(values)
    if weight == 1:
        return values
    return values * weight


def result(values, weight=1):
    check(values)
    extra = Extra(weight=tf.convert_to_tensor(2.0), first=values[0])
    return Result(tf.reduce_sum(weighted(values, weight)), extra=extra)


x = tf.placeholder(tf.float32, [None])
plain, doubled = result(x), result(x, weight=2)
with tf.Session() as sess:
    print(*sess.run([plain.total, doubled.total, doubled.extra.first], {x: [1.0, 2.0]}))
"""


def test_parameters_that_are_compared_are_given_python_values() -> None:
    result = made_native(COMPARING)
    assert printed(result.text) == "3.0 6.0 1.0\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("weight=2", "weight=x"),
        ("weight=2", "weight=tf.constant(1)"),
        ("    if weight == 1:\n", "    weight = values\n    if weight == 1:\n"),
        ("weighted(values, weight)", "weighted(values, values)"),
        ("weighted(values, weight)", "weighted(*[values, weight])"),
    ],
)
def test_tensors_that_are_compared(old: str, new: str) -> None:
    assert old in COMPARING
    assert deciding_site(COMPARING.replace(old, new)).tier == "bridge"


RECURSIVE = """\
import tensorflow as tf


def power(matrix, n):
    if n < 1:
        return matrix * 1.0
    return tf.matmul(matrix, power(matrix, n - 1))


def folded(values, n, weight=1.0):
    if n == 0:
        return values * 1.0
    return folded(values * weight, n - 1, weight) + 1.0


x = tf.placeholder(tf.float32, [2, 2])
powers = []
powers.append(power(x, 2))
powers.append(power(x, 0))
total = tf.add_n(powers)
with tf.Session() as sess:
    print(*sess.run(total, {x: [[1.0, 2.0], [0.0, 0.5]]}).ravel())
    print(*sess.run(folded(x, 3, 2.0) * 1.0, {x: [[1.0, 2.0], [0.0, 0.5]]}).ravel())
"""


def test_functions_that_call_themselves() -> None:
    result = made_native(RECURSIVE)
    # What TensorFlow 1.15.5 prints.
    assert printed(result.text) == "2.0 5.5 0.0 0.625\n11.0 19.0 3.0 7.0\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # The recursion ends, or not, by what a tensor is and not by its value.
        ("folded(values * weight, n - 1, weight)", "folded(values, values, weight)"),
        ("folded(values * weight, n - 1, weight)", "folded(values, tf.size(values), weight)"),
        ("folded(values * weight, n - 1, weight)", "folded(*[values, n - 1])"),
        # Variables get their names in the order in which a function is called.
        ("matrix, power(matrix, n - 1)", "tf.get_variable('w%d' % n, [2, 2]), power(matrix, n - 1)"),
        ("power(x, 2)", "power(tf.Variable([[1.0, 2.0], [3.0, 4.0]]), 2)"),
        ("        return matrix * 1.0\n", "        return matrix + tf.random_normal([2, 2])\n"),
    ],
)
def test_functions_that_call_themselves_and_are_not_sure(old: str, new: str) -> None:
    assert old in RECURSIVE
    site = deciding_site(RECURSIVE.replace(old, new))
    assert site.tier == "bridge"
    assert "calls itself" in (site.reason or "")
