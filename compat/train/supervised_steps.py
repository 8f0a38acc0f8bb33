"""What a supervisor did beside a session, for steps: it initializes, restores, saves, summarizes and stops."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..steps.configuration import configure
from ..steps.graph import StoreGraph, current_store_graph
from .store_sessions import StoreSessionManager
from .supervisor import Supervisor

_DEFAULT: Any = Supervisor.USE_DEFAULT


class SupervisedSteps(Supervisor):
    """Saves and summarizes beside steps. Stands for ``tf.train.Supervisor``, in one process.

    Steps between :meth:`prepare_steps` and :meth:`stop`, or in the block of :meth:`managed_steps`, begin with the
    values of the latest checkpoint in ``logdir``, or with first values, ``init_op`` and ``init_fn``; all that a session
    of TensorFlow 1 held (random sequences, queues, iterators) begins anew there. Behind it variables keep their values.
    The graph must not grow once this is made.

    >>> with compat.VariableStore():
    ...     with compat.building():
    ...         w = compat.get_variable("w", [], initializer=compat.constant_initializer(8.0))
    ...         counter = compat.train.get_or_create_global_step()
    ...         halve = tf.group(compat.assign(w, w / 2.0), compat.assign_add(counter, 1))
    ...     halve_step = compat.step(updates=[halve])
    ...     supervisor = compat.train.SupervisedSteps(summary_op=None)
    ...     with supervisor.managed_steps():
    ...         while not supervisor.should_stop():
    ...             _ = halve_step()
    ...             if supervisor.global_step.numpy() == 3:
    ...                 supervisor.request_stop()
    >>> w.numpy()
    np.float32(1.0)

    Args:
        graph: the graph of a store; that of the store that is entered when None.
        ready_op, ready_for_local_init_op, init_op, init_feed_dict, init_fn, local_init_op, logdir, summary_op, saver,
            global_step, save_summaries_secs, save_model_secs, stop_grace_secs, checkpoint_basename, summary_writer: as
            ``compat.train.Supervisor`` takes them. ``init_fn`` is given what runs the steps, and need not look at it.
        is_chief: taken where TensorFlow 1 took it; one process always is.
        recovery_wait_secs: taken as TensorFlow 1 took it; one process never waits.

    Raises:
        ValueError: ``is_chief`` is false, or a session manager is given.
    """

    def __init__(
        self,
        graph: StoreGraph | None = None,
        ready_op: Any = _DEFAULT,
        ready_for_local_init_op: Any = _DEFAULT,
        is_chief: bool = True,
        init_op: Any = _DEFAULT,
        init_feed_dict: Any = None,
        local_init_op: Any = _DEFAULT,
        logdir: str | None = None,
        summary_op: Any = _DEFAULT,
        saver: Any = _DEFAULT,
        global_step: Any = _DEFAULT,
        save_summaries_secs: float = 120,
        save_model_secs: float = 600,
        recovery_wait_secs: float = 30,
        stop_grace_secs: float = 120,
        checkpoint_basename: str = "model.ckpt",
        session_manager: None = None,
        summary_writer: Any = _DEFAULT,
        init_fn: Callable[[Any], Any] | None = None,
    ) -> None:
        if not is_chief:
            raise ValueError("Steps are supervised in one process, which is the chief: leave is_chief out")
        if session_manager is not None:
            raise ValueError("Steps have no sessions to manage: leave session_manager out")
        self._steps_graph = graph or current_store_graph()
        with self._steps_graph.building():
            super().__init__(
                graph=self._steps_graph,
                ready_op=ready_op,
                ready_for_local_init_op=ready_for_local_init_op,
                init_op=init_op,
                init_feed_dict=init_feed_dict,
                local_init_op=local_init_op,
                logdir=logdir,
                summary_op=summary_op,
                saver=saver,
                global_step=global_step,
                save_summaries_secs=save_summaries_secs,
                save_model_secs=save_model_secs,
                recovery_wait_secs=recovery_wait_secs,
                stop_grace_secs=stop_grace_secs,
                checkpoint_basename=checkpoint_basename,
                summary_writer=summary_writer,
                init_fn=init_fn,
            )
        given = None if init_op is _DEFAULT else init_op, None if local_init_op is _DEFAULT else local_init_op
        self.session_manager = StoreSessionManager(self._steps_graph, self, given)

    @contextlib.contextmanager
    def managed_steps(
        self, config: Any = None, start_standard_services: bool = True, close_summary_writer: bool = True
    ) -> Iterator[None]:
        """Steps in the block are supervised; services and queue runners stop at its end.

        The end of the input (``OutOfRangeError``) ends the block without an error; an error in a thread ends it with
        that error.
        """
        try:
            self.prepare_steps(config, start_standard_services=start_standard_services)
            yield
        except Exception as error:
            self.request_stop(error)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                self._steps_graph.session.close()
                self._steps_graph.turns.succeed(self._steps_graph.session)

    def prepare_steps(
        self,
        config: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        start_standard_services: bool = True,
    ) -> None:
        """Readies the variables and starts the services, for programs that stop them by themselves."""
        configure(config)
        self._steps_graph.store.reset()
        self.prepare_or_wait_for_session(
            wait_for_checkpoint=wait_for_checkpoint,
            max_wait_secs=max_wait_secs,
            start_standard_services=start_standard_services,
        )

    def start_standard_services(self) -> list[Any]:
        """Starts the threads that save and summarize. Returns them."""
        return self._start_services(self._steps_graph.session)

    def start_queue_runners(self, queue_runners: Sequence[Any] | None = None) -> list[Any]:
        """Starts the threads of queue runners, the graph's by default. Returns them."""
        return self._start_runners(self._steps_graph.session, queue_runners)

    def summary_computed(self, summary: Any, global_step: Any = None) -> None:
        """Adds a summary at the current step.

        Raises:
            RuntimeError: there is no writer.
        """
        super().summary_computed(self._steps_graph.session, summary, global_step)

    StartQueueRunners = start_queue_runners
    StartStandardServices = start_standard_services
    SummaryComputed = summary_computed
