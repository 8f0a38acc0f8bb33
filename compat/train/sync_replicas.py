"""Gradients averaged over workers."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from .. import variables as tf1
from .optimizer import Optimizer
from .session_run_hook import SessionRunHook
from .workers import current_workers


class _NothingToStart:
    """Stands for the queue runner of TF1's chief, which applied what the workers had gathered."""

    def create_threads(self, sess: Any, **options: Any) -> list[threading.Thread]:
        """None: each run applies its own gradients."""
        return []


class SyncReplicasOptimizer(Optimizer):
    """Wraps an optimizer whose gradients TF1 averaged over workers. Stands for ``tf.train.SyncReplicasOptimizer``.

    Each run of a worker waits for the gradients of all others, and every worker applies their mean to its own copy of
    the variables (``compat.train.Server`` connects the workers). One worker alone applies its gradients at once. TF1
    did the same when its hook was made with ``num_tokens=0``; with the default its workers began one step ahead, so
    that the gradients of the second run came too late and were dropped: one run more for the same steps.

    What else a run updates, as the moving averages of batch normalization, is each worker's own; the chief's is saved.
    TF1's workers updated one copy, in no order.

    >>> optimizer = compat.train.SyncReplicasOptimizer(compat.train.GradientDescentOptimizer(0.1), 1)
    >>> hook = optimizer.make_session_run_hook(is_chief=True)

    Args:
        opt: the optimizer.
        replicas_to_aggregate, total_num_replicas: gradients a step, and workers; both the number of workers.
        variable_averages: an ``ExponentialMovingAverage`` to update after each step, over
        variables_to_average: these variables.
        use_locking, name: accepted.

    Raises:
        ValueError: the numbers are not those of the workers.
    """

    def __init__(
        self,
        opt: Optimizer,
        replicas_to_aggregate: int,
        total_num_replicas: int | None = None,
        variable_averages: Any = None,
        variables_to_average: Sequence[Any] | None = None,
        use_locking: bool = False,
        name: str = "sync_replicas",
    ) -> None:
        total = replicas_to_aggregate if total_num_replicas is None else total_num_replicas
        _check_counts(replicas_to_aggregate, total)
        if (variable_averages is None) != (variables_to_average is None):
            raise ValueError("variable_averages and variables_to_average go together: give both or none")
        super().__init__(use_locking, name)
        self._opt = opt
        self._averages = variable_averages
        self._averaged = list(variables_to_average or ())
        self._applied = False

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """As the wrapped optimizer's."""
        return self._opt.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """As the wrapped optimizer's, of the means over the workers, with the averages after it.

        Raises:
            ValueError: there are no gradients, or no ``global_step``; or several workers have gradients that are
                ``IndexedSlices``.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        self._applied = True
        step = self._opt.apply_gradients(_averaged(pairs), global_step, name)
        if self._averages is None:
            return step
        with tf.control_dependencies([step]):
            return tf.group(self._averages.apply(self._averaged), name=name)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """As the wrapped optimizer's."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> list[str]:
        """As the wrapped optimizer's."""
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self) -> list[tf.Variable]:
        """As the wrapped optimizer's."""
        return self._opt.variables()

    def make_session_run_hook(self, is_chief: bool, num_tokens: int = -1) -> SessionRunHook:
        """A hook that does nothing: there are no tokens to hand out."""
        del is_chief, num_tokens
        return SessionRunHook()

    def get_chief_queue_runner(self) -> _NothingToStart:
        """For ``Supervisor.start_queue_runners``; starts nothing.

        Raises:
            ValueError: no gradients were applied yet.
        """
        self._check_applied("get_chief_queue_runner")
        return _NothingToStart()

    def get_init_tokens_op(self, num_tokens: int = -1) -> tf.Operation:
        """Does nothing when it is run.

        Raises:
            ValueError: no gradients were applied yet.
        """
        del num_tokens
        self._check_applied("get_init_tokens_op")
        return tf.group()

    @property
    def chief_init_op(self) -> tf.Operation:
        """For a supervisor's ``local_init_op``; does nothing when it is run."""
        return tf.group()

    @property
    def local_step_init_op(self) -> tf.Operation:
        """As ``chief_init_op``, of the other workers."""
        return tf.group()

    @property
    def ready_for_local_init_op(self) -> Any:
        """The names of global variables that have no value yet."""
        return tf1.report_uninitialized_variables(tf1.global_variables())

    def _check_applied(self, method: str) -> None:
        if not self._applied:
            raise ValueError(f"{method}() should be called after apply_gradients().")


def _check_counts(wanted: int, total: int) -> None:
    group = current_workers()
    workers = 1 if group is None else group.size
    if (wanted, total) == (workers, workers):
        return
    raise ValueError(
        f"SyncReplicasOptimizer of {wanted} gradients a step and {total} workers, where compat has {workers} of them: "
        "each step takes one gradient of each worker. Several workers need a compat.train.Server, made first; TF1 "
        "dropped the gradients of late workers (docs/distribution.md)."
    )


def _averaged(pairs: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """The pairs with the means of the gradients over the workers."""
    group = current_workers()
    if group is None:
        return list(pairs)
    dense = [(gradient, variable) for gradient, variable in pairs if gradient is not None]
    for gradient, variable in dense:
        if isinstance(gradient, tf.IndexedSlices):
            raise ValueError(
                f"The gradient of {variable.name} is IndexedSlices, which TF1 merged over workers by the order of "
                "their indices. For the mean of all its rows pass `tf.convert_to_tensor(gradient)` to apply_gradients."
            )
    means = iter(group.mean([gradient for gradient, _ in dense]))
    return [(None if gradient is None else next(means), variable) for gradient, variable in pairs]
