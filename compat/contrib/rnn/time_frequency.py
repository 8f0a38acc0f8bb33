"""An LSTM over frequency and time: `TimeFreqLSTMCell`."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...nn.rnn_cell.base import RNNCell, input_depth
from ...nn.rnn_cell.lstm import clip_magnitude
from ...variables import get_variable
from .coupled import sharded_variable


class TimeFreqLSTMCell(RNNCell):
    """One LSTM along frequency, with the state of each position kept in time (`tf.contrib.rnn.TimeFreqLSTMCell`).

    Variables: `W_<i>` (shards by rows), `B` (zeros), with peepholes `W_F_diag`, `W_I_diag`, `W_O_diag`.

    Args:
      num_units: n, the size of the cell.
      use_peepholes: whether the gates see the cell.
      cell_clip: bound on the magnitude of the cell, or None.
      initializer: ignored, as in TF 1.15; set one on the variable scope.
      num_unit_shards: number of shards of W.
      forget_bias: added to the forget gate.
      feature_size: number of inputs that each position sees.
      frequency_skip: distance from one position to the next.
      reuse: True to share variables that the scope already has.

    Raises:
      ValueError: the inputs' depth is unknown.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_unit_shards: int = 1,
        forget_bias: float = 1.0,
        feature_size: int | None = None,
        frequency_skip: int = 1,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._cell_clip = cell_clip
        self._num_unit_shards = num_unit_shards
        self._forget_bias = forget_bias
        self._feature_size: int = feature_size  # type: ignore[assignment]
        self._frequency_skip = frequency_skip

    @property
    def state_size(self) -> Any:
        return 2 * self._num_units

    @property
    def output_size(self) -> Any:
        return self._num_units

    def _peephole(self, gate: tf.Tensor, name: str, c: tf.Tensor) -> tf.Tensor:
        return gate + self._diagonals[name] * c if self._use_peepholes else gate

    def call(self, inputs: Any, state: Any) -> Any:
        n, dtype = self._num_units, inputs.dtype
        positions = windows(inputs, 0, input_depth(inputs.shape.with_rank(2)), self._feature_size, self._frequency_skip)
        rows = self._feature_size + 2 * n
        kernel = sharded_variable("W", [rows, 4 * n], dtype, self._num_unit_shards)
        bias = get_variable("B", [4 * n], initializer=tf.zeros_initializer(), dtype=dtype)
        if self._use_peepholes:
            self._diagonals = {name: get_variable(f"W_{name}_diag", [n], dtype=dtype) for name in "FIO"}
        below = tf.zeros(tf.stack([tf.shape(inputs)[0], n]), dtype)
        outputs, states = [], []
        for k, position in enumerate(positions):
            c_prev, m_prev = (state[:, (2 * k + part) * n : (2 * k + part + 1) * n] for part in range(2))
            gates = tf.nn.bias_add(tf.matmul(tf.concat([position, m_prev, below], 1), kernel), bias)
            i, j, f, o = tf.split(gates, 4, axis=1)
            f = tf.sigmoid(self._peephole(f + self._forget_bias, "F", c_prev))
            c = f * c_prev + tf.sigmoid(self._peephole(i, "I", c_prev)) * tf.tanh(j)
            c = clip_magnitude(c, self._cell_clip)
            below = tf.sigmoid(self._peephole(o, "O", c)) * tf.tanh(c)
            outputs.append(below)
            states += [c, below]
        return tf.concat(outputs, 1), tf.concat(states, 1)


def windows(inputs: tf.Tensor, start: int, end: int, size: int, skip: int) -> list[tf.Tensor]:
    """Columns `[start, start + size)`, `[start + skip, …)`, … that lie before `end`."""
    count = int((end - start - size) / skip) + 1
    return [inputs[:, start + k * skip : start + k * skip + size] for k in range(count)]
