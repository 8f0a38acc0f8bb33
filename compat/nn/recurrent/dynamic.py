"""Unrolling by a loop: `dynamic_rnn` and `bidirectional_dynamic_rnn`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from ...bodies import body
from ...bridge.result_names import exits
from ...variables import variable_scope
from ..rnn_cell.keras_cells import as_cell
from ..rnn_cell.shapes import batched_shape, batched_zeros
from .steps import (
    assert_like_rnncell,
    best_effort_input_batch_size,
    check_sequence_length,
    infer_state_dtype,
    initial_state_of,
    keep_finished,
    transpose_batch_time,
)


def dynamic_rnn(
    cell: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[Any, Any]:
    """Runs `cell` over the time steps of `inputs` (TF 1.15's `tf.nn.dynamic_rnn`).

    Where `sequence_length[b] <= t` the output of example `b` is zero and its state stays what it was, so that the
    final state is the one at the end of each sequence. The loop ends at the longest sequence.

    Args:
      cell: an `RNNCell`, or anything with its interface; Keras's `SimpleRNNCell` too.
      inputs: tensor `[batch, time, ...]` (`[time, batch, ...]` if `time_major`), or a structure of such tensors.
        All dimensions after the first two must be known.
      sequence_length: optional int vector `[batch]`.
      initial_state: a structure like `cell.state_size`; zeros of `dtype` by default.
      dtype: dtype of the initial state and of the outputs; needed without `initial_state`.
      parallel_iterations: how many steps may run at the same time (32 by default).
      swap_memory: whether tensors that the gradient needs may move to the host.
      time_major: whether time comes first in `inputs` and in the outputs.
      scope: a name or a variable scope; `"rnn"` by default.

    Returns:
      `(outputs, state)`: outputs `[batch, time] + output_size` (time first if `time_major`), and the final state.

    Raises:
      TypeError: `cell` is not like an `RNNCell`.
      ValueError: no `dtype` and no `initial_state`; a depth is unknown; inputs disagree in time or batch.

    Example:
      >>> cell = compat.nn.rnn_cell.LSTMCell(128)
      >>> with store:
      ...     outputs, state = compat.nn.dynamic_rnn(cell, tf.ones([4, 7, 3]), dtype=tf.float32)
      >>> outputs.shape
      TensorShape([4, 7, 128])
    """
    cell = as_cell(cell)
    assert_like_rnncell("cell", cell)
    with variable_scope(scope or "rnn") as varscope:
        return unroll(
            cell,
            inputs,
            sequence_length,
            initial_state,
            dtype,
            parallel_iterations=parallel_iterations,
            swap_memory=swap_memory,
            time_major=time_major,
            varscope=varscope,
        )


def unroll(
    cell: Any,
    inputs: Any,
    sequence_length: Any,
    initial_state: Any,
    dtype: Any,
    *,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    varscope: Any = None,
) -> tuple[Any, Any]:
    """`dynamic_rnn` in the variable scope that is open, `varscope`; a cell without variables needs none."""
    flat_input = [tf.convert_to_tensor(tensor) for tensor in tf.nest.flatten(inputs)]
    if not time_major:
        flat_input = [transpose_batch_time(tensor) for tensor in flat_input]
    batch_size = best_effort_input_batch_size(flat_input)
    if sequence_length is not None:
        sequence_length = tf.identity(check_sequence_length(sequence_length), name="sequence_length")
    state = initial_state_of(cell, initial_state, batch_size, dtype)
    if sequence_length is not None:
        sequence_length = _assert_one_per_example(sequence_length, batch_size)
    loop = _Loop(
        cell=cell,
        inputs=inputs,
        flat_input=flat_input,
        batch_size=batch_size,
        sequence_length=sequence_length,
        dtype=infer_state_dtype(dtype, state),
        varscope=varscope,
    )
    outputs, final_state = loop.run(state, parallel_iterations or 32, swap_memory)
    if not time_major:
        outputs = tf.nest.map_structure(transpose_batch_time, outputs)
    return outputs, final_state


def _assert_one_per_example(sequence_length: tf.Tensor, batch_size: Any) -> tf.Tensor:
    known = sequence_length.shape[0] if sequence_length.shape.rank == 1 else None
    if known is not None and isinstance(batch_size, int) and known == batch_size:
        return sequence_length
    found, expected = tf.shape(sequence_length), tf.reshape(batch_size, [1])
    # Ranks may differ, and unequal shapes do not compare: an empty condition must fail too.
    same = tf.logical_and(tf.equal(tf.size(found), 1), tf.reduce_all(tf.equal(found[:1], expected)))
    message = ["Expected shape for Tensor sequence_length is ", expected, " but saw shape: ", found]
    check = tf.debugging.Assert(same, message)
    with tf.control_dependencies([] if check is None else [check]):
        return tf.identity(sequence_length, name="CheckSeqLen")


@dataclass
class _Loop:
    """One run of a cell over time-major inputs."""

    cell: Any
    inputs: Any
    flat_input: list[tf.Tensor]
    batch_size: Any
    sequence_length: tf.Tensor | None
    dtype: Any
    varscope: Any
    stepped: bool = False

    def run(self, state: Any, parallel_iterations: int, swap_memory: bool) -> tuple[Any, Any]:
        """The stacked outputs, time first, and the final state."""
        static_steps, static_batch = _common_dimensions(self.flat_input)
        time_steps = tf.shape(self.flat_input[0])[0] if static_steps is None else static_steps
        output_size = self.cell.output_size
        shapes = [batched_shape(static_batch, size) for size in tf.nest.flatten(output_size)]
        outputs = [
            tf.TensorArray(self.dtype, size=time_steps, element_shape=shape, name=f"output_{i}")
            for i, shape in enumerate(shapes)
        ]
        inputs = [
            tf.TensorArray(tensor.dtype, size=time_steps, element_shape=tensor.shape[1:], name=f"input_{i}").unstack(
                tensor
            )
            for i, tensor in enumerate(self.flat_input)
        ]
        bound = self._bound(time_steps)
        zero_output = None
        if self.sequence_length is not None:
            zero_output = tf.nest.map_structure(
                lambda size: batched_zeros(self.batch_size, size, self.dtype), output_size
            )

        def step(time: tf.Tensor, arrays: list[tf.TensorArray], state: Any) -> tuple[Any, Any, Any]:
            output, state = self._step(time, inputs, zero_output, state)
            flat = tf.nest.flatten(output)
            return time + 1, [array.write(time, out) for array, out in zip(arrays, flat, strict=True)], state

        results = tf.while_loop(
            lambda time, *_: time < bound,
            body(step),
            (tf.constant(0, name="time"), outputs, state),
            parallel_iterations=parallel_iterations,
            maximum_iterations=time_steps,
            swap_memory=swap_memory,
        )
        _, outputs, state = exits(results, counted=True)
        stacked = [
            _with_shape(array.stack(), tf.TensorShape([static_steps]).concatenate(shape))
            for array, shape in zip(outputs, shapes, strict=True)
        ]
        return tf.nest.pack_sequence_as(output_size, stacked), state

    def _bound(self, time_steps: Any) -> Any:
        if self.sequence_length is None:
            return time_steps
        return tf.minimum(time_steps, tf.maximum(1, tf.reduce_max(self.sequence_length)))

    def _step(self, time: Any, arrays: list[tf.TensorArray], zero_output: Any, state: Any) -> tuple[Any, Any]:
        if self.stepped and self.varscope is not None:
            # An eager loop calls the cell again at each step, where a graph calls it once.
            self.varscope.reuse_variables()
        self.stepped = True
        flat = [
            _with_shape(array.read(time), tensor.shape[1:])
            for array, tensor in zip(arrays, self.flat_input, strict=True)
        ]
        output, new_state = self.cell(tf.nest.pack_sequence_as(self.inputs, flat), state)
        if self.sequence_length is None:
            return output, new_state
        finished = time >= self.sequence_length
        return keep_finished(finished, zero_output, output), keep_finished(finished, state, new_state)


def _with_shape(tensor: tf.Tensor, shape: tf.TensorShape) -> tf.Tensor:
    if not tf.executing_eagerly():
        tensor.set_shape(shape)
    return tensor


def _common_dimensions(flat_input: list[tf.Tensor]) -> tuple[int | None, int | None]:
    """Time steps and batch size that the inputs share, None where unknown."""
    shapes = [tensor.shape.with_rank_at_least(3) for tensor in flat_input]
    for shape in shapes:
        if not shape[2:].is_fully_defined():
            raise ValueError("Input size (depth of inputs) must be accessible via shape inference, but saw value None.")
        if shape[0] != shapes[0][0]:
            raise ValueError("Time steps is not the same for all the elements in the input in a batch.")
        if shape[1] != shapes[0][1]:
            raise ValueError("Batch_size is not the same for all the elements in the input.")
    return shapes[0][0], shapes[0][1]


def bidirectional_dynamic_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Runs one cell forwards and one backwards over `inputs` (TF 1.15's `tf.nn.bidirectional_dynamic_rnn`).

    Each sequence is reversed within its own length. Variables are made under `bidirectional_rnn/fw` and
    `bidirectional_rnn/bw`. Arguments are those of `dynamic_rnn`, with a cell and an initial state for each direction.

    Returns:
      `((output_fw, output_bw), (state_fw, state_bw))`, the outputs not concatenated.

    Raises:
      TypeError, ValueError: as `dynamic_rnn`.

    Example:
      >>> x = tf.ones([4, 7, 3])
      >>> cell_fw, cell_bw = compat.nn.rnn_cell.GRUCell(8), compat.nn.rnn_cell.GRUCell(8)
      >>> with store:
      ...     (fw, bw), _ = compat.nn.bidirectional_dynamic_rnn(cell_fw, cell_bw, x, dtype=tf.float32)
      >>> both = tf.concat([fw, bw], 2)
    """
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    time_axis = 0 if time_major else 1

    def reverse(tensor: tf.Tensor) -> tf.Tensor:
        if sequence_length is None:
            return tf.reverse(tensor, [time_axis])
        return tf.reverse_sequence(tensor, sequence_length, seq_axis=time_axis, batch_axis=1 - time_axis)

    def unroll(cell: Any, inputs: Any, state: Any, scope: Any) -> tuple[Any, Any]:
        return dynamic_rnn(
            cell, inputs, sequence_length, state, dtype, parallel_iterations, swap_memory, time_major, scope
        )

    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw_scope:
            output_fw, state_fw = unroll(cell_fw, inputs, initial_state_fw, fw_scope)
        with variable_scope("bw") as bw_scope:
            backwards = tf.nest.map_structure(reverse, inputs)
            output_bw, state_bw = unroll(cell_bw, backwards, initial_state_bw, bw_scope)
    outputs = (output_fw, tf.nest.map_structure(reverse, output_bw))
    return outputs, (state_fw, state_bw)
