"""Functions of the backend that TF 1.15 computed over other dimensions than `tf_keras`, or for ranks it refuses.

A condition of rank one chose whole rows, `batch_dot` took every dimension but the last two for a batch, and a softmax
over one dimension was one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tf_keras.src import activations, backend

from ..bridge.v1 import where
from .facade import Facade

__all__ = ["BACKEND", "OUTER_BATCH_DOT", "install"]

_bias_add = backend.bias_add
OUTER_BATCH_DOT = backend.batch_dot
"""`K.batch_dot` of the stand-alone package: all dimensions but those that are summed over stay."""


def _softmax(x: Any, axis: int = -1) -> tf.Tensor:
    """`K.softmax`, of any rank."""
    return tf.nn.softmax(x, axis=axis)


def _activation(x: Any, axis: int = -1) -> tf.Tensor:
    """`activations.softmax`: the operation for a matrix, a quotient of exponentials for what has more dimensions."""
    rank = backend.ndim(x)
    if rank == 2:
        return tf.nn.softmax(x)
    if rank is None or rank < 2:
        raise ValueError(f"Cannot apply softmax to a tensor that is 1D. Received input: {x}")
    exponentials = tf.exp(x - tf.reduce_max(x, axis=axis, keepdims=True))
    return exponentials / tf.reduce_sum(exponentials, axis=axis, keepdims=True)


def _batch_dot(x: Any, y: Any, axes: Any = None) -> tf.Tensor:
    """`K.batch_dot`: a matrix product of the last two dimensions; the shorter shape is filled with ones at its end."""
    x_rank, y_rank = backend.ndim(x), backend.ndim(y)
    first, second = (axes, axes) if isinstance(axes, int) else axes or (x_rank - 1, y_rank - 2)
    missing = abs(x_rank - y_rank)
    if x_rank > y_rank:
        y = _filled(y, missing)
    elif y_rank > x_rank:
        x = _filled(x, missing)
    rank = max(x_rank, y_rank)
    if rank == 2:
        if first == second:
            product = tf.reduce_sum(tf.multiply(x, y), first)
        else:
            product = tf.reduce_sum(tf.multiply(tf.transpose(x, [1, 0]), y), second)
    else:
        product = tf.matmul(x, y, adjoint_a=first != rank - 1, adjoint_b=second == rank - 1)
    if missing:
        start = x_rank + y_rank - 3 if x_rank > y_rank else x_rank - 1
        product = tf.squeeze(product, list(range(start, start + missing)))
    return tf.expand_dims(product, 1) if backend.ndim(product) == 1 else product


def _filled(x: Any, count: int) -> tf.Tensor:
    return tf.reshape(x, tf.concat([tf.shape(x), [1] * count], axis=0))


def _switch(condition: Any, then_expression: Any, else_expression: Any) -> tf.Tensor:
    """`K.switch`: one branch by a scalar, elements by a condition of more dimensions, rows by one of rank one."""
    if condition.dtype != tf.bool:
        condition = tf.cast(condition, tf.bool)
    rank = backend.ndim(condition)
    if not rank:
        return tf.cond(condition, _branch(then_expression), _branch(else_expression))
    then, other = _branch(then_expression)(), _branch(else_expression)()
    if rank > backend.ndim(then):
        raise ValueError(
            "Rank of `condition` should be less than or equal to rank of `then_expression` and `else_expression`. "
            f"ndim(condition)={rank}, ndim(then_expression)={backend.ndim(then)}"
        )
    if rank > 1:
        condition = tf.broadcast_to(_filled(condition, backend.ndim(then) - rank), tf.shape(then))
    return where(condition, then, other)


def _branch(expression: Any) -> Callable[[], Any]:
    return expression if callable(expression) else lambda: expression


def _biased(x: Any, bias: Any, data_format: str | None = None) -> tf.Tensor:
    """`K.bias_add`: a matrix has its channels last, whatever images have."""
    if backend.ndim(x) == 2 and data_format in (None, "channels_first", "channels_last"):
        return tf.nn.bias_add(x, bias)
    return _bias_add(x, bias, data_format)


BACKEND = {"batch_dot": _batch_dot, "bias_add": _biased, "softmax": _softmax, "switch": _switch}


def install() -> None:
    """Has layers and activations use them, from now on in this process."""
    activations.backend = Facade(activations.backend, {"softmax": _activation}, lambda: True)
    for name, function in BACKEND.items():
        setattr(backend, name, function)
