"""Metrics over classes: `tf.metrics.mean_iou` and `tf.metrics.mean_per_class_accuracy`."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..variables.collection import add_to_collections
from ..variables.scatter import scatter_add
from ..variables.variable_scope import variable_scope
from .accumulation import Pair, accumulate, metric_variable, publish, ratio


def _flat(tensor: Any) -> Any:
    if tensor is None:
        return None
    tensor = tf.convert_to_tensor(tensor)
    return tf.reshape(tensor, [-1]) if tensor.shape.rank is None or tensor.shape.rank > 1 else tensor


def mean_iou(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Mean over the classes of intersection over union; stands for `tf.metrics.mean_iou`.

    Classes that occur neither in labels nor in predictions do not count.

    Args:
      labels, predictions: class numbers below `num_classes`, of one shape.

    Returns:
      The mean so far, float32, and the update: the confusion matrix so far (rows are labels), float64. The variable is
      `total_confusion_matrix`.
    """
    labels, predictions = tf.convert_to_tensor(labels), tf.convert_to_tensor(predictions)
    with variable_scope(name, "mean_iou", (predictions, labels, weights)):
        predictions.shape.assert_is_compatible_with(labels.shape)
        confusion = tf.math.confusion_matrix(
            _flat(tf.cast(labels, tf.int64)),
            _flat(tf.cast(predictions, tf.int64)),
            num_classes,
            weights=_flat(weights),
            dtype=tf.float64,
        )
        total, update = accumulate("total_confusion_matrix", confusion, [num_classes, num_classes])
        value = _mean_iou(total)
        add_to_collections(metrics_collections or None, value)
        add_to_collections(updates_collections or None, update)
        return value, update


def _mean_iou(confusion: Any) -> tf.Tensor:
    confusion = tf.convert_to_tensor(confusion)
    hits = tf.cast(tf.linalg.diag_part(confusion), tf.float32)
    predicted = tf.cast(tf.reduce_sum(confusion, 0), tf.float32)
    actual = tf.cast(tf.reduce_sum(confusion, 1), tf.float32)
    union = predicted + actual - hits
    classes = tf.reduce_sum(tf.cast(tf.not_equal(union, 0), tf.float32))
    union = tf.where(tf.greater(union, 0), union, tf.ones_like(union))
    total = tf.reduce_sum(hits / union, name="mean_iou")
    return tf.where(tf.greater(classes, 0), total / classes, 0.0)


def mean_per_class_accuracy(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Mean over the classes of each one's accuracy; stands for `tf.metrics.mean_per_class_accuracy`.

    Returns:
      The mean so far, a scalar, and the update: the accuracies so far, one for each class. Variables: `total` and
      `count`.
    """
    with variable_scope(name, "mean_accuracy", (predictions, labels, weights)):
        labels = _flat(tf.cast(labels, tf.int64))
        predictions = _flat(predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
        correct = tf.cast(tf.equal(tf.cast(predictions, labels.dtype), labels), tf.float32)
        ones = tf.ones([tf.size(labels)], tf.float32)
        if weights is not None:
            weights = tf.cast(_flat(weights), tf.float32)
            correct, ones = correct * weights, ones * weights
        total = metric_variable([num_classes], tf.float32, "total")
        count = metric_variable([num_classes], tf.float32, "count")
        updates = (scatter_add(count, labels, correct), scatter_add(total, labels, ones))

        def mean_of_ratios(hits: Any, seen: Any, label: str | None) -> tf.Tensor:
            return ratio(hits, seen, label) if label else tf.reduce_mean(ratio(hits, seen), name="mean_accuracy")

        names = (None, "update_op")
        return publish(mean_of_ratios, (count, total), updates, metrics_collections, updates_collections, names)
