"""`NASCell`, `UGRNNCell` and `IntersectionRNNCell`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...nn.rnn_cell.base import LayerRNNCell, RNNCell, input_depth
from ...nn.rnn_cell.lstm import LSTMStateTuple
from ...variables import current_scope, variable_scope
from .linear import Linear


class NASCell(LayerRNNCell):
    """The cell found by neural architecture search (arXiv:1611.01578; TF 1.15's `tf.contrib.rnn.NASCell`).

    Variables: `recurrent_kernel` `[h, 8 n]`, `kernel` `[depth, 8 n]`, with a bias `bias` `[8 n]` (zeros), with a
    projection `projection_weights` `[n, num_proj]`; h is `num_proj` or n.

    Args:
      num_units: n, the size of the cell.
      num_proj: size of the projected output, or None for no projection.
      use_bias: whether a bias is added.
      reuse: True to share variables that the scope already has.

    Raises:
      ValueError: the inputs' depth is unknown.
    """

    def __init__(
        self, num_units: int, num_proj: int | None = None, use_bias: bool = False, reuse: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(_reuse=reuse, **kwargs)
        self._num_units = num_units
        self._num_proj = num_proj
        self._use_bias = use_bias

    @property
    def state_size(self) -> Any:
        return LSTMStateTuple(self._num_units, self.output_size)

    @property
    def output_size(self) -> Any:
        return self._num_units if self._num_proj is None else self._num_proj

    def build(self, inputs_shape: Any) -> None:
        columns = 8 * self._num_units
        depth = input_depth(inputs_shape)
        self.recurrent_kernel = self.add_variable("recurrent_kernel", [self.output_size, columns])
        self.kernel = self.add_variable("kernel", [depth, columns])
        if self._use_bias:
            self.bias = self.add_variable("bias", shape=[columns], initializer=tf.zeros_initializer())
        if self._num_proj is not None:
            self.projection_weights = self.add_variable("projection_weights", [self._num_units, self._num_proj])
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        c, h = state
        recurrent = tf.matmul(h, self.recurrent_kernel)
        if self._use_bias:
            recurrent = tf.nn.bias_add(recurrent, self.bias)
        m = tf.split(recurrent, 8, axis=1)
        x = tf.split(tf.matmul(inputs, self.kernel), 8, axis=1)
        first = tf.sigmoid(x[0] + m[0]) * tf.nn.relu(x[1] + m[1])
        second = tf.sigmoid(x[2] + m[2]) + tf.nn.relu(x[3] * m[3])
        third = tf.tanh(x[4] + m[4]) * tf.sigmoid(x[5] + m[5])
        fourth = tf.tanh(x[6] + m[6]) + tf.sigmoid(x[7] + m[7])
        new_c = tf.tanh(tf.tanh(first) + c) * tf.tanh(second)
        new_h = tf.tanh(new_c * tf.tanh(tf.tanh(third) + tf.sigmoid(fourth)))
        if self._num_proj is not None:
            new_h = tf.matmul(new_h, self.projection_weights)
        return new_h, LSTMStateTuple(new_c, new_h)


class UGRNNCell(RNNCell):
    """Update gate RNN (arXiv:1611.09913; TF 1.15's `tf.contrib.rnn.UGRNNCell`).

    `g, c = split([x, h] W + b)`, `g = sigmoid(g + forget_bias)`, `output = state = g * h + (1 - g) * act(c)`.

    Args:
      num_units: size of state and output.
      initializer: initializer of the variables.
      forget_bias: added to the gate.
      activation: function of the candidate.
      reuse: True to share variables that the scope already has.

    Raises:
      ValueError: the inputs' depth is unknown.
    """

    def __init__(
        self,
        num_units: int,
        initializer: Any = None,
        forget_bias: float = 1.0,
        activation: Callable[..., Any] = tf.tanh,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._initializer = initializer
        self._forget_bias = forget_bias
        self._activation = activation
        self._linear: Linear | None = None

    @property
    def state_size(self) -> Any:
        return self._num_units

    @property
    def output_size(self) -> Any:
        return self._num_units

    def call(self, inputs: Any, state: Any) -> Any:
        input_depth(inputs.shape.with_rank(2))
        with variable_scope(current_scope(), initializer=self._initializer):
            joined = tf.concat([inputs, state], 1)
            if self._linear is None:
                self._linear = Linear(joined, 2 * self._num_units, True)
            gate, candidate = tf.split(self._linear(joined), 2, axis=1)
            g = tf.sigmoid(gate + self._forget_bias)
            new_state = g * state + (1.0 - g) * self._activation(candidate)
        return new_state, new_state


class IntersectionRNNCell(RNNCell):
    """Intersection RNN, `+RNN` (arXiv:1611.09913; TF 1.15's `tf.contrib.rnn.IntersectionRNNCell`).

    Args:
      num_units: size of state, output and, unless it is projected, of the inputs.
      num_in_proj: whether (not zero, not None) inputs of another size are mapped to `num_units`.
      initializer: initializer of the variables.
      forget_bias: added to both gates.
      y_activation: function of the output's candidate.
      reuse: True to share variables that the scope already has.

    Raises:
      ValueError: the inputs' depth is unknown, or is not `num_units` and there is no projection.
    """

    def __init__(
        self,
        num_units: int,
        num_in_proj: int | None = None,
        initializer: Any = None,
        forget_bias: float = 1.0,
        y_activation: Callable[..., Any] = tf.nn.relu,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._initializer = initializer
        self._forget_bias = forget_bias
        self._num_input_proj = num_in_proj
        self._y_activation = y_activation
        self._project: Linear | None = None
        self._linear: Linear | None = None

    @property
    def state_size(self) -> Any:
        return self._num_units

    @property
    def output_size(self) -> Any:
        return self._num_units

    def call(self, inputs: Any, state: Any) -> Any:
        depth = input_depth(inputs.shape.with_rank(2))
        with variable_scope(current_scope(), initializer=self._initializer):
            if depth != self._num_units:
                inputs = self._projected(inputs)
            joined = tf.concat([inputs, state], 1)
            if self._linear is None:
                self._linear = Linear(joined, 4 * self._num_units, True)
            gate_h, h, gate_y, y = tf.split(self._linear(joined), 4, axis=1)
            gate_h, gate_y = tf.sigmoid(gate_h + self._forget_bias), tf.sigmoid(gate_y + self._forget_bias)
            new_state = gate_h * state + (1.0 - gate_h) * tf.tanh(h)
            new_y = gate_y * inputs + (1.0 - gate_y) * self._y_activation(y)
        return new_y, new_state

    def _projected(self, inputs: tf.Tensor) -> tf.Tensor:
        if not self._num_input_proj:
            raise ValueError(
                "Must have input size == output size for Intersection RNN. "
                "To fix, num_in_proj should be set to num_units at cell init."
            )
        with variable_scope("in_projection"):
            if self._project is None:
                self._project = Linear(inputs, self._num_units, True)
            return self._project(inputs)
