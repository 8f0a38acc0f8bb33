"""Linear estimators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import losses
from ... import variables as tf1
from ..estimator import Estimator
from ..run_config import RunConfig
from ..spec import EstimatorSpec
from .heads import Head, RegressionHead, class_head, train_by
from .logits import Linear, linear_rate, one_part, optimizer_from

_RATE = 0.2


class _LinearEstimator(Estimator):
    def __init__(
        self, head: Head, model: Linear, optimizer: Any, partitioner: Any, model_dir: Any, config: Any, start: Any
    ) -> None:
        def model_fn(features: Any, labels: Any, mode: str) -> EstimatorSpec:
            if not isinstance(features, dict):
                raise ValueError(f"features should be a dictionary of `Tensor`s. Given type: {type(features)}")
            with tf1.variable_scope("linear", partitioner=partitioner or one_part(64 << 20)):
                logits = model.logits(features, head.logits_dimension)
                if optimizer is None:
                    chosen = optimizer_from("Ftrl", linear_rate(model.columns, _RATE))
                else:
                    chosen = optimizer_from(optimizer, _RATE)
                return head.create_estimator_spec(features, mode, logits, labels, train_by(chosen))

        super().__init__(model_fn, model_dir, config, warm_start_from=start)


class LinearClassifier(_LinearEstimator):
    """Classes by a weighted sum of features; stands for `tf.estimator.LinearClassifier` of TF 1.15.

    Args:
      feature_columns: columns of `tf.feature_column`.
      model_dir, config, warm_start_from: as for `Estimator`.
      n_classes: how many classes there are.
      weight_column: name of the feature that weighs examples, or its numeric column.
      label_vocabulary: the classes' names, when labels are such.
      optimizer: an optimizer of `compat.train`, its name without "Optimizer", or a function that makes it.
      partitioner: cuts large variables into parts.
      loss_reduction: a `compat.losses.Reduction`; the loss is a sum over the batch.
      sparse_combiner: how several values of a categorical column are joined.

    Raises:
      ValueError: the number of classes, the reduction or the optimizer's name is not known.

    Example:
      >>> import numpy as np
      >>> import tensorflow as tf
      >>> import compat
      >>> model = compat.estimator.LinearClassifier([tf.feature_column.numeric_column("x")])
      >>> inputs = compat.estimator.inputs.numpy_input_fn({"x": np.array([-1.0, 1.0])}, np.array([0, 1]), shuffle=False)
      >>> int(model.train(inputs).evaluate(inputs)["accuracy"])
      1
    """

    def __init__(
        self,
        feature_columns: Sequence[Any],
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        optimizer: Any = "Ftrl",
        config: RunConfig | None = None,
        partitioner: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = losses.Reduction.SUM,
        sparse_combiner: str = "sum",
    ) -> None:
        head = class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        model = Linear(tuple(feature_columns), sparse_combiner)
        super().__init__(head, model, optimizer, partitioner, model_dir, config, warm_start_from)


class LinearRegressor(_LinearEstimator):
    """Numbers by a weighted sum of features; stands for `tf.estimator.LinearRegressor` of TF 1.15.

    Args:
      label_dimension: how many numbers an example has.
      feature_columns, model_dir, weight_column, optimizer, config, partitioner, warm_start_from, loss_reduction,
        sparse_combiner: as for `LinearClassifier`.

    Raises:
      ValueError: the reduction or the optimizer's name is not known.
    """

    def __init__(
        self,
        feature_columns: Sequence[Any],
        model_dir: str | None = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        optimizer: Any = "Ftrl",
        config: RunConfig | None = None,
        partitioner: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = losses.Reduction.SUM,
        sparse_combiner: str = "sum",
    ) -> None:
        head = RegressionHead(label_dimension, weight_column, loss_reduction)
        model = Linear(tuple(feature_columns), sparse_combiner)
        super().__init__(head, model, optimizer, partitioner, model_dir, config, warm_start_from)
