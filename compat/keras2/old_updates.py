"""Updates of Keras 2.2: those of what is frozen are none, and those of a model are what its own inputs move.

A function that trains takes up the updates when it is made, and the weights when the model is compiled: the
discriminator of a GAN that is frozen before its first batch trains its weights and moves no averages. TF 1.15's own
Keras takes up both as they were when the model was compiled.

  >>> from compat.keras2.standalone import layers, models
  >>> with compat.Graph().as_default():
  ...     given = layers.Input((3,))
  ...     model = models.Model(given, layers.BatchNormalization()(given))
  ...     called = model(layers.Input((3,)))
  >>> len(model.updates), len(model.layers[1].updates)
  (2, 4)
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tf_keras.src.engine import base_layer_v1, functional, training_v1
from tf_keras.src.utils import tf_utils

__all__ = ["accept"]

_MAKING = threading.local()


def _every(layer: Any) -> list[Any]:
    """The updates of all calls of a layer and of those in it, each once, but for what is frozen, with all it holds."""
    if not layer.trainable and not layer.stateful:
        return []
    found = [update() if callable(update) else update for update in layer._updates]
    for part in layer._flatten_layers(recursive=False, include_self=False):
        found += _every(part)
    return list({id(update): update for update in found}.values())


def _reached(inputs: Any, updates: list[Any]) -> list[Any]:
    reached = tf_utils.get_reachable_from_inputs(tf.nest.flatten(inputs), updates)
    return [update for update in updates if not update._unconditional_update and update in reached]


def _unconditional(updates: list[Any]) -> list[Any]:
    return [update for update in updates if update._unconditional_update]


def _of_model(self: Any) -> list[Any]:
    """The updates that a model's own inputs move, and those that nothing does; not those of its calls."""
    every = _every(self)
    return [*_reached(self.inputs, every), *_unconditional(every)] if self._is_graph_network else every


def _updates_for(self: Any, inputs: Any) -> list[Any]:
    """The updates of the call on these inputs; for None those that no input moves. A model's own inputs are no call."""
    if inputs is None:
        return _unconditional(_every(self))
    if isinstance(self, training_v1.Model) and not getattr(_MAKING, "now", False) and _are_own(self, inputs):
        return []
    return _reached(inputs, _every(self))


def _are_own(model: Any, inputs: Any) -> bool:
    return list(map(id, tf.nest.flatten(inputs))) == list(map(id, tf.nest.flatten(model.inputs)))


def _with_own(make: Callable[..., Any]) -> Callable[..., Any]:
    """The function that trains a model, which asks for what its own inputs move."""

    @functools.wraps(make)
    def made(self: Any) -> Any:
        before, _MAKING.now = getattr(_MAKING, "now", False), True
        try:
            return make(self)
        finally:
            _MAKING.now = before

    return made


def accept() -> None:
    """Has updates be those of Keras 2.2, from now on in this process."""
    base_layer_v1.Layer.updates = property(_every)
    base_layer_v1.Layer.get_updates_for = _updates_for
    functional.Functional.updates = property(_of_model)
    model = training_v1.Model
    model._set_trainable_state = lambda self, state: None  # `compile` keeps weights alone
    model._make_train_function = _with_own(model._make_train_function)
