"""Estimators that learn the labels' mean and look at no feature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf

from ... import losses
from ... import variables as tf1
from ..estimator import Estimator
from ..run_config import RunConfig
from ..spec import EstimatorSpec
from .heads import Head, RegressionHead, class_head, train_by
from .logits import optimizer_from

_RATE = 0.3


class _BaselineEstimator(Estimator):
    def __init__(self, head: Head, weight_column: Any, optimizer: Any, model_dir: Any, config: Any) -> None:
        weights = getattr(weight_column, "key", weight_column)

        def model_fn(features: Any, labels: Any, mode: str) -> EstimatorSpec:
            logits = _bias(features, head.logits_dimension, weights)
            chosen = optimizer_from(optimizer, _RATE)
            return head.create_estimator_spec(features, mode, logits, labels, train_by(chosen))

        super().__init__(model_fn, model_dir, config)


def _bias(features: Mapping[str, Any], units: int, weights: str | None) -> tf.Tensor:
    """The bias, once for each example; all features but the weights must have as many."""
    sizes = [tf.shape(feature)[0] for name, feature in features.items() if name != weights]
    checks = [tf.debugging.assert_equal(sizes[0], size) for size in sizes[1:]]
    with tf.control_dependencies(checks), tf1.variable_scope("baseline"):
        bias = tf1.get_variable("bias", shape=[units], initializer=_zeros)
        return tf.multiply(bias, tf.ones([sizes[0], units]))


def _zeros(shape: Any, dtype: Any = None, partition_info: Any = None) -> tf.Tensor:
    del partition_info
    return tf.zeros(shape, dtype)


class BaselineClassifier(_BaselineEstimator):
    """The share of each class, whatever the features; stands for `tf.estimator.BaselineClassifier` of TF 1.15.

    Args:
      model_dir, config: as for `Estimator`.
      n_classes: how many classes there are.
      weight_column: name of the feature that weighs examples, or its numeric column.
      label_vocabulary: the classes' names, when labels are such.
      optimizer: an optimizer of `compat.train`, its name without "Optimizer", or a function that makes it.
      loss_reduction: a `compat.losses.Reduction`; the loss is a sum over the batch.

    Raises:
      ValueError: the number of classes, the reduction or the optimizer's name is not known.

    Example:
      >>> import numpy as np
      >>> import compat
      >>> model = compat.estimator.BaselineClassifier(optimizer="SGD")
      >>> inputs = compat.estimator.inputs.numpy_input_fn({"x": np.zeros(4)}, np.array([0, 1, 1, 1]), shuffle=False)
      >>> round(float(model.train(inputs).evaluate(inputs)["accuracy"]), 2)
      0.75
    """

    def __init__(
        self,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        optimizer: Any = "Ftrl",
        config: RunConfig | None = None,
        loss_reduction: str = losses.Reduction.SUM,
    ) -> None:
        head = class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(head, weight_column, optimizer, model_dir, config)


class BaselineRegressor(_BaselineEstimator):
    """The mean of the labels, whatever the features; stands for `tf.estimator.BaselineRegressor` of TF 1.15.

    Args:
      label_dimension: how many numbers an example has.
      model_dir, weight_column, optimizer, config, loss_reduction: as for `BaselineClassifier`.

    Raises:
      ValueError: the reduction or the optimizer's name is not known.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        optimizer: Any = "Ftrl",
        config: RunConfig | None = None,
        loss_reduction: str = losses.Reduction.SUM,
    ) -> None:
        head = RegressionHead(label_dimension, weight_column, loss_reduction)
        super().__init__(head, weight_column, optimizer, model_dir, config)
