"""Updates that TensorFlow computes on a CPU only, for variables that lie on a GPU: of all rows, or of some."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ..variables.placement import lies_on_a_gpu

__all__ = ["ON_A_CPU_ONLY", "kernel_for"]


def kernel_for(var: Any, name: str) -> Callable[..., Any]:
    """The kernel of `tf.raw_ops` with this name, or what computes the same on the GPU that `var` lies on.

    Indices must be there once each, as optimizers have them.
    """
    kernel: Callable[..., Any] = _ON_A_GPU[name] if lies_on_a_gpu(var) else getattr(tf.raw_ops, name)
    return kernel


def _momentum(
    *, var: Any, accum: Any, lr: Any, grad: Any, indices: Any, momentum: Any, use_locking: bool, use_nesterov: bool
) -> Any:
    moved = _rows(accum, indices, grad) * momentum + grad
    step = grad * lr + moved * momentum * lr if use_nesterov else moved * lr
    return _put(indices, (accum, moved), (var, _rows(var, indices, grad) - step))


def _rms_prop(
    *,
    var: Any,
    ms: Any,
    mom: Any,
    lr: Any,
    rho: Any,
    momentum: Any,
    epsilon: Any,
    grad: Any,
    indices: Any,
    use_locking: bool,
    mg: Any = None,
) -> Any:
    square = _rows(ms, indices, grad) * rho + tf.square(grad) * (1 - rho)
    scale, averages = square + epsilon, [(ms, square)]
    if mg is not None:
        mean = _rows(mg, indices, grad) * rho + grad * (1 - rho)
        scale -= tf.square(mean)
        averages.append((mg, mean))
    step = _rows(mom, indices, grad) * momentum + tf.math.rsqrt(scale) * lr * grad
    return _put(indices, *averages, (mom, step), (var, _rows(var, indices, grad) - step))


def _adagrad_da(
    *,
    var: Any,
    gradient_accumulator: Any,
    gradient_squared_accumulator: Any,
    grad: Any,
    lr: Any,
    l1: Any,
    l2: Any,
    global_step: Any,
    use_locking: bool,
    indices: Any = None,
) -> Any:
    step = tf.cast(global_step, grad.dtype)
    total = _rows(gradient_accumulator, indices, grad) + grad
    square = _rows(gradient_squared_accumulator, indices, grad) + tf.square(grad)
    weights = -lr * _shrunk(total, l1 * step) / (l2 * step * lr + tf.sqrt(square))
    return _put(indices, (gradient_accumulator, total), (gradient_squared_accumulator, square), (var, weights))


def _dense_proximal_gradient_descent(*, delta: Any, **arguments: Any) -> Any:
    return _proximal_gradient_descent(grad=delta, **arguments)


def _proximal_gradient_descent(
    *, var: Any, alpha: Any, l1: Any, l2: Any, grad: Any, use_locking: bool, indices: Any = None
) -> Any:
    moved = _rows(var, indices, grad) - grad * alpha
    return _put(indices, (var, _shrunk(moved, alpha * l1) / (1 + l2 * alpha)))


_ON_A_GPU: dict[str, Callable[..., Any]] = {
    "ResourceApplyAdagradDA": _adagrad_da,
    "ResourceApplyProximalGradientDescent": _dense_proximal_gradient_descent,
    "ResourceSparseApplyAdagradDA": _adagrad_da,
    "ResourceSparseApplyCenteredRMSProp": _rms_prop,
    "ResourceSparseApplyMomentum": _momentum,
    "ResourceSparseApplyProximalGradientDescent": _proximal_gradient_descent,
    "ResourceSparseApplyRMSProp": _rms_prop,
}
ON_A_CPU_ONLY = frozenset({*_ON_A_GPU, "ResourceCountUpTo"})
"""Types of operations, of those that change variables, for which TensorFlow has kernels on a CPU only."""


def _rows(handle: Any, indices: Any, grad: Any) -> tf.Tensor:
    """What a variable has where a gradient has rows: all of it, where that is dense."""
    if indices is None:
        return tf.raw_ops.ReadVariableOp(resource=handle, dtype=grad.dtype)
    return tf.raw_ops.ResourceGather(resource=handle, indices=indices, dtype=grad.dtype)


def _shrunk(value: tf.Tensor, by: tf.Tensor) -> tf.Tensor:
    """What is left of a value that goes to zero by so much."""
    return tf.sign(value) * tf.maximum(tf.abs(value) - by, 0)


def _put(indices: Any, *rows: tuple[Any, tf.Tensor]) -> Any:
    if indices is None:
        return tf.group(*(tf.raw_ops.AssignVariableOp(resource=handle, value=new) for handle, new in rows))
    return tf.group(
        *(tf.raw_ops.ResourceScatterUpdate(resource=handle, indices=indices, updates=new) for handle, new in rows)
    )
