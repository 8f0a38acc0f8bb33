"""Adadelta: steps scaled by running averages of squared gradients and of squared steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from .kernels import KernelOptimizer, cast


class AdadeltaOptimizer(KernelOptimizer):
    """Adadelta (Zeiler, 2012). Stands for ``tf.train.AdadeltaOptimizer``.

    ``a = rho*a + (1-rho)*g*g``, ``d = sqrt(u + epsilon) / sqrt(a + epsilon) * g``, ``u = rho*u + (1-rho)*d*d``,
    ``w -= learning_rate * d``. Slots are ``accum`` (``<variable>/Adadelta``) and ``accum_update`` (``…/Adadelta_1``).

    Args:
        learning_rate, rho, epsilon: floats, scalar tensors, or callables that give one.
        use_locking: passed on to the kernel.
        name: name of the operations and slots.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: Any = 0.95,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adadelta",
    ) -> None:
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._rho = rho
        self._epsilon = epsilon
        self._lr_t: Any = None
        self._rho_t: Any = None
        self._epsilon_t: Any = None

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for var in var_list:
            self._zeros_slot(var, "accum", self._name)
            self._zeros_slot(var, "accum_update", self._name)

    def _prepare(self) -> None:
        self._lr_t = self._tensor(self._lr, "lr")
        self._rho_t = self._tensor(self._rho, "rho")
        self._epsilon_t = self._tensor(self._epsilon, "epsilon")

    def _arguments(self, grad: Any, var: Any) -> dict[str, Any]:
        return {
            "var": var.handle,
            "accum": self._handle(var, "accum"),
            "accum_update": self._handle(var, "accum_update"),
            "lr": cast(self._lr_t, var),
            "rho": cast(self._rho_t, var),
            "epsilon": cast(self._epsilon_t, var),
            "grad": grad,
            "use_locking": self._use_locking,
        }

    def _update_dense(self, grad: Any, var: Any) -> Any:
        return tf.raw_ops.ResourceApplyAdadelta(**self._arguments(grad, var))

    def _update_sparse(self, values: Any, var: Any, indices: Any) -> Any:
        return tf.raw_ops.ResourceSparseApplyAdadelta(indices=indices, **self._arguments(values, var))
