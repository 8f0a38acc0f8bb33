"""Metrics of yes-or-no predictions: counts of the four cases, precision and recall.

Labels and predictions are cast to bool. Common arguments: `weights` a number or of the labels' shape,
`metrics_collections` and `updates_collections` collections that get the value and the update, `name` of the variable
scope. Each gives (value, update), float32 scalars.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..variables.collection import add_to_collections
from ..variables.variable_scope import variable_scope
from .accumulation import Pair, accumulate, matched, publish


def _count(
    kind: str,
    labels: Any,
    predictions: Any,
    weights: Any,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Counts one case; `kind` is `true_positives` and so on: whether right, and what was predicted."""
    with variable_scope(name, kind, (predictions, labels, weights)):
        predictions, labels, weights = matched(tf.cast(predictions, tf.bool), tf.cast(labels, tf.bool), weights)
        wanted = predictions if kind.endswith("positives") else tf.logical_not(predictions)
        actual = labels if kind in {"true_positives", "false_negatives"} else tf.logical_not(labels)
        cases = tf.cast(tf.logical_and(actual, wanted), tf.float32)
        if weights is not None:
            cases = tf.multiply(cases, tf.cast(weights, tf.float32))
        count, update = accumulate("count", tf.reduce_sum(cases))
        value = tf.identity(count.read_value())
        add_to_collections(metrics_collections or None, value)
        add_to_collections(updates_collections or None, update)
        return value, update


def true_positives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How many predictions are rightly true; stands for `tf.metrics.true_positives`."""
    return _count("true_positives", labels, predictions, weights, metrics_collections, updates_collections, name)


def true_negatives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How many predictions are rightly false; stands for `tf.metrics.true_negatives`."""
    return _count("true_negatives", labels, predictions, weights, metrics_collections, updates_collections, name)


def false_positives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How many predictions are wrongly true; stands for `tf.metrics.false_positives`."""
    return _count("false_positives", labels, predictions, weights, metrics_collections, updates_collections, name)


def false_negatives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How many predictions are wrongly false; stands for `tf.metrics.false_negatives`."""
    return _count("false_negatives", labels, predictions, weights, metrics_collections, updates_collections, name)


def _share(hits: tf.Tensor, misses: tf.Tensor, name: str | None) -> tf.Tensor:
    return tf.math.divide_no_nan(hits, hits + misses, name=name)


def _precision_or_recall(
    kind: str,
    missed: str,
    labels: Any,
    predictions: Any,
    weights: Any,
    metrics_collections: Any,
    updates_collections: Any,
    name: str | None,
) -> Pair:
    with variable_scope(name, kind, (predictions, labels, weights)):
        predictions, labels, weights = matched(tf.cast(predictions, tf.bool), tf.cast(labels, tf.bool), weights)
        hits, hits_update = _count("true_positives", labels, predictions, weights)
        misses, misses_update = _count(missed, labels, predictions, weights)
        return publish(_share, (hits, misses), (hits_update, misses_update), metrics_collections, updates_collections)


def precision(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """True positives of all predicted positives, 0 when there is none; stands for `tf.metrics.precision`.

    Variables: `true_positives/count` and `false_positives/count`.
    """
    collections = (metrics_collections, updates_collections)
    return _precision_or_recall("precision", "false_positives", labels, predictions, weights, *collections, name)


def recall(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """True positives of all actual positives, 0 when there is none; stands for `tf.metrics.recall`.

    Variables: `true_positives/count` and `false_negatives/count`.
    """
    collections = (metrics_collections, updates_collections)
    return _precision_or_recall("recall", "false_negatives", labels, predictions, weights, *collections, name)
