"""Metrics when TF 1.15 ran eagerly: `acc` for "accuracy", a function's whole name for "mae", binary by the loss."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tf_keras.src import losses, metrics
from tf_keras.src.engine import compile_utils, training

__all__ = ["install"]

_NAMES = {"acc": "acc", "accuracy": "acc", "ce": "ce", "crossentropy": "ce"}
_BINARY = {"acc": "binary_accuracy", "ce": "binary_crossentropy"}
_IS_BINARY = "_keras2_is_binary"


def _name(text: str) -> str:
    return _NAMES.get(text) or str(getattr(metrics.get(text), "__name__", text))


def _is_binary(loss: Any) -> bool:
    """Whether every loss that a model is compiled with is the binary cross-entropy."""

    def is_one(each: Any) -> bool:
        return each in ("binary_crossentropy", losses.binary_crossentropy) or isinstance(
            each, losses.BinaryCrossentropy
        )

    found = tf.nest.flatten(loss)
    return bool(found) and all(is_one(each) for each in found)


def _compiled(compile_model: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(compile_model)
    def compiled(self: Any, optimizer: Any = "rmsprop", loss: Any = None, *args: Any, **kwargs: Any) -> None:
        compile_model(self, optimizer, loss, *args, **kwargs)
        setattr(self.compiled_metrics, _IS_BINARY, _is_binary(loss))

    return compiled


def install() -> None:
    """Has models that are trained eagerly log what TF 1.15 did; those in graphs do it anyway."""
    made = compile_utils.MetricsContainer._get_metric_object

    @functools.wraps(made)
    def named(self: Any, metric: Any, *args: Any, **kwargs: Any) -> Any:
        short = _NAMES.get(metric) if isinstance(metric, str) else None
        if short is not None and getattr(self, _IS_BINARY, False):
            metric = _BINARY[short]
        found = made(self, metric, *args, **kwargs)
        if isinstance(metric, str) and found is not None:
            found._name = short or _name(metric)
        return found

    compile_utils.MetricsContainer._get_metric_object = named
    training.Model.compile = _compiled(training.Model.compile)
