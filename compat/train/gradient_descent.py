"""Plain gradient descent."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from .kernels import KernelOptimizer, cast


class GradientDescentOptimizer(KernelOptimizer):
    """``w -= learning_rate * gradient``. Stands for ``tf.train.GradientDescentOptimizer``.

    Args:
        learning_rate: a float, a scalar tensor or variable, or a callable that gives one.
        use_locking: passed on to the kernel.
        name: name of the operations.
    """

    def __init__(self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent") -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._learning_rate_tensor: Any = None

    def _prepare(self) -> None:
        self._learning_rate_tensor = self._tensor(self._learning_rate, "learning_rate")

    def _update_dense(self, grad: Any, var: Any) -> Any:
        return tf.raw_ops.ResourceApplyGradientDescent(
            var=var.handle,
            alpha=cast(self._learning_rate_tensor, var),
            delta=grad,
            use_locking=self._use_locking,
        )

    def _apply_sparse_duplicate_indices(self, grad: Any, var: Any) -> Any:
        # Subtracting row by row needs no summing of duplicates first.
        return tf.raw_ops.ResourceScatterSub(
            resource=var.handle, indices=grad.indices, updates=grad.values * cast(self._learning_rate_tensor, var)
        )

    def _resource_apply_sparse_duplicate_indices(self, grad: Any, handle: Any, indices: Any) -> Any:
        return self._apply_sparse_duplicate_indices(tf.IndexedSlices(grad, indices), handle)
