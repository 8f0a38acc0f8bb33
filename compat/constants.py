"""`tf.constant` of TF 1.15, which filled a shape up with the last value."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

__all__ = ["constant"]


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const", verify_shape: bool = False) -> Any:
    """A tensor of values known now; stands for `tf.constant`.

    Args:
      value: a number, text, or nested lists of such, or an array.
      dtype: the type; taken from `value` when None.
      shape: the shape: where `value` has fewer elements, its last one stands in the place of those that lack.
      name: the operation's name.
      verify_shape: refuses a `value` of another shape.

    Raises:
      TypeError: `verify_shape`, and the shapes differ.
      ValueError: `value` has more elements than `shape`.

    Example:
      >>> constant([1, 2], shape=[2, 2]).numpy().tolist()
      [[1, 2], [2, 2]]
    """
    if shape is None or isinstance(value, tf.Tensor):
        return tf.constant(value, dtype, shape, name)
    sizes = tf.TensorShape(shape).as_list()
    found = tf.make_ndarray(tf.make_tensor_proto(value, dtype))
    wanted = math.prod(sizes)
    if verify_shape and list(found.shape) != sizes:
        raise TypeError(f"Expected Tensor's shape: {tuple(sizes)}, got {found.shape}.")
    if found.size > wanted:
        raise ValueError(f"Too many elements provided. Needed at most {wanted}, but received {found.size}")
    kind = tf.as_dtype(found.dtype) if dtype is None else dtype
    if not 0 < found.size < wanted:
        return tf.constant(found, kind, sizes, name)
    flat = found.reshape([-1])
    return tf.constant(np.concatenate([flat, np.repeat(flat[-1:], wanted - found.size)]), kind, sizes, name)
