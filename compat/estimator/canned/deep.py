"""Deep estimators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ... import losses
from ... import variables as tf1
from ..estimator import Estimator
from ..run_config import RunConfig
from ..spec import EstimatorSpec
from .heads import Head, RegressionHead, class_head, train_by
from .logits import Deep, one_part, optimizer_from

_RATE = 0.05


class _DeepEstimator(Estimator):
    def __init__(self, head: Head, model: Deep, optimizer: Any, model_dir: Any, config: Any, start: Any) -> None:
        def model_fn(features: Any, labels: Any, mode: str) -> EstimatorSpec:
            chosen = optimizer_from(optimizer, _RATE)
            if not isinstance(features, dict):
                raise ValueError(f"features should be a dictionary of `Tensor`s. Given type: {type(features)}")
            with tf1.variable_scope("dnn", partitioner=one_part()):
                logits = model.logits(features, head.logits_dimension, mode)
                return head.create_estimator_spec(features, mode, logits, labels, train_by(chosen))

        super().__init__(model_fn, model_dir, config, warm_start_from=start)


class DNNClassifier(_DeepEstimator):
    """Classes by a stack of dense layers; stands for `tf.estimator.DNNClassifier` of TF 1.15.

    Args:
      hidden_units: sizes of the layers before the last.
      feature_columns: dense columns of `tf.feature_column`.
      activation_fn: applied to each hidden layer.
      dropout: the share of outputs that training drops.
      input_layer_partitioner: cuts the columns' large variables into parts.
      batch_norm: whether each hidden layer is normalized.
      model_dir, n_classes, weight_column, label_vocabulary, optimizer, config, warm_start_from, loss_reduction: as for
        `LinearClassifier`.

    Raises:
      ValueError: the number of classes, the reduction or the optimizer's name is not known.
    """

    def __init__(
        self,
        hidden_units: Sequence[int],
        feature_columns: Sequence[Any],
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        optimizer: Any = "Adagrad",
        activation_fn: Any = tf.nn.relu,
        dropout: float | None = None,
        input_layer_partitioner: Any = None,
        config: RunConfig | None = None,
        warm_start_from: Any = None,
        loss_reduction: str = losses.Reduction.SUM,
        batch_norm: bool = False,
    ) -> None:
        head = class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        model = Deep(feature_columns, hidden_units, activation_fn, dropout, batch_norm, input_layer_partitioner)
        super().__init__(head, model, optimizer, model_dir, config, warm_start_from)


class DNNRegressor(_DeepEstimator):
    """Numbers by a stack of dense layers; stands for `tf.estimator.DNNRegressor` of TF 1.15.

    Args:
      label_dimension: how many numbers an example has.
      hidden_units, feature_columns, model_dir, weight_column, optimizer, activation_fn, dropout,
        input_layer_partitioner, config, warm_start_from, loss_reduction, batch_norm: as for `DNNClassifier`.

    Raises:
      ValueError: the reduction or the optimizer's name is not known.
    """

    def __init__(
        self,
        hidden_units: Sequence[int],
        feature_columns: Sequence[Any],
        model_dir: str | None = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        optimizer: Any = "Adagrad",
        activation_fn: Any = tf.nn.relu,
        dropout: float | None = None,
        input_layer_partitioner: Any = None,
        config: RunConfig | None = None,
        warm_start_from: Any = None,
        loss_reduction: str = losses.Reduction.SUM,
        batch_norm: bool = False,
    ) -> None:
        head = RegressionHead(label_dimension, weight_column, loss_reduction)
        model = Deep(feature_columns, hidden_units, activation_fn, dropout, batch_norm, input_layer_partitioner)
        super().__init__(head, model, optimizer, model_dir, config, warm_start_from)
