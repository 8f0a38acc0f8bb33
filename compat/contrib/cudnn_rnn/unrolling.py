"""One of cuDNN's layers over time, in one direction."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...nn.recurrent import dynamic_rnn
from ...nn.rnn_cell.base import RNNCell
from .parameters import Weights


class _Steps(RNNCell):
    """One step; its inputs are multiplied by their matrices already."""

    def __init__(self, mode: str, weights: Weights) -> None:
        super().__init__(_reuse=True, name="steps")
        self._mode = mode
        self._units = weights.state[0].shape[0]
        self._matrix = tf.concat(weights.state, 0)
        self._bias = tf.concat(weights.state_biases, 0)

    @property
    def state_size(self) -> Any:
        return (self._units, self._units) if self._mode == "lstm" else (self._units,)

    @property
    def output_size(self) -> Any:
        return self._units

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        del scope
        recurrent = tf.nn.bias_add(tf.matmul(state[0], self._matrix, transpose_b=True), self._bias)
        if self._mode == "lstm":
            return _lstm(inputs + recurrent, state[1])
        if self._mode == "gru":
            return _gru(inputs, recurrent, state[0])
        activation = tf.tanh if self._mode == "rnn_tanh" else tf.nn.relu
        h = activation(inputs + recurrent)
        return h, (h,)


def _lstm(gates: Any, c: Any) -> Any:
    i, f, memory, o = tf.split(gates, 4, axis=1)
    c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(memory)
    h = tf.sigmoid(o) * tf.tanh(c)
    return h, (h, c)


def _gru(inputs: Any, recurrent: Any, h: Any) -> Any:
    (from_r, from_u, from_memory), (r, u, memory) = (tf.split(each, 3, axis=1) for each in (inputs, recurrent))
    u = tf.sigmoid(from_u + u)
    h = (1 - u) * tf.tanh(from_memory + tf.sigmoid(from_r + r) * memory) + u * h
    return h, (h,)


def run_layer(
    mode: str, weights: Weights, inputs: Any, state: tuple[Any, ...], lengths: Any, backwards: bool
) -> tuple[Any, tuple[Any, ...]]:
    """Outputs `[time, batch, n]` and final state of one layer in one direction.

    Args:
      mode: `lstm`, `gru`, `rnn_tanh` or `rnn_relu`.
      weights: its parameters.
      inputs: `[time, batch, depth]`.
      state: the first state, parts of `[batch, n]`.
      lengths: of the sequences, or None.
      backwards: whether it starts at the sequences' ends.
    """
    matrix, bias = tf.concat(weights.inputs, 0), tf.concat(weights.input_biases, 0)
    values = tf.tensordot(_turned(inputs, lengths, backwards), matrix, [[2], [1]]) + bias
    outputs, final = dynamic_rnn(_Steps(mode, weights), values, lengths, state, time_major=True)
    return _turned(outputs, lengths, backwards), final


def _turned(values: Any, lengths: Any, backwards: bool) -> Any:
    if not backwards:
        return values
    if lengths is None:
        return tf.reverse(values, [0])
    return tf.reverse_sequence(values, lengths, seq_axis=0, batch_axis=1)
