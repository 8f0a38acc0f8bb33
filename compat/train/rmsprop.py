"""RMSProp: steps scaled by a running average of squared gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from .adagrad import create_filled_slot
from .gpu_kernels import kernel_for
from .kernels import KernelOptimizer, cast


class RMSPropOptimizer(KernelOptimizer):
    """RMSProp (Tieleman and Hinton, 2012). Stands for ``tf.train.RMSPropOptimizer``.

    ``s = decay*s + (1-decay)*g*g``, ``m = momentum*m + learning_rate * g / sqrt(s + epsilon)``, ``w -= m``; centered,
    ``s`` is less the square of a running average of ``g``. ``s`` starts at 1. Slots are ``rms``
    (``<variable>/RMSProp``), ``mg`` when centered, and ``momentum`` (``…/RMSProp_1``; ``_2`` when centered).

    Args:
        learning_rate, decay, momentum, epsilon: floats, scalar tensors, or callables that give one.
        use_locking: passed on to the kernel.
        centered: divide by an estimate of the variance in place of the second moment.
        name: name of the operations and slots.
    """

    def __init__(
        self,
        learning_rate: Any,
        decay: Any = 0.9,
        momentum: Any = 0.0,
        epsilon: Any = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._decay = decay
        self._momentum = momentum
        self._epsilon = epsilon
        self._centered = centered
        self._learning_rate_tensor: Any = None
        self._decay_tensor: Any = None
        self._momentum_tensor: Any = None
        self._epsilon_tensor: Any = None

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for var in var_list:
            create_filled_slot(self, var, 1.0, "rms", ones=True)
            if self._centered:
                self._zeros_slot(var, "mg", self._name)
            self._zeros_slot(var, "momentum", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = self._tensor(self._learning_rate, "learning_rate")
        self._decay_tensor = self._tensor(self._decay, "decay")
        self._momentum_tensor = self._tensor(self._momentum, "momentum")
        self._epsilon_tensor = self._tensor(self._epsilon, "epsilon")

    def _arguments(self, grad: Any, var: Any) -> dict[str, Any]:
        arguments = {
            "var": var.handle,
            "ms": self._handle(var, "rms"),
            "mom": self._handle(var, "momentum"),
            "lr": cast(self._learning_rate_tensor, var),
            "rho": cast(self._decay_tensor, var),
            "momentum": cast(self._momentum_tensor, var),
            "epsilon": cast(self._epsilon_tensor, var),
            "grad": grad,
            "use_locking": self._use_locking,
        }
        if self._centered:
            arguments["mg"] = self._handle(var, "mg")
        return arguments

    def _update_dense(self, grad: Any, var: Any) -> Any:
        ops = tf.raw_ops
        kernel = ops.ResourceApplyCenteredRMSProp if self._centered else ops.ResourceApplyRMSProp
        return kernel(**self._arguments(grad, var))

    def _update_sparse(self, values: Any, var: Any, indices: Any) -> Any:
        name = "ResourceSparseApplyCenteredRMSProp" if self._centered else "ResourceSparseApplyRMSProp"
        return kernel_for(var, name)(indices=indices, **self._arguments(values, var))
