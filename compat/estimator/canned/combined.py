"""Wide and deep estimators: a weighted sum and a stack of layers, each with an optimizer of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ... import losses, train
from ... import variables as tf1
from ..estimator import Estimator
from ..run_config import RunConfig
from ..spec import EstimatorSpec
from .heads import Head, RegressionHead, class_head
from .logits import Deep, Linear, linear_rate, one_part, optimizer_from, summarize

_LINEAR_RATE, _DEEP_RATE = 0.005, 0.001


class _CombinedEstimator(Estimator):
    def __init__(
        self,
        head: Head,
        linear: Linear,
        deep: Deep,
        optimizers: tuple[Any, Any],
        model_dir: Any,
        config: Any,
        start: Any,
    ) -> None:
        if not linear.columns and not deep.columns:
            raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")
        if deep.columns and not deep.hidden_units:
            raise ValueError("dnn_hidden_units must be defined when dnn_feature_columns is specified.")

        def model_fn(features: Any, labels: Any, mode: str) -> EstimatorSpec:
            if not isinstance(features, dict):
                raise ValueError(f"features should be a dictionary of `Tensor`s. Given type: {type(features)}")
            logits, optimized = [], []
            if deep.columns:
                optimized.append(("dnn", optimizer_from(optimizers[1], _DEEP_RATE)))
                with tf1.variable_scope("dnn", partitioner=one_part()):
                    logits.append(deep.logits(features, head.logits_dimension, mode))
            if linear.columns:
                optimized.append(("linear", optimizer_from(optimizers[0], linear_rate(linear.columns, _LINEAR_RATE))))
                partitioner = deep.input_partitioner or one_part(64 << 20)
                with tf1.variable_scope("linear", partitioner=partitioner) as scope:
                    logits.append(linear.logits(features, head.logits_dimension))
                    summarize(logits[-1], scope.name)
            return head.create_estimator_spec(
                features, mode, tf.add_n(logits), labels, lambda loss: _train(loss, optimized)
            )

        super().__init__(model_fn, model_dir, config, warm_start_from=start)


def _train(loss: tf.Tensor, optimized: Sequence[tuple[str, train.Optimizer]]) -> tf.Operation:
    """One step of each optimizer for the variables of its scope, and of the step counter after them."""
    steps = [
        optimizer.minimize(loss, var_list=tf1.get_collection(tf1.GraphKeys.TRAINABLE_VARIABLES, scope=scope))
        for scope, optimizer in optimized
    ]
    with tf.control_dependencies([tf.group(*steps)]):
        return tf.group(tf1.assign_add(train.get_global_step(), 1))


class DNNLinearCombinedClassifier(_CombinedEstimator):
    """Classes by both models; stands for `tf.estimator.DNNLinearCombinedClassifier` of TF 1.15.

    Args:
      linear_feature_columns, linear_optimizer, linear_sparse_combiner: of the weighted sum; as for `LinearClassifier`.
      dnn_feature_columns, dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout, batch_norm: of the layers;
        as for `DNNClassifier`.
      model_dir, n_classes, weight_column, label_vocabulary, input_layer_partitioner, config, warm_start_from,
        loss_reduction: as for `DNNClassifier`.

    Raises:
      ValueError: there are no columns, or layers without sizes.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        linear_feature_columns: Sequence[Any] | None = None,
        linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Sequence[Any] | None = None,
        dnn_optimizer: Any = "Adagrad",
        dnn_hidden_units: Sequence[int] | None = None,
        dnn_activation_fn: Any = tf.nn.relu,
        dnn_dropout: float | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        input_layer_partitioner: Any = None,
        config: RunConfig | None = None,
        warm_start_from: Any = None,
        loss_reduction: str = losses.Reduction.SUM,
        batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ) -> None:
        super().__init__(
            class_head(n_classes, weight_column, label_vocabulary, loss_reduction),
            Linear(tuple(linear_feature_columns or ()), linear_sparse_combiner),
            Deep(
                tuple(dnn_feature_columns or ()),
                tuple(dnn_hidden_units or ()),
                dnn_activation_fn,
                dnn_dropout,
                batch_norm,
                input_layer_partitioner,
            ),
            (linear_optimizer, dnn_optimizer),
            model_dir,
            config,
            warm_start_from,
        )


class DNNLinearCombinedRegressor(_CombinedEstimator):
    """Numbers by both models; stands for `tf.estimator.DNNLinearCombinedRegressor` of TF 1.15.

    Args:
      label_dimension: how many numbers an example has.
      model_dir, linear_feature_columns, linear_optimizer, dnn_feature_columns, dnn_optimizer, dnn_hidden_units,
        dnn_activation_fn, dnn_dropout, weight_column, input_layer_partitioner, config, warm_start_from, loss_reduction,
        batch_norm, linear_sparse_combiner: as for `DNNLinearCombinedClassifier`.

    Raises:
      ValueError: there are no columns, or layers without sizes.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        linear_feature_columns: Sequence[Any] | None = None,
        linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Sequence[Any] | None = None,
        dnn_optimizer: Any = "Adagrad",
        dnn_hidden_units: Sequence[int] | None = None,
        dnn_activation_fn: Any = tf.nn.relu,
        dnn_dropout: float | None = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        input_layer_partitioner: Any = None,
        config: RunConfig | None = None,
        warm_start_from: Any = None,
        loss_reduction: str = losses.Reduction.SUM,
        batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ) -> None:
        super().__init__(
            RegressionHead(label_dimension, weight_column, loss_reduction),
            Linear(tuple(linear_feature_columns or ()), linear_sparse_combiner),
            Deep(
                tuple(dnn_feature_columns or ()),
                tuple(dnn_hidden_units or ()),
                dnn_activation_fn,
                dnn_dropout,
                batch_norm,
                input_layer_partitioner,
            ),
            (linear_optimizer, dnn_optimizer),
            model_dir,
            config,
            warm_start_from,
        )
