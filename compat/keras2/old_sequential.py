"""A `Sequential` of Keras 2.2 without the shape of an input: once it is built, called or given data, it has one.

There it became a network of layers between an input and an output, so that `model.input`, `layer.output` and models
cut out of it could be had. In TF 1.15's own Keras, and in `tf_keras` where a graph is built, it only calls its layers.

  >>> from compat.keras2.standalone import layers, models
  >>> with compat.Graph().as_default():
  ...     model = models.Sequential([layers.Dense(2, name="first"), layers.Dense(1)])
  ...     model.build((None, 3))
  ...     models.Model(model.input, model.get_layer("first").output).output_shape
  (None, 2)
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tf_keras.src import backend
from tf_keras.src.engine import sequential
from tf_keras.src.engine.input_layer import Input

__all__ = ["accept"]


def _as_network(build: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(build, updated=())  # `tf_keras` does not call a method that is marked as its own
    def built(self: Any, input_shape: Any = None) -> None:
        if self.inputs or not input_shape:
            build(self, input_shape)
            return
        shape = tuple(tf.TensorShape(input_shape).as_list())
        given = found = Input(batch_shape=shape, dtype=backend.floatx(), name=f"{self.name}_input")
        for layer in self._self_tracked_trackables:
            found = layer(found)
        self._init_graph_network(given, found)
        self._graph_initialized = self.built = True
        self._build_input_shape = shape

    return built


def _from_data(self: Any, inputs: Any, outputs: Any = None, training: Any = None) -> None:
    """Builds the model for inputs of this shape, whatever their number."""
    del outputs, training
    array = tf.nest.flatten(inputs)[0]
    self.build((None, *array.shape[1:]))


def accept() -> None:
    """Has a `Sequential` become a network where its input is known, from now on in this process."""
    sequential.Sequential.build = _as_network(sequential.Sequential.build)
    sequential.Sequential._set_inputs = _from_data
    sequential.Sequential._assert_weights_created = lambda self: None  # one that is not built has none
