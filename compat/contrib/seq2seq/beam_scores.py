"""How beams are ranked: log probabilities, with penalties for length and coverage."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from .attention_wrapper import AttentionWrapperState


def attention_probabilities(cell_state: Any, coverage_penalty_weight: float) -> Any:
    """The alignments of the attention cells in a state, averaged; None without a coverage penalty.

    Raises:
      ValueError: there is a penalty, and no cell attends.
    """
    if coverage_penalty_weight == 0.0:
        return None
    states = [cell_state] if isinstance(cell_state, AttentionWrapperState) else cell_state
    found = [
        _mean(state.alignments) if isinstance(state.alignments, tuple) else state.alignments
        for state in (states if isinstance(states, tuple | list) else ())
        if isinstance(state, AttentionWrapperState)
    ]
    if not found:
        raise ValueError("coverage_penalty_weight must be 0.0 if no cell is attentional.")
    return found[0] if len(found) == 1 else _mean(found)


def _mean(alignments: Any) -> tf.Tensor:
    return tf.reduce_mean(tf.stack(alignments, -1), -1)


def beam_scores(
    log_probs: tf.Tensor,
    lengths: tf.Tensor,
    length_penalty_weight: Any,
    coverage_penalty_weight: Any,
    finished: tf.Tensor,
    attended: Any,
) -> tf.Tensor:
    """`log_probs` `[batch, beams, symbols]`, divided by the length penalty, plus the coverage penalty.

    Raises:
      ValueError: the weight of the coverage is not a scalar.
    """
    scores = log_probs / tf.cast(_length_penalty(lengths, length_penalty_weight), log_probs.dtype)
    weight = tf.convert_to_tensor(coverage_penalty_weight, tf.float32)
    if weight.shape.rank != 0:
        raise ValueError(f"coverage_penalty_weight should be a scalar, but saw shape: {weight.shape}")
    if attended is None:
        return scores
    # An entry of the memory that is masked was never attended to: it counts as covered.
    attended = tf.where(tf.equal(attended, 0.0), tf.ones_like(attended), attended)
    coverage = tf.reduce_sum(tf.math.log(tf.minimum(attended, 1.0)), 2) * tf.cast(finished, tf.float32)
    return scores + tf.expand_dims(coverage * weight, 2)


def _length_penalty(lengths: tf.Tensor, weight: Any) -> Any:
    """`((5 + length) / 6) ** weight` (arXiv:1609.08144)."""
    weight = tf.convert_to_tensor(weight, tf.float32)
    known = tf.get_static_value(weight)
    if known is not None and known == 0:
        return 1.0
    return tf.pow(5.0 + tf.cast(lengths, tf.float32), weight) / tf.pow(5.0 + 1.0, weight)


def only_end_after_end(log_probs: tf.Tensor, end_token: tf.Tensor, finished: tf.Tensor) -> tf.Tensor:
    """`log_probs` `[batch, beams, symbols]` in which a finished beam can only be followed by the end, for free."""
    symbols = tf.shape(log_probs)[2]
    row = tf.one_hot(end_token, symbols, on_value=0.0, off_value=log_probs.dtype.min, dtype=log_probs.dtype)
    return tf.where(tf.expand_dims(finished, 2), row, log_probs)
