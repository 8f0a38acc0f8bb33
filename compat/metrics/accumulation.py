"""How every metric works: local variables that add up, a value computed from them, an operation that updates both.

Under the bridge a metric gives the pair (value, update) to fetch; natively the update has happened when the call
returns, and both are the value so far. The variables are in LOCAL_VARIABLES and METRIC_VARIABLES.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ..losses.weights import squeeze_last
from ..variables.assignment import assign_add
from ..variables.collection import add_to_collections
from ..variables.creation import Variable
from ..variables.graph_keys import GraphKeys

Pair = tuple[tf.Tensor, tf.Tensor]


def metric_variable(shape: Any, dtype: tf.DType, name: str, validate_shape: bool = True) -> tf.Variable:
    """A local variable of zeros; stands for `metric_variable` of TF 1.15's metrics."""
    return Variable(
        lambda: tf.zeros(shape, dtype),
        trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES],
        validate_shape=validate_shape,
        name=name,
    )


def accumulate(name: str, increment: tf.Tensor, shape: Any = ()) -> tuple[tf.Variable, tf.Tensor]:
    """A variable that adds up `increment`, and its value after this one."""
    total = metric_variable(shape, increment.dtype, name)
    return total, assign_add(total, increment)


def publish(
    compute: Callable[..., tf.Tensor],
    totals: Sequence[Any],
    updates: Sequence[tf.Tensor],
    metrics_collections: Any,
    updates_collections: Any,
    names: tuple[str | None, str | None] = ("value", "update_op"),
) -> Pair:
    """The pair of a metric: `compute` of the variables and of their updated values, put into the collections."""
    value = compute(*totals, names[0])
    update = compute(*updates, names[1])
    add_to_collections(metrics_collections or None, value)
    add_to_collections(updates_collections or None, update)
    return value, update


def ratio(numerator: Any, denominator: Any, name: str | None = None) -> tf.Tensor:
    """`numerator / denominator`, 0 where the denominator is 0 or negative."""
    return tf.math.divide_no_nan(numerator, tf.maximum(denominator, 0), name=name)


def matched(predictions: Any, labels: Any, weights: Any) -> tuple[tf.Tensor, tf.Tensor | None, tf.Tensor | None]:
    """Predictions, labels and weights with last dimensions of size 1 dropped or added where ranks differ by one."""
    predictions = tf.convert_to_tensor(predictions)
    if labels is not None:
        labels, predictions, _ = squeeze_last(labels, predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
    if weights is None:
        return predictions, labels, None
    return predictions, labels, _weights_of_rank(tf.convert_to_tensor(weights), predictions)


def _weights_of_rank(weights: tf.Tensor, predictions: tf.Tensor) -> tf.Tensor:
    if weights.shape.rank == 0:
        return weights
    if weights.shape.rank is not None and predictions.shape.rank is not None:
        excess = weights.shape.rank - predictions.shape.rank
        if excess == 1:
            return tf.squeeze(weights, [-1])
        return tf.expand_dims(weights, -1) if excess == -1 else weights
    excess = tf.rank(weights) - tf.rank(predictions)
    squeezable = weights.shape.rank is None or weights.shape[-1] in (1, None)

    def squeezed_or_expanded() -> tf.Tensor:
        def squeezed() -> tf.Tensor:
            return tf.squeeze(weights, [-1]) if squeezable else weights

        def expanded() -> tf.Tensor:
            return tf.cond(tf.equal(excess, -1), lambda: tf.expand_dims(weights, -1), lambda: weights)

        return tf.cond(tf.equal(excess, 1), squeezed, expanded)

    return tf.cond(tf.equal(tf.rank(weights), 0), lambda: weights, squeezed_or_expanded)
