"""The best F1 score over thresholds of `tf.contrib.metrics`."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...metrics.accumulation import Pair, publish
from ...metrics.thresholds import EDGE, count_at, evenly_spaced
from ...variables.variable_scope import variable_scope


def f1_score(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The best F1 score over evenly spaced thresholds of all scores so far; for `tf.contrib.metrics.f1_score`.

    Labels are cast to bool, predictions lie in [0, 1]. Variables: `true_positives`, `false_negatives` and
    `false_positives`, `[num_thresholds]`.

    Args:
      labels, predictions: tensors of one shape.

    Returns:
      Two scalars: the best score so far, and the operation that takes the batch in and gives the best score then.

    Raises:
      ValueError: the shapes of `predictions`, `labels` and `weights` do not fit.
      tf.errors.InvalidArgumentError: (when run) a prediction is not in [0, 1].

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> value, update = f1_score(tf.constant([0, 1, 1, 0]), tf.constant([0.1, 0.9, 0.4, 0.6]))
      >>> session.run(compat.local_variables_initializer())
      >>> round(float(session.run(update)), 4)
      0.8
    """
    with variable_scope(name, "f1", (labels, predictions, weights)):
        kinds = ("true_positives", "false_negatives", "false_positives")
        totals, updates = count_at(evenly_spaced(num_thresholds), labels, predictions, weights, kinds)
        return publish(_best_f1, totals, updates, metrics_collections, updates_collections, ("value", "update"))


def _best_f1(hits: Any, missed: Any, false: Any, name: str | None = None) -> tf.Tensor:
    precision, recall = hits / (EDGE + hits + false), hits / (EDGE + hits + missed)
    return tf.reduce_max(2.0 * precision * recall / (precision + recall + EDGE), name=name)
