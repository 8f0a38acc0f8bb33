"""Weight decay that is not part of the gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ...train.adam import AdamOptimizer
from ...train.momentum import MomentumOptimizer
from ...train.optimizer import Optimizer
from ...train.updates import apply_dense, apply_sparse


class DecoupledWeightDecayExtension:
    """Adds ``w -= weight_decay * w`` before each update (Loshchilov and Hutter, 2017).

    Stands for ``tf.contrib.opt.DecoupledWeightDecayExtension``; inherit from it first and from an optimizer second.
    The decay is not multiplied by the learning rate. Of a sparse gradient only the rows that it has decay.

    Args:
        weight_decay: a float, a scalar tensor, or a callable that gives one.
        **kwargs: the optimizer's arguments.
    """

    def __init__(self, weight_decay: Any, **kwargs: Any) -> None:
        self._decay_var_list: list[Any] = []
        self._weight_decay = weight_decay
        self._weight_decay_tensor: Any = None
        super().__init__(**kwargs)

    def minimize(
        self,
        loss: Any,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
        decay_var_list: Sequence[Any] | None = None,
    ) -> Any:
        """As ``Optimizer.minimize``; ``decay_var_list`` says what decays, all that is trained by default."""
        base: Any = super()
        pairs = base.compute_gradients(
            loss,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            grad_loss=grad_loss,
        )
        return self.apply_gradients(pairs, global_step, name, decay_var_list)

    def apply_gradients(
        self,
        grads_and_vars: Any,
        global_step: Any = None,
        name: str | None = None,
        decay_var_list: Sequence[Any] | None = None,
    ) -> Any:
        """As ``Optimizer.apply_gradients``; ``decay_var_list`` says what decays, all that is trained by default."""
        self._decay_var_list = list(decay_var_list or ())
        base: Any = super()
        return base.apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _prepare(self) -> None:
        decay = self._weight_decay() if callable(self._weight_decay) else self._weight_decay
        self._weight_decay_tensor = tf.convert_to_tensor(decay, name="weight_decay")
        base: Any = super()
        base._prepare()

    def _decays(self, var: Any) -> bool:
        return not self._decay_var_list or any(var is decaying for decaying in self._decay_var_list)

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        with self._after_decay(grad, var):
            return apply_dense(self, grad, var, below=DecoupledWeightDecayExtension)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        with self._after_decay(grad.values, var, grad.indices):
            return apply_sparse(self, grad, var, below=DecoupledWeightDecayExtension)

    def _after_decay(self, grad: Any, var: Any, indices: Any = None) -> Any:
        if not self._decays(var):
            return tf.control_dependencies([])
        rate = tf.cast(self._weight_decay_tensor, var.dtype)
        # TF1 let the decay run at any time; only after the gradient is it sure to change no value of this step.
        with tf.control_dependencies([grad]):
            if indices is None:
                decayed = tf.raw_ops.AssignSubVariableOp(resource=var.handle, value=rate * var.read_value())
            else:
                rows = -rate * tf.gather(var.read_value(), indices)
                decayed = tf.raw_ops.ResourceScatterAdd(resource=var.handle, indices=indices, updates=rows)
        return tf.control_dependencies([] if decayed is None else [decayed])


def extend_with_decoupled_weight_decay(base_optimizer: type[Any]) -> type[Any]:
    """A subclass of ``base_optimizer`` that takes ``weight_decay`` first.

    Stands for ``tf.contrib.opt.extend_with_decoupled_weight_decay``.

    >>> AdamW = compat.contrib.opt.extend_with_decoupled_weight_decay(compat.train.AdamOptimizer)
    >>> optimizer = AdamW(weight_decay=1e-4, learning_rate=1e-3)
    """

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):  # type: ignore[misc]
        pass

    return OptimizerWithDecoupledWeightDecay


class MomentumWOptimizer(DecoupledWeightDecayExtension, MomentumOptimizer):
    """Momentum with decoupled weight decay. Stands for ``tf.contrib.opt.MomentumWOptimizer``."""

    def __init__(
        self,
        weight_decay: Any,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "MomentumW",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(
            weight_decay,
            learning_rate=learning_rate,
            momentum=momentum,
            use_locking=use_locking,
            name=name,
            use_nesterov=use_nesterov,
        )


class AdamWOptimizer(DecoupledWeightDecayExtension, AdamOptimizer):
    """Adam with decoupled weight decay. Stands for ``tf.contrib.opt.AdamWOptimizer``."""

    def __init__(
        self,
        weight_decay: Any,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "AdamW",
    ) -> None:
        super().__init__(
            weight_decay,
            learning_rate=learning_rate,
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
            use_locking=use_locking,
            name=name,
        )
