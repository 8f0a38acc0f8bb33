"""Flattening all axes but the batch's."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from .base import Layer
from .geometry import normalized_data_format
from .input_spec import InputSpec


class Flatten(Layer):
    """Reshapes ``[batch, …]`` to ``[batch, size]``. Stands for ``tf.layers.Flatten``.

    Args:
        data_format: ``channels_first`` moves the channels to the end before.
    """

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = normalized_data_format(data_format)
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Any) -> Any:
        rank = inputs.shape.rank
        if self.data_format == "channels_first" and rank is not None and rank > 1:
            inputs = tf.transpose(inputs, [0, *range(2, rank), 1])
        batch = inputs.shape[0] or tf.shape(inputs)[0]
        outputs = tf.reshape(inputs, (batch, -1))
        if not tf.executing_eagerly():
            outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def compute_output_shape(self, input_shape: Any) -> tf.TensorShape:
        """The shape of the output for inputs of that shape."""
        shape = tf.TensorShape(input_shape)
        return tf.TensorShape([shape[0], shape[1:].num_elements()])


def flatten(inputs: Any, name: Any = None, data_format: str = "channels_last") -> Any:
    """Flattens all axes but the first. Stands for ``tf.layers.flatten``.

    Returns:
        A tensor ``[batch, size]``.
    """
    return Flatten(data_format=data_format, name=name)(inputs)
