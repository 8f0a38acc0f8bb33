"""The metrics of `tf.contrib.metrics`: those of `tf.metrics` with predictions first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ... import metrics as _core
from ...metrics.accumulation import Pair
from ...metrics.thresholds import count_at


def _predictions_first(metric: Callable[..., Pair]) -> Callable[..., Pair]:
    def streaming(predictions: Any, labels: Any, *args: Any, **kwargs: Any) -> Pair:
        return metric(labels, predictions, *args, **kwargs)

    name = f"streaming_{metric.__name__}"
    streaming.__name__ = streaming.__qualname__ = name
    streaming.__doc__ = f"`tf.metrics.{metric.__name__}` with predictions first; `tf.contrib.metrics.{name}`."
    return streaming


def _counted_at_thresholds(kind: str) -> Callable[..., Pair]:
    # Unlike those of `tf.metrics` they open no scope: the variable is called `true_positives`.
    def streaming(predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any = None) -> Pair:
        (total,), (update,) = count_at(thresholds, labels, predictions, weights, (kind,))
        return tf.identity(total.read_value()), update

    name = f"streaming_{kind}_at_thresholds"
    streaming.__name__ = streaming.__qualname__ = name
    streaming.__doc__ = f"`tf.metrics.{kind}_at_thresholds` with predictions first; `tf.contrib.metrics.{name}`."
    return streaming


streaming_accuracy = _predictions_first(_core.accuracy)
streaming_auc = _predictions_first(_core.auc)
streaming_false_negatives = _predictions_first(_core.false_negatives)
streaming_false_negatives_at_thresholds = _counted_at_thresholds("false_negatives")
streaming_false_positives = _predictions_first(_core.false_positives)
streaming_false_positives_at_thresholds = _counted_at_thresholds("false_positives")
streaming_mean = _core.mean
streaming_mean_absolute_error = _predictions_first(_core.mean_absolute_error)
streaming_mean_cosine_distance = _predictions_first(_core.mean_cosine_distance)
streaming_mean_iou = _predictions_first(_core.mean_iou)
streaming_mean_relative_error = _predictions_first(_core.mean_relative_error)
streaming_mean_squared_error = _predictions_first(_core.mean_squared_error)
streaming_mean_tensor = _core.mean_tensor
streaming_percentage_less = _core.percentage_below
streaming_precision = _predictions_first(_core.precision)
streaming_precision_at_thresholds = _predictions_first(_core.precision_at_thresholds)
streaming_recall = _predictions_first(_core.recall)
streaming_recall_at_thresholds = _predictions_first(_core.recall_at_thresholds)
streaming_root_mean_squared_error = _predictions_first(_core.root_mean_squared_error)
streaming_sensitivity_at_specificity = _predictions_first(_core.sensitivity_at_specificity)
streaming_sparse_average_precision_at_k = _predictions_first(_core.average_precision_at_k)
streaming_sparse_precision_at_k = _predictions_first(_core.precision_at_k)
streaming_sparse_recall_at_k = _predictions_first(_core.recall_at_k)
streaming_specificity_at_sensitivity = _predictions_first(_core.specificity_at_sensitivity)
streaming_true_negatives = _predictions_first(_core.true_negatives)
streaming_true_negatives_at_thresholds = _counted_at_thresholds("true_negatives")
streaming_true_positives = _predictions_first(_core.true_positives)
streaming_true_positives_at_thresholds = _counted_at_thresholds("true_positives")


def streaming_recall_at_k(
    predictions: Any,
    labels: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How often the label is among the k best scores; stands for `tf.contrib.metrics.streaming_recall_at_k`.

    Args:
      predictions: scores, `[batch, classes]`.
      labels: class numbers, `[batch]`.
    """
    found = tf.cast(tf.math.in_top_k(labels, predictions, k), tf.float32)
    return _core.mean(found, weights, metrics_collections, updates_collections, name or f"recall_at_{k}")


def streaming_sparse_precision_at_top_k(
    top_k_predictions: Any,
    labels: Any,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """`tf.metrics.precision_at_top_k`; stands for `tf.contrib.metrics.streaming_sparse_precision_at_top_k`."""
    collections = (metrics_collections, updates_collections)
    return _core.precision_at_top_k(labels, top_k_predictions, None, class_id, weights, *collections, name=name)


def accuracy(predictions: Any, labels: Any, weights: Any = None, name: str | None = None) -> tf.Tensor:
    """Share of predictions that equal labels, in this batch alone; stands for `tf.contrib.metrics.accuracy`.

    Raises:
      ValueError: the types differ, or are floating.
    """
    predictions, labels = tf.convert_to_tensor(predictions), tf.convert_to_tensor(labels)
    if not (labels.dtype.is_integer or labels.dtype in (tf.bool, tf.string)):
        raise ValueError(f"Labels should have bool, integer, or string dtype, not {labels.dtype}")
    if labels.dtype != predictions.dtype:
        raise ValueError("Dtypes of predictions and labels should match.")
    predictions.shape.assert_is_compatible_with(labels.shape)
    with tf.name_scope(name or "accuracy"):
        correct = tf.cast(tf.equal(predictions, labels), tf.float32)
        if weights is None:
            return tf.reduce_mean(correct)
        weights = tf.cast(weights, tf.float32)
        count = tf.reduce_sum(tf.ones_like(correct) * weights)
        return tf.reduce_sum(tf.multiply(correct, weights)) / count


def aggregate_metrics(*value_update_tuples: Pair) -> tuple[list[Any], list[Any]]:
    """The values and the updates of several metrics; stands for `tf.contrib.metrics.aggregate_metrics`.

    Raises:
      ValueError: none is given.
    """
    if not value_update_tuples:
        raise ValueError("Expected at least one value_tensor/update_op pair")
    values, updates = zip(*value_update_tuples, strict=True)
    return list(values), list(updates)


def aggregate_metric_map(names_to_tuples: dict[str, Pair]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Values and updates by name; stands for `tf.contrib.metrics.aggregate_metric_map`.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> accuracy = streaming_accuracy(tf.constant([1, 0]), tf.constant([1, 1]))
      >>> values, updates = aggregate_metric_map({"accuracy": accuracy})
      >>> session.run(compat.local_variables_initializer())
      >>> session.run(updates)
      {'accuracy': np.float32(0.5)}
    """
    values = {name: value for name, (value, _) in names_to_tuples.items()}
    return values, {name: update for name, (_, update) in names_to_tuples.items()}
