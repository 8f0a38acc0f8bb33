"""Layer-wise adaptive rates, for large batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ...train.momentum import MomentumOptimizer


class LARSOptimizer(MomentumOptimizer):
    """LARS (You et al., 2017). Stands for ``tf.contrib.opt.LARSOptimizer``.

    The gradient ``g + weight_decay * w`` is scaled by ``learning_rate * eeta * |w| / (|g| + weight_decay * |w| +
    epsilon)`` and enters the momentum, whose slot is called ``<variable>/LARSOptimizer``. Sparse gradients are
    applied as plain momentum does.

    Args:
        learning_rate: a float, a scalar tensor, or a callable that gives one.
        momentum, weight_decay: at least 0.
        eeta: the coefficient of trust.
        epsilon: added to the denominator.
        name: name of the operations and slots.
        skip_list: parts of names: variables that match are neither scaled nor decayed.
        use_nesterov: take the gradient's step from where the momentum leads to.

    Raises:
        ValueError: ``momentum`` or ``weight_decay`` is negative.
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: float = 0.9,
        weight_decay: float = 0.0001,
        eeta: float = 0.001,
        epsilon: float = 0.0,
        name: str = "LARSOptimizer",
        skip_list: Sequence[str] | None = None,
        use_nesterov: bool = False,
    ) -> None:
        if momentum < 0.0:
            raise ValueError(f"momentum should be positive: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"weight_decay should be positive: {weight_decay}")
        super().__init__(learning_rate, momentum, use_locking=False, name=name, use_nesterov=use_nesterov)
        self._weight_decay = weight_decay
        self._eeta = eeta
        self._epsilon = epsilon
        self._skip_list = skip_list

    def compute_lr(self, grad: Any, var: Any) -> tuple[Any, Any]:
        """The rate for ``var``, and the gradient with the weight decay added."""
        rate = tf.cast(self._learning_rate_tensor, var.dtype)
        if self._skip_list is not None and any(part in var.name for part in self._skip_list):
            return rate, grad
        value = tf.convert_to_tensor(var)
        w_norm, g_norm = tf.norm(value, ord=2), tf.norm(grad, ord=2)
        ratio = self._eeta * w_norm / (g_norm + self._weight_decay * w_norm + self._epsilon)
        trust = tf.where((w_norm > 0) & (g_norm > 0), ratio, tf.ones_like(ratio))
        return rate * trust, grad + self._weight_decay * value

    def _update_dense(self, grad: Any, var: Any) -> Any:
        rate, grad = self.compute_lr(grad, var)
        return tf.raw_ops.ResourceApplyMomentum(
            var=var.handle,
            accum=self._handle(var, "momentum"),
            lr=tf.ones([], var.dtype),
            grad=grad * rate,
            momentum=tf.cast(self._momentum_tensor, var.dtype),
            use_locking=False,
            use_nesterov=self._use_nesterov,
        )
