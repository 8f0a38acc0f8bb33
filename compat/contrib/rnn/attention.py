"""A cell that attends to its own past states."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...nn.rnn_cell.base import RNNCell, assert_like_rnncell
from ...nn.rnn_cell.lstm import warn_if_concatenated
from ...variables import get_variable, variable_scope
from .linear import Linear


class AttentionCellWrapper(RNNCell):
    """A cell with attention over its last `attn_length` outputs (TF 1.15's `tf.contrib.rnn.AttentionCellWrapper`).

    The state is `(cell state, attention [batch, attn_size], outputs [batch, attn_length * attn_size])`. Variables:
    `kernel`, `bias` (of the inputs), `attention/attn_w`, `attention/attn_v`, `attention/kernel`, `attention/bias`,
    `attn_output_projection/kernel`, `attn_output_projection/bias`, and the cell's.

    Args:
      cell: the cell.
      attn_length: number of outputs that are attended to.
      attn_size: size of the outputs; that of the cell by default.
      attn_vec_size: size of the hidden layer of the attention; `attn_size` by default.
      input_size: depth of the cell's inputs; that of the inputs by default.
      state_is_tuple: whether the state is a tuple, or one tensor.
      reuse: True to share variables that the scope already has.

    Raises:
      TypeError: `cell` is not like a cell.
      ValueError: `attn_length` is not positive, or the cell's state is a structure and `state_is_tuple` is False.
    """

    def __init__(
        self,
        cell: Any,
        attn_length: int,
        attn_size: int | None = None,
        attn_vec_size: int | None = None,
        input_size: int | None = None,
        state_is_tuple: bool = True,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if tf.nest.is_nested(cell.state_size) and not state_is_tuple:
            raise ValueError(
                "Cell returns tuple of states, but the flag state_is_tuple is not set. "
                f"State size is: {cell.state_size}"
            )
        if attn_length <= 0:
            raise ValueError(f"attn_length should be greater than zero, got {attn_length}")
        warn_if_concatenated(self, state_is_tuple)
        self._state_is_tuple = state_is_tuple
        self._cell = cell
        self._attn_length = attn_length
        self._attn_size: int = cell.output_size if attn_size is None else attn_size
        self._attn_vec_size = self._attn_size if attn_vec_size is None else attn_vec_size
        self._input_size = input_size
        self._of_inputs: Linear | None = None
        self._of_query: Linear | None = None
        self._of_output: Linear | None = None

    @property
    def state_size(self) -> Any:
        sizes = (self._cell.state_size, self._attn_size, self._attn_size * self._attn_length)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> Any:
        return self._attn_size

    def call(self, inputs: Any, state: Any) -> Any:
        if not self._state_is_tuple:
            sizes = [self._cell.state_size, self._attn_size, self._attn_size * self._attn_length]
            state = tf.split(state, sizes, axis=1)
        cell_state, attended, past = state
        past = tf.reshape(past, [-1, self._attn_length, self._attn_size])
        joined = [inputs, attended]
        if self._of_inputs is None:
            self._of_inputs = Linear(joined, self._input_size or inputs.shape[1], True)
        cell_output, new_state = self._cell(self._of_inputs(joined), cell_state)
        attended = self._attend(tf.concat(tf.nest.flatten(new_state), 1), past)
        with variable_scope("attn_output_projection"):
            joined = [cell_output, attended]
            if self._of_output is None:
                self._of_output = Linear(joined, self._attn_size, True)
            output = self._of_output(joined)
        past = tf.concat([past[:, 1:], tf.expand_dims(output, 1)], 1)
        parts = (new_state, attended, tf.reshape(past, [-1, self._attn_length * self._attn_size]))
        return output, parts if self._state_is_tuple else tf.concat(parts, 1)

    def _attend(self, query: tf.Tensor, past: tf.Tensor) -> tf.Tensor:
        with variable_scope("attention"):
            k = get_variable("attn_w", [1, 1, self._attn_size, self._attn_vec_size])
            v = get_variable("attn_v", [self._attn_vec_size])
            hidden = tf.reshape(past, [-1, self._attn_length, 1, self._attn_size])
            features = tf.nn.conv2d(hidden, k, [1, 1, 1, 1], "SAME")
            if self._of_query is None:
                self._of_query = Linear(query, self._attn_vec_size, True)
            y = tf.reshape(self._of_query(query), [-1, 1, 1, self._attn_vec_size])
            weights = tf.nn.softmax(tf.reduce_sum(v * tf.tanh(features + y), [2, 3]))
            read = tf.reduce_sum(tf.reshape(weights, [-1, self._attn_length, 1, 1]) * hidden, [1, 2])
            return tf.reshape(read, [-1, self._attn_size])
