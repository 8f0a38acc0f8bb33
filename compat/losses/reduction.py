"""From losses per element to one weighted number, kept in a collection."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from .. import counting
from ..variables.name_scope import name_scope
from .collection import LOSSES, add_loss
from .weights import assert_broadcastable, broadcast_weights


class Reduction:
    """How losses per element become one; stands for `tf.losses.Reduction`.

    * `NONE`: they do not, they keep the shape of the input.
    * `SUM`: their weighted sum.
    * `MEAN`: that sum over the sum of the weights.
    * `SUM_OVER_BATCH_SIZE`: that sum over the number of elements.
    * `SUM_BY_NONZERO_WEIGHTS` (`SUM_OVER_NONZERO_WEIGHTS`), the default of all losses: that sum over the number of
      elements whose weight is not zero.
    """

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Every reduction."""
        return (cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_BY_NONZERO_WEIGHTS)

    @classmethod
    def validate(cls, key: str) -> None:
        """Raises ValueError when `key` is not a reduction."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}.")


def compute_weighted_loss(
    losses: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> tf.Tensor:
    """Weighs and reduces losses, and collects the result; stands for `tf.losses.compute_weighted_loss`.

    Args:
      losses: shape `[batch, d1, …]`.
      weights: a number, or of the rank of `losses` with sizes that are 1 or those of `losses`.
      scope: name scope of the operations, `weighted_loss` when None.
      loss_collection: the collection that gets the result; None for no collection.
      reduction: one of `Reduction`.

    Returns:
      The loss, in the type of `losses`; computed in float32.

    Raises:
      ValueError: an unknown reduction, or weights that do not fit.

    Example:
      >>> float(compute_weighted_loss(tf.constant([1.0, 2.0, 6.0]), weights=[1.0, 0.0, 1.0]))   # (1 + 6) / 2
      3.5
    """
    Reduction.validate(reduction)
    with name_scope(scope, "weighted_loss", (losses, weights)):
        with tf.control_dependencies(assert_broadcastable(weights, losses)):
            losses = tf.convert_to_tensor(losses)
            given_dtype = losses.dtype
            losses = tf.cast(losses, tf.float32)
            weights = tf.cast(weights, tf.float32)
            loss = tf.multiply(losses, weights)
            if reduction != Reduction.NONE:
                loss = _reduced(loss, losses, weights, reduction)
            loss = tf.cast(loss, given_dtype)
        add_loss(loss, loss_collection)
        return loss


def _reduced(weighted: tf.Tensor, losses: tf.Tensor, weights: tf.Tensor, reduction: str) -> tf.Tensor:
    total = tf.reduce_sum(weighted)
    if reduction == Reduction.SUM:
        return total
    counting.add(2)  # TF1 summed the divisor once more.
    if reduction == Reduction.MEAN:
        divisor = tf.reduce_sum(tf.ones_like(losses) * weights)
    elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
        divisor = tf.cast(tf.size(losses), losses.dtype)
    else:
        divisor = tf.reduce_sum(present_elements(losses, weights))
    return tf.math.divide_no_nan(total, divisor, name="value")


def present_elements(losses: tf.Tensor, weights: tf.Tensor) -> tf.Tensor:
    """1 where an element of `losses` has a weight that is not zero, else 0; float32, in the shape of `losses`."""
    weights = tf.cast(weights, tf.float32)
    present = tf.where(tf.equal(weights, 0.0), tf.zeros_like(weights), tf.ones_like(weights))
    return broadcast_weights(present, losses)
