"""What `tf.io.parse_example` needs to read examples for an estimator."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def classifier_parse_example_spec(
    feature_columns: Any,
    label_key: str,
    label_dtype: tf.DType = tf.int64,
    label_default: Any = None,
    weight_column: Any = None,
) -> dict[str, Any]:
    """The features of a classifier, its label and weight; stands for `tf.estimator.classifier_parse_example_spec`.

    Args:
      feature_columns: columns of `tf.feature_column`.
      label_key: name of the label, one number or word an example.
      label_dtype: its type.
      label_default: what an example without a label has; None: that is an error.
      weight_column: name of the weight, or its numeric column.

    Raises:
      ValueError: the label or the weight has the name of a feature.

    Example:
      >>> import tensorflow as tf
      >>> import compat
      >>> columns = [tf.feature_column.numeric_column("x")]
      >>> sorted(compat.estimator.classifier_parse_example_spec(columns, "y", weight_column="w"))
      ['w', 'x', 'y']
    """
    return _with_label(feature_columns, label_key, 1, label_dtype, label_default, weight_column)


def regressor_parse_example_spec(
    feature_columns: Any,
    label_key: str,
    label_dtype: tf.DType = tf.float32,
    label_default: Any = None,
    label_dimension: int = 1,
    weight_column: Any = None,
) -> dict[str, Any]:
    """The features of a regressor, its label and weight; stands for `tf.estimator.regressor_parse_example_spec`.

    Args:
      label_dimension: how many numbers an example's label has.
      feature_columns, label_key, label_dtype, label_default, weight_column: as for `classifier_parse_example_spec`.

    Raises:
      ValueError: the label or the weight has the name of a feature.
    """
    return _with_label(feature_columns, label_key, label_dimension, label_dtype, label_default, weight_column)


def _with_label(
    feature_columns: Any, label_key: str, dimension: int, dtype: tf.DType, default: Any, weight_column: Any
) -> dict[str, Any]:
    spec: dict[str, Any] = tf.feature_column.make_parse_example_spec(feature_columns)
    added = {label_key: tf.io.FixedLenFeature((dimension,), dtype, default)}
    if weight_column is not None:
        if isinstance(weight_column, str):
            weight_column = tf.feature_column.numeric_column(weight_column)
        added[weight_column.key] = tf.io.FixedLenFeature((1,), weight_column.dtype)
    for name, feature in added.items():
        if name in spec:
            raise ValueError(f"label or weight should not be used as feature. {name}: {spec[name]}")
        spec[name] = feature
    return spec
