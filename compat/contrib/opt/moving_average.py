"""An optimizer that keeps moving averages of what it trains."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ... import variables as tf1
from ...train.moving_averages import ExponentialMovingAverage
from ...train.optimizer import Optimizer
from ...train.saver import Saver
from ...train.slot_creator import name_of


class MovingAverageOptimizer(Optimizer):
    """Applies another optimizer's updates and averages the variables after each. Stands for
    ``tf.contrib.opt.MovingAverageOptimizer``.

    Save with :meth:`swapping_saver`: it writes the averages under the variables' names, so that evaluation restores
    them.

    Args:
        opt: the optimizer.
        average_decay: the averages' decay.
        num_updates: as for ``ExponentialMovingAverage``.
        sequential_update: average after the update, not beside it.
    """

    def __init__(
        self, opt: Any, average_decay: Any = 0.9999, num_updates: Any = None, sequential_update: bool = True
    ) -> None:
        super().__init__(use_locking=False, name="MovingAverage")
        self._optimizer = opt
        self._track_trackable(opt, "optimizer")
        self._ema = ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._swapped: dict[str, str] | None = None
        self._sequential_update = sequential_update

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        pairs = list(grads_and_vars)
        trained = [variable for grad, variable in pairs if grad is not None]
        # The averages start from the values before the first update.
        self._ema.create_averages(trained)
        train_op = self._optimizer.apply_gradients(pairs, global_step=global_step, name=name)
        waits = self._sequential_update and train_op is not None
        with tf.control_dependencies([train_op] if waits else []):
            average_op = self._ema.apply(trained)
        self._swapped = {}
        for variable in trained:
            name_now, average_name = name_of(variable), name_of(self._ema.average(variable))
            self._swapped[name_now], self._swapped[average_name] = average_name, name_now
        return tf.group(*[op for op in (train_op, average_op) if op is not None], name="train_with_avg")

    def get_slot(self, var: Any, name: str) -> Any:
        return self._optimizer.get_slot(var, name)

    def get_slot_names(self) -> list[str]:
        return list(self._optimizer.get_slot_names())

    def variables(self) -> list[tf.Variable]:
        return list(self._optimizer.variables())

    def swapping_saver(self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any) -> Saver:
        """A ``Saver`` that exchanges variables and averages: each is saved under the other's name.

        Args:
            var_list: variables, or a dict of names to variables; all global variables when None.
            name: name of the saver.
            **kwargs: the saver's other arguments.

        Raises:
            RuntimeError: nothing has been applied yet.
            ValueError: a variable is to be saved without its average.
        """
        if self._swapped is None:
            raise RuntimeError("Must call apply_gradients or minimize before creating the swapping_saver")
        items = tf1.global_variables() if var_list is None else var_list
        named = dict(items) if isinstance(items, dict) else {name_of(variable): variable for variable in items}
        swapped = {}
        for key, variable in named.items():
            other = self._swapped.get(key)
            if other is not None and other not in named:
                raise ValueError(
                    f"Variable to swap {other} is not part of variables to save. This breaks MovingAverageOptimizer."
                )
            swapped[key] = variable if other is None else named[other]
        return Saver(swapped, name=name, **kwargs)
