"""Cells whose units see only themselves in the past: `SRUCell`, `IndRNNCell`, `IndyGRUCell`, `IndyLSTMCell`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...initializers import random_uniform_initializer
from ...layers.input_spec import InputSpec
from ...nn.rnn_cell.base import BIAS, KERNEL, LayerRNNCell, input_depth
from ...nn.rnn_cell.lstm import LSTMStateTuple

Activation = Callable[..., Any]


class _Simple(LayerRNNCell):
    """What these cells share: n units of state and of output."""

    def __init__(self, num_units: int, activation: Activation | None, reuse: Any, **kwargs: Any) -> None:
        super().__init__(_reuse=reuse, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = activation or tf.tanh

    @property
    def state_size(self) -> Any:
        return self._num_units

    @property
    def output_size(self) -> Any:
        return self._num_units

    def _recurrent(self, name: str, gates: int) -> Any:
        return self.add_variable(
            name, shape=[1, gates * self._num_units], initializer=random_uniform_initializer(minval=-1, maxval=1)
        )


class SRUCell(_Simple):
    """Simple recurrent unit (arXiv:1709.02755; TF 1.15's `tf.contrib.rnn.SRUCell`).

    Variables: `kernel` `[depth, 4 n]`, `bias` `[2 n]` (zeros).

    Args:
      num_units: n, the size of state and output.
      activation: function of the cell; tanh by default.
      reuse: True to share variables that the scope already has.
      name: name of the cell.

    Raises:
      ValueError: the inputs' depth is unknown.
    """

    def __init__(
        self,
        num_units: int,
        activation: Activation | None = None,
        reuse: Any = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(num_units, activation, reuse, name=name, **kwargs)

    def build(self, inputs_shape: Any) -> None:
        n = self._num_units
        self._kernel = self.add_variable(KERNEL, shape=[input_depth(inputs_shape), 4 * n])
        self._bias = self.add_variable(BIAS, shape=[2 * n], initializer=tf.zeros_initializer())
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        x_bar, f, r, x = tf.split(tf.matmul(inputs, self._kernel), 4, axis=1)
        f, r = tf.split(tf.sigmoid(tf.nn.bias_add(tf.concat([f, r], 1), self._bias)), 2, axis=1)
        c = f * state + (1.0 - f) * x_bar
        return r * self._activation(c) + (1.0 - r) * x, c


class IndRNNCell(_Simple):
    """Independent RNN (arXiv:1803.04831; TF 1.15's `tf.contrib.rnn.IndRNNCell`).

    `output = state = act(x W + u * h + b)`. Variables: `kernel_w` `[depth, n]`, `kernel_u` `[1, n]`, `bias` `[n]`.

    Args:
      num_units: n, the size of state and output.
      activation: function of the sum; tanh by default.
      reuse: True to share variables that the scope already has.
      name: name of the cell.
      dtype: dtype of the variables; by default that of the first input.

    Raises:
      ValueError: the inputs' depth is unknown.
    """

    def __init__(
        self,
        num_units: int,
        activation: Activation | None = None,
        reuse: Any = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_units, activation, reuse, name=name, dtype=dtype)

    def build(self, inputs_shape: Any) -> None:
        n = self._num_units
        self._kernel_w = self.add_variable(f"{KERNEL}_w", shape=[input_depth(inputs_shape), n])
        self._kernel_u = self._recurrent(f"{KERNEL}_u", 1)
        self._bias = self.add_variable(BIAS, shape=[n], initializer=tf.zeros_initializer())
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        summed = tf.nn.bias_add(tf.matmul(inputs, self._kernel_w) + state * self._kernel_u, self._bias)
        output = self._activation(summed)
        return output, output


class IndyGRUCell(_Simple):
    """Independent GRU (TF 1.15's `tf.contrib.rnn.IndyGRUCell`): `GRUCell` whose recurrent kernels are diagonal.

    Variables: `gates/kernel_w`, `gates/kernel_u`, `gates/bias`, `candidate/kernel`, `candidate/kernel_u`,
    `candidate/bias`.

    Args:
      num_units: n, the size of state and output.
      activation: function of the candidate; tanh by default.
      reuse: True to share variables that the scope already has.
      kernel_initializer: initializer of the inputs' kernels.
      bias_initializer: initializer of the biases; ones for the gates and zeros for the candidate by default.
      name: name of the cell.
      dtype: dtype of the variables; by default that of the first input.

    Raises:
      ValueError: the inputs' depth is unknown.
    """

    def __init__(
        self,
        num_units: int,
        activation: Activation | None = None,
        reuse: Any = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_units, activation, reuse, name=name, dtype=dtype)
        self._kernel_initializer = kernel_initializer
        self._bias_initializer = bias_initializer

    def build(self, inputs_shape: Any) -> None:
        depth = input_depth(inputs_shape)
        # TF1 named the candidate's kernel without the "_w".
        self._gates = self._weights("gates", f"gates/{KERNEL}_w", depth, 2, tf.ones_initializer())
        self._candidate = self._weights("candidate", f"candidate/{KERNEL}", depth, 1, tf.zeros_initializer())
        self.built = True

    def _weights(self, scope: str, kernel: str, depth: int, gates: int, bias: Any) -> tuple[Any, Any, Any]:
        columns = gates * self._num_units
        w = self.add_variable(kernel, shape=[depth, columns], initializer=self._kernel_initializer)
        u = self._recurrent(f"{scope}/{KERNEL}_u", gates)
        chosen = bias if self._bias_initializer is None else self._bias_initializer
        return w, u, self.add_variable(f"{scope}/{BIAS}", shape=[columns], initializer=chosen)

    def call(self, inputs: Any, state: Any) -> Any:
        w, u, b = self._gates
        gates = tf.matmul(inputs, w) + tf.tile(state, [1, 2]) * u
        r, update = tf.split(tf.sigmoid(tf.nn.bias_add(gates, b)), 2, axis=1)
        w, u, b = self._candidate
        c = self._activation(tf.nn.bias_add(tf.matmul(inputs, w) + r * state * u, b))
        new_h = update * state + (1 - update) * c
        return new_h, new_h


class IndyLSTMCell(_Simple):
    """Independent LSTM (arXiv:1903.08023; TF 1.15's `tf.contrib.rnn.IndyLSTMCell`).

    `BasicLSTMCell` whose recurrent kernel is diagonal. Variables: `kernel_w` `[depth, 4 n]`, `kernel_u` `[1, 4 n]`,
    `bias` `[4 n]`.

    Args:
      num_units: n, the size of cell and output.
      forget_bias: added to the forget gate.
      activation: function of candidate and cell; tanh by default.
      reuse: True to share variables that the scope already has.
      kernel_initializer: initializer of the inputs' kernel.
      bias_initializer: initializer of the bias; zeros by default.
      name: name of the cell.
      dtype: dtype of the variables; by default that of the first input.

    Raises:
      ValueError: the inputs' depth is unknown.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        activation: Activation | None = None,
        reuse: Any = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_units, activation, reuse, name=name, dtype=dtype)
        self._forget_bias = forget_bias
        self._kernel_initializer = kernel_initializer
        self._bias_initializer = tf.zeros_initializer() if bias_initializer is None else bias_initializer

    @property
    def state_size(self) -> Any:
        return LSTMStateTuple(self._num_units, self._num_units)

    def build(self, inputs_shape: Any) -> None:
        columns = 4 * self._num_units
        self._kernel_w = self.add_variable(
            f"{KERNEL}_w", shape=[input_depth(inputs_shape), columns], initializer=self._kernel_initializer
        )
        self._kernel_u = self._recurrent(f"{KERNEL}_u", 4)
        self._bias = self.add_variable(BIAS, shape=[columns], initializer=self._bias_initializer)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        c, h = state
        gates = tf.matmul(inputs, self._kernel_w) + tf.tile(h, [1, 4]) * self._kernel_u
        i, j, f, o = tf.split(tf.nn.bias_add(gates, self._bias), 4, axis=1)
        new_c = c * tf.sigmoid(f + self._forget_bias) + tf.sigmoid(i) * self._activation(j)
        new_h = self._activation(new_c) * tf.sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)
