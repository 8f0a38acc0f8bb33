"""LSTMs whose states are images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ...nn.rnn_cell.base import RNNCell
from ...nn.rnn_cell.lstm import LSTMStateTuple
from ...variables import get_variable


class ConvLSTMCell(RNNCell):
    """An LSTM with convolutions for products (arXiv:1506.04214; TF 1.15's `tf.contrib.rnn.ConvLSTMCell`).

    Variables: `kernel` `kernel_shape + [channels in + out, 4 out]` (gates i, j, f, o), `biases` `[4 out]` (zeros).

    Args:
      conv_ndims: number of spatial dimensions, 1 to 3.
      input_shape: shape of an example: spatial sizes, then channels.
      output_channels: number of channels of cell and output.
      kernel_shape: spatial sizes of the kernel.
      use_bias: whether a bias is added.
      skip_connection: whether the output is joined with the input by channels; as in TF 1.15 so is then the state.
      forget_bias: added to the forget gate.
      initializers: ignored, as in TF 1.15.
      name: name of the cell.

    Raises:
      ValueError: `input_shape` has not `conv_ndims` spatial sizes, or an input has another rank.
    """

    def __init__(
        self,
        conv_ndims: int,
        input_shape: Sequence[int],
        output_channels: int,
        kernel_shape: Sequence[int],
        use_bias: bool = True,
        skip_connection: bool = False,
        forget_bias: float = 1.0,
        initializers: Any = None,
        name: str = "conv_lstm_cell",
    ) -> None:
        super().__init__(name=name)
        if conv_ndims != len(input_shape) - 1:
            raise ValueError(f"Invalid input_shape {input_shape} for conv_ndims={conv_ndims}.")
        self._conv_ndims = conv_ndims
        self._input_shape = list(input_shape)
        self._output_channels = output_channels
        self._kernel_shape = list(kernel_shape)
        self._use_bias = use_bias
        self._forget_bias = forget_bias
        self._skip_connection = skip_connection

    @property
    def output_size(self) -> Any:
        channels = self._output_channels + (self._input_shape[-1] if self._skip_connection else 0)
        return tf.TensorShape([*self._input_shape[:-1], channels])

    @property
    def state_size(self) -> Any:
        size = tf.TensorShape([*self._input_shape[:-1], self._output_channels])
        return LSTMStateTuple(size, size)

    def call(self, inputs: Any, state: Any) -> Any:
        cell, hidden = state
        i, j, f, o = tf.split(self._convolved(inputs, hidden), 4, axis=self._conv_ndims + 1)
        new_cell = tf.sigmoid(f + self._forget_bias) * cell + tf.sigmoid(i) * tf.tanh(j)
        output = tf.tanh(new_cell) * tf.sigmoid(o)
        if self._skip_connection:
            output = tf.concat([output, inputs], axis=-1)
        return output, LSTMStateTuple(new_cell, output)

    def _convolved(self, inputs: tf.Tensor, hidden: tf.Tensor) -> tf.Tensor:
        for tensor in (inputs, hidden):
            if tensor.shape.rank != self._conv_ndims + 2:
                raise ValueError(f"Expected a tensor of rank {self._conv_ndims + 2}, got {tensor}")
        joined = tf.concat([inputs, hidden], -1)
        features = 4 * self._output_channels
        kernel = get_variable("kernel", [*self._kernel_shape, joined.shape[-1], features], dtype=inputs.dtype)
        # Said outright: eager gradients of 3-D convolutions ask for it.
        layout = {3: "NWC", 4: "NHWC", 5: "NDHWC"}[joined.shape.rank]
        convolved = tf.nn.convolution(joined, kernel, padding="SAME", data_format=layout)
        if not self._use_bias:
            return convolved
        return convolved + get_variable("biases", [features], dtype=inputs.dtype, initializer=tf.zeros_initializer())


class Conv1DLSTMCell(ConvLSTMCell):
    """`ConvLSTMCell` of sequences (TF 1.15's `tf.contrib.rnn.Conv1DLSTMCell`)."""

    def __init__(self, name: str = "conv_1d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=1, name=name, **kwargs)


class Conv2DLSTMCell(ConvLSTMCell):
    """`ConvLSTMCell` of images (TF 1.15's `tf.contrib.rnn.Conv2DLSTMCell`)."""

    def __init__(self, name: str = "conv_2d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=2, name=name, **kwargs)


class Conv3DLSTMCell(ConvLSTMCell):
    """`ConvLSTMCell` of volumes (TF 1.15's `tf.contrib.rnn.Conv3DLSTMCell`)."""

    def __init__(self, name: str = "conv_3d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=3, name=name, **kwargs)
