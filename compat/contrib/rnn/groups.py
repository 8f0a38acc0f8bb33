"""An LSTM whose units fall into groups that do not see each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...nn.rnn_cell.base import RNNCell, input_depth
from ...nn.rnn_cell.lstm import LSTMStateTuple
from ...variables import current_scope, get_variable, variable_scope
from .linear import Linear


class GLSTMCell(RNNCell):
    """Group LSTM (arXiv:1703.10722; TF 1.15's `tf.contrib.rnn.GLSTMCell`).

    Variables: `group<k>/kernel`, `bias_i`, `bias_j`, `bias_f`, `bias_o` `[n]` (zeros), with a projection
    `projection/kernel`.

    Args:
      num_units: n, the size of the cell.
      initializer: initializer of the variables.
      num_proj: size of the projected output, or None for no projection.
      number_of_groups: number of groups; it divides `num_units`, `num_proj` and the inputs' depth.
      forget_bias: added to the forget gate.
      activation: function of the cell; the candidate's is tanh, as in TF 1.15.
      reuse: True to share variables that the scope already has.

    Raises:
      ValueError: a size is not divisible by the number of groups, or the inputs' depth is unknown.
    """

    def __init__(
        self,
        num_units: int,
        initializer: Any = None,
        num_proj: int | None = None,
        number_of_groups: int = 1,
        forget_bias: float = 1.0,
        activation: Callable[..., Any] = tf.tanh,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._initializer = initializer
        self._num_proj = num_proj
        self._forget_bias = forget_bias
        self._activation = activation
        self._number_of_groups = number_of_groups
        for name, size in (("num_units", num_units), ("num_proj", num_proj or 0)):
            if size % number_of_groups:
                raise ValueError(f"{name} must be divisible by number_of_groups")
        self._of_group: list[Linear | None] = [None] * number_of_groups
        self._of_output: Linear | None = None

    @property
    def state_size(self) -> Any:
        return LSTMStateTuple(self._num_units, self.output_size)

    @property
    def output_size(self) -> Any:
        return self._num_proj or self._num_units

    def call(self, inputs: Any, state: Any) -> Any:
        c_prev, h_prev = state
        groups = self._number_of_groups
        depth = input_depth(inputs.shape)
        if depth % groups:
            raise ValueError(f"input size ({depth}) must be divisible by number_of_groups ({groups})")
        with variable_scope(current_scope(), initializer=self._initializer):
            parts = []
            members = zip(tf.split(inputs, groups, axis=1), tf.split(h_prev, groups, axis=1), strict=True)
            for k, member in enumerate(members):
                with variable_scope(f"group{k}"):
                    parts.append(tf.split(self._gates_of(k, tf.concat(member, 1)), 4, axis=1))
            i, j, f, o = (
                self._with_bias(f"bias_{name}", tf.concat(gate, axis=1))
                for name, gate in zip("ijfo", zip(*parts, strict=True), strict=True)
            )
        c = tf.sigmoid(f + self._forget_bias) * c_prev + tf.sigmoid(i) * tf.tanh(j)
        h = tf.sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            with variable_scope("projection"):
                if self._of_output is None:
                    self._of_output = Linear(h, self._num_proj, False)
                h = self._of_output(h)
        return h, LSTMStateTuple(c, h)

    def _gates_of(self, k: int, joined: tf.Tensor) -> tf.Tensor:
        linear = self._of_group[k]
        if linear is None:
            linear = self._of_group[k] = Linear(joined, 4 * self._num_units // self._number_of_groups, False)
        return linear(joined)

    def _with_bias(self, name: str, gate: tf.Tensor) -> tf.Tensor:
        bias = get_variable(name, [self._num_units], dtype=gate.dtype, initializer=tf.zeros_initializer())
        return tf.nn.bias_add(gate, bias)
