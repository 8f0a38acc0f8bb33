"""FTRL-Proximal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from .. import counting
from .adagrad import create_filled_slot
from .kernels import KernelOptimizer, cast


class FtrlOptimizer(KernelOptimizer):
    """Follow the regularized leader (McMahan et al., 2013). Stands for ``tf.train.FtrlOptimizer``.

    Slots are ``accum`` (``<variable>/Ftrl``, starts at ``initial_accumulator_value``) and ``linear`` (``…/Ftrl_1``).

    Args:
        learning_rate: a float or a scalar tensor.
        learning_rate_power: how the rate falls with the accumulator; at most 0, -0.5 is one over the square root.
        initial_accumulator_value: at least 0.
        l1_regularization_strength, l2_regularization_strength: at least 0.
        use_locking: passed on to the kernel.
        name: name of the operations and slots.
        accum_name, linear_name: last parts of the slots' names; ``name`` when None.
        l2_shrinkage_regularization_strength: at least 0; a penalty that acts on the gradient only.

    Raises:
        ValueError: a value is outside its range.
    """

    def __init__(
        self,
        learning_rate: Any,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "Ftrl",
        accum_name: str | None = None,
        linear_name: str | None = None,
        l2_shrinkage_regularization_strength: float = 0.0,
    ) -> None:
        super().__init__(use_locking, name)
        if learning_rate_power > 0.0:
            raise ValueError(f"learning_rate_power {learning_rate_power:f} needs to be negative or zero")
        for label, value in (
            ("initial_accumulator_value", initial_accumulator_value),
            ("l1_regularization_strength", l1_regularization_strength),
            ("l2_regularization_strength", l2_regularization_strength),
            ("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength),
        ):
            if value < 0.0:
                raise ValueError(f"{label} {value:f} needs to be positive or zero")
        self._learning_rate = learning_rate
        self._learning_rate_power = learning_rate_power
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength
        self._accum_name = accum_name
        self._linear_name = linear_name
        self._hyper: dict[str, tf.Tensor] = {}

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for var in var_list:
            create_filled_slot(self, var, self._initial_accumulator_value, "accum", self._accum_name)
            self._zeros_slot(var, "linear", self._linear_name or self._name)

    def _prepare(self) -> None:
        hyper = {
            "lr": self._tensor(self._learning_rate, "learning_rate"),
            "l1": self._tensor(self._l1_regularization_strength, "l1_regularization_strength"),
            "l2": self._tensor(self._l2_regularization_strength, "l2_regularization_strength"),
            "lr_power": self._tensor(self._learning_rate_power, "learning_rate_power"),
        }
        if self._l2_shrinkage_regularization_strength <= 0.0:
            counting.add(1)  # TF1 made it in any case.
        else:
            strength = self._l2_shrinkage_regularization_strength
            hyper["l2_shrinkage"] = self._tensor(strength, "l2_shrinkage_regularization_strength")
        self._hyper = hyper

    def _arguments(self, grad: Any, var: Any) -> dict[str, Any]:
        return {
            "var": var.handle,
            "accum": self._handle(var, "accum"),
            "linear": self._handle(var, "linear"),
            "grad": grad,
            "use_locking": self._use_locking,
            **{name: cast(value, var) for name, value in self._hyper.items()},
        }

    def _update_dense(self, grad: Any, var: Any) -> Any:
        shrinks = self._l2_shrinkage_regularization_strength > 0.0
        kernel = tf.raw_ops.ResourceApplyFtrlV2 if shrinks else tf.raw_ops.ResourceApplyFtrl
        return kernel(**self._arguments(grad, var))

    def _update_sparse(self, values: Any, var: Any, indices: Any) -> Any:
        shrinks = self._l2_shrinkage_regularization_strength > 0.0
        kernel = tf.raw_ops.ResourceSparseApplyFtrlV2 if shrinks else tf.raw_ops.ResourceSparseApplyFtrl
        return kernel(indices=indices, **self._arguments(values, var))
