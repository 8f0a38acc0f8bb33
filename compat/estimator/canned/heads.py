"""From logits to a mode's operations: loss, metrics, predictions, for classes and numbers."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import tensorflow as tf

from ... import losses, metrics, summary, train
from ... import variables as tf1
from ...feature_column.state import ColumnState
from ...lookup import vocabulary
from ...losses.weights import broadcast_weights
from ..export import ClassificationOutput, ExportOutput, PredictOutput, RegressionOutput
from ..spec import LOSS_KEY, EstimatorSpec, ModeKeys

_SERVED = tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY
_MEAN_LOSS = "average_loss"


class Loss(NamedTuple):
    """What was lost, in all and by example.

    Attributes:
      total: a scalar.
      by_example: shape [examples, 1] or [examples, outputs].
      weights: of the examples; 1.0 without a weight column.
      labels: as the metrics take them.
    """

    total: tf.Tensor
    by_example: tf.Tensor
    weights: Any
    labels: tf.Tensor


class Head(abc.ABC):
    """Makes the `EstimatorSpec` of a model out of its logits.

    Args:
      logits_dimension: how many logits an example has.
      weight_column: name of the feature that weighs examples, or its numeric column.
      loss_reduction: a `compat.losses.Reduction`.
    """

    def __init__(self, logits_dimension: int, weight_column: Any, loss_reduction: str) -> None:
        if loss_reduction not in losses.Reduction.all() or loss_reduction == losses.Reduction.NONE:
            raise ValueError(f"Invalid loss_reduction: {loss_reduction}")
        self.logits_dimension = logits_dimension
        self._weight_column = weight_column
        self._reduction = loss_reduction

    @abc.abstractmethod
    def predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        """What the model says of each example."""

    @abc.abstractmethod
    def outputs(self, predictions: Mapping[str, tf.Tensor]) -> dict[str, ExportOutput]:
        """The signatures to export, but for `predict`."""

    @abc.abstractmethod
    def compared(self, labels: tf.Tensor, logits: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """The loss of each example, and the labels as metrics take them."""

    @abc.abstractmethod
    def metrics(self, loss: Loss, predictions: Mapping[str, tf.Tensor]) -> dict[str, Any]:
        """Metrics beside the loss."""

    def create_estimator_spec(
        self,
        features: Mapping[str, Any],
        mode: str,
        logits: tf.Tensor,
        labels: Any,
        train_op_fn: Callable[[tf.Tensor], Any],
    ) -> EstimatorSpec:
        """The operations of one mode.

        Raises:
          ValueError: labels are missing or have another size than the logits.
        """
        with tf1.name_scope(None, "head"):
            predictions = self.predictions(logits)
            if mode == ModeKeys.PREDICT:
                exported = {**self.outputs(predictions), "predict": PredictOutput(predictions)}
                return EstimatorSpec(mode, predictions, export_outputs=exported)
            loss = self._loss(features, labels, logits)
            if mode == ModeKeys.EVAL:
                return EstimatorSpec(mode, predictions, loss.total, eval_metric_ops=self.metrics(loss, predictions))
            train_op = tf.group(train_op_fn(loss.total), *tf1.get_collection(tf1.GraphKeys.UPDATE_OPS))
            mean = None
            if self._reduction == losses.Reduction.SUM:
                mean = loss.total / tf.reduce_sum(loss.weights * tf.ones_like(loss.by_example))
        with tf1.name_scope(""):
            summary.scalar(LOSS_KEY, loss.total)
            if mean is not None:
                summary.scalar(_MEAN_LOSS, mean)
        return EstimatorSpec(mode, predictions, loss.total, train_op)

    def _loss(self, features: Mapping[str, Any], labels: Any, logits: tf.Tensor) -> Loss:
        by_example, labels = self.compared(_labels(labels, logits, self._label_dimension()), logits)
        weights = self._weights(features, logits)
        total = losses.compute_weighted_loss(by_example, weights, reduction=self._reduction)
        return Loss(total, by_example, weights, labels)

    def _label_dimension(self) -> int:
        return 1

    def _weights(self, features: Mapping[str, Any], logits: tf.Tensor) -> Any:
        column = self._weight_column
        if column is None:
            return 1.0
        if isinstance(column, str):
            column = tf.feature_column.numeric_column(column)
        state = ColumnState(features)
        weights = tf.cast(column.get_dense_tensor(state.cache, state), tf.float32)
        return tf.expand_dims(weights, -1) if weights.shape.rank == logits.shape.rank - 1 else weights


class BinaryHead(Head):
    """Two classes by one logit.

    Args:
      label_vocabulary: the classes' names, when labels are such.
      weight_column, loss_reduction: as for `Head`.
    """

    def __init__(self, weight_column: Any, label_vocabulary: Sequence[str] | None, loss_reduction: str) -> None:
        super().__init__(1, weight_column, loss_reduction)
        self._names = label_vocabulary

    def predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        both = tf.concat([tf.zeros_like(logits), logits], -1)
        return {
            "logits": logits,
            "logistic": tf.sigmoid(logits),
            **_class_predictions(both, 2, self._names),
        }

    def outputs(self, predictions: Mapping[str, tf.Tensor]) -> dict[str, ExportOutput]:
        return {**_class_outputs(predictions), "regression": RegressionOutput(predictions["logistic"])}

    def compared(self, labels: tf.Tensor, logits: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        if self._names is not None:
            labels = _numbers_of(labels, self._names)
        labels = _in_range(tf.cast(labels, tf.float32), 2)
        return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits), labels

    def metrics(self, loss: Loss, predictions: Mapping[str, tf.Tensor]) -> dict[str, Any]:
        labels, weights = loss.labels, loss.weights
        classes, chances = predictions["class_ids"], predictions["logistic"]
        spread = broadcast_weights(weights, labels)
        share, share_update = metrics.mean(labels, spread)
        return {
            _MEAN_LOSS: metrics.mean(loss.by_example, weights),
            "accuracy": metrics.accuracy(labels, classes, weights),
            "precision": metrics.precision(labels, classes, weights),
            "recall": metrics.recall(labels, classes, weights),
            "prediction/mean": metrics.mean(chances, spread),
            "label/mean": (share, share_update),
            "accuracy_baseline": (tf.maximum(share, 1.0 - share), tf.maximum(share_update, 1.0 - share_update)),
            "auc": metrics.auc(labels, chances, spread),
            "auc_precision_recall": metrics.auc(labels, chances, spread, curve="PR"),
        }


class MultiClassHead(Head):
    """As many classes as logits.

    Args:
      n_classes: how many, three at least.
      label_vocabulary: the classes' names, when labels are such.
      weight_column, loss_reduction: as for `Head`.

    Raises:
      ValueError: there are fewer classes.
    """

    def __init__(
        self, n_classes: int, weight_column: Any, label_vocabulary: Sequence[str] | None, loss_reduction: str
    ) -> None:
        if n_classes is None or n_classes < 3:
            raise ValueError(f"n_classes must be > 2: {n_classes}. For two classes use 2.")
        super().__init__(n_classes, weight_column, loss_reduction)
        self._names = label_vocabulary

    def predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        return {"logits": logits, **_class_predictions(logits, self.logits_dimension, self._names)}

    def outputs(self, predictions: Mapping[str, tf.Tensor]) -> dict[str, ExportOutput]:
        return _class_outputs(predictions)

    def compared(self, labels: tf.Tensor, logits: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        if self._names is not None:
            labels = _numbers_of(labels, self._names)
        elif not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer. Instead got {labels.dtype}.")
        labels = _in_range(labels, self.logits_dimension)
        loss = losses.sparse_softmax_cross_entropy(labels, logits, reduction=losses.Reduction.NONE)
        return tf.expand_dims(loss, -1), labels

    def metrics(self, loss: Loss, predictions: Mapping[str, tf.Tensor]) -> dict[str, Any]:
        return {
            _MEAN_LOSS: metrics.mean(loss.by_example, loss.weights),
            "accuracy": metrics.accuracy(loss.labels, predictions["class_ids"], loss.weights),
        }


class RegressionHead(Head):
    """Numbers, by their mean squared error.

    Args:
      label_dimension: how many an example has.
      weight_column, loss_reduction: as for `Head`.
    """

    def __init__(self, label_dimension: int, weight_column: Any, loss_reduction: str) -> None:
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}.")
        super().__init__(label_dimension, weight_column, loss_reduction)

    def predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        return {"predictions": logits}

    def outputs(self, predictions: Mapping[str, tf.Tensor]) -> dict[str, ExportOutput]:
        output = RegressionOutput(predictions["predictions"])
        return {_SERVED: output, "regression": output}

    def compared(self, labels: tf.Tensor, logits: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        labels = tf.cast(labels, tf.float32)
        return losses.mean_squared_error(labels, logits, reduction=losses.Reduction.NONE), labels

    def metrics(self, loss: Loss, predictions: Mapping[str, tf.Tensor]) -> dict[str, Any]:
        predicted = predictions["predictions"]
        return {
            _MEAN_LOSS: metrics.mean(loss.by_example, loss.weights),
            "prediction/mean": metrics.mean(predicted, broadcast_weights(loss.weights, predicted)),
            "label/mean": metrics.mean(loss.labels, loss.weights),
        }

    def _label_dimension(self) -> int:
        return self.logits_dimension


def class_head(n_classes: int, weight_column: Any, label_vocabulary: Any, loss_reduction: str) -> Head:
    """The head for so many classes."""
    if n_classes == 2:
        return BinaryHead(weight_column, label_vocabulary, loss_reduction)
    return MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction)


def train_by(optimizer: train.Optimizer) -> Callable[[tf.Tensor], Any]:
    """The training operation of one optimizer for all variables."""
    return lambda loss: optimizer.minimize(loss, global_step=train.get_global_step())


def _class_predictions(scores: tf.Tensor, count: int, names: Sequence[str] | None) -> dict[str, tf.Tensor]:
    best = tf.expand_dims(tf.argmax(scores, axis=-1), -1)
    rows = [tf.shape(scores)[0], 1]
    if names:
        chosen = vocabulary.index_to_string_table_from_tensor(tuple(names)).lookup(best)
        all_names = tf.constant(list(names))
    else:
        chosen, all_names = tf.strings.as_string(best), tf.strings.as_string(tf.range(count))
    return {
        "probabilities": tf.nn.softmax(scores),
        "class_ids": best,
        "classes": chosen,
        "all_class_ids": tf.tile(tf.range(count)[None], rows),
        "all_classes": tf.tile(all_names[None], rows),
    }


def _class_outputs(predictions: Mapping[str, tf.Tensor]) -> dict[str, ExportOutput]:
    output = ClassificationOutput(predictions["probabilities"], predictions["all_classes"])
    return {_SERVED: output, "classification": output}


def _numbers_of(labels: tf.Tensor, names: Sequence[str]) -> Any:
    if labels.dtype != tf.string:
        raise ValueError(f"Labels dtype should be string if there is a vocabulary. Instead got {labels.dtype}")
    return vocabulary.index_table_from_tensor(tuple(names), name="class_id_lookup").lookup(labels)


def _in_range(labels: tf.Tensor, count: int) -> tf.Tensor:
    """The labels, checked where they are used."""
    checks = [
        tf.debugging.assert_less(labels, tf.cast(count, labels.dtype), f"Labels must be <= {count} - 1"),
        tf.debugging.assert_non_negative(labels, "Labels must be >= 0"),
    ]
    with tf.control_dependencies([check for check in checks if check is not None]):
        return tf.identity(labels)


def _labels(labels: Any, logits: tf.Tensor, dimension: int) -> tf.Tensor:
    if labels is None:
        raise ValueError("You must provide a labels Tensor. Given: None. Check that your input_fn returns labels.")
    if isinstance(labels, tf.SparseTensor):
        raise ValueError("SparseTensor labels are not supported: make them dense with tf.sparse.to_dense.")
    labels = tf.convert_to_tensor(labels)
    if labels.shape.rank is not None and labels.shape.rank == logits.shape.rank - 1:
        labels = tf.expand_dims(labels, -1)
    if labels.shape.rank is not None and labels.shape[-1] not in (None, dimension):
        raise ValueError(
            f"Mismatched label shape. Expected labels dimension={dimension}.  Received {labels.shape[-1]}. Check the "
            "n_classes or label_dimension of the estimator."
        )
    expected = tf.concat([tf.shape(logits)[:-1], [dimension]], 0)
    message = f"labels shape must be [D0, D1, ... DN, {dimension}]"
    with tf.control_dependencies([tf.debugging.assert_equal(expected, tf.shape(labels), message)]):
        return tf.identity(labels)
