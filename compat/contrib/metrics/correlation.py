"""Metrics of how predictions and labels vary together: covariance and Pearson's correlation.

Common arguments: `weights` a number or of the labels' shape, `metrics_collections` and `updates_collections`
collections that get the value and the update, `name` of the variable scope.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...losses.weights import broadcast_weights
from ...metrics.accumulation import Pair, accumulate, matched, metric_variable, publish
from ...variables.assignment import assign_add
from ...variables.variable_scope import variable_scope


def streaming_covariance(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Unbiased sample covariance of all values so far, NaN for less than two; for `tf.contrib.metrics`' of that name.

    Variables: `count`, `mean_prediction`, `mean_label`, and `comoment`, the sum of the products of what each value and
    its label lie off their means. A batch is added as a whole (Chan, Golub and LeVeque, 1979).

    Args:
      predictions, labels: tensors of one shape, float32.

    Returns:
      Two scalars: the covariance so far, and the operation that takes the batch in and gives the covariance then.

    Raises:
      ValueError: the shapes of `predictions`, `labels` and `weights` do not fit.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> value, update = streaming_covariance(tf.constant([1.0, 2.0, 3.0]), tf.constant([2.0, 4.0, 7.0]))
      >>> session.run(compat.local_variables_initializer())
      >>> float(session.run(update))
      2.5
    """
    with variable_scope(name, "covariance", (predictions, labels, weights)):
        predictions, labels, weights = matched(predictions, labels, weights)
        if weights is None:
            weights, size = tf.ones([], predictions.dtype), tf.cast(tf.size(labels), tf.float32)
        else:
            weights = broadcast_weights(weights, labels)
            size = tf.reduce_sum(weights)
        count, total = accumulate("count", size)
        before = total - size
        means = [tf.math.divide_no_nan(tf.reduce_sum(values * weights), size) for values in (predictions, labels)]
        gaps = [_moved(name, mean, size, total) for name, mean in zip(("prediction", "label"), means, strict=True)]
        products = (predictions - means[0]) * (labels - means[1]) * weights
        grown = tf.reduce_sum(products) + gaps[0] * gaps[1] * (before * size / total)
        comoment, comoment_so_far = accumulate("comoment", grown)
        return publish(
            _covariance, (count, comoment), (total, comoment_so_far), metrics_collections, updates_collections
        )


def _moved(name: str, mean: tf.Tensor, size: tf.Tensor, total: tf.Tensor) -> tf.Tensor:
    """Takes a batch into the mean `mean_<name>`; how far the mean had been from the batch's."""
    variable = metric_variable([], tf.float32, f"mean_{name}")
    step = tf.math.divide_no_nan((mean - variable) * size, total)
    return assign_add(variable, step) - step - mean


def _covariance(count: Any, comoment: Any, name: str | None = None) -> tf.Tensor:
    count = tf.convert_to_tensor(count)
    return tf.where(count <= 1.0, float("nan"), tf.convert_to_tensor(comoment) / (count - 1.0), name=name)


def streaming_pearson_correlation(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Pearson's correlation of all values so far; stands for `tf.contrib.metrics.streaming_pearson_correlation`.

    Variables: those of three `streaming_covariance`s, `covariance`, `variance_predictions` and `variance_labels`.

    Args:
      predictions, labels: tensors of one shape, float32.

    Returns:
      Two scalars: the correlation so far, and the operation that takes the batch in and gives the correlation then.

    Raises:
      ValueError: the shapes of `predictions`, `labels` and `weights` do not fit.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> value, update = streaming_pearson_correlation(tf.constant([1.0, 2.0, 3.0]), tf.constant([2.0, 4.0, 7.0]))
      >>> session.run(compat.local_variables_initializer())
      >>> round(float(session.run(update)), 4)
      0.9934
    """
    with variable_scope(name, "pearson_r", (predictions, labels, weights)):
        predictions, labels, weights = matched(predictions, labels, weights)
        if weights is not None:
            weights = broadcast_weights(weights, labels)
        both = streaming_covariance(predictions, labels, weights, name="covariance")
        of_predictions = streaming_covariance(predictions, predictions, weights, name="variance_predictions")
        of_labels = streaming_covariance(labels, labels, weights, name="variance_labels")
        totals, updates = zip(both, of_predictions, of_labels, strict=True)
        return publish(_correlation, totals, updates, metrics_collections, updates_collections)


def _correlation(
    covariance: tf.Tensor, of_predictions: tf.Tensor, of_labels: tf.Tensor, name: str | None = None
) -> tf.Tensor:
    return tf.divide(covariance, tf.sqrt(of_predictions) * tf.sqrt(of_labels), name=name)
