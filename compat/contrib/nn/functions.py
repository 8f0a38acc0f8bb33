"""What only `tf.contrib.nn` had."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...bridge import v1 as _v1

# The output of an infinitely negative input to SELU: minus scale times alpha.
_SELU_FLOOR = -1.7580993408473766


def alpha_dropout(
    x: Any, keep_prob: Any, noise_shape: Any = None, seed: int | None = None, name: str | None = None
) -> tf.Tensor:
    """Dropout that keeps mean and variance under SELU; stands for `tf.contrib.nn.alpha_dropout`.

    Args:
      keep_prob: share of the elements that are kept, in (0, 1].

    Raises:
      ValueError: `keep_prob` is a number out of that range.
    """
    if isinstance(keep_prob, float) and not 0 < keep_prob <= 1:
        raise ValueError(f"keep_prob must be a scalar tensor or a float in the range (0, 1], got {keep_prob}")
    with tf.name_scope(name or "alpha_dropout"):
        x = tf.convert_to_tensor(x)
        keep_prob = tf.cast(keep_prob, x.dtype)
        if tf.get_static_value(keep_prob) == 1:
            return x
        noise = tf.random.uniform(tf.shape(x) if noise_shape is None else noise_shape, seed=seed, dtype=x.dtype)
        kept = tf.floor(keep_prob + noise)
        scale = (keep_prob + _SELU_FLOOR**2 * keep_prob * (1 - keep_prob)) ** -0.5
        shift = -scale * _SELU_FLOOR * (1 - keep_prob)
        result = scale * (x * kept + _SELU_FLOOR * (1 - kept)) + shift
        result.set_shape(x.shape)
        return result


def deprecated_flipped_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, dim: int = -1, name: str | None = None
) -> tf.Tensor:
    """Logits first; `tf.contrib.nn.deprecated_flipped_softmax_cross_entropy_with_logits`."""
    return _v1.softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=dim, name=name)


def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, name: str | None = None
) -> tf.Tensor:
    """Logits first; `tf.contrib.nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits`."""
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def deprecated_flipped_sigmoid_cross_entropy_with_logits(
    logits: Any, targets: Any, name: str | None = None
) -> tf.Tensor:
    """Logits first; `tf.contrib.nn.deprecated_flipped_sigmoid_cross_entropy_with_logits`."""
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)


def nth_element(input: Any, n: Any, reverse: bool = False, name: str | None = None) -> tf.Tensor:
    """The `n`-th smallest (largest when `reverse`) along the last dimension; `tf.contrib.nn.nth_element`."""
    return tf.raw_ops.NthElement(input=input, n=n, reverse=reverse, name=name)
