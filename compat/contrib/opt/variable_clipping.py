"""An optimizer that keeps the norms of variables' slices below a bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf

from ... import variables as tf1
from ...train.op_names import exact_name
from ...train.optimizer import Optimizer
from ...train.slot_creator import name_of


class VariableClippingOptimizer(Optimizer):
    """Clips variables after another optimizer's updates. Stands for ``tf.contrib.opt.VariableClippingOptimizer``.

    Args:
        opt: the optimizer.
        vars_to_clip_dims: variables (or ``variable.ref()``) to the axes over which their norms are taken.
        max_norm: the bound.
        use_locking, colocate_clip_ops_with_vars: accepted.
        name: name of the operations.
    """

    def __init__(
        self,
        opt: Any,
        vars_to_clip_dims: Mapping[Any, Sequence[int]],
        max_norm: float,
        use_locking: bool = False,
        colocate_clip_ops_with_vars: bool = False,
        name: str = "VariableClipping",
    ) -> None:
        del colocate_clip_ops_with_vars
        super().__init__(use_locking, name)
        self._opt = opt
        self._track_trackable(opt, "optimizer")
        self._clip_dims = {_variable(key).ref(): list(dims) for key, dims in vars_to_clip_dims.items()}
        self._max_norm = max_norm

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        return self._opt.compute_gradients(*args, **kwargs)

    def get_slot(self, var: Any, name: str) -> Any:
        return self._opt.get_slot(var, name)

    def get_slot_names(self) -> list[str]:
        return list(self._opt.get_slot_names())

    def variables(self) -> list[tf.Variable]:
        return list(self._opt.variables())

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        pairs = list(grads_and_vars)
        with tf1.name_scope(name, self._name) as scope:
            updated = self._opt.apply_gradients(pairs, global_step=global_step)
            operations = [updated]
            with tf.control_dependencies([] if updated is None else [updated]):
                for grad, variable in pairs:
                    dims = self._clip_dims.get(variable.ref())
                    if grad is not None and dims is not None:
                        with tf1.name_scope(f"clip_{name_of(variable)}"):
                            operations.append(self._clip(grad, variable, dims))
            return tf.group(*[operation for operation in operations if operation is not None], name=exact_name(scope))

    def _clip(self, grad: Any, variable: Any, dims: list[int]) -> Any:
        if not isinstance(grad, tf.IndexedSlices) or 0 in dims:
            value = variable.read_value()
            excess = value - tf.clip_by_norm(value, self._max_norm, dims)
            return tf.raw_ops.AssignSubVariableOp(resource=variable.handle, value=excess)
        rows = tf.gather(variable.read_value(), grad.indices)
        excess = rows - tf.clip_by_norm(rows, self._max_norm, dims)
        return tf.raw_ops.ResourceScatterSub(resource=variable.handle, indices=grad.indices, updates=excess)


def _variable(key: Any) -> Any:
    return key if isinstance(key, tf.Variable) else key.deref()
