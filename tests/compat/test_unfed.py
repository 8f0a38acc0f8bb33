"""Tensors that stand for placeholders which a run did not feed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import compat

SPEC = tf.TensorSpec([None, 3], tf.float32)


def _several(x: Any) -> tuple[Any, Any]:
    y = compat.unfed(SPEC)
    return 2.0 * x, x + y


@tf.function(input_signature=[SPEC])
def needing_none(x: Any) -> Any:
    double, _ = _several(x)
    return double


@tf.function(input_signature=[SPEC])
def needing_it(x: Any) -> Any:
    _, total = _several(x)
    return total


def test_what_depends_on_it_is_left_out() -> None:
    assert needing_none([[1.0, 2.0, 3.0]]).numpy().tolist() == [[2.0, 4.0, 6.0]]


def test_it_keeps_the_shape_of_the_placeholder() -> None:
    shapes = []

    @tf.function
    def traced() -> None:
        shapes.append(compat.unfed(SPEC).shape.as_list())

    traced()
    assert shapes == [[None, 3]]


def test_no_value_is_made_up_for_it() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        needing_it([[1.0, 2.0, 3.0]])


def test_gradients_pass_it_by() -> None:
    weight = tf.Variable(3.0)

    @tf.function(input_signature=[SPEC])
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            double, _ = _several(x * weight)
            loss = tf.reduce_sum(double)
        return tape.gradient(loss, weight)

    assert slope([[1.0, 2.0, 3.0]]).numpy() == 12.0


def test_eagerly_it_is_zeros() -> None:
    tensor = compat.unfed(tf.TensorSpec([None, 3], tf.int32))
    assert tensor.numpy().tolist() == [[0, 0, 0]]
    assert compat.unfed(tf.TensorSpec(None, tf.float32)).shape.as_list() == []


def test_functions_with_it_are_saved(tmp_path: Path) -> None:
    module = tf.Module()
    module.compute = needing_none
    tf.saved_model.save(module, str(tmp_path / "saved"))
    loaded = tf.saved_model.load(str(tmp_path / "saved"))
    assert loaded.compute(tf.constant([[1.0, 2.0, 3.0]])).numpy().tolist() == [[2.0, 4.0, 6.0]]
