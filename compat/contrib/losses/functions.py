"""The losses of `tf.contrib.losses`: those of `tf.losses` with predictions first, reduced by nonzero weights."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ... import losses as _core


def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: str | None = None) -> tf.Tensor:
    """`tf.losses.compute_weighted_loss`; stands for `tf.contrib.losses.compute_weighted_loss`."""
    return _core.compute_weighted_loss(losses, weights, scope)


def absolute_difference(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None
) -> tf.Tensor:
    """`|predictions - labels|`; stands for `tf.contrib.losses.absolute_difference`."""
    return _core.absolute_difference(labels, predictions, weights, scope)


def cosine_distance(
    predictions: Any,
    labels: Any = None,
    axis: int | None = None,
    weights: Any = 1.0,
    scope: str | None = None,
    dim: int | None = None,
) -> tf.Tensor:
    """`1 - sum(predictions * labels)` along `axis`; stands for `tf.contrib.losses.cosine_distance`."""
    return _core.cosine_distance(labels, predictions, axis, weights, scope, dim=dim)


def hinge_loss(logits: Any, labels: Any = None, scope: str | None = None) -> tf.Tensor:
    """The hinge loss of each element, not reduced; stands for `tf.contrib.losses.hinge_loss`."""
    reduction = _core.Reduction.NONE
    return _core.hinge_loss(labels, logits, scope=scope, loss_collection=None, reduction=reduction)


def log_loss(
    predictions: Any, labels: Any = None, weights: Any = 1.0, epsilon: float = 1e-7, scope: str | None = None
) -> tf.Tensor:
    """The log loss; stands for `tf.contrib.losses.log_loss`."""
    return _core.log_loss(labels, predictions, weights, epsilon, scope)


def mean_squared_error(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> tf.Tensor:
    """`(predictions - labels)²`; stands for `tf.contrib.losses.mean_squared_error`."""
    return _core.mean_squared_error(labels, predictions, weights, scope)


def mean_pairwise_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None
) -> tf.Tensor:
    """The mean pairwise squared error; stands for `tf.contrib.losses.mean_pairwise_squared_error`."""
    return _core.mean_pairwise_squared_error(labels, predictions, weights, scope)


def sigmoid_cross_entropy(
    logits: Any, multi_class_labels: Any, weights: Any = 1.0, label_smoothing: float = 0, scope: str | None = None
) -> tf.Tensor:
    """Cross-entropy of independent classes; stands for `tf.contrib.losses.sigmoid_cross_entropy`."""
    return _core.sigmoid_cross_entropy(multi_class_labels, logits, weights, label_smoothing, scope)


def softmax_cross_entropy(
    logits: Any, onehot_labels: Any, weights: Any = 1.0, label_smoothing: float = 0, scope: str | None = None
) -> tf.Tensor:
    """Cross-entropy of one class out of many; stands for `tf.contrib.losses.softmax_cross_entropy`."""
    return _core.softmax_cross_entropy(onehot_labels, logits, weights, label_smoothing, scope)


def sparse_softmax_cross_entropy(logits: Any, labels: Any, weights: Any = 1.0, scope: str | None = None) -> tf.Tensor:
    """Cross-entropy of class numbers; stands for `tf.contrib.losses.sparse_softmax_cross_entropy`."""
    return _core.sparse_softmax_cross_entropy(labels, logits, weights, scope)
