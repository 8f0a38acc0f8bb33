"""What a `model_fn` is asked for and gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import tensorflow as tf

LOSS_KEY = "loss"


class ModeKeys:
    """What the model is built for; `tf.estimator.ModeKeys` of TF 1.15."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"


class _Fields(NamedTuple):
    mode: str
    predictions: Any
    loss: Any
    train_op: Any
    eval_metric_ops: Mapping[str, Any]
    export_outputs: Mapping[str, Any] | None
    training_chief_hooks: tuple[Any, ...]
    training_hooks: tuple[Any, ...]
    scaffold: Any
    evaluation_hooks: tuple[Any, ...]
    prediction_hooks: tuple[Any, ...]


class EstimatorSpec(_Fields):
    """The operations and tensors of one mode; stands for `tf.estimator.EstimatorSpec` of TF 1.15.

    Args:
      mode: one of `ModeKeys`.
      predictions: a tensor or a dictionary of tensors, batch first.
      loss: a scalar tensor, or one of shape [1].
      train_op: the operation of one training step.
      eval_metric_ops: name -> (value, update) pair or metric.
      export_outputs: signature name -> `export.ExportOutput`.
      training_chief_hooks, training_hooks, evaluation_hooks, prediction_hooks: hooks of each mode.
      scaffold: a `compat.train.Scaffold`.

    Raises:
      ValueError: what the mode needs is missing, or the loss is not a scalar.
      TypeError: a metric is not a pair.
    """

    __slots__ = ()

    def __new__(
        cls,
        mode: str,
        predictions: Any = None,
        loss: Any = None,
        train_op: Any = None,
        eval_metric_ops: Mapping[str, Any] | None = None,
        export_outputs: Mapping[str, Any] | None = None,
        training_chief_hooks: Sequence[Any] | None = None,
        training_hooks: Sequence[Any] | None = None,
        scaffold: Any = None,
        evaluation_hooks: Sequence[Any] | None = None,
        prediction_hooks: Sequence[Any] | None = None,
    ) -> EstimatorSpec:
        if mode == ModeKeys.TRAIN and train_op is None:
            raise ValueError("Missing train_op.")
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            loss = _scalar(loss)
        if mode == ModeKeys.PREDICT and predictions is None:
            raise ValueError("Missing predictions.")
        for name, metric in (eval_metric_ops or {}).items():
            if not (isinstance(metric, tuple) and len(metric) == 2):
                raise TypeError(
                    f"Values of eval_metric_ops must be (metric_value, update_op) tuples, given {metric} for {name}"
                )
        return super().__new__(
            cls,
            mode,
            {} if predictions is None else predictions,
            loss,
            train_op,
            dict(eval_metric_ops or {}),
            export_outputs,
            tuple(training_chief_hooks or ()),
            tuple(training_hooks or ()),
            scaffold,
            tuple(evaluation_hooks or ()),
            tuple(prediction_hooks or ()),
        )


def _scalar(loss: Any) -> tf.Tensor:
    if loss is None:
        raise ValueError("Missing loss.")
    loss = tf.convert_to_tensor(loss)
    if loss.shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar, given: {loss}")
    return loss if loss.shape.rank == 0 else tf.reshape(loss, [])
