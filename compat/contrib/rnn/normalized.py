"""Normalization inside cells, and the LSTM that uses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...nn.rnn_cell.base import RNNCell
from ...nn.rnn_cell.lstm import LSTMStateTuple
from ...variables import get_variable, variable_scope


def layer_normalized(x: tf.Tensor, gain: float, shift: float, scope: str, dtype: Any = tf.float32) -> tf.Tensor:
    """`x` normalized along its last axis, times `gamma`, plus `beta`; these are made in `scope`."""
    with variable_scope(scope):
        gamma = get_variable("gamma", x.shape[-1:], initializer=tf.constant_initializer(gain), dtype=dtype)
        beta = get_variable("beta", x.shape[-1:], initializer=tf.constant_initializer(shift), dtype=dtype)
        mean, variance = tf.nn.moments(x, [1], keepdims=True)
        # TF1 takes a larger epsilon where the small one would vanish.
        epsilon = 1e-3 if x.dtype == tf.float16 else 1e-12
        return tf.nn.batch_normalization(x, mean, variance, beta, gamma, epsilon)


class LayerNormBasicLSTMCell(RNNCell):
    """An LSTM with layer normalization and dropout of the candidate (`tf.contrib.rnn.LayerNormBasicLSTMCell`, TF 1.15).

    Variables: `kernel` `[depth + n, 4 n]`, and `gamma`, `beta` `[n]` in the scopes `input`, `transform`, `forget`,
    `output` and `state`; without normalization `bias` `[4 n]` instead.

    Args:
      num_units: n, the size of cell and output.
      forget_bias: added to the forget gate.
      input_size: ignored, as in TF 1.15.
      activation: function of the candidate and of the cell; tanh by default.
      layer_norm: whether gates and cell are normalized.
      norm_gain: initial `gamma`.
      norm_shift: initial `beta`.
      dropout_keep_prob: probability of keeping an element of the candidate: a float, or a scalar tensor.
      dropout_prob_seed: seed of the dropout.
      reuse: True to share variables that the scope already has.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        input_size: Any = None,
        activation: Callable[..., Any] = tf.tanh,
        layer_norm: bool = True,
        norm_gain: float = 1.0,
        norm_shift: float = 0.0,
        dropout_keep_prob: Any = 1.0,
        dropout_prob_seed: int | None = None,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._activation = activation
        self._forget_bias = forget_bias
        self._keep_prob = dropout_keep_prob
        self._seed = dropout_prob_seed
        self._layer_norm = layer_norm
        self._norm_gain = norm_gain
        self._norm_shift = norm_shift

    @property
    def state_size(self) -> Any:
        return LSTMStateTuple(self._num_units, self._num_units)

    @property
    def output_size(self) -> Any:
        return self._num_units

    def _norm(self, x: tf.Tensor, scope: str) -> tf.Tensor:
        if not self._layer_norm:
            return x
        return layer_normalized(x, self._norm_gain, self._norm_shift, scope, x.dtype)

    def call(self, inputs: Any, state: Any) -> Any:
        c, h = state
        joined = tf.concat([inputs, h], 1)
        columns = 4 * self._num_units
        gates = tf.matmul(joined, get_variable("kernel", [joined.shape[-1], columns], dtype=joined.dtype))
        if not self._layer_norm:
            gates = tf.nn.bias_add(gates, get_variable("bias", [columns], dtype=joined.dtype))
        i, j, f, o = (
            self._norm(gate, scope)
            for gate, scope in zip(tf.split(gates, 4, axis=1), ("input", "transform", "forget", "output"), strict=True)
        )
        candidate = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            candidate = tf.nn.dropout(candidate, rate=1 - self._keep_prob, seed=self._seed)
        new_c = self._norm(c * tf.sigmoid(f + self._forget_bias) + tf.sigmoid(i) * candidate, "state")
        new_h = self._activation(new_c) * tf.sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)
