"""Cells with the weights and the arithmetic of cuDNN's recurrent kernels, for any device."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...nn.rnn_cell.base import BIAS, KERNEL, input_depth
from ...nn.rnn_cell.basic import GRUCell
from ..rnn.block import LSTMBlockCell


class CudnnCompatibleLSTMCell(LSTMBlockCell):
    """An LSTM that runs what `CudnnLSTM` trained (TF 1.15's `tf.contrib.cudnn_rnn.CudnnCompatibleLSTMCell`).

    Variables below `cudnn_compatible_lstm_cell`: `kernel` `[depth + n, 4 n]`, `bias` `[4 n]`; no forget bias is added.

    Args:
      num_units: n, the size of cell and output.
      reuse: True to share variables that the scope already has.
    """

    def __init__(self, num_units: int, reuse: Any = None) -> None:
        super().__init__(num_units, forget_bias=0.0, reuse=reuse, name="cudnn_compatible_lstm_cell")


class CudnnCompatibleGRUCell(GRUCell):
    """A GRU that runs what `CudnnGRU` trained (TF 1.15's `tf.contrib.cudnn_rnn.CudnnCompatibleGRUCell`).

    `r, u = sigmoid([x, h] Wg + bg)`, `c = tanh(x Wx + bx + r * (h Wh + bh))`, `output = state = u * h + (1 - u) * c`.
    Variables below `cudnn_compatible_gru_cell`: `gates/kernel`, `gates/bias` (ones), and under `candidate`
    `input_projection/kernel`, `hidden_projection/kernel`, `input_projection/bias`, `hidden_projection/bias`.

    Args:
      num_units: n, the size of state and output.
      reuse: True to share variables that the scope already has.
      kernel_initializer: initializer of all kernels.
    """

    def __init__(self, num_units: int, reuse: Any = None, kernel_initializer: Any = None) -> None:
        super().__init__(num_units, reuse=reuse, kernel_initializer=kernel_initializer)

    def build(self, inputs_shape: Any) -> None:
        n, depth = self._num_units, input_depth(inputs_shape)

        def variable(name: str, shape: list[int], initializer: Any) -> Any:
            return self.add_variable(name, shape=shape, initializer=initializer)

        kernels = self._kernel_initializer
        self._gate_kernel = variable(f"gates/{KERNEL}", [depth + n, 2 * n], kernels)
        self._gate_bias = variable(f"gates/{BIAS}", [2 * n], tf.ones_initializer())
        self._input_kernel = variable(f"candidate/input_projection/{KERNEL}", [depth, n], kernels)
        self._hidden_kernel = variable(f"candidate/hidden_projection/{KERNEL}", [n, n], kernels)
        self._input_bias = variable(f"candidate/input_projection/{BIAS}", [n], tf.zeros_initializer())
        self._hidden_bias = variable(f"candidate/hidden_projection/{BIAS}", [n], tf.zeros_initializer())
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        gates = tf.nn.bias_add(tf.matmul(tf.concat([inputs, state], 1), self._gate_kernel), self._gate_bias)
        r, u = tf.split(tf.sigmoid(gates), 2, axis=1)
        hidden = tf.nn.bias_add(tf.matmul(state, self._hidden_kernel), self._hidden_bias)
        candidate = tf.nn.bias_add(tf.matmul(inputs, self._input_kernel), self._input_bias) + r * hidden
        new_h = (1 - u) * self._activation(candidate) + u * state
        return new_h, new_h
