"""Transposed convolutions ("deconvolutions")."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from .. import counting
from ..initializers import zeros_initializer
from .convolution import Convolution
from .geometry import deconvolved_length

_ASKED_AGAIN = {2: 4, 3: 0}
"""By rank how many operations TF1 made to take a length of the output's shape."""


class TransposedConvolution(Convolution):
    """What the transposed convolutions share: their kernel's layout and the shape of their output."""

    def build(self, input_shape: Any) -> None:
        rank = len(tf.TensorShape(input_shape))
        if rank != self.rank + 2:
            raise ValueError(f"Inputs should have rank {self.rank + 2}. Received input shape: {input_shape}")
        channels = self._input_channels(input_shape)
        self.kernel = self._add_kernel("kernel", (*self.kernel_size, self.filters, channels))
        self._add_bias()
        self.built = True

    def call(self, inputs: Any) -> Any:
        first = self.data_format == "channels_first"
        # The CPU kernels know channels at the end only; TF1 moved them too.
        to_last = [0, *range(2, self.rank + 2), 1]
        to_first = [0, self.rank + 1, *range(1, self.rank + 1)]
        moved = tf.transpose(inputs, to_last) if first else inputs
        outputs = self._deconvolve(moved, self._output_shape(moved))
        outputs = tf.transpose(outputs, to_first) if first else outputs
        if not tf.executing_eagerly():
            outputs.set_shape(self.compute_output_shape(inputs.shape))
        return self._activated(outputs)

    def _deconvolve(self, inputs: Any, output_shape: Any) -> Any:
        deconvolve = {2: tf.nn.conv2d_transpose, 3: tf.nn.conv3d_transpose}[self.rank]
        return deconvolve(inputs, self.kernel, output_shape, [1, *self.strides, 1], self.padding.upper())

    def _lengths(self, lengths: Any) -> list[Any]:
        return [
            deconvolved_length(length, size, self.padding, None, stride)
            for length, size, stride in zip(lengths, self.kernel_size, self.strides, strict=True)
        ]

    def _output_shape(self, inputs: Any) -> Any:
        shape = tf.shape(inputs)
        lengths = self._lengths([shape[axis] for axis in range(1, self.rank + 1)])
        counting.add(_ASKED_AGAIN[self.rank])
        return tf.stack([shape[0], *lengths, self.filters])

    def compute_output_shape(self, input_shape: Any) -> tf.TensorShape:
        """The shape of the output for inputs of that shape."""
        shape = tf.TensorShape(input_shape).as_list()
        if self.data_format == "channels_first":
            return tf.TensorShape([shape[0], self.filters, *self._lengths(shape[2:])])
        return tf.TensorShape([shape[0], *self._lengths(shape[1:-1]), self.filters])


class Conv2DTranspose(TransposedConvolution):
    """The transpose of a 2-D convolution. Stands for ``tf.layers.Conv2DTranspose``.

    Variables ``kernel`` ``[size, size, filters, inputs]`` and ``bias`` ``[filters]``. Args as
    :class:`.convolution.Convolution`, without ``dilation_rate``.
    """

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = (1, 1),
        padding: str = "valid",
        data_format: str | None = "channels_last",
        activation: Any = None,
        use_bias: bool = True,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            2, filters, kernel_size, strides, padding, data_format, 1, activation, use_bias, *args, **kwargs
        )


class Conv3DTranspose(TransposedConvolution):
    """The transpose of a 3-D convolution. Stands for ``tf.layers.Conv3DTranspose``.

    Variables ``kernel`` ``[size, size, size, filters, inputs]`` and ``bias`` ``[filters]``. Args as
    :class:`.convolution.Convolution`, without ``dilation_rate``.
    """

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = (1, 1, 1),
        padding: str = "valid",
        data_format: str | None = "channels_last",
        activation: Any = None,
        use_bias: bool = True,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            3, filters, kernel_size, strides, padding, data_format, 1, activation, use_bias, *args, **kwargs
        )


def conv2d_transpose(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    activation: Any = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = zeros_initializer,
    kernel_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    kernel_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: bool = True,
    name: Any = None,
    reuse: bool | None = None,
) -> Any:
    """Applies a new :class:`Conv2DTranspose`. Stands for ``tf.layers.conv2d_transpose``.

    Args as :class:`.convolution.Convolution`; with ``reuse`` it takes the variables of an earlier layer of that name.
    """
    layer = Conv2DTranspose(
        filters,
        kernel_size,
        strides=strides,
        padding=padding,
        data_format=data_format,
        activation=activation,
        use_bias=use_bias,
        kernel_initializer=kernel_initializer,
        bias_initializer=bias_initializer,
        kernel_regularizer=kernel_regularizer,
        bias_regularizer=bias_regularizer,
        activity_regularizer=activity_regularizer,
        kernel_constraint=kernel_constraint,
        bias_constraint=bias_constraint,
        trainable=trainable,
        name=name,
        _scope=name,
        _reuse=reuse,
    )
    return layer(inputs)


def conv3d_transpose(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    activation: Any = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = zeros_initializer,
    kernel_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    kernel_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: bool = True,
    name: Any = None,
    reuse: bool | None = None,
) -> Any:
    """Applies a new :class:`Conv3DTranspose`. Stands for ``tf.layers.conv3d_transpose``.

    Args as :class:`.convolution.Convolution`; with ``reuse`` it takes the variables of an earlier layer of that name.
    """
    layer = Conv3DTranspose(
        filters,
        kernel_size,
        strides=strides,
        padding=padding,
        data_format=data_format,
        activation=activation,
        use_bias=use_bias,
        kernel_initializer=kernel_initializer,
        bias_initializer=bias_initializer,
        kernel_regularizer=kernel_regularizer,
        bias_regularizer=bias_regularizer,
        activity_regularizer=activity_regularizer,
        kernel_constraint=kernel_constraint,
        bias_constraint=bias_constraint,
        trainable=trainable,
        name=name,
        _scope=name,
        _reuse=reuse,
    )
    return layer(inputs)
