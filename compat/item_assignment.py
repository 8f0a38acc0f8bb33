"""Item assignment for tensors, which cannot be changed: a new tensor in place of ``x[key] = value``."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

__all__ = ["item_assigned"]


def item_assigned(x: Any, key: Any, value: Any) -> tf.Tensor:
    """`x` with ``x[key]`` set to `value`: what ``x[key] = value`` does to a NumPy array, for a tensor.

    `x` stays as it is. The result's gradient goes to `x` where it was kept and to `value` where it was set. Works
    eagerly, in a `tf.function` and in a TF1-style graph, for shapes that are known only when it runs, too.

    Args:
      x: a tensor of any type and of at least one dimension.
      key: what stands in the brackets: a number, slice (steps too, negative ones too), `...`, `tf.newaxis`, or a tuple
        of these, in which numbers may be integer tensors; or one boolean mask over the first dimensions; or one
        tensor, array or list of integers that picks rows, none of them twice.
      value: a tensor of `x`'s type, or what converts to one; its shape broadcasts to that of ``x[key]``.

    Returns:
      A tensor of `x`'s type and shape.

    Raises:
      TypeError: `x` is a variable, or `key` mixes arrays with other indices.
      IndexError: `x` is a scalar.
      ValueError, tf.errors.InvalidArgumentError: an index is out of range, a type is another one, or `value` has a
        shape that does not fit.

    Example:
      >>> x = tf.constant([0, 0, 0, 0, 0])
      >>> item_assigned(x, 0, 4).numpy()
      array([4, 0, 0, 0, 0], dtype=int32)
      >>> item_assigned(x, slice(None, None, 2), [1, 2, 3]).numpy()
      array([1, 0, 2, 0, 3], dtype=int32)
    """
    if isinstance(x, tf.Variable):
        raise TypeError("a variable changes in place: x[key].assign(value)")
    x = tf.convert_to_tensor(x)
    if x.shape.rank == 0:
        raise IndexError("a scalar has no items to set")
    shape = tf.shape(x, tf.int64)
    positions = tf.reshape(tf.range(tf.reduce_prod(shape)), shape)
    positions.set_shape(x.shape)
    chosen = _chosen(positions, key)
    value = tf.broadcast_to(tf.convert_to_tensor(value, x.dtype), tf.shape(chosen))
    flat = tf.tensor_scatter_nd_update(tf.reshape(x, [-1]), tf.reshape(chosen, [-1, 1]), tf.reshape(value, [-1]))
    return tf.ensure_shape(tf.reshape(flat, shape), x.shape)


def _chosen(positions: tf.Tensor, key: Any) -> tf.Tensor:
    """The positions in `x` that a key means, in the shape that ``x[key]`` has."""
    if isinstance(key, tuple):
        if any(_is_array(part) for part in key):
            raise TypeError("an array beside other indices: set the items with tf.tensor_scatter_nd_update")
        return positions[key]
    if not _is_array(key):
        return positions[key]
    array = tf.convert_to_tensor(key)
    if array.dtype == tf.bool:
        return tf.boolean_mask(positions, array)
    if not array.dtype.is_integer:
        raise TypeError(f"an array of {array.dtype.name} does not index")
    rows, size = tf.cast(array, tf.int64), tf.shape(positions, tf.int64)[0]
    # A GPU's gather gives zeros for rows that do not exist: these would be written to item 0.
    exist = tf.debugging.Assert(tf.reduce_all((-size <= rows) & (rows < size)), ["no such row among", rows, "of", size])
    with tf.control_dependencies([] if exist is None else [exist]):
        return tf.gather(positions, tf.where(rows < 0, rows + size, rows))


def _is_array(part: Any) -> bool:
    """A list, or an array of at least one dimension, or a boolean: no number, slice, ellipsis or new axis."""
    if isinstance(part, tf.Tensor):
        return part.shape.rank != 0 or part.dtype == tf.bool
    return isinstance(part, list | bool | np.bool_) or (isinstance(part, np.ndarray) and part.ndim > 0)
