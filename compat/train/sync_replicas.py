"""Gradients averaged over workers, for one worker."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from .. import variables as tf1
from .optimizer import Optimizer
from .session_run_hook import SessionRunHook


class _NothingToStart:
    """Stands for the queue runner of TF1's chief, which applied what the workers had gathered."""

    def create_threads(self, sess: Any, **options: Any) -> list[threading.Thread]:
        """None: each run applies its own gradients."""
        return []


class SyncReplicasOptimizer(Optimizer):
    """Wraps an optimizer whose gradients TF1 averaged over workers. Stands for ``tf.train.SyncReplicasOptimizer``.

    With one worker there is nothing to wait for: each run applies its gradients at once. TF1 did the same when its
    hook was made with ``num_tokens=0``; with the default its worker began one step ahead, so that the gradients of the
    second run came too late and were dropped: one run more for the same steps.

    >>> optimizer = compat.train.SyncReplicasOptimizer(compat.train.GradientDescentOptimizer(0.1), 1)
    >>> hook = optimizer.make_session_run_hook(is_chief=True)

    Args:
        opt: the optimizer.
        replicas_to_aggregate, total_num_replicas: gradients a step, and workers; both 1.
        variable_averages: an ``ExponentialMovingAverage`` to update after each step, over
        variables_to_average: these variables.
        use_locking, name: accepted.

    Raises:
        ValueError: there are several workers; the message says what to do.
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
        if max(replicas_to_aggregate, total) > 1:
            raise ValueError(
                f"SyncReplicasOptimizer of {max(replicas_to_aggregate, total)} gradients: compat has one worker. Take "
                "the optimizer itself under tf.distribute.MultiWorkerMirroredStrategy (compat.train.worker_strategy), "
                "which sums over workers, and divide losses by the global batch (docs/distribution.md)."
            )
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
        """As the wrapped optimizer's, with the averages after it.

        Raises:
            ValueError: there are no gradients, or no ``global_step``.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        self._applied = True
        step = self._opt.apply_gradients(pairs, global_step, name)
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
