"""Weights that a model or layer reaches in two ways, each of which lists them, as in old Keras.

A layer that stands by itself and in a model beside it, or in two attributes, has its weights twice in `weights`,
`trainable_weights` and `get_weights()`: who applies gradients to that list applies them twice. `tf_keras` lists each
weight once. TF 1.15's own `fit` trained each weight once; Keras 2.2 as often as it was listed, each time from what the
time before had left in most runs (TensorFlow 1 left that order open).

  >>> from compat.keras2 import layers, models
  >>> shared = layers.Dense(2, input_shape=(2,))
  >>> model = models.Sequential([models.Sequential([shared]), shared])
  >>> len(model.weights), len(shared.weights)
  (4, 2)
"""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
from tf_keras.src import backend
from tf_keras.src.engine import base_layer, base_layer_v1, training, training_v1
from tf_keras.src.optimizers import optimizer_v1
from tf_keras.src.optimizers.legacy import optimizer_v2

__all__ = ["accept", "assign", "install"]

_COLLECTED = "_keras2_collected"
_TURNS = threading.local()
_LOG = logging.getLogger(__name__)
_LAYERS = (base_layer.Layer, base_layer_v1.Layer)


def _unique(weights: Any) -> list[Any]:
    return list({id(weight): weight for weight in weights}.values())


def _as_listed(self: Any, weights: list[Any]) -> list[Any]:
    return weights


class _Collected:
    """The weights that a compiled model trains: each once."""

    def __get__(self, model: Any, owner: type | None = None) -> Any:
        try:
            return vars(model)[_COLLECTED]
        except KeyError:
            raise AttributeError("_collected_trainable_weights") from None

    def __set__(self, model: Any, weights: Any) -> None:
        vars(model)[_COLLECTED] = _unique(weights)


def _collecting(compile_model: Callable[..., None]) -> Callable[..., None]:
    """`Model.compile` of a model that trains eagerly, which keeps the weights that it found: a summary counts them."""

    @functools.wraps(compile_model)
    def compiled(self: Any, *args: Any, **kwargs: Any) -> None:
        compile_model(self, *args, **kwargs)
        if self.built:
            vars(self)[_COLLECTED] = _unique(self.trainable_weights)

    return compiled


def _check(self: Any) -> None:
    """Warns where `trainable` was set behind `compile`."""
    collected = getattr(self, "_collected_trainable_weights", None)
    if collected is not None and len(_unique(collected)) != len(_unique(self.trainable_weights)):
        _LOG.warning("which weights are trained has changed since the model was compiled: compile it again")


def _of_fit(minimize: Callable[..., Any]) -> Callable[..., Any]:
    """`Optimizer.minimize`: a tape is given by `fit` alone, which trains each weight once."""

    @functools.wraps(minimize)
    def minimized(
        self: Any, loss: Any, var_list: Any, grad_loss: Any = None, name: Any = None, tape: Any = None
    ) -> Any:
        if tape is not None:
            var_list = _unique(var_list)
        return minimize(self, loss, var_list, grad_loss=grad_loss, name=name, tape=tape)

    return minimized


def _of_list(count: Callable[[Any], int]) -> Callable[[Any], int]:
    """`Layer.count_params`, which counts a weight as often as it is listed."""

    @functools.wraps(count)
    def counted(self: Any) -> int:
        count(self)  # raises where the layer has no weights yet
        return sum(int(np.prod(weight.shape.as_list())) for weight in self.weights)

    return counted


def _each_in_turn(get_updates: Callable[..., Any]) -> Callable[..., Any]:
    """An optimizer's `get_updates`, in which `assign` adds to what the same call has assigned to a variable."""

    @functools.wraps(get_updates)
    def updates(self: Any, *args: Any, **kwargs: Any) -> Any:
        _TURNS.made = {}
        try:
            return get_updates(self, *args, **kwargs)
        finally:
            _TURNS.made = None

    return updates


def assign(variable: Any, value: Any) -> Any:
    """Assigns to a variable; where the updates that are being built have done so already, moves it as far again."""
    made = getattr(_TURNS, "made", None)
    if made is None:
        return backend.update(variable, value)
    before = made.get(id(variable))
    if before is None:
        update = backend.update(variable, value)
    else:
        step = value - tf.convert_to_tensor(variable)
        with tf.control_dependencies([before]):
            update = backend.update_add(variable, step)
    made[id(variable)] = update
    return update


def install() -> None:
    """Has models and layers list their weights as TF 1.15 did."""
    training.Model._collected_trainable_weights = training_v1.Model._collected_trainable_weights = _Collected()
    training.Model.compile = _collecting(training.Model.compile)
    training_v1.Model._check_trainable_weights_consistency = _check
    optimizer_v2.OptimizerV2.minimize = _of_fit(optimizer_v2.OptimizerV2.minimize)
    for layer in _LAYERS:
        layer._dedup_weights = _as_listed
        layer.count_params = _of_list(layer.count_params)


def accept() -> None:
    """Has models train their weights as often as they list them, as Keras 2.2 did, from now on in this process."""
    del training.Model._collected_trainable_weights, training_v1.Model._collected_trainable_weights
    for layer in _LAYERS:
        layer.count_params = layer.count_params.__wrapped__
    for optimizer in vars(optimizer_v1).values():
        if isinstance(optimizer, type) and "get_updates" in vars(optimizer):
            optimizer.get_updates = _each_in_turn(optimizer.get_updates)
