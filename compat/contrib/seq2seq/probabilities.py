"""From attention scores to attention weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf


def hardmax(logits: Any, name: str | None = None) -> tf.Tensor:
    """One at the largest logit of the last axis, zero elsewhere (TF 1.15's `tf.contrib.seq2seq.hardmax`).

    Args:
      logits: float tensor.
      name: of the name scope.
    """
    with tf.name_scope(name or "Hardmax"):
        logits = tf.convert_to_tensor(logits)
        depth = tf.shape(logits)[-1] if logits.shape[-1] is None else logits.shape[-1]
        return tf.one_hot(tf.argmax(logits, -1), depth, dtype=logits.dtype)


def safe_cumprod(x: Any, *args: Any, **kwargs: Any) -> tf.Tensor:
    """The cumulative product of numbers in [0, 1], by way of logarithms (`tf.contrib.seq2seq.safe_cumprod`, TF 1.15).

    Its gradient stays finite where a factor is zero, since factors are kept above the smallest normal number.

    Args:
      x: float tensor.
      *args: as of `tf.cumsum`.
      **kwargs: as of `tf.cumsum`.
    """
    with tf.name_scope("SafeCumprod"):
        x = tf.convert_to_tensor(x)
        tiny = np.finfo(x.dtype.as_numpy_dtype).tiny
        return tf.exp(tf.cumsum(tf.math.log(tf.clip_by_value(x, tiny, 1)), *args, **kwargs))


def monotonic_attention(p_choose_i: Any, previous_attention: Any, mode: str) -> tf.Tensor:
    """Attention that never goes back (arXiv:1704.00784; TF 1.15's `tf.contrib.seq2seq.monotonic_attention`).

    Args:
      p_choose_i: `[batch, length]`, the probability of stopping at each entry.
      previous_attention: `[batch, length]`, the weights of the step before.
      mode: "recursive" (exact, slow), "parallel" (a closed form, inexact where probabilities are near 0 or 1), or
        "hard" (both arguments are zero or one).

    Returns:
      The weights, `[batch, length]`.

    Raises:
      ValueError: an unknown mode.
    """
    p = tf.convert_to_tensor(p_choose_i)
    previous = tf.convert_to_tensor(previous_attention)
    if mode == "recursive":
        batch_size = tf.shape(p)[0] if p.shape[0] is None else p.shape[0]
        passed = tf.concat([tf.ones([batch_size, 1], p.dtype), 1 - p[:, :-1]], 1)
        reached = tf.scan(
            lambda x, step: tf.reshape(step[0] * x + step[1], [batch_size]),
            [tf.transpose(passed), tf.transpose(previous)],
            tf.zeros([batch_size], p.dtype),
        )
        return p * tf.transpose(reached)
    if mode == "parallel":
        passed = safe_cumprod(1 - p, axis=1, exclusive=True)
        return p * passed * tf.cumsum(previous / tf.clip_by_value(passed, 1e-10, 1.0), axis=1)
    if mode == "hard":
        p = p * tf.cumsum(previous, axis=1)
        return p * tf.math.cumprod(1 - p, axis=1, exclusive=True)
    raise ValueError("mode must be 'recursive', 'parallel', or 'hard'.")


def monotonic_probability(
    score: tf.Tensor, previous: tf.Tensor, sigmoid_noise: float, mode: str, seed: int | None
) -> tf.Tensor:
    """Monotonic attention from scores, to which noise of standard deviation `sigmoid_noise` is added."""
    if sigmoid_noise > 0:
        score = score + sigmoid_noise * tf.random.normal(tf.shape(score), dtype=score.dtype, seed=seed)
    p = tf.cast(score > 0, score.dtype) if mode == "hard" else tf.sigmoid(score)
    return monotonic_attention(p, previous, mode)
