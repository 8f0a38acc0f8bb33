"""Adagrad: each weight's rate shrinks with the sum of its squared gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from .. import counting
from .kernels import KernelOptimizer, cast

_SMALL = 1000
"""TF1 made one constant of fewer ones."""


class AdagradOptimizer(KernelOptimizer):
    """``a += g*g; w -= learning_rate * g / sqrt(a)``. Stands for ``tf.train.AdagradOptimizer``.

    The slot ``accumulator`` is called ``<variable>/Adagrad`` and starts at ``initial_accumulator_value``.

    Args:
        learning_rate: a float, a scalar tensor or variable, or a callable that gives one.
        initial_accumulator_value: a positive float.
        use_locking: passed on to the kernel.
        name: name of the operations and slots.

    Raises:
        ValueError: ``initial_accumulator_value`` is not positive.
    """

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value
        self._learning_rate_tensor: Any = None

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for var in var_list:
            create_filled_slot(self, var, self._initial_accumulator_value, "accumulator")

    def _prepare(self) -> None:
        self._learning_rate_tensor = self._tensor(self._learning_rate, "learning_rate")

    def _update_dense(self, grad: Any, var: Any) -> Any:
        return tf.raw_ops.ResourceApplyAdagrad(
            var=var.handle,
            accum=self._handle(var, "accumulator"),
            lr=cast(self._learning_rate_tensor, var),
            grad=grad,
            use_locking=self._use_locking,
        )

    def _update_sparse(self, values: Any, var: Any, indices: Any) -> Any:
        return tf.raw_ops.ResourceSparseApplyAdagrad(
            var=var.handle,
            accum=self._handle(var, "accumulator"),
            lr=cast(self._learning_rate_tensor, var),
            grad=values,
            indices=indices,
            use_locking=self._use_locking,
        )


def create_filled_slot(
    optimizer: Any, var: Any, value: float, slot_name: str, op_name: str | None = None, ones: bool = False
) -> Any:
    """Makes a slot of ``var`` that starts as ``value`` everywhere.

    Args:
        ones: TF1 filled it as its initializer of ones did: small ones were one constant.
    """

    def fill(shape: Any = None, dtype: Any = None, partition_info: Any = None) -> tf.Tensor:
        del partition_info
        with counting.counted(1 if not ones or (var.shape.num_elements() or 0) < _SMALL else 3):
            return tf.cast(tf.fill(tf.shape(var) if shape is None else shape, value), dtype or var.dtype)

    op_name = op_name or optimizer.get_name()
    return optimizer._get_or_make_slot_with_initializer(var, fill, var.shape, var.dtype, slot_name, op_name)
