"""Following the parents of beams back to the start."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def gather_tree(
    step_ids: Any, parent_ids: Any, max_sequence_lengths: Any, end_token: Any, name: str | None = None
) -> tf.Tensor:
    """The whole sequence of each beam, from what each step kept (TF 1.15's `tf.contrib.seq2seq.gather_tree`).

    Args:
      step_ids: int32 `[time, batch, beams]`, the symbol that each step added.
      parent_ids: int32 `[time, batch, beams]`, the beam of the step before that it was added to.
      max_sequence_lengths: int32 `[batch]`; later steps are not looked at.
      end_token: int32 scalar, put after a sequence's end.
      name: of the name scope.

    Returns:
      int32 `[time, batch, beams]`.

    Raises:
      tf.errors.InvalidArgumentError: a parent is no beam.
    """
    with tf.name_scope(name or "GatherTree"):
        step_ids, parent_ids = tf.convert_to_tensor(step_ids, tf.int32), tf.convert_to_tensor(parent_ids, tf.int32)
        lengths = tf.convert_to_tensor(max_sequence_lengths, tf.int32)[:, tf.newaxis]
        end_token = tf.convert_to_tensor(end_token, tf.int32)
        time, batch, beams = tf.unstack(tf.shape(step_ids))
        own = tf.tile(tf.range(beams)[tf.newaxis], [batch, 1])

        def back(later: tuple[Any, Any], step: tuple[Any, Any, Any]) -> tuple[Any, Any]:
            beam, _ = later
            t, ids, parents = step
            ended = tf.broadcast_to(t >= lengths, tf.shape(ids))
            parent = tf.where(ended, beam, tf.gather(parents, beam, batch_dims=1))
            return parent, tf.where(ended, end_token, tf.gather(ids, beam, batch_dims=1))

        _, sequences = tf.scan(back, (tf.range(time), step_ids, parent_ids), initializer=(own, own), reverse=True)
        after_end = tf.cumsum(tf.cast(tf.equal(sequences, end_token), tf.int32), axis=0, exclusive=True) > 0
        sequences = tf.where(after_end, end_token, sequences)
        return tf.ensure_shape(sequences, step_ids.shape)


def sort_array_beams(stacked: tf.Tensor, parent_ids: tf.Tensor, lengths: tf.Tensor) -> tf.Tensor:
    """What each step kept for its beams, put into the order of the final beams.

    Args:
      stacked: `[time, batch, beams, …]` or `[time, batch * beams, …]`.
      parent_ids: int32 `[time, batch, beams]`.
      lengths: int `[batch, beams]`; steps past a beam's length stay where they are.
    """
    time, batch, beams = tf.unstack(tf.shape(parent_ids))
    own = tf.tile(tf.range(beams)[tf.newaxis, tf.newaxis], [time, batch, 1])
    longest = tf.cast(tf.reduce_max(lengths, axis=1), tf.int32)
    order = gather_tree(own, parent_ids, longest, end_token=beams + 1)
    within = tf.transpose(tf.sequence_mask(lengths, maxlen=time), [2, 0, 1])
    order = tf.where(within, order, own)
    rows = tf.reshape(stacked, tf.stack([time, batch, beams, -1]))
    return tf.reshape(tf.gather(rows, order, batch_dims=2), tf.shape(stacked))
