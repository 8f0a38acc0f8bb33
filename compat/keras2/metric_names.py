"""Metrics when TF 1.15 ran eagerly: `acc` for "accuracy", a function's whole name for "mae", and which one it is.

The loss of an output and its shape told which accuracy was meant, not the labels; names were known once a model was
compiled.

  >>> from compat.keras2 import layers, models
  >>> model = models.Sequential([layers.Dense(3, input_shape=(2,))])
  >>> model.compile("sgd", "mse", metrics=["accuracy"], weighted_metrics=["mae"])
  >>> model.metrics_names
  ['loss', 'acc', 'weighted_mean_absolute_error']
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tf_keras.src import losses
from tf_keras.src.engine import compile_utils, training

from .. import behavior

__all__ = ["expected_names", "install"]

_CHOSEN = {"acc": "accuracy", "accuracy": "accuracy", "ce": "crossentropy", "crossentropy": "crossentropy"}
_SHORT = {"accuracy": "acc", "crossentropy": "ce"}
_LOSSES = "_keras2_losses"


def _name(text: str, metric: Any) -> str:
    """What a metric that a text names is called: TF 1.15 kept the text where it had TensorFlow 2's behaviour."""
    if behavior.is_v2():
        return text
    function = getattr(metric, "_fn", None)
    return _SHORT.get(_CHOSEN.get(text, "")) or str(getattr(function, "__name__", metric.name))


def _kind(loss: Any, size: int | None) -> str:
    """Which accuracy, or cross-entropy, is meant for an output of a size."""
    function = getattr(loss, "fn", None)
    if size == 1 or isinstance(loss, losses.BinaryCrossentropy) or function is losses.binary_crossentropy:
        return "binary"
    sparse = losses.sparse_categorical_crossentropy
    if isinstance(loss, losses.SparseCategoricalCrossentropy) or function is sparse:
        return "sparse_categorical"
    return "categorical"


def _chosen(build: Callable[..., None]) -> Callable[..., None]:
    """Makes metrics of what a model was compiled with."""

    @functools.wraps(build)
    def built(self: Any, y_pred: Any, y_true: Any) -> None:
        of_outputs = getattr(self, _LOSSES, None)
        if of_outputs is not None and of_outputs._built:
            outputs = tf.nest.flatten(y_pred)
            kinds = {
                id(each): _kind(loss, each.shape[-1]) for each, loss in zip(outputs, of_outputs._losses, strict=False)
            }
            self._get_metric_objects = functools.partial(_of_output, self, kinds)
        build(self, y_pred, y_true)

    return built


def _of_output(container: Any, kinds: dict[int, str], wanted: Any, y_t: Any, y_p: Any) -> list[Any]:
    return [_made(container, kinds.get(id(y_p)), metric, y_t, y_p) for metric in tf.nest.flatten(wanted)]


def _made(container: Any, kind: str | None, metric: Any, y_t: Any, y_p: Any) -> Any:
    family = _CHOSEN.get(metric) if isinstance(metric, str) else None
    function = metric if family is None or kind is None else f"{kind}_{family}"
    found = container._get_metric_object(function, y_t, y_p)
    if isinstance(metric, str) and found is not None:
        found._name = _name(metric, found)
    return found


def _weighted(set_names: Callable[..., None]) -> Callable[..., None]:
    """Names of metrics, of which weighted ones tell that they are."""

    @functools.wraps(set_names)
    def named(self: Any) -> None:
        if not behavior.is_v2():
            for metric in filter(None, tf.nest.flatten(self._weighted_metrics)):
                metric._name = f"weighted_{metric._name}"
        set_names(self)

    return named


def _compiled(compile_model: Callable[..., None]) -> Callable[..., None]:
    """`Model.compile`, behind which names of metrics are known where the model's outputs are."""

    @functools.wraps(compile_model)
    def compiled(self: Any, *args: Any, **kwargs: Any) -> None:
        compile_model(self, *args, **kwargs)
        setattr(self.compiled_metrics, _LOSSES, self.compiled_loss)
        if self.outputs and self.compiled_loss is not None:
            outputs = self._nested_outputs
            with self.distribute_strategy.scope():
                self.compiled_loss.build(outputs)
                self.compiled_metrics.build(outputs, outputs)

    return compiled


def expected_names(model: Any) -> list[str]:
    """The names of a model's metrics; where no batch has told its outputs yet, those of a model with one output.

    >>> from compat.keras2 import layers, models
    >>> model = models.Sequential([layers.Dense(3)])
    >>> model.compile("sgd", "mse", metrics=["accuracy", "mae"])
    >>> model.metrics_names, expected_names(model)
    (['loss'], ['loss', 'acc', 'mean_absolute_error'])
    """
    container = model.compiled_metrics
    known: list[str] = model.metrics_names
    if container is None or container._built:
        return known
    plain, weighted = (_given(each) for each in (container._user_metrics, container._user_weighted_metrics))
    if plain is None or weighted is None:
        return known
    before = "" if behavior.is_v2() else "weighted_"
    names = [_expected_name(container, each) for each in plain]
    return [*known, *names, *(f"{before}{_expected_name(container, each)}" for each in weighted)]


def _given(metrics: Any) -> list[Any] | None:
    """Metrics that a model of one output was compiled with; None where they tell of several outputs."""
    listed = [] if metrics is None else metrics if isinstance(metrics, list | tuple) else [metrics]
    return None if any(isinstance(each, list | tuple | dict) for each in listed) else list(listed)


def _expected_name(container: Any, metric: Any) -> str:
    if isinstance(metric, str) and metric in _CHOSEN:
        return _name(metric, None)
    found = container._get_metric_object(metric, None, None)
    return _name(metric, found) if isinstance(metric, str) else str(found.name)


def install() -> None:
    """Has models that are trained eagerly log what TF 1.15 did; those in graphs do it anyway."""
    container, model = compile_utils.MetricsContainer, training.Model
    container.build = _chosen(container.build)
    container._set_metric_names = _weighted(container._set_metric_names)
    model.compile = _compiled(model.compile)
