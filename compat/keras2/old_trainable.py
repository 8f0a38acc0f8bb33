"""`trainable` of Keras 2.2: a model or layer that is not trained says so for itself, its layers go on by themselves.

What freezes a model in TF 1.15's own Keras freezes each of its layers, also in another model. In Keras 2.2 another
model that has them trains them: one cut out of a frozen model trains all that it has.

  >>> from compat.keras2.standalone import layers, models
  >>> with compat.Graph().as_default():
  ...     base = models.Sequential([layers.Dense(2, input_shape=(3,))])
  ...     base.trainable = False
  ...     cut = models.Model(base.input, base.output)
  >>> len(base.trainable_weights), len(cut.trainable_weights)
  (0, 2)
"""

from __future__ import annotations

from typing import Any

from tf_keras.src.engine import base_layer_v1
from tf_keras.src.engine.input_layer import InputLayer
from tf_keras.src.layers.rnn import base_wrapper, bidirectional

__all__ = ["accept"]


def _set(self: Any, value: Any) -> None:
    self._trainable = value


def _set_input(self: Any, value: Any) -> None:
    vars(self)["_keras2_trainable"] = value


def _set_wrapped(self: Any, value: Any) -> None:
    self._trainable = value
    self.layer.trainable = value


def _set_both(self: Any, value: Any) -> None:
    self._trainable = value
    self.forward_layer.trainable = self.backward_layer.trainable = value


def accept() -> None:
    """Has `trainable` mean what it did in Keras 2.2, from now on in this process."""
    trainable = base_layer_v1.Layer.trainable
    base_layer_v1.Layer.trainable = trainable.setter(_set)
    base_wrapper.Wrapper.trainable = property(lambda self: self.layer.trainable, _set_wrapped)
    bidirectional.Bidirectional.trainable = trainable.setter(_set_both)
    InputLayer.trainable = property(lambda self: vars(self).get("_keras2_trainable", False), _set_input)
