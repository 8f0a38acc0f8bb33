"""What a monitored session did around its runs, for steps: it initializes, restores, saves, logs and stops."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from ..steps.configuration import configure
from ..steps.graph import StoreGraph, current_store_graph
from .monitored_session import ChiefSessionCreator, HookedSession
from .monitored_training import NOT_GIVEN, training_hooks
from .scaffold import Scaffold
from .session_manager import SessionManager
from .session_run_hook import SessionRunHook
from .store_sessions import StoreSessionManager


class MonitoredSteps:
    """Runs hooks around the steps that are called in its block. Stands for ``tf.train.MonitoredSession``.

    While it is open, each call of a step of the store that is entered, and each ``compat.run``, computes in one go what
    it asks for and what the hooks ask for, as ``MonitoredSession.run`` did. Variables have their first values, or those
    of the latest checkpoint in ``checkpoint_dir``; threads of queue runners are started. Steps that hooks call
    themselves run no hooks. The graph must not grow meanwhile. Behind the block variables keep their values, and what a
    session of TensorFlow 1 held (random sequences, queues, iterators) begins anew.

    >>> with compat.VariableStore():
    ...     with compat.building():
    ...         w = compat.get_variable("w", [], initializer=compat.constant_initializer(8.0))
    ...         counter = compat.train.get_or_create_global_step()
    ...         halve = tf.group(compat.assign(w, w / 2.0), compat.assign_add(counter, 1))
    ...     halve_step = compat.step(updates=[halve])
    ...     with compat.train.MonitoredSteps(hooks=[compat.train.StopAtStepHook(last_step=3)]) as steps:
    ...         while not steps.should_stop():
    ...             _ = halve_step()
    >>> w.numpy()
    np.float32(1.0)

    The end of the input (``tf.errors.OutOfRangeError``, ``StopIteration``) ends the block as if it had ended by itself.

    Args:
        hooks: called around each step, in order.
        scaffold: what to initialize, restore, summarize and save with.
        config: a ``ConfigProto``, as :func:`compat.configure` takes it.
        checkpoint_dir, checkpoint_filename_with_path: where to restore from; only one of them.
        stop_grace_period_secs: how long threads may take to stop.

    Raises:
        RuntimeError: steps of this store are monitored already, or hooks need a global step and there is none.
    """

    def __init__(
        self,
        hooks: Sequence[SessionRunHook] | None = None,
        scaffold: Scaffold | None = None,
        config: Any = None,
        checkpoint_dir: str | None = None,
        stop_grace_period_secs: float = 120,
        checkpoint_filename_with_path: str | None = None,
    ) -> None:
        if config is not None:
            configure(config)
        graph = current_store_graph()
        if graph.monitor is not None:
            raise RuntimeError("Steps of this store are monitored already: leave that block first")
        creator = _StoreSessionCreator(graph, scaffold or Scaffold(), checkpoint_dir, checkpoint_filename_with_path)
        self._store_graph = graph
        self._session = _StoreSession(graph, creator, hooks, stop_grace_period_secs)
        graph.monitor = self._session

    @property
    def graph(self) -> Any:
        """The graph; None when closed."""
        return self._session.graph

    def should_stop(self) -> bool:
        """Whether a hook or a thread has asked to stop, or the block is left."""
        return self._session.should_stop()

    def close(self) -> None:
        """Ends the hooks; steps are called without them from now on."""
        self._store_graph.monitor = None
        self._session.close()

    def __enter__(self) -> MonitoredSteps:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self._store_graph.monitor = None
        return self._session.__exit__(kind, error, trace)


class MonitoredTrainingSteps(MonitoredSteps):
    """Steps that save checkpoints and summaries. Stands for ``tf.train.MonitoredTrainingSession``.

    It writes what that wrote: ``graph.pbtxt``, checkpoints with meta graphs (the first before any step, the last at the
    end), the summaries of the collection ``SUMMARIES`` and the speed.

    Args:
        checkpoint_dir: where to restore from and save to; nothing is saved without it.
        scaffold, config, stop_grace_period_secs: as for :class:`MonitoredSteps`.
        hooks, chief_only_hooks: called around each step.
        save_checkpoint_secs, save_checkpoint_steps: seconds (600 by default) or steps between checkpoints.
        save_summaries_steps, save_summaries_secs: steps (100 by default) or seconds between summaries.
        log_step_count_steps: steps between notes of the speed.
        max_wait_secs: taken as TensorFlow 1 took it; one process never waits.
        summary_dir: folder of the summaries; ``checkpoint_dir`` by default.
    """

    def __init__(
        self,
        checkpoint_dir: str | None = None,
        scaffold: Scaffold | None = None,
        hooks: Sequence[SessionRunHook] | None = None,
        chief_only_hooks: Sequence[SessionRunHook] | None = None,
        save_checkpoint_secs: float | None = NOT_GIVEN,
        save_summaries_steps: int | None = NOT_GIVEN,
        save_summaries_secs: float | None = NOT_GIVEN,
        config: Any = None,
        stop_grace_period_secs: float = 120,
        log_step_count_steps: int | None = 100,
        max_wait_secs: float = 7200,
        save_checkpoint_steps: int | None = NOT_GIVEN,
        summary_dir: str | None = None,
    ) -> None:
        del max_wait_secs
        scaffold = scaffold or Scaffold()
        own = training_hooks(
            checkpoint_dir,
            summary_dir,
            (save_checkpoint_steps, save_checkpoint_secs),
            (save_summaries_steps, save_summaries_secs),
            log_step_count_steps,
            scaffold,
        )
        every = [*(chief_only_hooks or ()), *own, *(hooks or ())]
        super().__init__(every, scaffold, config, checkpoint_dir, stop_grace_period_secs)


class _StoreSession(HookedSession):
    """The hooked session over what runs a store's steps."""

    def __init__(
        self,
        graph: StoreGraph,
        creator: ChiefSessionCreator,
        hooks: Sequence[SessionRunHook] | None,
        stop_grace_period_secs: float,
    ) -> None:
        self._running = threading.local()
        self._store_graph = graph
        super().__init__(creator, hooks, stop_grace_period_secs, recovers=True)

    @property
    def is_free(self) -> bool:
        """Whether no hook is at work here: its own steps run as they are."""
        return not getattr(self._running, "hooks", False)

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        self._running.hooks = True
        try:
            return super().run(fetches, feed_dict, options, run_metadata)
        finally:
            self._running.hooks = False

    def _shut(self) -> None:
        super()._shut()
        self._store_graph.turns.succeed(self._store_graph.session)

    def _begin(self) -> None:
        with self._store_graph.building():
            super()._begin()


class _StoreSessionCreator(ChiefSessionCreator):
    """Gives what runs a store's steps; a second time, it begins anew."""

    def __init__(self, graph: StoreGraph, scaffold: Scaffold, folder: str | None, path: str | None) -> None:
        super().__init__(scaffold, checkpoint_dir=folder, checkpoint_filename_with_path=path)
        self._graph = graph
        self._begun = False
        self._given = scaffold.init_op, scaffold.local_init_op

    def create_session(self) -> Any:
        if self._begun:
            self._graph.store.reset()
        self._begun = True
        return super().create_session()

    def _finalized(self) -> Scaffold:
        with self._graph.building():
            return self._scaffold.finalize()

    def _manager(self, scaffold: Scaffold) -> SessionManager:
        return StoreSessionManager(self._graph, scaffold, self._given)
