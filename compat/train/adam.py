"""Adam: first and second moments of the gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from .. import counting
from .kernels import KernelOptimizer, cast


class AdamOptimizer(KernelOptimizer):
    """Adam (Kingma and Ba, 2015). Stands for ``tf.train.AdamOptimizer``.

    ``m = beta1*m + (1-beta1)*g``, ``v = beta2*v + (1-beta2)*g*g``, and
    ``w -= learning_rate * sqrt(1-beta2^t) / (1-beta1^t) * m / (sqrt(v) + epsilon)``. For sparse gradients all of
    ``m``, ``v`` and ``w`` change, also the rows without a gradient. Slots are ``m`` and ``v`` (``<variable>/Adam``
    and ``<variable>/Adam_1``); ``beta1_power`` and ``beta2_power`` hold the powers.

    Args:
        learning_rate, beta1, beta2, epsilon: floats, scalar tensors, or callables that give one.
        use_locking: passed on to the kernel.
        name: name of the operations and slots.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._beta1 = beta1
        self._beta2 = beta2
        self._epsilon = epsilon
        self._lr_t: Any = None
        self._beta1_t: Any = None
        self._beta2_t: Any = None
        self._epsilon_t: Any = None

    def _get_beta_accumulators(self) -> Any:
        return self._get_non_slot_variable("beta1_power"), self._get_non_slot_variable("beta2_power")

    def _powers(self) -> list[tuple[Any, Any]]:
        """The variables that hold powers of the betas, and what each step multiplies them by."""
        return list(zip(self._get_beta_accumulators(), (self._beta1_t, self._beta2_t), strict=True))

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        first = min(var_list, key=lambda var: str(var.name))
        self._create_non_slot_variable(self._beta1, "beta1_power", first)
        self._create_non_slot_variable(self._beta2, "beta2_power", first)
        for var in var_list:
            self._zeros_slot(var, "m", self._name)
            self._zeros_slot(var, "v", self._name)

    def _prepare(self) -> None:
        self._lr_t = self._tensor(self._lr, "learning_rate")
        self._beta1_t = self._tensor(self._beta1, "beta1")
        self._beta2_t = self._tensor(self._beta2, "beta2")
        self._epsilon_t = self._tensor(self._epsilon, "epsilon")

    def _update_dense(self, grad: Any, var: Any) -> Any:
        return self._apply_kernel(grad, var, use_nesterov=False)

    def _apply_kernel(self, grad: Any, var: Any, use_nesterov: bool) -> Any:
        beta1_power, beta2_power = self._get_beta_accumulators()
        return tf.raw_ops.ResourceApplyAdam(
            var=var.handle,
            m=self._handle(var, "m"),
            v=self._handle(var, "v"),
            beta1_power=cast(beta1_power, var),
            beta2_power=cast(beta2_power, var),
            lr=cast(self._lr_t, var),
            beta1=cast(self._beta1_t, var),
            beta2=cast(self._beta2_t, var),
            epsilon=cast(self._epsilon_t, var),
            grad=grad,
            use_locking=self._use_locking,
            use_nesterov=use_nesterov,
        )

    def _update_sparse(self, values: Any, var: Any, indices: Any) -> Any:
        return self._apply_sparse_shared(values, var, indices, self._resource_scatter_add)

    def _apply_sparse_shared(self, grad: Any, var: Any, indices: Any, scatter_add: Callable[..., Any]) -> Any:
        beta1_power, beta2_power = (cast(power, var) for power in self._get_beta_accumulators())
        beta1, beta2, epsilon = (cast(t, var) for t in (self._beta1_t, self._beta2_t, self._epsilon_t))
        rate = cast(self._lr_t, var) * tf.sqrt(1 - beta2_power) / (1 - beta1_power)
        m_t = self._decay_and_add(self.get_slot(var, "m"), beta1, indices, grad * (1 - beta1), scatter_add)
        v_t = self._decay_and_add(self.get_slot(var, "v"), beta2, indices, (grad * grad) * (1 - beta2), scatter_add)
        step = self._step_of(rate, m_t, v_t, epsilon)
        update = tf.raw_ops.AssignSubVariableOp(resource=var.handle, value=step)
        return None if update is None else tf.group(update, m_t, v_t)

    def _step_of(self, rate: Any, m_t: Any, v_t: Any, epsilon: Any) -> Any:
        return rate * m_t / (tf.sqrt(v_t) + epsilon)

    def _decay_and_add(self, slot: Any, decay: Any, indices: Any, values: Any, scatter_add: Callable[..., Any]) -> Any:
        decayed = tf.raw_ops.AssignVariableOp(resource=slot.handle, value=slot.read_value() * decay)
        with _after(decayed):
            return scatter_add(slot, indices, values)

    def _resource_scatter_add(self, x: Any, i: Any, v: Any) -> tf.Tensor:
        added = tf.raw_ops.ResourceScatterAdd(resource=x.handle, indices=i, updates=v)
        with _after(added):
            return x.read_value()

    def _finish(self, update_ops: Sequence[Any], name_scope: str) -> Any:
        updates = [op for op in update_ops if op is not None]
        with tf.control_dependencies(updates):
            for power, beta in self._powers():
                with counting.counted(0):  # TF1 multiplied the reference.
                    value = power.read_value()
                grown = tf.raw_ops.AssignVariableOp(resource=power.handle, value=value * beta)
                updates.append(grown)
        return tf.group(*[op for op in updates if op is not None], name=name_scope)


def _after(operation: Any) -> Any:
    return tf.control_dependencies([] if operation is None else [operation])
