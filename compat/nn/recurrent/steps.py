"""What every unrolling shares: batch sizes, dtypes, and rows that are past their sequence's end."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..rnn_cell.base import assert_like_rnncell as assert_like_rnncell


def transpose_batch_time(x: tf.Tensor) -> tf.Tensor:
    """Swaps the first two dimensions; a scalar or vector stays as it is."""
    if x.shape.rank is not None and x.shape.rank < 2:
        return x
    if x.shape.rank is not None:
        return tf.transpose(x, [1, 0, *range(2, x.shape.rank)])
    return tf.transpose(x, tf.concat([[1, 0], tf.range(2, tf.rank(x))], 0))


def best_effort_input_batch_size(flat_input: Any) -> Any:
    """The batch size of time-major inputs: an int where one of them knows it, else a scalar tensor.

    Raises:
      ValueError: an input has fewer than two dimensions.
    """
    for input_ in flat_input:
        if input_.shape.rank is None:
            continue
        if input_.shape.rank < 2:
            raise ValueError(f"Expected input tensor {input_} to have rank at least 2")
        if input_.shape[1] is not None:
            return input_.shape[1]
    return tf.shape(flat_input[0])[1]


def infer_state_dtype(explicit_dtype: Any, state: Any) -> Any:
    """`explicit_dtype`, or the one dtype that all tensors of `state` have.

    Raises:
      ValueError: the state is empty or mixes dtypes.
    """
    if explicit_dtype is not None:
        return explicit_dtype
    found = {tensor.dtype for tensor in tf.nest.flatten(state)}
    if not found:
        raise ValueError("Unable to infer dtype from empty state.")
    if len(found) > 1:
        raise ValueError(
            "State has tensors of different inferred_dtypes. Unable to infer a single representative dtype."
        )
    return found.pop()


def initial_state_of(cell: Any, initial_state: Any, batch_size: Any, dtype: Any) -> Any:
    """`initial_state`, or the cell's own first state.

    Raises:
      ValueError: neither a state nor a dtype is given.
    """
    if initial_state is not None:
        return initial_state
    if not dtype:
        raise ValueError("If there is no initial_state, you must give a dtype.")
    if getattr(cell, "get_initial_state", None) is not None:
        return cell.get_initial_state(inputs=None, batch_size=batch_size, dtype=dtype)
    return cell.zero_state(batch_size, dtype)


def check_sequence_length(sequence_length: Any) -> tf.Tensor:
    """`sequence_length` as an int32 vector.

    Raises:
      ValueError: it is known not to be a vector.
    """
    lengths = tf.cast(sequence_length, tf.int32)
    if lengths.shape.rank not in (None, 1):
        raise ValueError(f"sequence_length must be a vector of length batch_size, but saw shape: {lengths.shape}")
    return lengths


def keep_finished(finished: tf.Tensor, old: Any, new: Any) -> Any:
    """`new`, but the rows where `finished` is true keep `old`.

    A TensorArray and a scalar have no rows: they are always the new one.
    """
    tf.nest.assert_same_structure(old, new)
    return tf.nest.map_structure(lambda a, b: _keep_rows(finished, a, b), old, new)


def _keep_rows(finished: tf.Tensor, old: Any, new: Any) -> Any:
    if isinstance(old, tf.TensorArray) or old.shape.rank == 0:
        return new
    # The kernel of TF1's `where`, which takes a vector as a condition on rows.
    kept = tf.raw_ops.Select(condition=finished, x=old, y=new)
    if not tf.executing_eagerly():
        kept.set_shape(old.shape)
    return kept
