"""Tensors that are fed although an operation computes them."""

from __future__ import annotations

from typing import Any

import pytest
import tensorflow as tf

import compat

SPEC = tf.TensorSpec([None], tf.float32)


@tf.function(input_signature=[SPEC, SPEC])
def slopes(x: Any, given: Any) -> Any:
    y = compat.fed(x * 3.0, given)
    loss = tf.reduce_sum(y * y)
    by_x, by_given, by_y = tf.gradients(loss, [x, given, y])
    assert by_given is None
    return loss, by_x, by_y


def test_what_depends_on_it_sees_what_is_fed() -> None:
    loss, by_x, by_y = slopes([1.0, 2.0], [5.0, 7.0])
    assert float(loss) == 74.0
    assert by_y.numpy().tolist() == [10.0, 14.0]
    assert by_x.numpy().tolist() == [30.0, 42.0]


@pytest.mark.parametrize("traced", [False, True], ids=["eagerly", "traced"])
def test_a_tape_goes_on_to_variables(traced: bool) -> None:
    w = tf.Variable([2.0, 3.0])

    def step(given: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(compat.fed(w * 4.0, given) ** 2)
        return loss, tape.gradient(loss, w)

    loss, slope = (tf.function(step) if traced else step)(tf.constant([1.0, -1.0]))
    assert float(loss) == 2.0
    assert slope.numpy().tolist() == [8.0, -8.0]


def test_a_second_gradient_goes_through() -> None:
    w = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = compat.fed(w * w, tf.constant(5.0)) * w
        slope = inner.gradient(loss, w)
    # 5 + 2 w * w by w, where the first term is what was fed.
    assert float(slope) == 13.0
    assert float(outer.gradient(slope, w)) == 12.0


def test_the_value_has_to_be_of_the_same_type() -> None:
    with pytest.raises(ValueError, match="a tensor of float32 cannot be fed values of int32"):
        compat.fed(tf.constant(1.0), tf.constant(1))
