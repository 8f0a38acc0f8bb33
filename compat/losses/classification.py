"""Losses of classes: `tf.losses.sigmoid_cross_entropy`, `softmax_cross_entropy`, `sparse_softmax_cross_entropy`.

Logits are unscaled log probabilities. The last three arguments are those of `compute_weighted_loss`.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..variables.name_scope import name_scope
from .collection import LOSSES
from .reduction import Reduction, compute_weighted_loss
from .weights import squeeze_last

_BY_NONZERO = Reduction.SUM_BY_NONZERO_WEIGHTS


def _demand(**arguments: Any) -> None:
    for name, value in arguments.items():
        if value is None:
            raise ValueError(f"{name} must not be None.")


def sigmoid_cross_entropy(
    multi_class_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = _BY_NONZERO,
) -> tf.Tensor:
    """Cross-entropy of independent classes; stands for `tf.losses.sigmoid_cross_entropy`.

    Args:
      multi_class_labels: 0 or 1, shape `[batch, classes]`, that of `logits`.
      label_smoothing: moves labels to one half by this share: `labels * (1 - s) + s / 2`.

    Raises:
      ValueError: an argument is None, or shapes differ.
    """
    _demand(multi_class_labels=multi_class_labels, logits=logits)
    with name_scope(scope, "sigmoid_cross_entropy_loss", (logits, multi_class_labels, weights)) as full:
        logits = tf.convert_to_tensor(logits)
        labels = tf.cast(multi_class_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, full, loss_collection, reduction)


def softmax_cross_entropy(
    onehot_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = _BY_NONZERO,
) -> tf.Tensor:
    """Cross-entropy of one class out of many; stands for `tf.losses.softmax_cross_entropy`.

    No gradient flows into the labels.

    Args:
      onehot_labels: shape `[batch, classes]`, that of `logits`.
      weights: a number, or of shape `[batch]`.
      label_smoothing: moves labels to the uniform distribution by this share: `labels * (1 - s) + s / classes`.

    Raises:
      ValueError: an argument is None, or shapes differ.

    Example:
      >>> round(float(softmax_cross_entropy([[0.0, 1.0]], [[0.0, 0.0]])), 6)     # log 2
      0.693147
    """
    _demand(onehot_labels=onehot_labels, logits=logits)
    with name_scope(scope, "softmax_cross_entropy_loss", (logits, onehot_labels, weights)) as full:
        logits = tf.convert_to_tensor(logits)
        labels = tf.cast(onehot_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            classes = tf.cast(tf.shape(labels)[-1], logits.dtype)
            labels = labels * (1.0 - label_smoothing) + label_smoothing / classes
        labels = tf.stop_gradient(labels, name="labels_stop_gradient")
        losses = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, full, loss_collection, reduction)


def sparse_softmax_cross_entropy(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = _BY_NONZERO,
) -> tf.Tensor:
    """Cross-entropy of class numbers; stands for `tf.losses.sparse_softmax_cross_entropy`.

    Args:
      labels: int32 or int64, shape `[batch]`; `[batch, 1]` is squeezed, and `weights` with it.
      logits: shape `[batch, classes]`.

    Raises:
      ValueError: an argument is None, or shapes do not fit.
    """
    _demand(labels=labels, logits=logits)
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", (logits, labels, weights)) as full:
        labels, logits, weights = squeeze_last(labels, logits, weights, expected_rank_diff=1)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, full, loss_collection, reduction)
