"""Sizes of states and outputs: an int, a TensorShape or a tensor, with the batch in front."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def static_shape(size: Any) -> tf.TensorShape:
    """The dimensions of `size` as far as they are known while the graph is built.

    An int, a scalar tensor and None stand for one dimension, a vector or a shape for several.
    """
    if size is None:
        return tf.TensorShape([None])
    if not isinstance(size, tf.Tensor):
        return tf.TensorShape(size)
    value = tf.get_static_value(size, partial=True)
    if value is not None:
        return tf.TensorShape(value)
    if size.shape.rank == 0:
        return tf.TensorShape([None])
    return tf.TensorShape([None] * size.shape[0]) if size.shape.rank == 1 else tf.TensorShape(None)


def shape_tensor(size: Any) -> tf.Tensor:
    """The dimensions of `size` as an int32 vector.

    Raises:
      ValueError: a dimension is unknown, or the tensor is neither scalar nor vector.
    """
    if isinstance(size, tf.Tensor):
        if size.shape.rank is not None and size.shape.rank > 1:
            raise ValueError(f"A size must be a scalar or a vector, got {size}")
        return tf.reshape(tf.cast(size, tf.int32), [-1])
    shape = tf.TensorShape(size)
    if not shape.is_fully_defined():
        raise ValueError(f"Every dimension must be known to make a tensor of shape {shape}")
    return tf.constant(shape.as_list(), tf.int32)


def batched_shape(batch_size: Any, size: Any) -> tf.TensorShape:
    """The static shape `[batch_size] + size`, unknown where a part of it is."""
    return static_shape(batch_size).concatenate(static_shape(size))


def batched_zeros(batch_size: Any, size: Any, dtype: Any) -> tf.Tensor:
    """Zeros of shape `[batch_size] + size`.

    Args:
      batch_size: an int or a scalar integer tensor.
      size: an int, a `TensorShape`, or an integer tensor.
      dtype: the dtype of the zeros.
    """
    static = batched_shape(batch_size, size)
    if static.is_fully_defined():
        return tf.zeros(static, dtype)
    zeros = tf.zeros(tf.concat([shape_tensor(batch_size), shape_tensor(size)], 0), dtype)
    if not tf.executing_eagerly():
        zeros.set_shape(static)
    return zeros


def zero_state_tensors(state_size: Any, batch_size: Any, dtype: Any) -> Any:
    """Zeros for every size in the structure `state_size`."""
    return tf.nest.map_structure(lambda size: batched_zeros(batch_size, size, dtype), state_size)
