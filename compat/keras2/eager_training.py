"""What TF 1.15 logged where it trained eagerly: losses of batches, and metrics that a single batch finds and leaves.

`tf_keras` logs running means. There the loss of a batch was its own, and an epoch's was weighted by sizes; of what came
in steps (a generator, a `Dataset`) an evaluation counted each batch once, as the loss of one of several outputs always
did. `train_on_batch` added to what `fit` had left in the metrics and let it go afterwards, as `predict` did before.

  >>> import numpy as np
  >>> from compat.keras2 import layers, models
  >>> model = models.Sequential([layers.Dense(1, kernel_initializer="zeros", input_shape=(1,))])
  >>> model.compile("sgd", "mse", metrics=["mae"])
  >>> _ = model.evaluate(np.ones([3, 1]), np.array([[1.0], [1.0], [4.0]]), verbose=0)
  >>> [float(value) for value in model.test_on_batch(np.ones([1, 1]), np.zeros([1, 1]))]
  [0.0, 1.5]
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
from tf_keras.src import metrics
from tf_keras.src.engine import compile_utils, training, training_utils_v1
from tf_keras.src.utils.data_utils import Sequence
from tf_keras.src.utils.mode_keys import ModeKeys

__all__ = ["install"]

_ONCE = "_keras2_each_batch_once"


class _TotalLoss(metrics.Mean):
    """The mean of the losses of batches, weighted by their sizes; the last one of them, and its size."""

    each_once = False
    sizes: dict[str, tf.Variable]
    last: Any = None
    last_size: Any = None

    def __init__(self, **kwargs: Any) -> None:
        super().__init__("loss", **kwargs)
        first = tf.VariableAggregation.ONLY_FIRST_REPLICA
        sizes = {mode: tf.Variable(1, trainable=False, aggregation=first) for mode in (ModeKeys.TRAIN, ModeKeys.TEST)}
        object.__setattr__(self, "sizes", sizes)  # no state of the metric, which is reset

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        self.last, self.last_size = values, sample_weight
        return super().update_state(values, None if self.each_once else sample_weight)


class _OutputLoss(metrics.Mean):
    """The mean of the losses of one output, in which each batch counts once."""

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        return super().update_state(values)


class _Batches(Sequence):
    """Arrays that validate a model trained by a generator: in batches as large as its last one."""

    def __init__(self, model: Any, arrays: Any) -> None:
        self._model, self._arrays = model, tuple(arrays)

    def _size(self) -> int:
        return int(self._model.compiled_loss._total_loss_mean.sizes[ModeKeys.TRAIN].numpy())

    def __len__(self) -> int:
        return -(-len(tf.nest.flatten(self._arrays[0])[0]) // self._size())

    def __getitem__(self, index: int) -> Any:
        size = self._size()
        return tf.nest.map_structure(lambda array: array[index * size : (index + 1) * size], self._arrays)


def _with_total(begin: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(begin)
    def begun(self: Any, *args: Any, total_loss_mean: Any = None, mesh: Any = None, **kwargs: Any) -> None:
        begin(self, *args, total_loss_mean=total_loss_mean or _TotalLoss(mesh=mesh), mesh=mesh, **kwargs)

    return begun


def _create_output_losses(self: Any) -> None:
    """Makes the metrics of outputs' losses, where a model has several."""
    several = len(self._output_names) > 1
    self._per_output_metrics = [
        _OutputLoss(f"{name}_loss", mesh=self._mesh) if several and loss is not None else None
        for loss, name in zip(self._losses, self._output_names, strict=True)
    ]


def _with_own_loss(step: Callable[..., Any], mode: str) -> Callable[..., Any]:
    """A step on a batch, whose loss is that of the batch."""

    @functools.wraps(step)
    def stepped(self: Any, data: Any) -> Any:
        logs = step(self, data)
        total = self.compiled_loss._total_loss_mean
        if isinstance(total, _TotalLoss) and total.last is not None:
            logs["loss"] = total.last
            if total.last_size is not None:
                total.sizes[mode].assign(total.last_size)
        return logs

    return stepped


def _reset_behind(method: Callable[..., Any]) -> Callable[..., Any]:
    """A step on one batch, which adds to the metrics that it finds, and lets them go unless it is told otherwise."""
    signature = inspect.signature(method)

    @functools.wraps(method)
    def stepped(self: Any, *args: Any, **kwargs: Any) -> Any:
        given = signature.bind(self, *args, **kwargs)
        is_last = given.arguments.get("reset_metrics", True)
        given.arguments["reset_metrics"] = False
        found = method(*given.args, **given.kwargs)
        if is_last:
            self.reset_metrics()
        return np.float32(found) if isinstance(found, float) else found

    return stepped


def _as_tensors(predict: Callable[..., Any]) -> Callable[..., Any]:
    """`predict_on_batch`, which gave tensors where a model ran eagerly."""

    @functools.wraps(predict)
    def predicted(self: Any, x: Any) -> Any:
        return tf.nest.map_structure(tf.convert_to_tensor, predict(self, x))

    return predicted


def _evaluate(evaluate: Callable[..., Any]) -> Callable[..., Any]:
    """An evaluation, in which batches of arrays are weighted by their sizes, and others are not."""

    @functools.wraps(evaluate)
    def evaluated(self: Any, x: Any = None, *args: Any, **kwargs: Any) -> Any:
        total = self.compiled_loss._total_loss_mean if self._is_compiled else None
        if not isinstance(total, _TotalLoss):
            return evaluate(self, x, *args, **kwargs)
        each_once = not _are_arrays(x)
        if getattr(self, _ONCE, False) != each_once:
            setattr(self, _ONCE, each_once)
            self.test_function = None
        total.each_once = each_once
        try:
            return evaluate(self, x, *args, **kwargs)
        finally:
            total.each_once = False

    return evaluated


def _are_arrays(x: Any) -> bool:
    return all(isinstance(each, np.ndarray | tf.Tensor) for each in tf.nest.flatten(x))


def _fit(fit: Callable[..., Any]) -> Callable[..., Any]:
    """`fit`, which weights classes of the examples that validate too."""
    signature = inspect.signature(fit)

    @functools.wraps(fit)
    def fitted(self: Any, *args: Any, **kwargs: Any) -> Any:
        given = signature.bind(self, *args, **kwargs)
        classes, told = given.arguments.get("class_weight"), given.arguments
        x, y, validation = told.get("x"), told.get("y"), told.get("validation_data")
        if classes and self.outputs and y is not None and _are_arrays((x, y)):
            told["sample_weight"] = _class_weights(self, y, told.get("sample_weight"), classes)
            told["class_weight"] = None
            if isinstance(validation, list | tuple) and _are_arrays(validation[:2]):
                weights = _class_weights(self, validation[1], [*validation, None][2], classes)
                told["validation_data"] = (*validation[:2], weights)
        return fit(*given.args, **given.kwargs)

    return fitted


def _class_weights(model: Any, y: Any, sample_weight: Any, class_weight: Any) -> Any:
    """What each example weighs by its class, for every output."""
    names = model.output_names
    by_output = training_utils_v1.standardize_class_weights(class_weight, names)
    given = training_utils_v1.standardize_sample_weights(sample_weight, names)
    targets = [y[name] for name in names] if isinstance(y, dict) else tf.nest.flatten(y)
    found = [
        training_utils_v1.standardize_weights(np.asarray(target), weights, classes)
        for target, weights, classes in zip(targets, given, by_output, strict=True)
    ]
    return found[0] if len(found) == 1 else found


def _fit_generator(fit: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(fit)

    @functools.wraps(fit)
    def fitted(self: Any, *args: Any, **kwargs: Any) -> Any:
        given = signature.bind(self, *args, **kwargs)
        validation = given.arguments.get("validation_data")
        if isinstance(validation, list | tuple) and _are_arrays(validation[0]):
            given.arguments["validation_data"] = _Batches(self, validation)
        return fit(*given.args, **given.kwargs)

    return fitted


def _with_worker(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that `workers=0` has read data in its own thread, as one worker does."""

    @functools.wraps(method)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("workers") == 0:
            kwargs["workers"] = 1
        return method(self, *args, **kwargs)

    return called


def _without_losses(found: Callable[[Any], list[Any]]) -> Callable[[Any], list[Any]]:
    """A model's metrics, of which losses were none."""

    @functools.wraps(found)
    def of_model(self: Any) -> list[Any]:
        losses = _losses(self)
        return [metric for metric in found(self) if not any(metric is each for each in losses)]

    return of_model


def _losses(model: Any) -> list[Any]:
    return list(model.compiled_loss.metrics) if model._is_compiled and model.compiled_loss is not None else []


def _metrics_names(self: Any) -> list[str]:
    """The names of what `evaluate` gives: the loss first."""
    return [*([loss.name for loss in _losses(self)] or ["loss"]), *(metric.name for metric in self.metrics)]


def _results(results: Callable[[Any], dict[str, Any]]) -> Callable[[Any], dict[str, Any]]:
    @functools.wraps(results)
    def found(self: Any) -> dict[str, Any]:
        return {**{loss.name: loss.result() for loss in _losses(self)}, **results(self)}

    return found


def _reset_metrics(self: Any) -> None:
    """Lets the states of all metrics go, and of losses."""
    for metric in [*_losses(self), *self.metrics]:
        metric.reset_state()


def install() -> None:
    """Has models that are trained eagerly log what TF 1.15 did; those in graphs do it anyway."""
    container, model = compile_utils.LossesContainer, training.Model
    container.__init__ = _with_total(container.__init__)
    container._create_metrics = _create_output_losses
    model.train_step = _with_own_loss(model.train_step, ModeKeys.TRAIN)
    model.test_step = _with_own_loss(model.test_step, ModeKeys.TEST)
    for name in ("train_on_batch", "test_on_batch"):
        setattr(model, name, _reset_behind(getattr(model, name)))
    model.predict_on_batch = _as_tensors(model.predict_on_batch)
    model.metrics = property(_without_losses(model.metrics.fget))
    model.metrics_names = property(_metrics_names)
    model.get_metrics_result = _results(model.get_metrics_result)
    model.reset_metrics = _reset_metrics
    model.evaluate = _evaluate(model.evaluate)
    model.fit_generator = _fit_generator(model.fit_generator)
    model.fit = _fit(model.fit)
    for name in ("fit", "evaluate", "predict"):
        setattr(model, name, _with_worker(getattr(model, name)))
