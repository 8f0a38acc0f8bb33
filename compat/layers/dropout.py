"""Dropout."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from .base import Layer
from .branching import smart_cond


class Dropout(Layer):
    """Sets a share of the inputs to zero in training and scales up the rest. Stands for ``tf.layers.Dropout``.

    Args:
        rate: the share to drop, ``0.5`` by default.
        noise_shape: the shape of the mask, broadcast over the inputs.
        seed: the op seed of the mask.
    """

    def __init__(
        self, rate: Any = 0.5, noise_shape: Any = None, seed: int | None = None, name: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(name=name, **kwargs)
        self.rate = rate
        self.noise_shape = noise_shape
        self.seed = seed

    def call(self, inputs: Any, training: Any = False) -> Any:
        return smart_cond(training, lambda: self._dropped(inputs), lambda: tf.identity(inputs))

    def _dropped(self, inputs: Any) -> Any:
        return tf.nn.dropout(inputs, rate=self.rate, noise_shape=self._mask_shape(inputs), seed=self.seed)

    def _mask_shape(self, inputs: Any) -> Any:
        if self.noise_shape is None or tf.is_tensor(self.noise_shape):
            return self.noise_shape
        actual = tf.shape(inputs)
        return [actual[axis] if size is None else size for axis, size in enumerate(self.noise_shape)]


def dropout(
    inputs: Any,
    rate: Any = 0.5,
    noise_shape: Any = None,
    seed: int | None = None,
    training: Any = False,
    name: Any = None,
) -> Any:
    """Applies :class:`Dropout`; not unless ``training``. Stands for ``tf.layers.dropout``.

    Args:
        inputs: a tensor of floats.
        training: a bool, or a boolean tensor.

    Returns:
        A tensor of the inputs' shape.
    """
    return Dropout(rate, noise_shape=noise_shape, seed=seed, name=name)(inputs, training=training)
