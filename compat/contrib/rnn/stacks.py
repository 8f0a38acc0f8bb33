"""Bidirectional layers one above the other."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...nn.recurrent import bidirectional_dynamic_rnn, static_bidirectional_rnn
from ...variables import variable_scope


def _check(cells_fw: Any, cells_bw: Any, initial_states_fw: Any, initial_states_bw: Any) -> None:
    for cells, name in ((cells_fw, "fw"), (cells_bw, "bw")):
        if not cells:
            raise ValueError(f"Must specify at least one {name} cell for BidirectionalRNN.")
        if not isinstance(cells, list):
            raise ValueError(f"cells_{name} must be a list of RNNCells (one per layer).")
    if len(cells_fw) != len(cells_bw):
        raise ValueError("Forward and Backward cells must have the same depth.")
    for states, name in ((initial_states_fw, "fw"), (initial_states_bw, "bw")):
        if states is not None and (not isinstance(states, list) or len(states) != len(cells_fw)):
            raise ValueError(f"initial_states_{name} must be a list of state tensors (one per layer).")


def stack_bidirectional_rnn(
    cells_fw: list[Any],
    cells_bw: list[Any],
    inputs: Any,
    initial_states_fw: list[Any] | None = None,
    initial_states_bw: list[Any] | None = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], tuple[Any, ...], tuple[Any, ...]]:
    """Layers of `static_bidirectional_rnn`, each over the outputs of the one below.

    Stands for TF 1.15's `tf.contrib.rnn.stack_bidirectional_rnn`. Layer k makes its variables under
    `stack_bidirectional_rnn/cell_<k>/fw` and `/bw`.

    Args:
      cells_fw: one forward cell for each layer.
      cells_bw: one backward cell for each layer.
      inputs: a list of tensors `[batch, depth]`.
      initial_states_fw: optional, one for each layer.
      initial_states_bw: optional, one for each layer.
      dtype: dtype of the initial states; needed without these.
      sequence_length: optional int vector `[batch]`.
      scope: a name or a variable scope.

    Returns:
      `(outputs, states_fw, states_bw)`: the top layer's outputs, and every layer's final states.

    Raises:
      ValueError: no cells, or lists of different lengths.
    """
    _check(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    states_fw, states_bw = [], []
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (cell_fw, cell_bw) in enumerate(zip(cells_fw, cells_bw, strict=True)):
            with variable_scope(f"cell_{i}") as cell_scope:
                inputs, state_fw, state_bw = static_bidirectional_rnn(
                    cell_fw,
                    cell_bw,
                    inputs,
                    initial_state_fw=initial_states_fw[i] if initial_states_fw else None,
                    initial_state_bw=initial_states_bw[i] if initial_states_bw else None,
                    sequence_length=sequence_length,
                    dtype=dtype,
                    scope=cell_scope,
                )
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return inputs, tuple(states_fw), tuple(states_bw)


def stack_bidirectional_dynamic_rnn(
    cells_fw: list[Any],
    cells_bw: list[Any],
    inputs: Any,
    initial_states_fw: list[Any] | None = None,
    initial_states_bw: list[Any] | None = None,
    dtype: Any = None,
    sequence_length: Any = None,
    parallel_iterations: int | None = None,
    time_major: bool = False,
    scope: Any = None,
    swap_memory: bool = False,
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """Layers of `bidirectional_dynamic_rnn`, each over the joined outputs of the one below.

    Stands for TF 1.15's `tf.contrib.rnn.stack_bidirectional_dynamic_rnn`. Layer k makes its variables under
    `stack_bidirectional_rnn/cell_<k>/bidirectional_rnn/fw` and `/bw`.

    Args:
      cells_fw: one forward cell for each layer.
      cells_bw: one backward cell for each layer.
      inputs: tensor `[batch, time, depth]`, time first if `time_major`.
      initial_states_fw: optional, one for each layer.
      initial_states_bw: optional, one for each layer.
      dtype: dtype of the initial states; needed without these.
      sequence_length: optional int vector `[batch]`.
      parallel_iterations: as in `dynamic_rnn`.
      time_major: whether time comes first.
      scope: a name or a variable scope.
      swap_memory: as in `dynamic_rnn`.

    Returns:
      `(outputs, states_fw, states_bw)`: the top layer's outputs, both directions joined by depth, and every layer's
      final states.

    Raises:
      ValueError: no cells, or lists of different lengths.
    """
    _check(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    states_fw, states_bw = [], []
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (cell_fw, cell_bw) in enumerate(zip(cells_fw, cells_bw, strict=True)):
            with variable_scope(f"cell_{i}"):
                outputs, (state_fw, state_bw) = bidirectional_dynamic_rnn(
                    cell_fw,
                    cell_bw,
                    inputs,
                    initial_state_fw=initial_states_fw[i] if initial_states_fw else None,
                    initial_state_bw=initial_states_bw[i] if initial_states_bw else None,
                    sequence_length=sequence_length,
                    dtype=dtype,
                    parallel_iterations=parallel_iterations,
                    swap_memory=swap_memory,
                    time_major=time_major,
                )
                inputs = tf.concat(outputs, 2)
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return inputs, tuple(states_fw), tuple(states_bw)
