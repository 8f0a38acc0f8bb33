"""Several tasks in one loss: gradients that are all zero mean that a task was absent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ...train.optimizer import Optimizer

_WRAPPED = ("_apply_dense", "_resource_apply_dense", "_apply_sparse", "_resource_apply_sparse")


class MultitaskOptimizerWrapper:
    """Leaves variables and slots alone where a gradient is all zero. Stands for
    ``tf.contrib.opt.MultitaskOptimizerWrapper``.

    Everything else is the optimizer's, whose methods are wrapped in place.

    Args:
        opt: the optimizer.

    Raises:
        TypeError: ``opt`` is no optimizer.
    """

    def __init__(self, opt: Any) -> None:
        if not isinstance(opt, Optimizer):
            raise TypeError("Supplied optimizer must be an instance of tf.train.Optimizer")
        self._opt = opt
        for name in _WRAPPED:
            setattr(opt, name, _unless_zero(getattr(opt, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opt, name)


def clip_gradients_by_global_norm(
    gradients_variables: Sequence[tuple[Any, Any]], clip_norm: Any = 20.0
) -> tuple[list[tuple[Any, Any]], tf.Tensor]:
    """Clips gradients by their joint norm. Stands for ``tf.contrib.opt.clip_gradients_by_global_norm``.

    Args:
        gradients_variables: pairs of gradient (or None) and variable.
        clip_norm: the bound.

    Returns:
        The clipped pairs, and the joint norm before.
    """
    gradients = [gradient for gradient, _ in gradients_variables]
    norm = tf.linalg.global_norm(gradients)
    clipped, _ = tf.clip_by_global_norm(gradients, clip_norm, use_norm=norm)
    return [(gradient, pair[1]) for gradient, pair in zip(clipped, gradients_variables, strict=True)], norm


def _unless_zero(method: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(grad: Any, *args: Any, **kwargs: Any) -> Any:
        values = grad.values if isinstance(grad, tf.IndexedSlices) else grad

        def update() -> tf.Tensor:
            updated = method(grad, *args, **kwargs)
            with tf.control_dependencies([] if updated is None else [updated]):
                return tf.constant(True)

        return tf.cond(tf.equal(tf.math.count_nonzero(values), 0), lambda: tf.constant(False), update)

    return wrapper
