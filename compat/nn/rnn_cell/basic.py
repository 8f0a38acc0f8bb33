"""`BasicRNNCell` and `GRUCell`."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...layers.input_spec import InputSpec
from .base import BIAS, KERNEL, LayerRNNCell, activation_function, check_dtypes, input_depth
from .product import joint_product


class BasicRNNCell(LayerRNNCell):
    """`output = new_state = act([x, h] W + b)` (TF 1.15's `tf.nn.rnn_cell.BasicRNNCell`).

    Variables: `kernel` `[depth + num_units, num_units]`, `bias` `[num_units]` (zeros).

    Args:
      num_units: size of state and output.
      activation: function or its name; tanh by default.
      reuse: True to share variables that the scope already has.
      name: name of the cell.
      dtype: dtype of the variables; by default that of the first input.

    Raises:
      ValueError: the inputs' depth is unknown, or a dtype is not floating.
    """

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: Any = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_dtypes(self.dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = activation_function(activation)

    @property
    def state_size(self) -> Any:
        return self._num_units

    @property
    def output_size(self) -> Any:
        return self._num_units

    def build(self, inputs_shape: Any) -> None:
        rows = input_depth(inputs_shape) + self._num_units
        check_dtypes(self.dtype)
        self._kernel = self.add_variable(KERNEL, shape=[rows, self._num_units])
        self._bias = self.add_variable(BIAS, shape=[self._num_units], initializer=tf.zeros_initializer())
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        check_dtypes(inputs, state)
        summed = tf.nn.bias_add(joint_product(inputs, state, self._kernel), self._bias)
        output = self._activation(summed)
        return output, output


class GRUCell(LayerRNNCell):
    """Gated recurrent unit (TF 1.15's `tf.nn.rnn_cell.GRUCell`).

    `r, u = sigmoid([x, h] Wg + bg)`, `c = act([x, r * h] Wc + bc)`, `output = new_state = u * h + (1 - u) * c`.

    Variables: `gates/kernel` `[depth + n, 2 n]` and `gates/bias` (ones by default), `candidate/kernel`
    `[depth + n, n]` and `candidate/bias` (zeros by default).

    Args:
      num_units: n, the size of state and output.
      activation: function or its name; tanh by default.
      reuse: True to share variables that the scope already has.
      kernel_initializer: initializer of both kernels.
      bias_initializer: initializer of both biases.
      name: name of the cell.
      dtype: dtype of the variables; by default that of the first input.

    Raises:
      ValueError: the inputs' depth is unknown, or a dtype is not floating.
    """

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: Any = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_dtypes(self.dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = activation_function(activation)
        self._kernel_initializer = kernel_initializer
        self._bias_initializer = bias_initializer

    @property
    def state_size(self) -> Any:
        return self._num_units

    @property
    def output_size(self) -> Any:
        return self._num_units

    def build(self, inputs_shape: Any) -> None:
        rows = input_depth(inputs_shape) + self._num_units
        check_dtypes(self.dtype)

        def affine(name: str, columns: int, bias: Any) -> tuple[Any, Any]:
            kernel = self.add_variable(f"{name}/{KERNEL}", shape=[rows, columns], initializer=self._kernel_initializer)
            chosen = bias if self._bias_initializer is None else self._bias_initializer
            return kernel, self.add_variable(f"{name}/{BIAS}", shape=[columns], initializer=chosen)

        # The gates start at one, so that a new cell keeps its state.
        self._gate_kernel, self._gate_bias = affine("gates", 2 * self._num_units, tf.ones_initializer())
        self._candidate_kernel, self._candidate_bias = affine("candidate", self._num_units, tf.zeros_initializer())
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        check_dtypes(inputs, state)
        gates = joint_product(inputs, state, self._gate_kernel)
        r, u = tf.split(tf.sigmoid(tf.nn.bias_add(gates, self._gate_bias)), 2, axis=1)
        candidate = joint_product(inputs, r * state, self._candidate_kernel)
        c = self._activation(tf.nn.bias_add(candidate, self._candidate_bias))
        new_h = u * state + (1 - u) * c
        return new_h, new_h
