"""Features as one dense tensor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf

from .. import variables as tf1
from .state import ColumnState, sorted_columns


def input_layer(
    features: Mapping[str, Any],
    feature_columns: Any,
    weight_collections: Iterable[str] | None = None,
    trainable: bool = True,
    cols_to_vars: dict[Any, Any] | None = None,
    cols_to_output_tensors: dict[Any, Any] | None = None,
) -> tf.Tensor:
    """Joins what feature columns give; stands for `tf.feature_column.input_layer`.

    The columns come in the order of their names. Variables are called `input_layer/COLUMN/embedding_weights`, with
    `input_layer_1` for a second layer.

    Args:
      features: feature name -> tensor or sparse tensor, examples first.
      feature_columns: dense columns of `tf.feature_column`: numeric, bucketized, indicator, embedding.
      weight_collections: more collections that variables join.
      trainable: whether variables are.
      cols_to_vars: filled with column -> list of its variables.
      cols_to_output_tensors: filled with column -> its part of the result.

    Returns:
      A tensor of shape [examples, numbers of all columns], float32.

    Raises:
      ValueError: a column is not dense, or two have one name.

    Example:
      >>> import tensorflow as tf
      >>> import compat
      >>> with compat.Graph().as_default(), compat.Session() as session:
      ...     features = {"x": tf.constant([1.0, 2.0])}
      ...     rows = compat.feature_column.input_layer(features, [tf.feature_column.numeric_column("x")])
      ...     session.run(rows).tolist()
      [[1.0], [2.0]]
    """
    with tf1.variable_scope(None, default_name="input_layer"):
        return dense_features(
            features, feature_columns, weight_collections, trainable, cols_to_vars, cols_to_output_tensors
        )


def dense_features(
    features: Mapping[str, Any],
    feature_columns: Any,
    weight_collections: Iterable[str] | None = None,
    trainable: bool = True,
    cols_to_vars: dict[Any, Any] | None = None,
    cols_to_output_tensors: dict[Any, Any] | None = None,
) -> tf.Tensor:
    """`input_layer` in the current variable scope."""
    state = ColumnState(features, trainable, weight_collections)
    outputs = []
    for column in sorted_columns(feature_columns):
        with tf1.variable_scope(None, default_name=column.name):
            output, made = state.dense(column)
        outputs.append(output)
        if cols_to_vars is not None:
            cols_to_vars[column] = made
        if cols_to_output_tensors is not None:
            cols_to_output_tensors[column] = output
    return tf.concat(outputs, 1)
