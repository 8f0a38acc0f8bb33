"""Metrics that are means: `tf.metrics.mean` and what it is made of.

Common arguments: `weights` a number or of the values' shape, `metrics_collections` and `updates_collections`
collections that get the value and the update, `name` of the variable scope. Each gives (value, update), float32.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..losses.weights import broadcast_weights, squeeze_last
from ..variables.collection import add_to_collections
from ..variables.variable_scope import variable_scope
from .accumulation import Pair, accumulate, matched, publish, ratio


def mean(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Weighted mean of all values so far; stands for `tf.metrics.mean`.

    Variables: `total` and `count`.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> loss = compat.placeholder(tf.float32, [])
      >>> value, update = mean(loss)
      >>> session.run(compat.local_variables_initializer())
      >>> _ = [session.run(update, {loss: number}) for number in (1.0, 2.0)]
      >>> session.run(value)
      np.float32(1.5)
    """
    with variable_scope(name, "mean", (values, weights)):
        values = tf.cast(values, tf.float32)
        if weights is None:
            count = tf.cast(tf.size(values), tf.float32)
        else:
            values, _, weights = matched(values, None, weights)
            weights = broadcast_weights(tf.cast(weights, tf.float32), values)
            values = tf.multiply(values, weights)
            count = tf.reduce_sum(weights)
        total, total_update = accumulate("total", tf.reduce_sum(values))
        with tf.control_dependencies([values]):
            count_so_far, count_update = accumulate("count", count)
        return publish(
            ratio, (total, count_so_far), (total_update, count_update), metrics_collections, updates_collections
        )


def mean_tensor(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Weighted mean of each element over the calls; stands for `tf.metrics.mean_tensor`.

    Variables: `total_tensor` and `count_tensor`, of the shape of `values`, which must be known.
    """
    with variable_scope(name, "mean", (values, weights)):
        values = tf.cast(values, tf.float32)
        count = tf.ones_like(values)
        shape = values.shape
        if weights is not None:
            values, _, weights = matched(values, None, weights)
            weights = broadcast_weights(tf.cast(weights, tf.float32), values)
            values = tf.multiply(values, weights)
            count = tf.multiply(count, weights)
        total, total_update = accumulate("total_tensor", values, shape)
        with tf.control_dependencies([values]):
            count_so_far, count_update = accumulate("count_tensor", count, shape)
        return publish(
            ratio, (total, count_so_far), (total_update, count_update), metrics_collections, updates_collections
        )


def accuracy(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How often predictions equal labels; stands for `tf.metrics.accuracy`.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> value, update = accuracy(labels=tf.constant([1, 0]), predictions=tf.constant([1, 1]))
      >>> session.run(compat.local_variables_initializer())
      >>> session.run(update)
      np.float32(0.5)
    """
    predictions, labels, weights = matched(predictions, labels, weights)
    if labels.dtype != predictions.dtype:
        predictions = tf.cast(predictions, labels.dtype)
    correct = tf.cast(tf.equal(predictions, labels), tf.float32)
    return mean(correct, weights, metrics_collections, updates_collections, name or "accuracy")


def mean_absolute_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Mean of `|predictions - labels|`; stands for `tf.metrics.mean_absolute_error`."""
    predictions, labels, weights = matched(predictions, labels, weights)
    errors = tf.abs(predictions - labels)
    return mean(errors, weights, metrics_collections, updates_collections, name or "mean_absolute_error")


def mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Mean of `(predictions - labels)²`; stands for `tf.metrics.mean_squared_error`."""
    predictions, labels, weights = matched(predictions, labels, weights)
    errors = tf.math.squared_difference(labels, predictions)
    return mean(errors, weights, metrics_collections, updates_collections, name or "mean_squared_error")


def root_mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Square root of the mean squared error; stands for `tf.metrics.root_mean_squared_error`."""
    predictions, labels, weights = matched(predictions, labels, weights)
    pair = mean_squared_error(labels, predictions, weights, name=name or "root_mean_squared_error")
    return _collected(tf.sqrt(pair[0]), tf.sqrt(pair[1]), metrics_collections, updates_collections)


def mean_relative_error(
    labels: Any,
    predictions: Any,
    normalizer: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Mean of `|labels - predictions| / normalizer`, 0 where that is 0; `tf.metrics.mean_relative_error`."""
    predictions, labels, weights = matched(predictions, labels, weights)
    predictions, normalizer, _ = squeeze_last(predictions, normalizer)
    predictions.shape.assert_is_compatible_with(normalizer.shape)
    errors = tf.abs(labels - predictions) / normalizer
    errors = tf.where(tf.equal(normalizer, 0.0), tf.zeros_like(labels), errors)
    return mean(errors, weights, metrics_collections, updates_collections, name or "mean_relative_error")


def mean_cosine_distance(
    labels: Any,
    predictions: Any,
    dim: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """1 - mean of `sum(predictions * labels)` along `dim`; stands for `tf.metrics.mean_cosine_distance`."""
    predictions, labels, weights = matched(predictions, labels, weights)
    similarity = tf.reduce_sum(tf.multiply(predictions, labels), axis=[dim], keepdims=True)
    pair = mean(similarity, weights, name=name or "mean_cosine_distance")
    value, update = tf.subtract(1.0, pair[0]), tf.subtract(1.0, pair[1])
    return _collected(value, update, metrics_collections, updates_collections)


def percentage_below(
    values: Any,
    threshold: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Share of the values that are less than `threshold`; stands for `tf.metrics.percentage_below`."""
    below = tf.cast(tf.less(values, threshold), tf.float32)
    return mean(below, weights, metrics_collections, updates_collections, name or "percentage_below_threshold")


def _collected(value: tf.Tensor, update: tf.Tensor, metrics_collections: Any, updates_collections: Any) -> Pair:
    add_to_collections(metrics_collections or None, value)
    add_to_collections(updates_collections or None, update)
    return value, update
