"""`compat.contrib.eager`: gradients of functions, and where its names are."""

from __future__ import annotations

import pytest
import tensorflow as tf

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
