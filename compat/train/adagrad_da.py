"""Adagrad with dual averaging, for sparse linear models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from .adagrad import create_filled_slot
from .gpu_kernels import kernel_for
from .kernels import KernelOptimizer, cast


class AdagradDAOptimizer(KernelOptimizer):
    """Adagrad dual averaging (Duchi et al., 2011). Stands for ``tf.train.AdagradDAOptimizer``.

    The weights follow from the sums of gradients and of squared gradients alone: initial values are forgotten at the
    first step. Slots are ``gradient_accumulator`` and ``gradient_squared_accumulator`` (``<variable>/AdagradDA``,
    ``…/AdagradDA_1``).

    Args:
        learning_rate: a float or a scalar tensor.
        global_step: an int64 tensor or variable: steps taken so far.
        initial_gradient_squared_accumulator_value: a positive float.
        l1_regularization_strength, l2_regularization_strength: floats or scalar tensors.
        use_locking: passed on to the kernel.
        name: name of the operations and slots.

    Raises:
        ValueError: ``initial_gradient_squared_accumulator_value`` is not positive.
    """

    def __init__(
        self,
        learning_rate: Any,
        global_step: Any,
        initial_gradient_squared_accumulator_value: float = 0.1,
        l1_regularization_strength: Any = 0.0,
        l2_regularization_strength: Any = 0.0,
        use_locking: bool = False,
        name: str = "AdagradDA",
    ) -> None:
        if initial_gradient_squared_accumulator_value <= 0.0:
            raise ValueError(
                "initial_gradient_squared_accumulator_value must be positive: "
                f"{initial_gradient_squared_accumulator_value}"
            )
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_gradient_squared_accumulator_value = initial_gradient_squared_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._global_step = global_step
        self._learning_rate_tensor: Any = None
        self._next_step: Any = None

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for var in var_list:
            create_filled_slot(self, var, 0.0, "gradient_accumulator")
            start = self._initial_gradient_squared_accumulator_value
            create_filled_slot(self, var, start, "gradient_squared_accumulator")

    def _prepare(self) -> None:
        self._learning_rate_tensor = self._tensor(self._learning_rate, "learning_rate")
        self._next_step = tf.cast(tf.convert_to_tensor(self._global_step) + 1, tf.int64)

    def _arguments(self, grad: Any, var: Any) -> dict[str, Any]:
        return {
            "var": var.handle,
            "gradient_accumulator": self._handle(var, "gradient_accumulator"),
            "gradient_squared_accumulator": self._handle(var, "gradient_squared_accumulator"),
            "grad": grad,
            "lr": cast(self._learning_rate_tensor, var),
            "l1": cast(self._l1_regularization_strength, var),
            "l2": cast(self._l2_regularization_strength, var),
            "global_step": self._next_step,
            "use_locking": self._use_locking,
        }

    def _update_dense(self, grad: Any, var: Any) -> Any:
        return kernel_for(var, "ResourceApplyAdagradDA")(**self._arguments(grad, var))

    def _update_sparse(self, values: Any, var: Any, indices: Any) -> Any:
        return kernel_for(var, "ResourceSparseApplyAdagradDA")(indices=indices, **self._arguments(values, var))
