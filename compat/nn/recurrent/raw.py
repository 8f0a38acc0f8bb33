"""Unrolling under the user's control: `raw_rnn`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from ...bodies import body
from ...variables import variable_scope
from ..rnn_cell.shapes import batched_shape, batched_zeros
from .steps import assert_like_rnncell, keep_finished


def raw_rnn(
    cell: Any,
    loop_fn: Callable[..., Any],
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    scope: Any = None,
) -> tuple[Any, Any, Any]:
    """Runs `cell` in a loop that `loop_fn` feeds and stops (TF 1.15's `tf.nn.raw_rnn`).

    Args:
      cell: an `RNNCell`, or anything with its interface.
      loop_fn: called as `loop_fn(time, cell_output, cell_state, loop_state)`, first with time 0 and three Nones. It
        returns `(elements_finished, next_input, next_state, emit_output, next_loop_state)`. At the first call
        `emit_output` gives the shapes and dtypes of what is emitted (None: as the cell's output), `next_state` the
        initial state. Examples that are finished emit zeros and keep their state.
      parallel_iterations: how many steps may run at the same time (32 by default).
      swap_memory: whether tensors that the gradient needs may move to the host.
      scope: a name or a variable scope; `"rnn"` by default.

    Returns:
      `(emit_ta, final_state, final_loop_state)`: TensorArrays of what was emitted, the final state, and the last
      loop state (None if there was none).

    Raises:
      TypeError: `cell` is not like an `RNNCell`, or `loop_fn` is not callable.
      ValueError: structures or batch sizes disagree.
    """
    assert_like_rnncell("cell", cell)
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    with variable_scope(scope or "rnn") as varscope:
        time = tf.constant(0)
        finished, next_input, state, emit_structure, init_loop_state = loop_fn(time, None, None, None)
        next_input = tf.nest.map_structure(tf.convert_to_tensor, next_input)
        loop_state = tf.constant(0) if init_loop_state is None else init_loop_state
        tf.nest.assert_same_structure(state, cell.state_size)
        state = tf.nest.map_structure(tf.convert_to_tensor, state)
        static_batch = _common_batch_size(next_input)
        batch_size = static_batch or tf.shape(tf.nest.flatten(next_input)[0])[0]
        emit_ta, zero_emit = _emitted(cell, emit_structure, state, static_batch, batch_size)
        _, _, _, emit_ta, state, loop_state = tf.while_loop(
            lambda time, finished, *_: tf.logical_not(tf.reduce_all(finished)),
            body(_Step(cell, loop_fn, varscope, zero_emit)),
            (time, finished, next_input, emit_ta, state, loop_state),
            parallel_iterations=parallel_iterations or 32,
            swap_memory=swap_memory,
        )
        return emit_ta, state, None if init_loop_state is None else loop_state


@dataclass
class _Step:
    """One step of the loop."""

    cell: Any
    loop_fn: Callable[..., Any]
    varscope: Any
    zero_emit: Any
    stepped: bool = False

    def __call__(self, time: Any, finished: Any, inputs: Any, emit_ta: Any, state: Any, loop_state: Any) -> Any:
        if self.stepped:
            # An eager loop calls the cell again at each step, where a graph calls it once.
            self.varscope.reuse_variables()
        self.stepped = True
        output, cell_state = self.cell(inputs, state)
        tf.nest.assert_same_structure(state, cell_state)
        tf.nest.assert_same_structure(self.cell.output_size, output)
        now_finished, next_input, next_state, emit, next_loop_state = self.loop_fn(
            time + 1, output, cell_state, loop_state
        )
        tf.nest.assert_same_structure(inputs, next_input)
        tf.nest.assert_same_structure(emit_ta, emit)
        emit = keep_finished(finished, self.zero_emit, emit)
        return (
            time + 1,
            tf.logical_or(finished, now_finished),
            next_input,
            tf.nest.map_structure(lambda array, value: array.write(time, value), emit_ta, emit),
            keep_finished(finished, state, next_state),
            loop_state if next_loop_state is None else next_loop_state,
        )


def _common_batch_size(inputs: Any) -> int | None:
    batch = tf.TensorShape([None])
    for tensor in tf.nest.flatten(inputs):
        batch = batch.merge_with(tensor.shape.with_rank_at_least(1)[:1])
    size: int | None = batch[0]
    return size


def _emitted(cell: Any, structure: Any, state: Any, static_batch: Any, batch_size: Any) -> tuple[Any, Any]:
    """Empty arrays for what is emitted, and the zeros that a finished example emits."""
    if structure is None:
        structure = cell.output_size
        sizes = tf.nest.flatten(structure)
        dtypes = [tf.nest.flatten(state)[0].dtype] * len(sizes)
    else:
        examples = tf.nest.flatten(structure)
        sizes = [x.shape if x.shape.is_fully_defined() else tf.shape(x) for x in examples]
        dtypes = [x.dtype for x in examples]
    arrays = [
        tf.TensorArray(
            dtype, size=0, dynamic_size=True, element_shape=batched_shape(static_batch, size), name=f"rnn_output_{i}"
        )
        for i, (dtype, size) in enumerate(zip(dtypes, sizes, strict=True))
    ]
    zeros = [batched_zeros(batch_size, size, dtype) for size, dtype in zip(sizes, dtypes, strict=True)]
    return tf.nest.pack_sequence_as(structure, arrays), tf.nest.pack_sequence_as(structure, zeros)
