"""Weights of examples or elements: do they fit the values, and what are they when broadcast?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from .. import counting

_STATIC = 5
"""How many operations TF1 made of a check that static shapes settle."""
_MISFIT = "weights can not be broadcast to values."


def assert_broadcastable(weights: Any, values: Any) -> list[tf.Operation]:
    """Checks that `weights` is a scalar or has, in each dimension, size 1 or that of `values`.

    Returns:
      The operations to depend on: none where the static shapes settle it.

    Raises:
      ValueError: the static shapes do not fit.
    """
    weights, values = tf.convert_to_tensor(weights), tf.convert_to_tensor(values)
    rank, wanted = weights.shape.rank, values.shape.rank
    if rank == 0:
        counting.add(_STATIC)
        return []
    if rank is not None and wanted is not None:
        if rank != wanted:
            raise ValueError(
                f"{_MISFIT} values.rank={wanted}. weights.rank={rank}."
                f" values.shape={values.shape}. weights.shape={weights.shape}."
            )
        for axis, (size, full) in enumerate(zip(weights.shape, values.shape, strict=True)):
            if size not in (1, None) and full is not None and size != full:
                raise ValueError(
                    f"{_MISFIT} Mismatch at dim {axis}. values.shape={values.shape} weights.shape={weights.shape}."
                )
        sizes = zip(weights.shape, values.shape, strict=True)
        if all(size == 1 or (size is not None and size == full) for size, full in sizes):
            counting.add(_STATIC)
            return []
    return _dynamic_check(weights, values)


def _dynamic_check(weights: tf.Tensor, values: tf.Tensor) -> list[tf.Operation]:
    found, full = tf.shape(weights), tf.shape(values)

    def fits() -> tf.Tensor:
        return tf.reduce_all(tf.equal(found, 1) | tf.equal(found, full))

    is_scalar = tf.equal(tf.rank(weights), 0)
    same_rank = tf.equal(tf.rank(weights), tf.rank(values))
    valid = tf.cond(is_scalar, lambda: is_scalar, lambda: tf.cond(same_rank, fits, lambda: same_rank))
    check = tf.debugging.Assert(valid, [_MISFIT, "weights.shape=", found, "values.shape=", full])
    return [] if check is None else [check]


def broadcast_weights(weights: Any, values: Any) -> tf.Tensor:
    """`weights` in the shape and type of `values`.

    Raises:
      ValueError, tf.errors.InvalidArgumentError: they do not fit.
    """
    values = tf.convert_to_tensor(values)
    weights = tf.convert_to_tensor(weights, dtype=values.dtype)
    if weights.shape.is_fully_defined() and weights.shape == values.shape:
        return weights
    with tf.control_dependencies(assert_broadcastable(weights, values)):
        return tf.multiply(weights, tf.ones_like(values))


def squeeze_last(
    labels: Any, predictions: Any, weights: Any = None, expected_rank_diff: int = 0
) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor | None]:
    """Drops a last dimension of size 1 from labels or predictions, then from weights, where one rank is too high.

    Args:
      expected_rank_diff: how many dimensions predictions have more than labels when nothing is to be dropped.
    """
    labels, predictions = tf.convert_to_tensor(labels), tf.convert_to_tensor(predictions)
    excess = _rank_difference(predictions, labels, expected_rank_diff)
    predictions = _squeeze_when(excess, 1, predictions)
    labels = _squeeze_when(excess, -1, labels)
    if weights is None:
        return labels, predictions, None
    weights = tf.convert_to_tensor(weights)
    return labels, predictions, _squeeze_when(_rank_difference(weights, labels, 0), 1, weights)


def _rank_difference(higher: tf.Tensor, lower: tf.Tensor, expected: int) -> Callable[[], Any] | int:
    """Known now (an int), or a function that gives a tensor."""
    if higher.shape.rank is not None and lower.shape.rank is not None:
        return int(higher.shape.rank - lower.shape.rank - expected)
    return lambda: tf.rank(higher) - tf.rank(lower) - expected


def _squeeze_when(difference: Callable[[], Any] | int, wanted: int, tensor: tf.Tensor) -> tf.Tensor:
    may_be_one = tensor.shape.rank is None or (tensor.shape.rank > 0 and tensor.shape[-1] in (1, None))
    if isinstance(difference, int):
        return tf.squeeze(tensor, [-1]) if difference == wanted and may_be_one else tensor
    if not may_be_one:
        return tensor
    return tf.cond(tf.equal(difference(), wanted), lambda: tf.squeeze(tensor, [-1]), lambda: tensor)
