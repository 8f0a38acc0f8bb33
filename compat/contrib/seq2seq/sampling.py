"""Draws from distributions over symbols, as the helpers of TF 1.15 made them."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def bernoulli(probability: Any, batch_size: Any, dtype: Any, seed: int | None) -> tf.Tensor:
    """One draw for each example: `[batch]`, true with this probability (a scalar, or one for each example)."""
    probability = tf.convert_to_tensor(probability)
    shape = tf.concat([[batch_size], tf.shape(probability)], 0)
    return tf.cast(tf.random.uniform(shape, seed=seed, dtype=probability.dtype) < probability, dtype)


def categorical(logits: tf.Tensor, seed: int | None) -> tf.Tensor:
    """One int32 draw from each row of logits; `[…]` for logits `[…, symbols]`."""
    rows = logits if logits.shape.rank == 2 else tf.reshape(logits, [-1, tf.shape(logits)[-1]])
    # TF1 drew in int64 where logits are wide, which gives other numbers than int32.
    dtype = tf.int64 if logits.dtype.size > 4 else tf.int32
    draws = tf.random.categorical(rows, 1, seed=seed, dtype=dtype)
    return tf.cast(tf.reshape(draws, tf.shape(logits)[:-1]), tf.int32)
