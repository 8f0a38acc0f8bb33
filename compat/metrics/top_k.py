"""Metrics of the k best-scored classes: precision, recall and average precision at k.

Common arguments: `labels` int64, dense `[…, labels]` or sparse; `weights` a number or of the labels' shape without the
last dimension; `class_id` to look at one class only; `metrics_collections` and `updates_collections` collections that
get the value and the update; `name` of the name scope. Each gives (value, update), float64 scalars.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..losses.weights import assert_broadcastable, broadcast_weights
from ..variables.assignment import assign_add
from ..variables.collection import add_to_collections
from ..variables.name_scope import name_scope
from .accumulation import Pair, metric_variable


def precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Share of the k best-scored classes that are labels; stands for `tf.metrics.precision_at_k`.

    Args:
      predictions: scores, `[…, classes]`.
    """
    with name_scope(name, _named("precision", k, class_id), (predictions, labels, weights)) as scope:
        best = tf.math.top_k(predictions, k)[1]
        collections = (metrics_collections, updates_collections)
        return precision_at_top_k(labels, best, k, class_id, weights, *collections, name=scope)


def recall_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Share of the labels that are among the k best-scored classes; stands for `tf.metrics.recall_at_k`.

    Args:
      predictions: scores, `[…, classes]`.
    """
    with name_scope(name, _named("recall", k, class_id), (predictions, labels, weights)) as scope:
        best = tf.math.top_k(predictions, k)[1]
        collections = (metrics_collections, updates_collections)
        return recall_at_top_k(labels, best, k, class_id, weights, *collections, name=scope)


def precision_at_top_k(
    labels: Any,
    predictions_idx: Any,
    k: int | None = None,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """As `precision_at_k`, from class numbers; stands for `tf.metrics.precision_at_top_k`."""
    kinds, collections = ("precision", "false_positive"), (metrics_collections, updates_collections)
    return _share_at_top_k(*kinds, labels, predictions_idx, k, class_id, weights, *collections, name)


def recall_at_top_k(
    labels: Any,
    predictions_idx: Any,
    k: int | None = None,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """As `recall_at_k`, from class numbers; stands for `tf.metrics.recall_at_top_k`."""
    kinds, collections = ("recall", "false_negative"), (metrics_collections, updates_collections)
    return _share_at_top_k(*kinds, labels, predictions_idx, k, class_id, weights, *collections, name)


def _share_at_top_k(
    kind: str,
    missed: str,
    labels: Any,
    predictions_idx: Any,
    k: int | None,
    class_id: int | None,
    weights: Any,
    metrics_collections: Any,
    updates_collections: Any,
    name: str | None,
) -> Pair:
    with name_scope(name, _named(kind, k, class_id), (predictions_idx, labels, weights)) as scope:
        labels = _with_label_dimension(labels, predictions_idx)
        best = tf.cast(predictions_idx, tf.int64)
        hits, hits_update = _streaming_count("true_positive", labels, best, k, class_id, weights)
        misses, misses_update = _streaming_count(missed, labels, best, k, class_id, weights)
        value = tf.divide(hits, tf.add(hits, misses), name=scope)
        update = tf.divide(hits_update, tf.add(hits_update, misses_update), name="update")
        add_to_collections(metrics_collections or None, value)
        add_to_collections(updates_collections or None, update)
        return value, update


def _named(kind: str, k: int | None, class_id: int | None = None) -> str:
    base = f"{kind}_at_k" if k is None else f"{kind}_at_{k}"
    return base if class_id is None else f"{base}_class{class_id}"


def _with_label_dimension(labels: Any, predictions_idx: Any) -> Any:
    """Labels with a last dimension of size 1 added where they have one less than the predictions."""
    predictions_idx = tf.convert_to_tensor(predictions_idx)
    if isinstance(labels, tf.SparseTensor):
        missing = predictions_idx.shape.rank == (labels.shape.rank or 0) + 1
        return tf.sparse.expand_dims(labels, -1) if missing else labels
    labels = tf.convert_to_tensor(labels)
    if labels.shape.rank is None or predictions_idx.shape.rank is None:
        missing = tf.equal(tf.rank(predictions_idx), tf.rank(labels) + 1)
        return tf.cond(missing, lambda: tf.expand_dims(labels, -1), lambda: labels)
    if labels.shape.rank == predictions_idx.shape.rank:
        return labels
    if predictions_idx.shape.rank == labels.shape.rank + 1:
        return tf.expand_dims(labels, -1)
    raise ValueError(f"Unexpected labels shape {labels.shape} for predictions shape {predictions_idx.shape}.")


def _only_class(ids: Any, class_id: int) -> tf.SparseTensor:
    if isinstance(ids, tf.SparseTensor):
        return tf.sparse.retain(ids, tf.equal(ids.values, class_id))
    shape = tf.shape(ids, out_type=tf.int64)
    wanted = tf.fill(tf.concat([shape[:-1], [1]], 0), tf.cast(class_id, tf.int64))
    found = tf.sets.intersection(wanted, tf.cast(ids, tf.int64))
    return tf.SparseTensor(found.indices, found.values, shape)


def _counted(kind: str, labels: Any, best: Any) -> tf.Tensor:
    """How many per example, float64."""
    if kind == "true_positive":
        found = tf.sets.intersection(best, labels)
    else:
        # Predicted without being a label, or the other way round.
        found = tf.sets.difference(best, labels, aminusb=kind == "false_positive")
    return tf.cast(tf.sets.size(found), tf.float64)


def _streaming_count(
    kind: str, labels: Any, best: tf.Tensor, k: int | None, class_id: int | None, weights: Any
) -> tuple[Any, tf.Tensor]:
    with name_scope(None, _named(kind, k, class_id)) as scope:
        if class_id is not None:
            labels, best = _only_class(labels, class_id), _only_class(best, class_id)
        count = _counted(kind, labels, best)
        if weights is not None:
            with tf.control_dependencies(assert_broadcastable(weights, count)):
                count = tf.multiply(count, tf.cast(weights, tf.float64))
        total = metric_variable([], tf.float64, scope)
        return total, assign_add(total, tf.reduce_sum(count), name="update")


def average_precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Mean over the examples of average precision at k; stands for `tf.metrics.average_precision_at_k`.

    The average precision of an example is the sum of precision at i over those i up to k where the i-th best class is
    a label, divided by the number of its labels or k, whichever is less.

    Raises:
      ValueError: k is less than 1.
    """
    if k < 1:
        raise ValueError(f"Invalid k={k}.")
    with name_scope(name, _named("average_precision", k), (predictions, labels, weights)) as scope:
        best = tf.math.top_k(predictions, k)[1]
        labels = _without_unknown(labels, tf.cast(tf.shape(predictions)[-1], tf.int64))
        precision = _average_precision(labels, tf.cast(best, tf.int64), k)
        if weights is not None:
            weights = broadcast_weights(tf.cast(weights, tf.float64), precision)
            precision = tf.multiply(precision, weights)
        with name_scope(None, "max") as max_scope:
            most = metric_variable([], tf.float64, max_scope)
            possible = tf.cast(tf.size(precision), tf.float64) if weights is None else tf.reduce_sum(weights)
            most_update = assign_add(most, possible, name="update")
        with name_scope(None, "total") as total_scope:
            total = metric_variable([], tf.float64, total_scope)
            total_update = assign_add(total, tf.reduce_sum(precision), name="update")
        value = tf.math.divide_no_nan(total, most, name="mean")
        update = tf.math.divide_no_nan(total_update, most_update, name=scope)
        add_to_collections(metrics_collections or None, value)
        add_to_collections(updates_collections or None, update)
        return value, update


def _without_unknown(labels: Any, classes: tf.Tensor) -> Any:
    """Labels with -1, which matches nothing, where the class does not exist."""
    if isinstance(labels, tf.SparseTensor):
        return labels.with_values(_without_unknown(labels.values, classes))
    labels = tf.cast(labels, tf.int64)
    # The operation `Max` takes the name `max` from the variable, which TF1 therefore called `max_1`.
    any_unknown = tf.reduce_max(labels) >= classes
    return tf.cond(any_unknown, lambda: tf.where(labels >= classes, -tf.ones_like(labels), labels), lambda: labels)


def _average_precision(labels: Any, best: tf.Tensor, k: int) -> tf.Tensor:
    labels = _with_label_dimension(labels, best)
    if isinstance(labels, tf.SparseTensor):
        relevant = tf.sets.size(labels)
        labels = tf.sparse.to_dense(labels, default_value=-1, validate_indices=False)
    else:
        relevant = tf.reduce_sum(tf.cast(labels >= 0, tf.int32), axis=-1)
    matches = tf.equal(best[..., tf.newaxis], labels[..., tf.newaxis, :])
    hit = tf.cast(tf.reduce_any(matches, -1), tf.float64)
    precision = tf.cumsum(hit, axis=-1) / tf.cumsum(tf.ones_like(hit), axis=-1)
    return tf.reduce_sum(precision * hit, axis=-1) / tf.cast(tf.minimum(relevant, k), tf.float64)


def sparse_average_precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Old name of `average_precision_at_k`; stands for `tf.metrics.sparse_average_precision_at_k`."""
    return average_precision_at_k(labels, predictions, k, weights, metrics_collections, updates_collections, name)


def sparse_precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Old name of `precision_at_k`; stands for `tf.metrics.sparse_precision_at_k`."""
    collections = (metrics_collections, updates_collections)
    return precision_at_k(labels, predictions, k, class_id, weights, *collections, name=name)
