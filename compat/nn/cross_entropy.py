"""Losses per example that TF 1.15 took by the names of their arguments only.

Before TensorFlow 1.0 the logits stood first. So that no program takes one for the other, TF 1.15 refused what was
given by its place; TF2 takes the labels there.
"""

from __future__ import annotations

from typing import Any

from ..bridge import v1

_NAMED = "Only call `%s` with named arguments (labels=..., logits=..., ...)"


def softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, dim: int = -1, name: Any = None, axis: Any = None
) -> Any:
    """The cross entropy of each row of `logits`; no gradient goes to the labels.

    Raises ValueError where the first argument is given by its place; `tf.nn.softmax_cross_entropy_with_logits`.

      >>> softmax_cross_entropy_with_logits(labels=[[0.0, 1.0]], logits=[[1.0, 1.0]])
      <tf.Tensor: shape=(1,), dtype=float32, numpy=array([0.6931472], dtype=float32)>
    """
    _require_named("softmax_cross_entropy_with_logits", _sentinel)
    return v1.softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=dim, name=name, axis=axis)


def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: Any = None
) -> Any:
    """The cross entropy of each row of `logits`, whose class is a number.

    Raises ValueError where the first argument is given by its place; `tf.nn.sparse_softmax_cross_entropy_with_logits`.

      >>> sparse_softmax_cross_entropy_with_logits(labels=[1], logits=[[1.0, 1.0]])
      <tf.Tensor: shape=(1,), dtype=float32, numpy=array([0.6931472], dtype=float32)>
    """
    _require_named("sparse_softmax_cross_entropy_with_logits", _sentinel)
    return v1.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def sigmoid_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: Any = None
) -> Any:
    """The cross entropy of each of the `logits`, which are independent of each other.

    Raises ValueError where the first argument is given by its place; `tf.nn.sigmoid_cross_entropy_with_logits`.

      >>> sigmoid_cross_entropy_with_logits(labels=[1.0], logits=[0.0])
      <tf.Tensor: shape=(1,), dtype=float32, numpy=array([0.6931472], dtype=float32)>
    """
    _require_named("sigmoid_cross_entropy_with_logits", _sentinel)
    return v1.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def _require_named(name: str, given: Any) -> None:
    if given is not None:
        raise ValueError(_NAMED % name)
