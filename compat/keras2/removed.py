"""What the classes of TF 1.15's Keras had and `tf_keras` has no more: methods, arguments, names, results as written."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from tf_keras.src.engine import base_layer, base_layer_v1, sequential, training, training_v1
from tf_keras.src.layers.rnn import base_rnn, stacked_rnn_cells

from .facade import Facade

__all__ = ["restore"]


def _predict_proba(self: Any, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
    """The model's predictions; `Sequential.predict_proba` of TF 1.15."""
    return self.predict(x, batch_size, verbose)


def _predict_classes(self: Any, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
    """The class of each example: the likeliest, or 1 above a half; `Sequential.predict_classes` of TF 1.15."""
    probabilities = self.predict(x, batch_size=batch_size, verbose=verbose)
    if probabilities.shape[-1] > 1:
        return np.argmax(probabilities, axis=-1)
    return (probabilities > 0.5).astype("int32")


def _apply(self: Any, inputs: Any, *args: Any, **kwargs: Any) -> Any:
    """Calls the layer; `Layer.apply` of TF 1.15."""
    return self(inputs, *args, **kwargs)


def _with_inputs(add_update: Callable[..., Any]) -> Callable[..., Any]:
    """`Layer.add_update` of TF 1.15, which took `inputs` and found out by itself what an update depends on."""

    @functools.wraps(add_update)
    def added(self: Any, updates: Any, inputs: Any = None) -> Any:
        del inputs
        return add_update(self, updates)

    return added


def _plain(method: Callable[..., Any], *, single: bool) -> Callable[..., Any]:
    """Gives lists of numbers as Python's: NumPy 2 writes its own with their type, as TF 1.15's programs did not.

    A `single` one too, which was a float64; that of one batch was a float32, and has its digits.
    """

    @functools.wraps(method)
    def result(*args: Any, **kwargs: Any) -> Any:
        found = method(*args, **kwargs)
        if single and isinstance(found, np.generic):
            return found.item()
        return [value.item() for value in found] if _is_numbers(found) else found

    return result


def _silent(predict: Callable[..., Any]) -> Callable[..., Any]:
    """`Model.predict` of TF 1.15, which wrote nothing unless it was asked to."""

    @functools.wraps(predict)
    def predicted(self: Any, x: Any, batch_size: Any = None, verbose: Any = 0, *args: Any, **kwargs: Any) -> Any:
        return predict(self, x, batch_size, verbose, *args, **kwargs)

    return predicted


def _with_new_metrics(predict: Callable[..., Any]) -> Callable[..., Any]:
    """`Model.predict` of TF 1.15, which let go what `fit` had left in the metrics."""

    @functools.wraps(predict)
    def predicted(self: Any, *args: Any, **kwargs: Any) -> Any:
        self.reset_metrics()
        return predict(self, *args, **kwargs)

    return predicted


def _is_numbers(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(value, np.generic) for value in found)


def restore() -> None:
    """Gives the classes their methods back, where they have none of that name."""
    for owner, name, method in (
        (sequential.Sequential, "predict_classes", _predict_classes),
        (sequential.Sequential, "predict_proba", _predict_proba),
        (base_layer.Layer, "apply", _apply),
        (base_layer_v1.Layer, "apply", _apply),
    ):
        if not hasattr(owner, name):
            setattr(owner, name, method)
    training.Model.predict = _silent(training.Model.predict)
    for layer in (base_layer.Layer, base_layer_v1.Layer):
        layer.add_update = _with_inputs(layer.add_update)
    # TF 1.15 named the weights of a cell by the layer around it: `lstm/kernel`.
    for module in (base_rnn, stacked_rnn_cells):
        module.backend = Facade(module.backend, {"name_scope": contextlib.nullcontext}, lambda: True)
    for name in ("evaluate", "evaluate_generator", "test_on_batch", "train_on_batch"):
        method = getattr(training_v1.Model, name)
        setattr(training_v1.Model, name, _plain(method, single=name.startswith("evaluate")))
    for owner, name in (
        (training.Model, "predict"),
        (training_v1.Model, "predict"),
        (training_v1.Model, "predict_generator"),
    ):
        setattr(owner, name, _with_new_metrics(getattr(owner, name)))
