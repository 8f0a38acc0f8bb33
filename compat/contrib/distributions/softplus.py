"""The inverse of the softplus function."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def softplus_inverse(x: Any, name: str | None = None) -> tf.Tensor:
    """The ``y`` whose ``softplus(y) = log(1 + exp(y))`` is ``x``; ``tf.contrib.distributions.softplus_inverse``.

    Computed as ``x + log(1 - exp(-x))``, which neither overflows for large ``x`` nor cancels for small ones.

    Args:
      x: positive numbers of a floating type, any shape.
      name: of the operations.

    Returns:
      A tensor of the type and shape of `x`; nan for negative numbers, -inf for zero.

    Example:
      >>> y = compat.contrib.distributions.softplus_inverse([0.5, 2.0])
      >>> tf.math.softplus(y).numpy().round(4).tolist()
      [0.5, 2.0]
    """
    with tf.name_scope(name or "softplus_inverse"):
        x = tf.convert_to_tensor(x, name="x")
        return x + tf.math.log(-tf.math.expm1(-x))
