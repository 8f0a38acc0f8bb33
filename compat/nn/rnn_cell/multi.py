"""A stack of cells."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ...layers.base import Layer
from ...variables import variable_scope
from .base import RNNCell

_log = logging.getLogger(__name__)


class MultiRNNCell(RNNCell):
    """Each cell's output is the next one's input (TF 1.15's `tf.nn.rnn_cell.MultiRNNCell`).

    Cell k makes its variables under `multi_rnn_cell/cell_<k>`.

    Args:
      cells: the cells, first to last.
      state_is_tuple: whether the state is a tuple with one state a cell; if not, the cells' states are tensors, and
        the state is all of them concatenated by columns.

    Raises:
      TypeError: `cells` is no list or tuple.
      ValueError: `cells` is empty, or `state_is_tuple` is False and a cell's state is a structure.

    Example:
      >>> cell = MultiRNNCell([compat.nn.rnn_cell.BasicLSTMCell(64) for _ in range(2)])
    """

    def __init__(self, cells: Sequence[Any], state_is_tuple: bool = True) -> None:
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not tf.nest.is_nested(cells):
            raise TypeError(f"cells must be a list or tuple, but saw: {cells}.")
        if len({id(cell) for cell in cells}) < len(cells):
            _log.warning("At least two cells provided to MultiRNNCell are the same object and will share weights.")
        self._cells = cells
        self._state_is_tuple = state_is_tuple
        if not state_is_tuple and any(tf.nest.is_nested(cell.state_size) for cell in cells):
            sizes = [cell.state_size for cell in cells]
            raise ValueError(
                f"Some cells return tuples of states, but the flag state_is_tuple is not set.  State sizes are: {sizes}"
            )

    @property
    def state_size(self) -> Any:
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> Any:
        return self._cells[-1].output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        if not self._state_is_tuple:
            return super().zero_state(batch_size, dtype)
        with tf.name_scope(type(self).__name__ + "ZeroState"):
            return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables of all cells that are layers."""
        return self._weights_of("trainable_weights") if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables of the cells; all of them where this cell is not trainable."""
        frozen = self._weights_of("non_trainable_weights")
        return frozen if self.trainable else self._weights_of("trainable_weights") + frozen

    def _weights_of(self, kind: str) -> list[Any]:
        return [weight for cell in self._cells if isinstance(cell, Layer) for weight in getattr(cell, kind)]

    def call(self, inputs: Any, state: Any) -> Any:
        if self._state_is_tuple and not tf.nest.is_nested(state):
            raise ValueError(f"Expected state to be a tuple of length {len(self.state_size)}, but received: {state}")
        new_states = []
        column = 0
        for k, cell in enumerate(self._cells):
            with variable_scope(f"cell_{k}"):
                if self._state_is_tuple:
                    own = state[k]
                else:
                    own = state[:, column : column + cell.state_size]
                    column += cell.state_size
                inputs, new_state = cell(inputs, own)
                new_states.append(new_state)
        return inputs, tuple(new_states) if self._state_is_tuple else tf.concat(new_states, 1)
