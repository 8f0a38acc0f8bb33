"""`compat.contrib.eager`: gradients of functions, and where its names are."""

from __future__ import annotations

import unittest

import pytest
import tensorflow as tf

import compat
from compat.contrib import eager
from compat.contrib.eager.python import tfe


def test_gradients_function() -> None:
    value, (by_x, by_y) = eager.value_and_gradients_function(lambda x, y: x * x * y)(3.0, 2.0)
    assert (float(value), float(by_x), float(by_y)) == (18.0, 12.0, 9.0)
    assert [float(part) for part in eager.gradients_function(lambda x, y: x * x * y, params=["y"])(3.0, 2.0)] == [9.0]
    assert float(eager.gradients_function(lambda x: x * x)(3.0, dy=2.0)[0]) == 12.0


def test_implicit_gradients() -> None:
    weight, frozen = eager.Variable(3.0), tf.Variable(5.0, trainable=False)
    ((gradient, variable),) = eager.implicit_gradients(lambda x: weight * weight * x + frozen)(2.0)
    assert float(gradient) == 12.0
    assert variable is weight
    with pytest.raises(ValueError, match="No trainable variables"):
        eager.implicit_gradients(lambda x: frozen * x)(2.0)
    with pytest.raises(ValueError, match="returns None"):
        eager.implicit_gradients(lambda: None)()


def test_private_path_has_the_same_names() -> None:
    assert tfe.defun is eager.defun is tf.function
    assert tfe.implicit_gradients is eager.implicit_gradients


def test_iterator() -> None:
    iterator = eager.Iterator(tf.data.Dataset.range(3))
    assert [int(iterator.next()), int(iterator.get_next()), *map(int, iterator)] == [0, 1, 2]
    with pytest.raises(StopIteration):
        iterator.next()
    with pytest.raises(tf.errors.OutOfRangeError):
        iterator.get_next()


def test_value_and_gradients_of_what_is_used() -> None:
    weight = tf.Variable(3.0)
    value, ((gradient, variable),) = eager.implicit_value_and_gradients(lambda x: weight * weight * x)(2.0)
    assert (float(value), float(gradient)) == (18.0, 12.0)
    assert variable is weight


def test_devices() -> None:
    assert [name for name in eager.list_devices() if name.endswith("CPU:0")]
    assert eager.num_gpus() == sum(":GPU:" in name for name in eager.list_devices())


def test_a_class_of_tests_runs_in_a_graph_and_eagerly() -> None:
    seen = []

    @eager.run_all_tests_in_graph_and_eager_modes
    class Case(compat.test.TestCase):
        def testSquare(self) -> None:
            seen.append(tf.executing_eagerly())
            self.assertAllEqual(self.evaluate(tf.square([2, 3])), [4, 9])

        def helper(self) -> None:
            raise AssertionError("is no test")

    result = unittest.TestResult()
    Case("testSquare").run(result)
    assert (result.errors, result.failures, seen) == ([], [], [False, True])
