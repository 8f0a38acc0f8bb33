"""What the built-in optimizers share: one dense and one sparse kernel serve every way in which TF1 called them."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from .optimizer import Optimizer


class KernelOptimizer(Optimizer):
    """An optimizer that is one update kernel. Subclasses define ``_update_dense`` and ``_update_sparse``.

    TF1 had each method twice, for its reference variables (``_apply_dense``) and for resource variables; programs
    override either and call either of the base class, so both are here and do the same.
    """

    def _update_dense(self, grad: Any, var: Any) -> Any:
        raise NotImplementedError

    def _update_sparse(self, values: Any, var: Any, indices: Any) -> Any:
        raise NotImplementedError

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return self._update_dense(grad, var)

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return self._update_dense(grad, handle)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return self._update_sparse(grad.values, var, grad.indices)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        return self._update_sparse(grad, handle, indices)

    def _tensor(self, value: Any, name: str) -> tf.Tensor:
        """A hyperparameter, which may be a callable, as a tensor."""
        return tf.convert_to_tensor(self._call_if_callable(value), name=name)

    def _handle(self, var: Any, slot_name: str) -> tf.Tensor:
        slot = self.get_slot(var, slot_name)
        assert slot is not None
        return slot.handle


def cast(value: Any, var: Any) -> tf.Tensor:
    """``value`` in the dtype of the variable that it updates."""
    return tf.cast(value, var.dtype)
