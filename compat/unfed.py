"""Tensors that a function names and does not need."""

from __future__ import annotations

import tensorflow as tf

_MARK = "_tf1_unfed"


def unfed(spec: tf.TensorSpec) -> tf.Tensor:
    """A tensor that stands for a placeholder which a run of TF 1.x did not feed, because it needed nothing of it.

    Where a function is traced, this is an operation without a value: what depends on it is left out when the function
    runs, as TF 1.x left it out of the run. If something that is needed depends on it after all, the call fails; no
    value is made up for it. Code that runs eagerly computes everything, so there the tensor is of zeros.

    Args:
        spec: shape and dtype of the placeholder. Eagerly, dimensions that are not known have the size 1.

    Raises:
        tf.errors.InvalidArgumentError: when a traced function runs in which something depends on the tensor.

    Example:
      >>> @tf.function
      ... def doubled(x):
      ...     y = unfed(tf.TensorSpec([None], tf.float32))
      ...     double, total = 2.0 * x, x + y
      ...     return double
      >>> float(doubled(tf.constant(3.0)))
      6.0
    """
    if not tf.executing_eagerly():
        tensor = tf.raw_ops.Placeholder(dtype=spec.dtype, shape=spec.shape)
        setattr(tensor, _MARK, True)
        return tensor
    sizes = [] if spec.shape.rank is None else [1 if size is None else size for size in spec.shape.as_list()]
    return tf.zeros(sizes, spec.dtype)


def is_unfed(tensor: tf.Tensor) -> bool:
    """Whether a tensor is one without a value."""
    return getattr(tensor, _MARK, False)
