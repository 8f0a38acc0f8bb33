"""Linear-chain conditional random fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from ...nn.recurrent.dynamic import unroll
from ...variables import get_variable
from .cells import CrfDecodeBackwardRnnCell, CrfDecodeForwardRnnCell, CrfForwardRnnCell


def _by_length(inputs: tf.Tensor, one: Callable[[], Any], several: Callable[[], Any]) -> Any:
    """One way for sequences of one step, another for longer ones."""
    steps = inputs.shape[1]
    if steps is not None:
        return one() if steps == 1 else several()
    return tf.cond(tf.equal(tf.shape(inputs)[1], 1), one, several)


def _zero_where_empty(scores: tf.Tensor, sequence_lengths: tf.Tensor) -> tf.Tensor:
    return tf.where(sequence_lengths <= 0, tf.zeros_like(scores), scores)


def crf_sequence_score(inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any) -> tf.Tensor:
    """The score of a sequence of tags (TF 1.15's `tf.contrib.crf.crf_sequence_score`).

    Args:
      inputs: float32 `[batch, time, tags]`, scores of each tag at each step.
      tag_indices: int `[batch, time]`.
      sequence_lengths: int `[batch]`.
      transition_params: float32 `[tags, tags]`, scores of going from row to column.

    Returns:
      float32 `[batch]`; zero for an empty sequence.
    """
    inputs, tag_indices = tf.convert_to_tensor(inputs), tf.convert_to_tensor(tag_indices)
    sequence_lengths = tf.convert_to_tensor(sequence_lengths)

    def one() -> tf.Tensor:
        scores = tf.gather(inputs[:, 0], tag_indices[:, 0], batch_dims=1)
        return _zero_where_empty(scores, sequence_lengths)

    def several() -> tf.Tensor:
        unary = crf_unary_score(tag_indices, sequence_lengths, inputs)
        return unary + crf_binary_score(tag_indices, sequence_lengths, transition_params)

    return _by_length(inputs, one, several)


def crf_multitag_sequence_score(
    inputs: Any, tag_bitmap: Any, sequence_lengths: Any, transition_params: Any
) -> tf.Tensor:
    """The score of all sequences within sets of tags (TF 1.15's `tf.contrib.crf.crf_multitag_sequence_score`).

    Args:
      inputs: float32 `[batch, time, tags]`.
      tag_bitmap: bool `[batch, time, tags]`, true for tags that are allowed.
      sequence_lengths: int `[batch]`.
      transition_params: float32 `[tags, tags]`.

    Returns:
      float32 `[batch]`.
    """
    inputs = tf.convert_to_tensor(inputs)
    allowed = tf.where(tag_bitmap, inputs, tf.fill(tf.shape(inputs), float("-inf")))
    allowed.set_shape(inputs.shape)
    return _by_length(
        inputs,
        lambda: tf.reduce_logsumexp(allowed, [1, 2]),
        lambda: crf_log_norm(allowed, sequence_lengths, transition_params),
    )


def crf_log_norm(inputs: Any, sequence_lengths: Any, transition_params: Any) -> tf.Tensor:
    """The logarithm of the sum over all sequences of tags (TF 1.15's `tf.contrib.crf.crf_log_norm`).

    Args:
      inputs: float32 `[batch, time, tags]`.
      sequence_lengths: int `[batch]`.
      transition_params: float32 `[tags, tags]`.

    Returns:
      float32 `[batch]`; zero for an empty sequence.
    """
    inputs, sequence_lengths = tf.convert_to_tensor(inputs), tf.convert_to_tensor(sequence_lengths)

    def several() -> tf.Tensor:
        _, alphas = unroll(
            CrfForwardRnnCell(transition_params),
            inputs[:, 1:],
            tf.maximum(sequence_lengths - 1, 0),
            inputs[:, 0],
            tf.float32,
        )
        return _zero_where_empty(tf.reduce_logsumexp(alphas, [1]), sequence_lengths)

    def one() -> tf.Tensor:
        return _zero_where_empty(tf.reduce_logsumexp(inputs[:, 0], [1]), sequence_lengths)

    return _by_length(inputs, one, several)


def crf_log_likelihood(
    inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any = None
) -> tuple[tf.Tensor, Any]:
    """The log-likelihood of sequences of tags (TF 1.15's `tf.contrib.crf.crf_log_likelihood`).

    Args:
      inputs: float32 `[batch, time, tags]`, scores of each tag at each step.
      tag_indices: int `[batch, time]`.
      sequence_lengths: int `[batch]`.
      transition_params: float32 `[tags, tags]`; by default the variable `transitions`.

    Returns:
      `(log_likelihood, transition_params)`, the first `[batch]`, in nats.

    Example:
      >>> scores, tags, lengths = tf.zeros([1, 3, 2]), tf.constant([[0, 1, 0]]), tf.constant([3])
      >>> with store:
      ...     log_likelihood, transitions = compat.contrib.crf.crf_log_likelihood(scores, tags, lengths)
      >>> loss = tf.reduce_mean(-log_likelihood)
    """
    inputs = tf.convert_to_tensor(inputs)
    if transition_params is None:
        transition_params = get_variable("transitions", [inputs.shape[2], inputs.shape[2]])
    score = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    return score - crf_log_norm(inputs, sequence_lengths, transition_params), transition_params


def crf_unary_score(tag_indices: Any, sequence_lengths: Any, inputs: Any) -> tf.Tensor:
    """The sum of the tags' own scores (TF 1.15's `tf.contrib.crf.crf_unary_score`).

    Args:
      tag_indices: int `[batch, time]`.
      sequence_lengths: int `[batch]`.
      inputs: float32 `[batch, time, tags]`.

    Returns:
      float32 `[batch]`.
    """
    scores = tf.gather(inputs, tag_indices, batch_dims=2)
    return tf.reduce_sum(scores * _mask(tag_indices, sequence_lengths), 1)


def crf_binary_score(tag_indices: Any, sequence_lengths: Any, transition_params: Any) -> tf.Tensor:
    """The sum of the transitions' scores (TF 1.15's `tf.contrib.crf.crf_binary_score`).

    Args:
      tag_indices: int `[batch, time]`.
      sequence_lengths: int `[batch]`.
      transition_params: float32 `[tags, tags]`.

    Returns:
      float32 `[batch]`.
    """
    pairs = tag_indices[:, :-1] * transition_params.shape[0] + tag_indices[:, 1:]
    scores = tf.gather(tf.reshape(transition_params, [-1]), pairs)
    return tf.reduce_sum(scores * _mask(tag_indices, sequence_lengths)[:, 1:], 1)


def _mask(tag_indices: tf.Tensor, sequence_lengths: Any) -> tf.Tensor:
    return tf.sequence_mask(sequence_lengths, maxlen=tf.shape(tag_indices)[1], dtype=tf.float32)


def viterbi_decode(score: Any, transition_params: Any) -> tuple[list[Any], Any]:
    """The best sequence of tags, in NumPy (TF 1.15's `tf.contrib.crf.viterbi_decode`).

    Args:
      score: array `[time, tags]`.
      transition_params: array `[tags, tags]`, from row to column.

    Returns:
      `(tags, score)`: a list of tags, and the score of their sequence.
    """
    best = score[0]
    pointers = []
    for step in score[1:]:
        arriving = best[:, np.newaxis] + transition_params
        pointers.append(np.argmax(arriving, 0).astype(np.int32))
        best = (step + np.max(arriving, 0)).astype(score.dtype)
    tags = [np.argmax(best)]
    for pointer in reversed(pointers):
        tags.append(pointer[tags[-1]])
    return tags[::-1], np.max(best)


def crf_decode(potentials: Any, transition_params: Any, sequence_length: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """The best sequences of tags (TF 1.15's `tf.contrib.crf.crf_decode`).

    Args:
      potentials: float32 `[batch, time, tags]`.
      transition_params: float32 `[tags, tags]`, from row to column.
      sequence_length: int `[batch]`.

    Returns:
      `(decode_tags, best_score)`: int32 `[batch, time]`, zero past the end, and float32 `[batch]`.
    """
    potentials, sequence_length = tf.convert_to_tensor(potentials), tf.convert_to_tensor(sequence_length)

    def one() -> tuple[tf.Tensor, tf.Tensor]:
        scores = potentials[:, 0]
        return tf.argmax(scores, axis=1, output_type=tf.int32)[:, tf.newaxis], tf.reduce_max(scores, axis=1)

    def several() -> tuple[tf.Tensor, tf.Tensor]:
        moves = tf.maximum(sequence_length - 1, 0)
        forward = CrfDecodeForwardRnnCell(transition_params)
        pointers, last = unroll(forward, potentials[:, 1:], moves, potentials[:, 0], tf.int32)
        pointers = tf.reverse_sequence(pointers, moves, seq_axis=1, batch_axis=0)
        final = tf.argmax(last, axis=1, output_type=tf.int32)[:, tf.newaxis]
        backward = CrfDecodeBackwardRnnCell(potentials.shape[2])
        earlier, _ = unroll(backward, pointers, moves, final, tf.int32)
        tags = tf.concat([final, tf.squeeze(earlier, axis=[2])], axis=1)
        tags = tf.reverse_sequence(tags, sequence_length, seq_axis=1, batch_axis=0)
        return tags, tf.reduce_max(last, axis=1)

    decode_tags, best_score = _by_length(potentials, one, several)
    return decode_tags, best_score
