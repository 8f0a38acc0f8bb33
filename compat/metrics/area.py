"""`tf.metrics.auc`: the area under a ROC or precision-recall curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ..variables.variable_scope import variable_scope
from .accumulation import Pair, publish
from .thresholds import EDGE, count_at, evenly_spaced

_SMALL = 1.0e-6


def _middle(before: tf.Tensor, after: tf.Tensor) -> tf.Tensor:
    return (before + after) / 2.0


_HEIGHTS: dict[str, Callable[[tf.Tensor, tf.Tensor], tf.Tensor]] = {
    "trapezoidal": _middle,
    "careful_interpolation": _middle,
    "minoring": tf.minimum,
    "majoring": tf.maximum,
}


def auc(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    curve: str = "ROC",
    name: str | None = None,
    summation_method: str = "trapezoidal",
    thresholds: Sequence[float] | None = None,
) -> Pair:
    """Area under a curve of scores, by counts at thresholds; stands for `tf.metrics.auc`.

    Args:
      labels: cast to bool.
      predictions: scores in [0, 1].
      weights: a number or of the labels' shape.
      num_thresholds: how many thresholds, evenly spaced.
      metrics_collections, updates_collections: collections that get the value and the update.
      curve: "ROC" (true positive rate over false positive rate) or "PR" (precision over recall).
      name: of the variable scope.
      summation_method: "trapezoidal", "careful_interpolation" (for PR), "minoring" or "majoring".
      thresholds: in place of the evenly spaced ones.

    Returns:
      (value, update), float32 scalars.

    Raises:
      ValueError: an unknown curve or summation method.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> labels, scores = tf.constant([0, 1, 1]), tf.constant([0.1, 0.4, 0.9])
      >>> value, update = auc(labels, scores, curve="PR", summation_method="careful_interpolation")
    """
    if curve not in {"ROC", "PR"}:
        raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
    if summation_method not in _HEIGHTS:
        raise ValueError(f"Invalid summation_method: {summation_method}")

    def area(tp: Any, fn: Any, tn: Any, fp: Any, label: str | None) -> tf.Tensor:
        if curve == "PR" and summation_method == "careful_interpolation":
            return _interpolated_precision_recall(*map(tf.convert_to_tensor, (tp, fp, fn)))
        recall = tf.divide(tp + _SMALL, tp + fn + _SMALL)
        if curve == "ROC":
            x, y = tf.divide(fp, fp + tn + _SMALL), recall
        else:
            x, y = recall, tf.divide(tp + _SMALL, tp + fp + _SMALL)
        height = _HEIGHTS[summation_method](y[:-1], y[1:])
        return tf.reduce_sum(tf.multiply(x[:-1] - x[1:], height), name=label)

    with variable_scope(name, "auc", (labels, predictions, weights)):
        levels = [0.0 - EDGE, *sorted(thresholds or ()), 1.0 + EDGE]
        if thresholds is None:
            levels = evenly_spaced(num_thresholds)
        totals, updates = count_at(levels, labels, predictions, weights)
        return publish(area, totals, updates, metrics_collections, updates_collections)


def _interpolated_precision_recall(tp: tf.Tensor, fp: tf.Tensor, fn: tf.Tensor) -> tf.Tensor:
    """Area where both positive counts run linearly from one threshold to the next.

    With P = tp + fp and slope = ΔTP / ΔP the precision is (TP_b + slope (P - P_b)) / P, so that an interval adds
    slope (ΔTP + (TP_b - slope P_b) log(P_a / P_b)) over all actual positives.
    """
    gained = tp[:-1] - tp[1:]
    positive = tp + fp
    slope = tf.math.divide_no_nan(gained, tf.maximum(positive[:-1] - positive[1:], 0))
    intercept = tp[1:] - tf.multiply(slope, positive[1:])
    growing = tf.logical_and(positive[:-1] > 0, positive[1:] > 0)
    growth = tf.where(growing, tf.math.divide_no_nan(positive[:-1], tf.maximum(positive[1:], 0)), 1.0)
    areas = tf.math.divide_no_nan(slope * (gained + intercept * tf.math.log(growth)), tf.maximum(tp[1:] + fn[1:], 0))
    return tf.reduce_sum(areas, name="interpolate_pr_auc")
