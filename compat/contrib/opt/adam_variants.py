"""Adam's relatives: lazy, with Nesterov's momentum, and with the maximum norm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ...train.adam import AdamOptimizer
from ...train.kernels import cast


class LazyAdamOptimizer(AdamOptimizer):
    """Adam that leaves alone the rows without a gradient. Stands for ``tf.contrib.opt.LazyAdamOptimizer``."""

    def _update_sparse(self, values: Any, var: Any, indices: Any) -> Any:
        beta1_power, beta2_power = (cast(power, var) for power in self._get_beta_accumulators())
        beta1, beta2, epsilon = (cast(t, var) for t in (self._beta1_t, self._beta2_t, self._epsilon_t))
        rate = cast(self._lr_t, var) * tf.sqrt(1 - beta2_power) / (1 - beta1_power)
        m, v = self._handle(var, "m"), self._handle(var, "v")
        m_rows = beta1 * tf.gather(self.get_slot(var, "m"), indices) + (1 - beta1) * values
        v_rows = beta2 * tf.gather(self.get_slot(var, "v"), indices) + (1 - beta2) * tf.square(values)
        step = rate * m_rows / (tf.sqrt(v_rows) + epsilon)
        return _group(
            tf.raw_ops.ResourceScatterUpdate(resource=m, indices=indices, updates=m_rows),
            tf.raw_ops.ResourceScatterUpdate(resource=v, indices=indices, updates=v_rows),
            tf.raw_ops.ResourceScatterSub(resource=var.handle, indices=indices, updates=step),
        )


class NadamOptimizer(AdamOptimizer):
    """Adam with Nesterov's momentum (Dozat, 2016). Stands for ``tf.contrib.opt.NadamOptimizer``."""

    def _update_dense(self, grad: Any, var: Any) -> Any:
        return self._apply_kernel(grad, var, use_nesterov=True)

    def _apply_sparse_shared(self, grad: Any, var: Any, indices: Any, scatter_add: Callable[..., Any]) -> Any:
        beta1_power, beta2_power = (cast(power, var) for power in self._get_beta_accumulators())
        beta1, beta2, epsilon = (cast(t, var) for t in (self._beta1_t, self._beta2_t, self._epsilon_t))
        rate = cast(self._lr_t, var) * tf.sqrt(1 - beta2_power) / (1 - beta1_power)
        scaled = grad * (1 - beta1)
        m_t = self._decay_and_add(self.get_slot(var, "m"), beta1, indices, scaled, scatter_add)
        v_t = self._decay_and_add(self.get_slot(var, "v"), beta2, indices, (grad * grad) * (1 - beta2), scatter_add)
        m_bar = scaled + beta1 * tf.gather(m_t, indices)
        step = -rate * m_bar / (tf.sqrt(tf.gather(v_t, indices)) + epsilon)
        return _group(scatter_add(var, indices, step), m_bar, v_t)


class AdaMaxOptimizer(AdamOptimizer):
    """AdaMax (Kingma and Ba, 2015), whose ``v`` is the largest recent gradient. Stands for
    ``tf.contrib.opt.AdaMaxOptimizer``.

    Of a sparse gradient only the rows that it has change.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "AdaMax",
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        self._create_non_slot_variable(self._beta1, "beta1_power", min(var_list, key=lambda var: str(var.name)))
        for var in var_list:
            self._zeros_slot(var, "m", self._name)
            self._zeros_slot(var, "v", self._name)

    def _powers(self) -> list[tuple[Any, Any]]:
        return [(self._get_beta_accumulators(), self._beta1_t)]

    def _get_beta_accumulators(self) -> Any:
        return self._get_non_slot_variable("beta1_power")

    def _update_dense(self, grad: Any, var: Any) -> Any:
        return tf.raw_ops.ResourceApplyAdaMax(
            var=var.handle,
            m=self._handle(var, "m"),
            v=self._handle(var, "v"),
            beta1_power=cast(self._get_beta_accumulators(), var),
            lr=cast(self._lr_t, var),
            beta1=cast(self._beta1_t, var),
            beta2=cast(self._beta2_t, var),
            epsilon=cast(self._epsilon_t, var),
            grad=grad,
            use_locking=self._use_locking,
        )

    def _update_sparse(self, values: Any, var: Any, indices: Any) -> Any:
        beta1, beta2, epsilon = (cast(t, var) for t in (self._beta1_t, self._beta2_t, self._epsilon_t))
        power = cast(self._get_beta_accumulators(), var)
        m, v = self._handle(var, "m"), self._handle(var, "v")
        m_rows = tf.gather(self.get_slot(var, "m"), indices) * beta1 + values * (1 - beta1)
        v_rows = tf.maximum(tf.gather(self.get_slot(var, "v"), indices) * beta2, tf.abs(values))
        step = -cast(self._lr_t, var) / (1 - power) * (m_rows / (v_rows + epsilon))
        return _group(
            tf.raw_ops.ResourceScatterUpdate(resource=m, indices=indices, updates=m_rows),
            tf.raw_ops.ResourceScatterUpdate(resource=v, indices=indices, updates=v_rows),
            tf.raw_ops.ResourceScatterAdd(resource=var.handle, indices=indices, updates=step),
        )


def _group(*operations: Any) -> Any:
    return tf.group(*[operation for operation in operations if operation is not None])
