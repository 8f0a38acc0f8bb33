"""Gradient descent with momentum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from .gpu_kernels import kernel_for
from .kernels import KernelOptimizer, cast


class MomentumOptimizer(KernelOptimizer):
    """``a = momentum * a + gradient; w -= learning_rate * a``. Stands for ``tf.train.MomentumOptimizer``.

    The slot ``momentum`` is called ``<variable>/Momentum``.

    Args:
        learning_rate: a float, a scalar tensor or variable, or a callable that gives one.
        momentum: likewise.
        use_locking: passed on to the kernel.
        name: name of the operations and slots.
        use_nesterov: take the gradient's step from where the momentum leads to.
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._momentum = momentum
        self._use_nesterov = use_nesterov
        self._learning_rate_tensor: Any = None
        self._momentum_tensor: Any = None

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for var in var_list:
            self._zeros_slot(var, "momentum", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = self._tensor(self._learning_rate, "learning_rate")
        self._momentum_tensor = self._tensor(self._momentum, "momentum")

    def _update_dense(self, grad: Any, var: Any) -> Any:
        return tf.raw_ops.ResourceApplyMomentum(
            var=var.handle,
            accum=self._handle(var, "momentum"),
            lr=cast(self._learning_rate_tensor, var),
            grad=grad,
            momentum=cast(self._momentum_tensor, var),
            use_locking=self._use_locking,
            use_nesterov=self._use_nesterov,
        )

    def _update_sparse(self, values: Any, var: Any, indices: Any) -> Any:
        return kernel_for(var, "ResourceSparseApplyMomentum")(
            var=var.handle,
            accum=self._handle(var, "momentum"),
            lr=cast(self._learning_rate_tensor, var),
            grad=values,
            indices=indices,
            momentum=cast(self._momentum_tensor, var),
            use_locking=self._use_locking,
            use_nesterov=self._use_nesterov,
        )
