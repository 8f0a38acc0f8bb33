"""The models of the canned estimators: a weighted sum, and a stack of dense layers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import tensorflow as tf

from ... import initializers, layers, summary, train
from ... import variables as tf1
from ...feature_column.input_layer import dense_features
from ...feature_column.linear_model import weighted_sum
from ..spec import ModeKeys

# Sizes from which TF1 cut variables into parts for its parameter servers.
_LARGE = 64 << 20

_OPTIMIZERS: dict[str, Callable[..., Any]] = {
    "Adagrad": train.AdagradOptimizer,
    "Adam": train.AdamOptimizer,
    "Ftrl": train.FtrlOptimizer,
    "RMSProp": train.RMSPropOptimizer,
    "SGD": train.GradientDescentOptimizer,
}


def optimizer_from(given: Any, learning_rate: float) -> train.Optimizer:
    """An optimizer from an instance, a name, or a function that makes one.

    Raises:
      ValueError: it is none of these.
    """
    if isinstance(given, str):
        if given not in _OPTIMIZERS:
            raise ValueError(f"Unsupported optimizer name: {given}. Supported names are: {tuple(sorted(_OPTIMIZERS))}")
        return _OPTIMIZERS[given](learning_rate=learning_rate)
    made = given() if callable(given) else given
    if not isinstance(made, train.Optimizer):
        raise ValueError(f"The given object is not an Optimizer instance. Given: {made}")
    return made


def one_part(min_slice_size: int = 256 << 10) -> Any:
    """TF1's partitioner without parameter servers: variables are whole, yet named as the first of their parts."""
    return tf1.min_max_variable_partitioner(max_partitions=1, min_slice_size=min_slice_size)


def linear_rate(columns: Sequence[Any], highest: float) -> float:
    """TF1's default learning rate of so many linear columns."""
    return min(highest, 1.0 / math.sqrt(len(columns)))


class Linear(NamedTuple):
    """A weighted sum of features.

    Attributes:
      columns: of `tf.feature_column`.
      combiner: how several values of a categorical column are joined.
    """

    columns: Sequence[Any]
    combiner: str

    def logits(self, features: Mapping[str, Any], units: int) -> tf.Tensor:
        """The sums, with the summaries that TF1 wrote of them."""
        found: dict[Any, Any] = {}
        with tf1.variable_scope("linear_model"):
            logits = weighted_sum(features, self.columns, units, self.combiner, cols_to_vars=found)
        bias = found.pop("bias")[0]
        if units > 1:
            summary.histogram("bias", bias)
        else:
            summary.scalar("bias", bias[0])
        weights = [tf.reshape(part, [-1]) for variables in found.values() for part in variables]
        summary.scalar("fraction_of_zero_weights", tf.math.zero_fraction(tf.concat(weights, 0)))
        return logits


class Deep(NamedTuple):
    """A stack of dense layers over features.

    Attributes:
      columns: of `tf.feature_column`.
      hidden_units: the layers' sizes.
      activation: applied to each.
      dropout: the share of outputs that training drops; None: none.
      batch_norm: whether each layer is normalized.
      input_partitioner: of the columns' variables.
    """

    columns: Sequence[Any]
    hidden_units: Sequence[int]
    activation: Any
    dropout: float | None
    batch_norm: bool
    input_partitioner: Any

    def logits(self, features: Mapping[str, Any], units: int, mode: str) -> tf.Tensor:
        """The last layer's outputs, with the summaries that TF1 wrote of each layer's."""
        training = mode == ModeKeys.TRAIN
        partitioner = self.input_partitioner or one_part(_LARGE)
        with (
            tf1.variable_scope("input_from_feature_columns", partitioner=partitioner),
            tf1.variable_scope("input_layer"),
        ):
            outputs = dense_features(features, self.columns)
        for number, size in enumerate(self.hidden_units):
            with tf1.variable_scope(f"hiddenlayer_{number}") as scope:
                outputs = _dense(outputs, size, self.activation, scope)
                if self.dropout is not None and training:
                    outputs = layers.dropout(outputs, rate=self.dropout, training=True)
                if self.batch_norm:
                    outputs = layers.batch_normalization(
                        outputs, momentum=0.999, training=training, name=f"batchnorm_{number}"
                    )
            summarize(outputs, scope.name)
        with tf1.variable_scope("logits") as scope:
            outputs = _dense(outputs, units, None, scope)
        summarize(outputs, scope.name)
        return outputs


def summarize(outputs: tf.Tensor, name: str) -> None:
    """TF1's summaries of a layer."""
    summary.scalar(f"{name}/fraction_of_zero_values", tf.math.zero_fraction(outputs))
    summary.histogram(f"{name}/activation", outputs)


def _dense(inputs: tf.Tensor, units: int, activation: Any, scope: Any) -> tf.Tensor:
    initializer = initializers.glorot_uniform_initializer()
    return layers.Dense(units, activation, kernel_initializer=initializer, _scope=scope, name=scope.name)(inputs)
