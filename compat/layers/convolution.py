"""Convolutions in one, two and three dimensions."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from .. import counting
from ..initializers import zeros_initializer
from .base import Layer
from .geometry import as_tuple, kernel_format, normalized_data_format, normalized_padding
from .identifiers import activation_for
from .input_spec import InputSpec


class Convolution(Layer):
    """What all convolutions share: their arguments, their kernel and bias, the end of their computation.

    Args:
        rank: how many spatial axes there are.
        filters: number of output channels.
        kernel_size, strides, dilation_rate: one number, or one for each spatial axis. Strides and dilations above one
            exclude each other.
        padding: ``valid`` or ``same``.
        data_format: ``channels_last`` or ``channels_first``.
        activation: a function or its name; None for none.
        kernel_initializer, bias_initializer: by default the scope's (Glorot uniform), and zeros.
        kernel_regularizer, bias_regularizer, activity_regularizer: functions whose results are losses.
        kernel_constraint, bias_constraint: projections after each update by an optimizer.
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
        **kwargs: Any,
    ) -> None:
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs)
        self.rank = rank
        self.filters = filters
        self.kernel_size = as_tuple(kernel_size, rank, "kernel_size")
        self.strides = as_tuple(strides, rank, "strides")
        self.padding = normalized_padding(padding)
        if self.padding == "causal" and rank != 1:
            raise ValueError("Causal padding is only supported for `Conv1D` and ``SeparableConv1D`.")
        self.data_format = normalized_data_format(data_format)
        self.dilation_rate = as_tuple(dilation_rate, rank, "dilation_rate")
        self.activation = activation_for(activation)
        self.use_bias = use_bias
        self.kernel_initializer = kernel_initializer
        self.bias_initializer = bias_initializer
        self.kernel_regularizer = kernel_regularizer
        self.bias_regularizer = bias_regularizer
        self.kernel_constraint = kernel_constraint
        self.bias_constraint = bias_constraint
        self.bias: Any = None
        self.input_spec = InputSpec(ndim=rank + 2)

    def build(self, input_shape: Any) -> None:
        channels = self._input_channels(input_shape)
        self.kernel = self._add_kernel("kernel", (*self.kernel_size, channels, self.filters))
        self._add_bias()
        counting.add(1)  # TF1 made a constant of the dilation.
        self.built = True

    def _input_channels(self, input_shape: Any) -> int:
        """The channels of the inputs, which the layer from now on insists on."""
        axis = 1 if self.data_format == "channels_first" else -1
        channels = tf.TensorShape(input_shape)[axis]
        if channels is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={axis: channels})
        return int(channels)

    def _add_kernel(self, name: str, shape: tuple[int, ...]) -> Any:
        """A kernel of that name, with the initializer, regularizer and constraint that go by its first word."""
        which = name.split("_")[0]
        return self.add_weight(
            name,
            shape=shape,
            initializer=getattr(self, f"{which}_initializer"),
            regularizer=getattr(self, f"{which}_regularizer"),
            constraint=getattr(self, f"{which}_constraint"),
            dtype=self.dtype,
        )

    def _add_bias(self) -> None:
        if self.use_bias:
            self.bias = self.add_weight(
                "bias",
                shape=(self.filters,),
                initializer=self.bias_initializer,
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
                dtype=self.dtype,
            )

    def call(self, inputs: Any) -> Any:
        return self._activated(self._convolve(inputs))

    def _convolve(self, inputs: Any) -> Any:
        padding = self.padding.upper() if isinstance(self.padding, str) else self.padding
        data_format = kernel_format(self.data_format, self.rank)
        if any(rate > 1 for rate in self.dilation_rate):
            counting.add(-1)  # Here is the constant of the dilation, once more.
            return tf.nn.convolution(
                inputs,
                self.kernel,
                strides=self.strides,
                padding=padding,
                data_format=data_format,
                dilations=self.dilation_rate,
            )
        if self.rank == 1:
            return tf.nn.conv1d(inputs, self.kernel, list(self.strides), padding, data_format)
        convolve = {2: tf.nn.conv2d, 3: tf.nn.conv3d}[self.rank]
        return convolve(inputs, self.kernel, _strides(self.strides, self.data_format), padding, data_format)

    def _activated(self, outputs: Any) -> Any:
        """Adds the bias and applies the activation."""
        if self.bias is not None:
            if self.data_format == "channels_first" and outputs.shape.rank == 3:
                outputs += tf.reshape(self.bias, (1, self.filters, 1))
            else:
                outputs = tf.nn.bias_add(
                    outputs, self.bias, data_format="NHWC" if self.data_format == "channels_last" else "NCHW"
                )
        return outputs if self.activation is None else self.activation(outputs)


def _strides(strides: tuple[int, ...], data_format: str) -> list[int]:
    return [1, *strides, 1] if data_format == "channels_last" else [1, 1, *strides]


class Conv1D(Convolution):
    """A convolution over ``[batch, steps, channels]``. Stands for ``tf.layers.Conv1D``.

    Variables ``kernel`` ``[size, inputs, filters]`` and ``bias`` ``[filters]``. Args as :class:`Convolution`.
    """

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid", *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(1, filters, kernel_size, strides, padding, *args, **kwargs)


class Conv2D(Convolution):
    """A convolution over ``[batch, height, width, channels]``. Stands for ``tf.layers.Conv2D``.

    Variables ``kernel`` ``[size, size, inputs, filters]`` and ``bias`` ``[filters]``. Args as :class:`Convolution`.
    """

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = (1, 1), padding: str = "valid", *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(2, filters, kernel_size, strides, padding, *args, **kwargs)


class Conv3D(Convolution):
    """A convolution over ``[batch, depth, height, width, channels]``. Stands for ``tf.layers.Conv3D``.

    Variables ``kernel`` ``[size, size, size, inputs, filters]`` and ``bias`` ``[filters]``. Args: :class:`Convolution`.
    """

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = (1, 1, 1),
        padding: str = "valid",
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(3, filters, kernel_size, strides, padding, *args, **kwargs)


def conv1d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = 1,
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: Any = 1,
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
    """Applies a new :class:`Conv1D`. Stands for ``tf.layers.conv1d``.

    Args as :class:`Convolution`; with ``reuse`` the variables of an earlier layer of that ``name`` are taken.

    Returns:
        A tensor of the inputs' rank with ``filters`` channels.
    """
    layer = Conv1D(
        filters,
        kernel_size,
        strides=strides,
        padding=padding,
        data_format=data_format,
        dilation_rate=dilation_rate,
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


def conv2d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: Any = (1, 1),
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
    """Applies a new :class:`Conv2D`. Stands for ``tf.layers.conv2d``.

    Args as :class:`Convolution`; with ``reuse`` the variables of an earlier layer of that ``name`` are taken.

    Returns:
        A tensor of the inputs' rank with ``filters`` channels.
    """
    layer = Conv2D(
        filters,
        kernel_size,
        strides=strides,
        padding=padding,
        data_format=data_format,
        dilation_rate=dilation_rate,
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


def conv3d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: Any = (1, 1, 1),
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
    """Applies a new :class:`Conv3D`. Stands for ``tf.layers.conv3d``.

    Args as :class:`Convolution`; with ``reuse`` the variables of an earlier layer of that ``name`` are taken.

    Returns:
        A tensor of the inputs' rank with ``filters`` channels.
    """
    layer = Conv3D(
        filters,
        kernel_size,
        strides=strides,
        padding=padding,
        data_format=data_format,
        dilation_rate=dilation_rate,
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
