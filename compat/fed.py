"""Tensors that are fed although an operation computes them."""

from __future__ import annotations

import tensorflow as tf


def fed(tensor: tf.Tensor, value: tf.Tensor) -> tf.Tensor:
    """The value that a run of TF 1.x was fed in the place of a tensor, through which gradients go as they did.

    What depends on the result sees ``value``. Gradients go on to ``tensor``, and so to the variables that it was
    computed of: TF 1.x replaced a value by what it was fed, and nothing of the graph that took the gradients.

    Args:
        tensor: what would have been computed, by an operation whose gradient needs no value of its result.
        value: what is fed, of the dtype of ``tensor``.

    Raises:
        ValueError: when the two have different dtypes.

    Example:
      >>> w = tf.Variable(3.0)
      >>> with tf.GradientTape() as tape:
      ...     y = fed(2.0 * w, tf.constant(5.0))
      ...     loss = y * y
      >>> float(loss), float(tape.gradient(loss, w))
      (25.0, 20.0)
    """
    if tensor.dtype != value.dtype:
        raise ValueError(f"a tensor of {tensor.dtype.name} cannot be fed values of {value.dtype.name}")

    @tf.custom_gradient
    def replaced(tensor: tf.Tensor, value: tf.Tensor) -> object:
        return tf.identity(value), lambda upstream: (upstream, None)

    return replaced(tensor, value)
