"""An LSTM whose input gate is one minus its forget gate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...nn.rnn_cell.base import RNNCell, input_depth
from ...nn.rnn_cell.lstm import clip_magnitude, join_state, split_state, state_size_of, warn_if_concatenated
from ...variables import get_variable
from .normalized import layer_normalized


def sharded_variable(name: str, shape: list[int], dtype: Any, num_shards: int) -> Any:
    """Variables `<name>_0`, `<name>_1`, … of equally many rows (the first ones of one more), joined.

    Raises:
      ValueError: there are more shards than rows.
    """
    if num_shards > shape[0]:
        raise ValueError(f"Too many shards: shape={shape}, num_shards={num_shards}")
    rows, more = divmod(shape[0], num_shards)
    shards = [get_variable(f"{name}_{i}", [rows + (i < more), *shape[1:]], dtype=dtype) for i in range(num_shards)]
    return shards[0] if num_shards == 1 else tf.concat(shards, 0, name=f"{name}/concat")


class CoupledInputForgetGateLSTMCell(RNNCell):
    """An LSTM with one gate for input and forgetting (TF 1.15's `tf.contrib.rnn.CoupledInputForgetGateLSTMCell`).

    `j, f, o = split([x, h] W + B)`, `f = sigmoid(f + forget_bias + p_f * c)`, `c' = f * c + (1 - f) * act(j)`,
    `h' = (sigmoid(o + p_o * c') * act(c')) W_P`. Variables: `W_<i>` (shards by rows), `B`, with peepholes `W_F_diag`
    and `W_O_diag`, with a projection `W_P_<i>`, with normalization `gamma` and `beta` in the scopes `transform`,
    `forget`, `output` and `state`. (With normalization `B` is made and not added, as in TF 1.15.)

    Args:
      num_units: n, the size of the cell.
      use_peepholes: whether the gates see the cell.
      initializer: ignored, as in TF 1.15; set one on the variable scope.
      num_proj: size of the projected output, or None for no projection.
      proj_clip: bound on the magnitude of the projected output, or None.
      num_unit_shards: number of shards of W.
      num_proj_shards: number of shards of W_P.
      forget_bias: added to the forget gate.
      state_is_tuple: whether the state is an `LSTMStateTuple`, or one tensor.
      activation: function of the candidate and of the cell; tanh by default.
      reuse: True to share variables that the scope already has.
      layer_norm: whether gates and cell are normalized.
      norm_gain: initial `gamma`.
      norm_shift: initial `beta`.

    Raises:
      ValueError: the inputs' depth is unknown, or there are more shards than rows.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: int = 1,
        num_proj_shards: int = 1,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Callable[..., Any] = tf.tanh,
        reuse: Any = None,
        layer_norm: bool = False,
        norm_gain: float = 1.0,
        norm_shift: float = 0.0,
    ) -> None:
        super().__init__(_reuse=reuse)
        warn_if_concatenated(self, state_is_tuple)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._num_proj = num_proj
        self._proj_clip = proj_clip
        self._num_unit_shards = num_unit_shards
        self._num_proj_shards = num_proj_shards
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = activation
        self._layer_norm = layer_norm
        self._norm_gain = norm_gain
        self._norm_shift = norm_shift

    @property
    def state_size(self) -> Any:
        return state_size_of(self._num_units, self.output_size, self._state_is_tuple)

    @property
    def output_size(self) -> Any:
        return self._num_proj or self._num_units

    def _norm(self, x: tf.Tensor, scope: str) -> tf.Tensor:
        return layer_normalized(x, self._norm_gain, self._norm_shift, scope) if self._layer_norm else x

    def _peephole(self, gate: tf.Tensor, name: str, c: tf.Tensor) -> tf.Tensor:
        if not self._use_peepholes:
            return gate
        return gate + get_variable(f"W_{name}_diag", [self._num_units], dtype=gate.dtype) * c

    def call(self, inputs: Any, state: Any) -> Any:
        c_prev, h_prev = split_state(state, self._state_is_tuple, self._num_units)
        n, dtype = self._num_units, inputs.dtype
        rows = input_depth(inputs.shape.with_rank(2)) + self.output_size
        gates = tf.matmul(
            tf.concat([inputs, h_prev], 1), sharded_variable("W", [rows, 3 * n], dtype, self._num_unit_shards)
        )
        bias = get_variable("B", [3 * n], initializer=tf.zeros_initializer(), dtype=dtype)
        if not self._layer_norm:
            gates = tf.nn.bias_add(gates, bias)
        j, f, o = tf.split(gates, 3, axis=1)
        j, f, o = self._norm(j, "transform"), self._norm(f, "forget"), self._norm(o, "output")
        f = tf.sigmoid(self._peephole(f + self._forget_bias, "F", c_prev))
        c = self._norm(f * c_prev + (1 - f) * self._activation(j), "state")
        h = tf.sigmoid(self._peephole(o, "O", c)) * self._activation(c)
        if self._num_proj is not None:
            projection = sharded_variable("W_P", [n, self._num_proj], dtype, self._num_proj_shards)
            h = clip_magnitude(tf.matmul(h, projection), self._proj_clip)
        return h, join_state(c, h, self._state_is_tuple)
