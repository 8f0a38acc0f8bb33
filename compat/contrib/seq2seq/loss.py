"""The loss of a batch of sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf


def sequence_loss(
    logits: Any,
    targets: Any,
    weights: Any,
    average_across_timesteps: bool = True,
    average_across_batch: bool = True,
    sum_over_timesteps: bool = False,
    sum_over_batch: bool = False,
    softmax_loss_function: Callable[..., Any] | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """Weighted cross-entropy of sequences (TF 1.15's `tf.contrib.seq2seq.sequence_loss`).

    An axis that is averaged is summed and divided by the sum of its weights; one that is "summed" is divided by the
    number of its weights that are not zero; one that is neither stays.

    Args:
      logits: float tensor `[batch, time, symbols]`.
      targets: int tensor `[batch, time]`.
      weights: float tensor `[batch, time]`.
      average_across_timesteps: whether time is averaged.
      average_across_batch: whether the batch is averaged.
      sum_over_timesteps: whether time is "summed".
      sum_over_batch: whether the batch is "summed".
      softmax_loss_function: called with `labels=` and `logits=` instead of sparse softmax cross-entropy.
      name: of the name scope.

    Returns:
      A float tensor in nats: a scalar, `[time]`, `[batch]` or `[batch, time]`. Without any weight it is zero.

    Raises:
      ValueError: a rank is wrong, or an axis is both averaged and summed.

    Example:
      >>> logits, targets = tf.zeros([2, 3, 5]), tf.zeros([2, 3], tf.int32)
      >>> loss = compat.contrib.seq2seq.sequence_loss(logits, targets, tf.ones([2, 3]))      # log 5
    """
    logits, targets, weights = (tf.convert_to_tensor(value) for value in (logits, targets, weights))
    for value, rank, message in (
        (logits, 3, "Logits must be a [batch_size x sequence_length x logits] tensor"),
        (targets, 2, "Targets must be a [batch_size x sequence_length] tensor"),
        (weights, 2, "Weights must be a [batch_size x sequence_length] tensor"),
    ):
        if len(value.shape) != rank:
            raise ValueError(message)
    for averaged, summed, name_of_axis in (
        (average_across_timesteps, sum_over_timesteps, "timesteps"),
        (average_across_batch, sum_over_batch, "batch"),
    ):
        if averaged and summed:
            raise ValueError(
                f"average_across_{name_of_axis} and sum_over_{name_of_axis} cannot be set to True at same time."
            )
    with tf.name_scope(name or "sequence_loss"):
        labels, rows = tf.reshape(targets, [-1]), tf.reshape(logits, [-1, tf.shape(logits)[2]])
        if softmax_loss_function is None:
            crossent = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=rows)
        else:
            crossent = softmax_loss_function(labels=labels, logits=rows)
        crossent = crossent * tf.reshape(weights, [-1])
        if average_across_timesteps and average_across_batch:
            return tf.math.divide_no_nan(tf.reduce_sum(crossent), tf.reduce_sum(weights))
        if sum_over_timesteps and sum_over_batch:
            count = tf.cast(tf.math.count_nonzero(weights), crossent.dtype)
            return tf.math.divide_no_nan(tf.reduce_sum(crossent), count)
        crossent = tf.reshape(crossent, tf.shape(logits)[0:2])
        if average_across_timesteps or average_across_batch:
            axis = [0] if average_across_batch else [1]
            return tf.math.divide_no_nan(tf.reduce_sum(crossent, axis), tf.reduce_sum(weights, axis))
        if sum_over_timesteps or sum_over_batch:
            axis = [0] if sum_over_batch else [1]
            count = tf.cast(tf.math.count_nonzero(weights, axis), crossent.dtype)
            return tf.math.divide_no_nan(tf.reduce_sum(crossent, axis), count)
        return crossent
