"""Checks of tensors, and small functions over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ...layers.branching import known_bool as known_bool


def is_tensor(x: Any) -> bool:
    """Whether it is a tensor, a sparse tensor or a variable. Stands for ``tf.contrib.framework.is_tensor``."""
    return tf.is_tensor(x)


def smart_constant_value(pred: Any) -> bool | None:
    """The value of a condition, None while not known. Stands for ``tf.contrib.framework.smart_constant_value``."""
    return known_bool(pred)


def assert_scalar(tensor: Any, name: str | None = None) -> Any:
    """The tensor, if it is a scalar. Stands for ``tf.contrib.framework.assert_scalar``.

    Raises:
        ValueError: it is not.
    """
    tensor = tf.convert_to_tensor(tensor, name=name)
    if tensor.shape.rank not in (0, None):
        raise ValueError(f"Expected scalar shape, saw shape: {tensor.shape}.")
    return tensor


def assert_scalar_int(tensor: Any, name: str | None = None) -> Any:
    """The tensor, if it is a scalar integer. Stands for ``tf.contrib.framework.assert_scalar_int``.

    Raises:
        ValueError: it is not.
    """
    tensor = tf.convert_to_tensor(tensor)
    if not tensor.dtype.is_integer:
        raise ValueError(f"Expected integer type for {name}, received type: {tensor.dtype}.")
    return assert_scalar(tensor, name)


def assert_same_float_dtype(tensors: Sequence[Any] | None = None, dtype: Any = None) -> tf.DType:
    """The floating dtype that all have, float32 of none. Stands for ``tf.contrib.framework.assert_same_float_dtype``.

    Raises:
        ValueError: they differ, or it is not floating.
    """
    found = None if dtype is None else tf.as_dtype(dtype)
    for tensor in tensors or ():
        if tensor is None:
            continue
        if found is not None and tensor.dtype != found:
            raise ValueError(f"Tensor {tensor} has dtype {tensor.dtype}, expected {found}.")
        found = tf.as_dtype(tensor.dtype)
    found = found or tf.float32
    if not found.is_floating:
        raise ValueError(f"Expected floating point type, got {found}.")
    return found


def reduce_sum_n(tensors: Sequence[Any], name: str | None = None) -> Any:
    """The sum of all elements of all tensors. Stands for ``tf.contrib.framework.reduce_sum_n``.

    Raises:
        ValueError: no tensors.
    """
    if not tensors:
        raise ValueError("No tensors provided.")
    return tf.add_n([tf.reduce_sum(tensor) for tensor in tensors], name=name)


def with_shape(expected_shape: Any, tensor: Any) -> Any:
    """The tensor, if it has that shape; checked when run where it is not known.

    Stands for ``tf.contrib.framework.with_shape``.

    Raises:
        ValueError: it has another shape.
    """
    expected = tf.get_static_value(expected_shape) if tf.is_tensor(expected_shape) else expected_shape
    if expected is not None:
        return tf.ensure_shape(tensor, expected)
    with tf.control_dependencies([tf.debugging.assert_equal(tf.shape(tensor), expected_shape)]):
        return tf.identity(tensor)


def with_same_shape(expected_tensor: Any, tensor: Any) -> Any:
    """The tensor, if it has the other's shape. Stands for ``tf.contrib.framework.with_same_shape``."""
    static = expected_tensor.shape
    return with_shape(static if static.is_fully_defined() else tf.shape(expected_tensor), tensor)


def remove_squeezable_dimensions(predictions: Any, labels: Any, name: str | None = None) -> tuple[Any, Any]:
    """Squeezes a last axis of one that the other of two lacks.

    Stands for ``tf.contrib.framework.remove_squeezable_dimensions``.
    """
    with tf.name_scope(name or "remove_squeezable_dimensions"):
        predictions, labels = tf.convert_to_tensor(predictions), tf.convert_to_tensor(labels)
        if predictions.shape.rank is not None and labels.shape.rank is not None:
            more = predictions.shape.rank - labels.shape.rank
            if more == 1 and predictions.shape[-1] in (1, None):
                predictions = tf.squeeze(predictions, [-1])
            elif more == -1 and labels.shape[-1] in (1, None):
                labels = tf.squeeze(labels, [-1])
        return predictions, labels


def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Any:
    """The values in order along an axis. Stands for ``tf.contrib.framework.sort``."""
    return tf.sort(values, axis, direction, name)


def argsort(
    values: Any, axis: int = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Any:
    """The indices that put the values in order. Stands for ``tf.contrib.framework.argsort``."""
    return tf.argsort(values, axis, direction, stable, name)
