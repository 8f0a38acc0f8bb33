"""Optimizers that compare the signs of gradient and momentum."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ...train.kernels import KernelOptimizer, cast


class _SignOptimizer(KernelOptimizer):
    """What AddSign and PowerSign share: the momentum ``m``, and a decay of the sign's weight over the steps."""

    def __init__(
        self, learning_rate: Any, beta: Any, sign_decay_fn: Callable[..., Any] | None, use_locking: bool, name: str
    ) -> None:
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._beta = beta
        self._sign_decay_fn = sign_decay_fn
        self._lr_t: Any = None
        self._beta_t: Any = None
        self._sign_decay_t: Any = None

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        decay = 1.0 if self._sign_decay_fn is None else self._sign_decay_fn(global_step)
        self._sign_decay_t = tf.convert_to_tensor(decay, name="sign_decay")
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for var in var_list:
            self._zeros_slot(var, "m", self._name)

    def _prepare(self) -> None:
        self._lr_t = self._tensor(self._lr, "learning_rate")
        self._beta_t = self._tensor(self._beta, "beta")

    def _arguments(self, grad: Any, var: Any) -> dict[str, Any]:
        return {
            "var": var.handle,
            "m": self._handle(var, "m"),
            "lr": cast(self._lr_t, var),
            "sign_decay": cast(self._sign_decay_t, var),
            "beta": cast(self._beta_t, var),
            "grad": grad,
            "use_locking": self._use_locking,
        }

    def _multiplier(self, agreement: tf.Tensor, var: Any) -> tf.Tensor:
        """What rows are multiplied by; ``agreement`` is the decayed product of the two signs."""
        raise NotImplementedError

    def _update_sparse(self, values: Any, var: Any, indices: Any) -> Any:
        # The momentum is one dense tensor: it decays in every row.
        beta = cast(self._beta_t, var)
        m = self.get_slot(var, "m")
        assert m is not None
        dense = tf.math.unsorted_segment_sum(values, indices, tf.shape(m)[0])
        m_t = m.read_value() * beta + dense * (1 - beta)
        updated = tf.raw_ops.AssignVariableOp(resource=m.handle, value=m_t)
        agreement = tf.gather(tf.sign(m_t), indices) * tf.sign(values)
        multiplier = self._multiplier(cast(self._sign_decay_t, var) * agreement, var)
        step = cast(self._lr_t, var) * multiplier * values
        subtracted = tf.raw_ops.ResourceScatterSub(resource=var.handle, indices=indices, updates=step)
        return None if updated is None else tf.group(updated, subtracted)


class AddSignOptimizer(_SignOptimizer):
    """``w -= learning_rate * (alpha + decay * sign(g) * sign(m)) * g`` (Bello et al., 2017).

    Stands for ``tf.contrib.opt.AddSignOptimizer``. The slot ``m`` is called ``<variable>/AddSignOptimizer``.

    Args:
        learning_rate, alpha, beta: floats or scalar tensors; ``beta`` is the momentum's decay.
        sign_decay_fn: from the global step to ``decay``; 1 by default.
        use_locking: passed on to the kernel.
        name: name of the operations and slots.
    """

    def __init__(
        self,
        learning_rate: Any = 0.1,
        alpha: Any = 1.0,
        beta: Any = 0.9,
        sign_decay_fn: Callable[..., Any] | None = None,
        use_locking: bool = False,
        name: str = "AddSignOptimizer",
    ) -> None:
        super().__init__(learning_rate, beta, sign_decay_fn, use_locking, name)
        self._alpha = alpha
        self._alpha_t: Any = None

    def _prepare(self) -> None:
        super()._prepare()
        self._alpha_t = self._tensor(self._alpha, "alpha")

    def _update_dense(self, grad: Any, var: Any) -> Any:
        return tf.raw_ops.ResourceApplyAddSign(alpha=cast(self._alpha_t, var), **self._arguments(grad, var))

    def _multiplier(self, agreement: tf.Tensor, var: Any) -> tf.Tensor:
        return cast(self._alpha_t, var) + agreement


class PowerSignOptimizer(_SignOptimizer):
    """``w -= learning_rate * base ** (decay * sign(g) * sign(m)) * g`` (Bello et al., 2017).

    Stands for ``tf.contrib.opt.PowerSignOptimizer``. The slot ``m`` is called ``<variable>/PowerSignOptimizer``.

    Args:
        learning_rate, beta: floats or scalar tensors; ``beta`` is the momentum's decay.
        base: a positive float.
        sign_decay_fn: from the global step to ``decay``; 1 by default.
        use_locking: passed on to the kernel.
        name: name of the operations and slots.
    """

    def __init__(
        self,
        learning_rate: Any = 0.1,
        base: float = math.e,
        beta: Any = 0.9,
        sign_decay_fn: Callable[..., Any] | None = None,
        use_locking: bool = False,
        name: str = "PowerSignOptimizer",
    ) -> None:
        super().__init__(learning_rate, beta, sign_decay_fn, use_locking, name)
        self._logbase = math.log(base)
        self._logbase_t: Any = None

    def _prepare(self) -> None:
        super()._prepare()
        self._logbase_t = self._tensor(self._logbase, "logbase")

    def _update_dense(self, grad: Any, var: Any) -> Any:
        return tf.raw_ops.ResourceApplyPowerSign(logbase=cast(self._logbase_t, var), **self._arguments(grad, var))

    def _multiplier(self, agreement: tf.Tensor, var: Any) -> tf.Tensor:
        return tf.pow(tf.cast(math.e, var.dtype), cast(self._logbase_t, var) * agreement)
