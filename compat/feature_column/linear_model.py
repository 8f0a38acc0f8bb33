"""Features as a weighted sum."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf

from .. import variables as tf1
from .state import CategoricalColumn, ColumnState, parts, sorted_columns


def linear_model(
    features: Mapping[str, Any],
    feature_columns: Any,
    units: int = 1,
    sparse_combiner: str = "sum",
    weight_collections: Iterable[str] | None = None,
    trainable: bool = True,
    cols_to_vars: dict[Any, Any] | None = None,
) -> tf.Tensor:
    """The weighted sum of features and a bias; stands for `tf.feature_column.linear_model`.

    Variables are called `linear_model/COLUMN/weights` and `linear_model/bias_weights`, and start from zero.

    Args:
      features: feature name -> tensor or sparse tensor, examples first.
      feature_columns: columns of `tf.feature_column`; categorical ones need no wrapping.
      units: how many sums.
      sparse_combiner: how several values of a categorical column are joined: "sum", "mean" or "sqrtn".
      weight_collections: more collections that variables join.
      trainable: whether variables are.
      cols_to_vars: filled with column -> list of its variables, and "bias" -> the bias.

    Returns:
      A tensor of shape [examples, units], float32.

    Raises:
      ValueError: two columns have one name, or one is neither dense nor categorical.

    Example:
      >>> import tensorflow as tf
      >>> import compat
      >>> with compat.Graph().as_default(), compat.Session() as session:
      ...     features = {"x": tf.constant([1.0, 2.0])}
      ...     total = compat.feature_column.linear_model(features, [tf.feature_column.numeric_column("x")])
      ...     session.run(compat.global_variables_initializer())
      ...     session.run(total).tolist()
      [[0.0], [0.0]]
    """
    with tf1.variable_scope(None, default_name="linear_model"):
        return weighted_sum(
            features, feature_columns, units, sparse_combiner, weight_collections, trainable, cols_to_vars
        )


def weighted_sum(
    features: Mapping[str, Any],
    feature_columns: Any,
    units: int = 1,
    sparse_combiner: str = "sum",
    weight_collections: Iterable[str] | None = None,
    trainable: bool = True,
    cols_to_vars: dict[Any, Any] | None = None,
) -> tf.Tensor:
    """`linear_model` in the current variable scope."""
    state = ColumnState(features, trainable, weight_collections)
    found = {} if cols_to_vars is None else cols_to_vars
    sums = []
    for column in sorted_columns(feature_columns):
        with tf1.variable_scope(column.name):
            if isinstance(column, CategoricalColumn):
                total, weights = _of_categories(column, state, units, sparse_combiner)
            else:
                total, weights = _of_numbers(column, state, units)
        sums.append(total)
        found[column] = parts(weights)
    bias = state.weights([units], "bias_weights")
    found["bias"] = parts(bias)
    return tf.nn.bias_add(tf.add_n(sums), tf.convert_to_tensor(bias))


def _of_numbers(column: Any, state: ColumnState, units: int) -> tuple[tf.Tensor, Any]:
    rows, _ = state.dense(column)
    weights = state.weights([column.variable_shape.num_elements(), units])
    return tf.matmul(rows, tf.convert_to_tensor(weights)), weights


def _of_categories(column: Any, state: ColumnState, units: int, combiner: str) -> tuple[tf.Tensor, Any]:
    weights = state.weights([column.num_buckets, units])
    pair = column.get_sparse_tensors(state.cache, state)
    ids = _flat(pair.id_tensor)
    factors = None if pair.weight_tensor is None else _flat(pair.weight_tensor)
    table = weights if isinstance(weights, tf.Variable) else list(weights)
    return tf.nn.safe_embedding_lookup_sparse(table, ids, factors, combiner), weights


def _flat(values: tf.SparseTensor) -> tf.SparseTensor:
    """Rows of one dimension: the values of an example, in whatever shape they came."""
    return tf.sparse.reshape(values, [tf.shape(values)[0], -1])
