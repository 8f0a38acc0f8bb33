"""Losses of numbers: `tf.losses.absolute_difference` to `tf.losses.mean_squared_error`.

All share their last four arguments with `compute_weighted_loss`, cast labels and predictions to float32, and raise
ValueError where one is None or their static shapes differ.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from .. import counting
from ..variables.name_scope import name_scope
from .collection import LOSSES, add_loss
from .reduction import Reduction, compute_weighted_loss, present_elements
from .weights import assert_broadcastable

_BY_NONZERO = Reduction.SUM_BY_NONZERO_WEIGHTS


@contextlib.contextmanager
def _as_floats(
    scope: str | None, default: str, labels: Any, predictions: Any, called: str = "predictions"
) -> Iterator[tuple[str, tf.Tensor, tf.Tensor]]:
    if labels is None:
        raise ValueError("labels must not be None.")
    if predictions is None:
        raise ValueError(f"{called} must not be None.")
    with name_scope(scope, default, (predictions, labels)) as full:
        predictions = tf.cast(predictions, tf.float32)
        labels = tf.cast(labels, tf.float32)
        predictions.shape.assert_is_compatible_with(labels.shape)
        yield full, labels, predictions


def absolute_difference(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = _BY_NONZERO,
) -> tf.Tensor:
    """`|predictions - labels|`; stands for `tf.losses.absolute_difference`."""
    with _as_floats(scope, "absolute_difference", labels, predictions) as (full, true, given):
        losses = tf.abs(tf.subtract(given, true))
        return compute_weighted_loss(losses, weights, full, loss_collection, reduction)


def cosine_distance(
    labels: Any,
    predictions: Any,
    axis: int | None = None,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = _BY_NONZERO,
    dim: int | None = None,
) -> tf.Tensor:
    """`1 - sum(predictions * labels)` along `axis` (once `dim`), both of unit length; `tf.losses.cosine_distance`.

    Raises:
      ValueError: neither `axis` nor `dim` is given, or both.
    """
    if axis is not None and dim is not None:
        raise ValueError("Cannot specify both 'axis' and 'dim'.")
    along = dim if axis is None else axis
    if along is None:
        raise ValueError("You must specify 'axis'.")
    with _as_floats(scope, "cosine_distance_loss", labels, predictions) as (full, true, given):
        losses = 1 - tf.reduce_sum(tf.multiply(given, true), axis=(along,), keepdims=True)
        return compute_weighted_loss(losses, weights, full, loss_collection, reduction)


def hinge_loss(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = _BY_NONZERO,
) -> tf.Tensor:
    """`max(0, 1 - (2 * labels - 1) * logits)` for labels 0 and 1; stands for `tf.losses.hinge_loss`."""
    with _as_floats(scope, "hinge_loss", labels, logits, "logits") as (full, true, given):
        ones = tf.ones_like(true)
        signs = tf.subtract(2 * true, ones)
        losses = tf.nn.relu(tf.subtract(ones, tf.multiply(signs, given)))
        return compute_weighted_loss(losses, weights, full, loss_collection, reduction)


def huber_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    delta: float = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = _BY_NONZERO,
) -> tf.Tensor:
    """`e² / 2` where `e = |predictions - labels|` is at most `delta`, else `delta * e - delta² / 2`.

    Stands for `tf.losses.huber_loss`.
    """
    with _as_floats(scope, "huber_loss", labels, predictions) as (full, true, given):
        error = tf.abs(tf.subtract(given, true))
        quadratic = tf.minimum(error, delta)
        # As a difference, not a maximum: its gradient at e == delta is 0, and the two parts do not count it twice.
        linear = tf.subtract(error, quadratic)
        losses = tf.add(0.5 * tf.multiply(quadratic, quadratic), tf.multiply(delta, linear))
        return compute_weighted_loss(losses, weights, full, loss_collection, reduction)


def log_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    epsilon: float = 1e-7,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = _BY_NONZERO,
) -> tf.Tensor:
    """`-labels * log(p + epsilon) - (1 - labels) * log(1 - p + epsilon)`, p = predictions; `tf.losses.log_loss`."""
    with _as_floats(scope, "log_loss", labels, predictions) as (full, true, given):
        positive = -tf.multiply(true, tf.math.log(given + epsilon))
        losses = positive - tf.multiply(1 - true, tf.math.log(1 - given + epsilon))
        return compute_weighted_loss(losses, weights, full, loss_collection, reduction)


def mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = _BY_NONZERO,
) -> tf.Tensor:
    """`(predictions - labels)²`; stands for `tf.losses.mean_squared_error`.

    Example:
      >>> float(mean_squared_error(labels=[1.0, 2.0], predictions=[1.0, 4.0]))
      2.0
    """
    with _as_floats(scope, "mean_squared_error", labels, predictions) as (full, true, given):
        losses = tf.math.squared_difference(given, true)
        return compute_weighted_loss(losses, weights, full, loss_collection, reduction)


def mean_pairwise_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
) -> tf.Tensor:
    """Mean squared difference between the errors of each pair of elements of an example, summed over the batch.

    Stands for `tf.losses.mean_pairwise_squared_error`. Elements of weight zero do not count.

    Args:
      labels, predictions: shape `[batch, d1, …]`.
      weights: a number, or one per example of shape `[batch, 1, …]`, or per element.
    """
    with _as_floats(scope, "mean_pairwise_squared_error", labels, predictions) as (_, true, given):
        weights = tf.cast(weights, tf.float32)
        with tf.control_dependencies(assert_broadcastable(weights, true)):
            errors = tf.subtract(given, true)
        elements = tf.range(1, tf.rank(errors))
        counting.add(4)  # TF1 found the axes twice.
        count = tf.reduce_sum(present_elements(errors, weights), axis=elements, keepdims=True)
        squares = tf.reduce_sum(tf.square(errors), axis=elements, keepdims=True)
        total = tf.reduce_sum(errors, axis=elements, keepdims=True)
        per_element = 2.0 * tf.math.divide_no_nan(squares, tf.maximum(count - 1, 0), name="value")
        pairs = tf.maximum(tf.multiply(count, count - 1), 0)
        per_pair = 2.0 * tf.math.divide_no_nan(tf.square(total), pairs, name="value")
        loss = tf.reduce_sum(tf.multiply(per_element - per_pair, weights))
        loss = tf.where(tf.reduce_sum(count) > 0, loss, tf.zeros_like(loss), name="value")
        add_loss(loss, loss_collection)
        return loss
