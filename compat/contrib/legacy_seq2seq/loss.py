"""Losses of sequences given as lists of steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf


def sequence_loss_by_example(
    logits: Sequence[Any],
    targets: Sequence[Any],
    weights: Sequence[Any],
    average_across_timesteps: bool = True,
    softmax_loss_function: Callable[..., Any] | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """Weighted cross-entropy of each example, summed over the steps.

    Stands for TF 1.15's `tf.contrib.legacy_seq2seq.sequence_loss_by_example`.

    Args:
      logits: a list of tensors `[batch, symbols]`, one for each step.
      targets: a list of int tensors `[batch]`.
      weights: a list of float tensors `[batch]`.
      average_across_timesteps: whether the sum is divided by the example's sum of weights (plus 1e-12).
      softmax_loss_function: called with `labels=` and `logits=` instead of sparse softmax cross-entropy.
      name: of the name scope.

    Returns:
      A float tensor `[batch]`, in nats.

    Raises:
      ValueError: the lists' lengths differ.
    """
    if not len(logits) == len(targets) == len(weights):
        raise ValueError(
            f"Lengths of logits, weights, and targets must be the same {len(logits)}, {len(weights)}, {len(targets)}."
        )
    with tf.name_scope(name or "sequence_loss_by_example"):
        steps = []
        for logit, target, weight in zip(logits, targets, weights, strict=True):
            if softmax_loss_function is None:
                crossent = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.reshape(target, [-1]), logits=logit)
            else:
                crossent = softmax_loss_function(labels=target, logits=logit)
            steps.append(crossent * weight)
        total = tf.add_n(steps)
        # The small term keeps an example without weights from dividing by zero.
        return total / (tf.add_n(list(weights)) + 1e-12) if average_across_timesteps else total


def sequence_loss(
    logits: Sequence[Any],
    targets: Sequence[Any],
    weights: Sequence[Any],
    average_across_timesteps: bool = True,
    average_across_batch: bool = True,
    softmax_loss_function: Callable[..., Any] | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """The sum of `sequence_loss_by_example` over the batch (`tf.contrib.legacy_seq2seq.sequence_loss` of TF 1.15).

    Args:
      logits: as in `sequence_loss_by_example`.
      targets: as in `sequence_loss_by_example`.
      weights: as in `sequence_loss_by_example`.
      average_across_timesteps: as in `sequence_loss_by_example`.
      average_across_batch: whether the sum is divided by the batch size.
      softmax_loss_function: as in `sequence_loss_by_example`.
      name: of the name scope.

    Returns:
      A float scalar, in nats.

    Raises:
      ValueError: the lists' lengths differ.
    """
    with tf.name_scope(name or "sequence_loss"):
        losses = sequence_loss_by_example(
            logits, targets, weights, average_across_timesteps, softmax_loss_function=softmax_loss_function
        )
        cost = tf.reduce_sum(losses)
        return cost / tf.cast(tf.shape(targets[0])[0], cost.dtype) if average_across_batch else cost
