"""Unrolling step by step: `static_rnn`, `static_state_saving_rnn`, `static_bidirectional_rnn`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ...variables import variable_scope
from ..rnn_cell.shapes import batched_zeros
from .steps import (
    assert_like_rnncell,
    check_sequence_length,
    infer_state_dtype,
    initial_state_of,
    keep_finished,
)


def static_rnn(
    cell: Any,
    inputs: Sequence[Any],
    initial_state: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """Calls `cell` once for each element of `inputs` (TF 1.15's `tf.nn.static_rnn`).

    Past the end of its sequence an example's output is zero and its state stays. The steps past the longest sequence
    are computed and thrown away, where TF1 branched around them.

    Args:
      cell: an `RNNCell`, or anything with its interface.
      inputs: a list with one tensor `[batch, depth]`, or a structure of such tensors, for each time step.
      initial_state: a structure like `cell.state_size`; zeros of `dtype` by default.
      dtype: dtype of the initial state; needed without `initial_state`.
      sequence_length: optional int vector `[batch]`.
      scope: a name or a variable scope; `"rnn"` by default.

    Returns:
      `(outputs, state)`: a list with one output for each step, and the final state.

    Raises:
      TypeError: `cell` is not like an `RNNCell`, or `inputs` is no sequence.
      ValueError: `inputs` is empty, a depth is unknown, batch sizes disagree, or neither state nor dtype is given.

    Example:
      >>> x, cell = tf.ones([4, 7, 3]), compat.nn.rnn_cell.GRUCell(8)
      >>> with store:
      ...     outputs, state = compat.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
    """
    assert_like_rnncell("cell", cell)
    _check_steps(inputs)
    outputs = []
    with variable_scope(scope or "rnn") as varscope:
        inputs = [tf.nest.map_structure(tf.convert_to_tensor, step) for step in inputs]
        static_batch = _common_batch_size(inputs)
        batch_size = static_batch or tf.shape(tf.nest.flatten(inputs)[0])[0]
        state = initial_state_of(cell, initial_state, batch_size, dtype)
        lengths = zero_output = None
        if sequence_length is not None:
            lengths = check_sequence_length(sequence_length)
            state_dtype = infer_state_dtype(dtype, state)
            zero_output = tf.nest.map_structure(
                lambda size: batched_zeros(batch_size, size, state_dtype), cell.output_size
            )
        for time, step in enumerate(inputs):
            if time > 0:
                varscope.reuse_variables()
            output, new_state = cell(step, state)
            if lengths is not None:
                finished = time >= lengths
                output = keep_finished(finished, zero_output, output)
                new_state = keep_finished(finished, state, new_state)
            state = new_state
            outputs.append(output)
        return outputs, state


def _check_steps(inputs: Any) -> None:
    if not isinstance(inputs, list | tuple):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")


def _common_batch_size(inputs: Sequence[Any]) -> int | None:
    """The static batch size of all steps, None where unknown."""
    flat = tf.nest.flatten(inputs)
    batch = tf.TensorShape([None])
    vectors = flat[0].shape.rank == 1
    for tensor in flat:
        shape = tensor.shape.with_rank_at_least(1 if vectors else 2)
        batch = batch.merge_with(shape[:1])
        if not vectors and None in shape[1:].as_list():
            unknown = shape[1:].as_list().index(None)
            raise ValueError(
                f"Input size (dimension {unknown} of inputs) must be accessible via shape inference, "
                "but saw value None."
            )
    size: int | None = batch[0]
    return size


def static_state_saving_rnn(
    cell: Any,
    inputs: Sequence[Any],
    state_saver: Any,
    state_name: Any,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """A `static_rnn` that keeps its state in `state_saver` (TF 1.15's `tf.nn.static_state_saving_rnn`).

    Args:
      cell: an `RNNCell`.
      inputs: a list of tensors `[batch, depth]`.
      state_saver: an object with `state(name)` and `save_state(name, value)`.
      state_name: a name, or a structure of names like `cell.state_size`.
      sequence_length: optional int vector `[batch]`.
      scope: a name or a variable scope; `"rnn"` by default.

    Returns:
      `(outputs, state)`; the last output and the state come after the saving.

    Raises:
      ValueError: `state_name` is not of the structure of `cell.state_size`.
    """
    names = tf.nest.flatten(state_name)
    sizes = tf.nest.flatten(cell.state_size)
    if tf.nest.is_nested(cell.state_size) != tf.nest.is_nested(state_name):
        raise ValueError(
            "state_name should be the same type as cell.state_size.  "
            f"state_name: {state_name}, cell.state_size: {cell.state_size}"
        )
    if len(names) != len(sizes):
        raise ValueError(f"#elems(state_name) != #elems(state_size): {len(names)} vs. {len(sizes)}")
    initial_state = tf.nest.pack_sequence_as(cell.state_size, [state_saver.state(name) for name in names])
    outputs, state = static_rnn(cell, inputs, initial_state=initial_state, sequence_length=sequence_length, scope=scope)
    flat_state = tf.nest.flatten(state)
    saves = [state_saver.save_state(name, value) for name, value in zip(names, flat_state, strict=True)]
    with tf.control_dependencies([save for save in saves if save is not None]):
        outputs[-1] = tf.nest.map_structure(tf.identity, outputs[-1])
        state = tf.nest.map_structure(tf.identity, state)
    return outputs, state


def static_bidirectional_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Sequence[Any],
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any, Any]:
    """Runs one cell forwards and one backwards over a list of steps (TF 1.15's `tf.nn.static_bidirectional_rnn`).

    Variables are made under `bidirectional_rnn/fw` and `bidirectional_rnn/bw`. Arguments are those of `static_rnn`,
    with a cell and an initial state for each direction.

    Returns:
      `(outputs, state_fw, state_bw)`: at each step the outputs of both directions, concatenated by depth.

    Raises:
      TypeError, ValueError: as `static_rnn`.
    """
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    _check_steps(inputs)
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw_scope:
            output_fw, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, sequence_length, scope=fw_scope)
        with variable_scope("bw") as bw_scope:
            backwards = reverse_steps(inputs, sequence_length)
            output_bw, state_bw = static_rnn(
                cell_bw, backwards, initial_state_bw, dtype, sequence_length, scope=bw_scope
            )
    output_bw = reverse_steps(output_bw, sequence_length)
    flat = [tf.concat(pair, 1) for pair in zip(tf.nest.flatten(output_fw), tf.nest.flatten(output_bw), strict=True)]
    return tf.nest.pack_sequence_as(output_fw, flat), state_fw, state_bw


def reverse_steps(steps: Sequence[Any], lengths: Any) -> list[Any]:
    """The steps backwards, each example within its own length; all of them where `lengths` is None."""
    if lengths is None:
        return list(reversed(steps))
    by_part = zip(*[tf.nest.flatten(step) for step in steps], strict=True)
    parts = [
        tf.unstack(tf.reverse_sequence(tf.stack(part), lengths, seq_axis=0, batch_axis=1), num=len(part))
        for part in by_part
    ]
    return [tf.nest.pack_sequence_as(step, flat) for step, flat in zip(steps, zip(*parts, strict=True), strict=True)]
