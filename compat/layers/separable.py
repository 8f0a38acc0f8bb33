"""Separable convolutions: each channel for itself, then all of them mixed."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..initializers import zeros_initializer
from .convolution import Convolution
from .geometry import kernel_format


class SeparableConvolution(Convolution):
    """What the separable convolutions share.

    Args as :class:`.convolution.Convolution`, and for each of ``depthwise`` and ``pointwise`` an initializer, a
    regularizer and a constraint; ``depth_multiplier`` is the number of channels that each input channel becomes.
    """

    def __init__(
        self,
        rank: int,
        filters: int,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: str | None = "channels_last",
        dilation_rate: Any = 1,
        depth_multiplier: int = 1,
        activation: Any = None,
        use_bias: bool = True,
        depthwise_initializer: Any = None,
        pointwise_initializer: Any = None,
        bias_initializer: Any = zeros_initializer,
        depthwise_regularizer: Any = None,
        pointwise_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        depthwise_constraint: Any = None,
        pointwise_constraint: Any = None,
        bias_constraint: Any = None,
        trainable: bool = True,
        name: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            rank,
            filters,
            kernel_size,
            strides,
            padding,
            data_format,
            dilation_rate,
            activation,
            use_bias,
            bias_initializer=bias_initializer,
            bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer,
            bias_constraint=bias_constraint,
            trainable=trainable,
            name=name,
            **kwargs,
        )
        self.depth_multiplier = depth_multiplier
        self.depthwise_initializer = depthwise_initializer
        self.pointwise_initializer = pointwise_initializer
        self.depthwise_regularizer = depthwise_regularizer
        self.pointwise_regularizer = pointwise_regularizer
        self.depthwise_constraint = depthwise_constraint
        self.pointwise_constraint = pointwise_constraint

    def build(self, input_shape: Any) -> None:
        channels = self._input_channels(input_shape)
        self.depthwise_kernel = self._add_kernel(
            "depthwise_kernel", (*self.kernel_size, channels, self.depth_multiplier)
        )
        ones = (1,) * self.rank
        self.pointwise_kernel = self._add_kernel(
            "pointwise_kernel", (*ones, self.depth_multiplier * channels, self.filters)
        )
        self._add_bias()
        self.built = True

    def _separable(self, inputs: Any, depthwise: Any, pointwise: Any, strides: Any, padding: str, rate: Any) -> Any:
        ends = [1, *strides, 1] if self.data_format == "channels_last" else [1, 1, *strides]
        return tf.nn.separable_conv2d(
            inputs, depthwise, pointwise, ends, padding.upper(), kernel_format(self.data_format, 2), rate
        )


class SeparableConv1D(SeparableConvolution):
    """A separable convolution over ``[batch, steps, channels]``. Stands for ``tf.layers.SeparableConv1D``.

    Variables ``depthwise_kernel`` ``[size, inputs, multiplier]``, ``pointwise_kernel``
    ``[1, inputs·multiplier, filters]`` and ``bias``. Args as :class:`SeparableConvolution`.
    """

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid", *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(1, filters, kernel_size, strides, padding, *args, **kwargs)

    def call(self, inputs: Any) -> Any:
        last = self.data_format == "channels_last"
        padding = self.padding
        if padding == "causal":
            before = self.dilation_rate[0] * (self.kernel_size[0] - 1)
            inputs = tf.pad(inputs, [[0, 0], [before, 0], [0, 0]] if last else [[0, 0], [0, 0], [before, 0]])
            padding = "valid"
        axis = 1 if last else 2
        outputs = self._separable(
            tf.expand_dims(inputs, axis),
            tf.expand_dims(self.depthwise_kernel, 0),
            tf.expand_dims(self.pointwise_kernel, 0),
            self.strides * 2,
            padding,
            (1, *self.dilation_rate),
        )
        if self.bias is not None:
            outputs = tf.nn.bias_add(outputs, self.bias, data_format=kernel_format(self.data_format, 2))
        outputs = tf.squeeze(outputs, [axis])
        return outputs if self.activation is None else self.activation(outputs)


class SeparableConv2D(SeparableConvolution):
    """A separable convolution over ``[batch, height, width, channels]``. Stands for ``tf.layers.SeparableConv2D``.

    Variables ``depthwise_kernel`` ``[size, size, inputs, multiplier]``, ``pointwise_kernel``
    ``[1, 1, inputs·multiplier, filters]`` and ``bias``. Args as :class:`SeparableConvolution`.
    """

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = (1, 1), padding: str = "valid", *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(2, filters, kernel_size, strides, padding, *args, **kwargs)

    def call(self, inputs: Any) -> Any:
        outputs = self._separable(
            inputs, self.depthwise_kernel, self.pointwise_kernel, self.strides, self.padding, self.dilation_rate
        )
        return self._activated(outputs)


def separable_conv1d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = 1,
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: Any = 1,
    depth_multiplier: int = 1,
    activation: Any = None,
    use_bias: bool = True,
    depthwise_initializer: Any = None,
    pointwise_initializer: Any = None,
    bias_initializer: Any = zeros_initializer,
    depthwise_regularizer: Any = None,
    pointwise_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    depthwise_constraint: Any = None,
    pointwise_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: bool = True,
    name: Any = None,
    reuse: bool | None = None,
) -> Any:
    """Applies a new :class:`SeparableConv1D`. Stands for ``tf.layers.separable_conv1d``.

    Args as :class:`SeparableConvolution`; with ``reuse`` the variables of an earlier layer of that ``name`` are taken.
    """
    layer = SeparableConv1D(
        filters,
        kernel_size,
        strides=strides,
        padding=padding,
        data_format=data_format,
        dilation_rate=dilation_rate,
        depth_multiplier=depth_multiplier,
        activation=activation,
        use_bias=use_bias,
        depthwise_initializer=depthwise_initializer,
        pointwise_initializer=pointwise_initializer,
        bias_initializer=bias_initializer,
        depthwise_regularizer=depthwise_regularizer,
        pointwise_regularizer=pointwise_regularizer,
        bias_regularizer=bias_regularizer,
        activity_regularizer=activity_regularizer,
        depthwise_constraint=depthwise_constraint,
        pointwise_constraint=pointwise_constraint,
        bias_constraint=bias_constraint,
        trainable=trainable,
        name=name,
        _scope=name,
        _reuse=reuse,
    )
    return layer(inputs)


def separable_conv2d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: Any = (1, 1),
    depth_multiplier: int = 1,
    activation: Any = None,
    use_bias: bool = True,
    depthwise_initializer: Any = None,
    pointwise_initializer: Any = None,
    bias_initializer: Any = zeros_initializer,
    depthwise_regularizer: Any = None,
    pointwise_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    depthwise_constraint: Any = None,
    pointwise_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: bool = True,
    name: Any = None,
    reuse: bool | None = None,
) -> Any:
    """Applies a new :class:`SeparableConv2D`. Stands for ``tf.layers.separable_conv2d``.

    Args as :class:`SeparableConvolution`; with ``reuse`` the variables of an earlier layer of that ``name`` are taken.
    """
    layer = SeparableConv2D(
        filters,
        kernel_size,
        strides=strides,
        padding=padding,
        data_format=data_format,
        dilation_rate=dilation_rate,
        depth_multiplier=depth_multiplier,
        activation=activation,
        use_bias=use_bias,
        depthwise_initializer=depthwise_initializer,
        pointwise_initializer=pointwise_initializer,
        bias_initializer=bias_initializer,
        depthwise_regularizer=depthwise_regularizer,
        pointwise_regularizer=pointwise_regularizer,
        bias_regularizer=bias_regularizer,
        activity_regularizer=activity_regularizer,
        depthwise_constraint=depthwise_constraint,
        pointwise_constraint=pointwise_constraint,
        bias_constraint=bias_constraint,
        trainable=trainable,
        name=name,
        _scope=name,
        _reuse=reuse,
    )
    return layer(inputs)
