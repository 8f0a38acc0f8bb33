"""Adagrad whose accumulators can be held still."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from ...train.adagrad import AdagradOptimizer
from ...train.kernels import cast


class RegAdagradOptimizer(AdagradOptimizer):
    """Adagrad that can apply a regularizer's gradients without counting them.

    Stands for ``tf.contrib.opt.RegAdagradOptimizer``.

    >>> w, optimizer = tf.Variable(1.0), compat.contrib.opt.RegAdagradOptimizer(0.1)
    >>> with store, optimizer.avoid_updating_slots():
    ...     _ = optimizer.apply_gradients([(tf.constant(0.5), w)])
    """

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "RegAdagrad",
    ) -> None:
        super().__init__(learning_rate, initial_accumulator_value, use_locking, name)
        self._should_update_slots = True

    @contextlib.contextmanager
    def avoid_updating_slots(self) -> Iterator[None]:
        """Updates made inside read the accumulators and leave them as they are."""
        before, self._should_update_slots = self._should_update_slots, False
        try:
            yield
        finally:
            self._should_update_slots = before

    def _arguments(self, grad: Any, var: Any) -> dict[str, Any]:
        return {
            "var": var.handle,
            "accum": self._handle(var, "accumulator"),
            "lr": cast(self._learning_rate_tensor, var),
            "grad": grad,
            "use_locking": self._use_locking,
            "update_slots": self._should_update_slots,
        }

    def _update_dense(self, grad: Any, var: Any) -> Any:
        return tf.raw_ops.ResourceApplyAdagrad(**self._arguments(grad, var))

    def _update_sparse(self, values: Any, var: Any, indices: Any) -> Any:
        return tf.raw_ops.ResourceSparseApplyAdagrad(indices=indices, **self._arguments(values, var))
