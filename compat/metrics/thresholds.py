"""Metrics of scores against a list of thresholds: counts, precision, recall, and trade-offs between them.

Labels are cast to bool, predictions lie in [0, 1]. Common arguments: `weights` a number or of the labels' shape,
`metrics_collections` and `updates_collections` collections that get the value and the update, `name` of the variable
scope. Variables: `true_positives`, `false_negatives`, `true_negatives`, `false_positives`, those that are needed, with
one count for each threshold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ..losses.weights import broadcast_weights
from ..variables.collection import add_to_collections
from ..variables.variable_scope import variable_scope
from .accumulation import Pair, accumulate, matched, publish

EDGE = 1e-7
_RANGE = "predictions must be in [0, 1]"
_ALL = ("true_positives", "false_negatives", "true_negatives", "false_positives")


def count_at(
    thresholds: Sequence[float], labels: Any, predictions: Any, weights: Any, kinds: Sequence[str] = _ALL
) -> tuple[list[tf.Variable], list[tf.Tensor]]:
    """Counts cases at each threshold (a score above it is positive): variables, and their updated values.

    Raises:
      tf.errors.InvalidArgumentError: (when run) a prediction is not in [0, 1].
    """
    predictions = tf.convert_to_tensor(predictions)
    checks = [
        tf.debugging.assert_greater_equal(predictions, tf.cast(0.0, predictions.dtype), _RANGE),
        tf.debugging.assert_less_equal(predictions, tf.cast(1.0, predictions.dtype), _RANGE),
    ]
    with tf.control_dependencies([check for check in checks if check is not None]):
        scores, labels, weights = matched(tf.cast(predictions, tf.float32), tf.cast(labels, tf.bool), weights)
    positive = tf.greater(tf.reshape(scores, [1, -1]), tf.constant(list(thresholds), tf.float32)[:, tf.newaxis])
    actual = tf.reshape(labels, [1, -1])
    if weights is not None:
        weights = tf.reshape(broadcast_weights(tf.cast(weights, tf.float32), scores), [1, -1])
    totals, updates = [], []
    for kind in _ALL:
        if kind not in kinds:
            continue
        predicted = positive if kind.endswith("positives") else tf.logical_not(positive)
        right = actual if kind in {"true_positives", "false_negatives"} else tf.logical_not(actual)
        cases = tf.cast(tf.logical_and(right, predicted), tf.float32)
        increment = tf.reduce_sum(cases if weights is None else cases * weights, 1)
        total, update = accumulate(kind, increment, [len(thresholds)])
        totals.append(total)
        updates.append(update)
    return totals, updates


def evenly_spaced(count: int, last: float = 1.0 + EDGE) -> list[float]:
    """`count` thresholds from just below 0 to `last`."""
    return [0.0 - EDGE, *((i + 1) * 1.0 / (count - 1) for i in range(count - 2)), last]


def _count_one(
    kind: str, labels: Any, predictions: Any, thresholds: Any, weights: Any, to_metrics: Any, to_updates: Any, name: Any
) -> Pair:
    with variable_scope(name, kind, (predictions, labels, weights)):
        (total,), (update,) = count_at(thresholds, labels, predictions, weights, (kind,))
        value = tf.identity(total.read_value())
        add_to_collections(to_metrics or None, value)
        add_to_collections(to_updates or None, update)
        return value, update


def true_positives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """True positives at each threshold; stands for `tf.metrics.true_positives_at_thresholds`."""
    collections = (metrics_collections, updates_collections)
    return _count_one("true_positives", labels, predictions, thresholds, weights, *collections, name)


def true_negatives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """True negatives at each threshold; stands for `tf.metrics.true_negatives_at_thresholds`."""
    collections = (metrics_collections, updates_collections)
    return _count_one("true_negatives", labels, predictions, thresholds, weights, *collections, name)


def false_positives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """False positives at each threshold; stands for `tf.metrics.false_positives_at_thresholds`."""
    collections = (metrics_collections, updates_collections)
    return _count_one("false_positives", labels, predictions, thresholds, weights, *collections, name)


def false_negatives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """False negatives at each threshold; stands for `tf.metrics.false_negatives_at_thresholds`."""
    collections = (metrics_collections, updates_collections)
    return _count_one("false_negatives", labels, predictions, thresholds, weights, *collections, name)


def precision_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """`tp / (1e-7 + tp + fp)` at each threshold; stands for `tf.metrics.precision_at_thresholds`."""
    with variable_scope(name, "precision_at_thresholds", (predictions, labels, weights)):
        kinds = ("true_positives", "false_positives")
        totals, updates = count_at(thresholds, labels, predictions, weights, kinds)
        names = ("precision_value", "precision_update_op")
        return publish(_share, totals, updates, metrics_collections, updates_collections, names)


def recall_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """`tp / (1e-7 + tp + fn)` at each threshold; stands for `tf.metrics.recall_at_thresholds`."""
    with variable_scope(name, "recall_at_thresholds", (predictions, labels, weights)):
        kinds = ("true_positives", "false_negatives")
        totals, updates = count_at(thresholds, labels, predictions, weights, kinds)
        names = ("recall_value", "recall_update_op")
        return publish(_share, totals, updates, metrics_collections, updates_collections, names)


def _share(hits: Any, misses: Any, name: str | None) -> tf.Tensor:
    return tf.divide(hits, EDGE + hits + misses, name=name)


def sensitivity_at_specificity(
    labels: Any,
    predictions: Any,
    specificity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Sensitivity where the specificity is nearest to the one given; `tf.metrics.sensitivity_at_specificity`.

    Raises:
      ValueError: `specificity` is not in [0, 1].
    """
    if not 0 <= specificity <= 1:
        raise ValueError("`specificity` must be in the range [0, 1].")

    def at_nearest(tp: Any, fn: Any, tn: Any, fp: Any, label: str | None) -> tf.Tensor:
        distance = tf.abs(tf.divide(tn, tn + fp + EDGE) - specificity)
        index = tf.cast(tf.argmin(distance, 0), tf.int32)
        return tf.divide(tp[index], tp[index] + fn[index] + EDGE, name=label)

    with variable_scope(name, "sensitivity_at_specificity", (predictions, labels, weights)):
        totals, updates = count_at(evenly_spaced(num_thresholds), labels, predictions, weights)
        return publish(at_nearest, totals, updates, metrics_collections, updates_collections)


def specificity_at_sensitivity(
    labels: Any,
    predictions: Any,
    sensitivity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Specificity where the sensitivity is nearest to the one given; `tf.metrics.specificity_at_sensitivity`.

    Of several thresholds that are equally near, the highest counts.

    Raises:
      ValueError: `sensitivity` is not in [0, 1].
    """
    if not 0 <= sensitivity <= 1:
        raise ValueError("`sensitivity` must be in the range [0, 1].")

    def at_nearest(tp: Any, fn: Any, tn: Any, fp: Any, label: str | None) -> tf.Tensor:
        distance = tf.abs(tf.divide(tp, tp + fn + EDGE) - sensitivity)
        nearest = tf.cast(tf.equal(distance, tf.reduce_min(distance)), tf.int64)
        index = tf.cast(tf.argmax(tf.cumsum(nearest), 0), tf.int32)
        return tf.divide(tn[index], tn[index] + fp[index] + EDGE, name=label)

    with variable_scope(name, "specificity_at_sensitivity", (predictions, labels, weights)):
        thresholds = evenly_spaced(num_thresholds, last=1.0 - EDGE)
        totals, updates = count_at(thresholds, labels, predictions, weights)
        return publish(at_nearest, totals, updates, metrics_collections, updates_collections)
