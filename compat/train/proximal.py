"""Gradient descent and Adagrad with a proximal step for L1 and L2 penalties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from .adagrad import create_filled_slot
from .gpu_kernels import kernel_for
from .kernels import KernelOptimizer, cast


class _ProximalOptimizer(KernelOptimizer):
    """The hyperparameters that both share."""

    def __init__(
        self,
        learning_rate: Any,
        l1_regularization_strength: Any,
        l2_regularization_strength: Any,
        use_locking: bool,
        name: str,
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._learning_rate_tensor: Any = None
        self._l1_regularization_strength_tensor: Any = None
        self._l2_regularization_strength_tensor: Any = None

    def _prepare(self) -> None:
        self._learning_rate_tensor = self._tensor(self._learning_rate, "learning_rate")
        self._l1_regularization_strength_tensor = self._tensor(
            self._l1_regularization_strength, "l1_regularization_strength"
        )
        self._l2_regularization_strength_tensor = self._tensor(
            self._l2_regularization_strength, "l2_regularization_strength"
        )

    def _penalties(self, var: Any) -> dict[str, Any]:
        return {
            "var": var.handle,
            "l1": cast(self._l1_regularization_strength_tensor, var),
            "l2": cast(self._l2_regularization_strength_tensor, var),
            "use_locking": self._use_locking,
        }


class ProximalGradientDescentOptimizer(_ProximalOptimizer):
    """``p = w - lr*g; w = sign(p) / (1 + lr*l2) * max(|p| - lr*l1, 0)``.

    Stands for ``tf.train.ProximalGradientDescentOptimizer``.

    Args:
        learning_rate, l1_regularization_strength, l2_regularization_strength: floats or scalar tensors.
        use_locking: passed on to the kernel.
        name: name of the operations.
    """

    def __init__(
        self,
        learning_rate: Any,
        l1_regularization_strength: Any = 0.0,
        l2_regularization_strength: Any = 0.0,
        use_locking: bool = False,
        name: str = "ProximalGradientDescent",
    ) -> None:
        super().__init__(learning_rate, l1_regularization_strength, l2_regularization_strength, use_locking, name)

    def _update_dense(self, grad: Any, var: Any) -> Any:
        return kernel_for(var, "ResourceApplyProximalGradientDescent")(
            alpha=cast(self._learning_rate_tensor, var), delta=grad, **self._penalties(var)
        )

    def _update_sparse(self, values: Any, var: Any, indices: Any) -> Any:
        return kernel_for(var, "ResourceSparseApplyProximalGradientDescent")(
            alpha=cast(self._learning_rate_tensor, var), grad=values, indices=indices, **self._penalties(var)
        )


class ProximalAdagradOptimizer(_ProximalOptimizer):
    """Adagrad's rate, then a proximal step (Duchi and Singer, 2009). Stands for ``tf.train.ProximalAdagradOptimizer``.

    The slot ``accumulator`` is called ``<variable>/ProximalAdagrad``.

    Args:
        learning_rate: a float or a scalar tensor.
        initial_accumulator_value: a positive float.
        l1_regularization_strength, l2_regularization_strength: floats or scalar tensors.
        use_locking: passed on to the kernel.
        name: name of the operations and slots.

    Raises:
        ValueError: ``initial_accumulator_value`` is not positive.
    """

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: Any = 0.0,
        l2_regularization_strength: Any = 0.0,
        use_locking: bool = False,
        name: str = "ProximalAdagrad",
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(learning_rate, l1_regularization_strength, l2_regularization_strength, use_locking, name)
        self._initial_accumulator_value = initial_accumulator_value

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for var in var_list:
            create_filled_slot(self, var, self._initial_accumulator_value, "accumulator")

    def _arguments(self, grad: Any, var: Any) -> dict[str, Any]:
        return {
            "accum": self._handle(var, "accumulator"),
            "lr": cast(self._learning_rate_tensor, var),
            "grad": grad,
            **self._penalties(var),
        }

    def _update_dense(self, grad: Any, var: Any) -> Any:
        return tf.raw_ops.ResourceApplyProximalAdagrad(**self._arguments(grad, var))

    def _update_sparse(self, values: Any, var: Any, indices: Any) -> Any:
        return tf.raw_ops.ResourceSparseApplyProximalAdagrad(indices=indices, **self._arguments(values, var))
