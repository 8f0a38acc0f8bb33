"""Sessions that initialize, restore, run hooks and stop by themselves."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

import tensorflow as tf

from .. import variables as tf1
from ..bridge.graph import get_default_graph
from ..bridge.v1 import RunMetadata, RunOptions
from .checkpoint_hooks import CheckpointSaverHook
from .queue_runner import start_queue_runners
from .scaffold import Scaffold
from .session_manager import SessionManager
from .session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from .workers import LOST, begin_again, current_workers


class SessionCreator:
    """Makes the session underneath a monitored one. Stands for ``tf.train.SessionCreator``."""

    def create_session(self) -> Any:
        """A session whose variables have values."""
        raise NotImplementedError(f"create_session is not implemented for {self}.")


class ChiefSessionCreator(SessionCreator):
    """Initializes the variables, or restores the latest checkpoint. Stands for ``tf.train.ChiefSessionCreator``.

    Args:
        scaffold: what to initialize and restore with.
        master: only "" (this process).
        config: a ``ConfigProto``.
        checkpoint_dir: where to look for a checkpoint, or
        checkpoint_filename_with_path: the checkpoint.
    """

    def __init__(
        self,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
    ) -> None:
        self._scaffold = scaffold or Scaffold()
        self._master = master
        self._config = config
        self._checkpoint_dir = checkpoint_dir
        self._checkpoint_filename_with_path = checkpoint_filename_with_path

    def create_session(self) -> Any:
        scaffold = self._finalized()
        return self._manager(scaffold).prepare_session(
            self._master,
            saver=scaffold.saver,
            checkpoint_dir=self._checkpoint_dir,
            checkpoint_filename_with_path=self._checkpoint_filename_with_path,
            config=self._config,
            init_op=scaffold.init_op,
            init_feed_dict=scaffold.init_feed_dict,
            init_fn=scaffold.init_fn,
        )

    def _finalized(self) -> Scaffold:
        return self._scaffold.finalize()

    def _manager(self, scaffold: Scaffold) -> SessionManager:
        return _manager(scaffold)


class WorkerSessionCreator(SessionCreator):
    """Waits until another has given the variables values. Stands for ``tf.train.WorkerSessionCreator``."""

    def __init__(
        self, scaffold: Scaffold | None = None, master: str = "", config: Any = None, max_wait_secs: float = 1800
    ) -> None:
        self._scaffold = scaffold or Scaffold()
        self._master = master
        self._config = config
        self._max_wait_secs = max_wait_secs

    def create_session(self) -> Any:
        scaffold = self._scaffold.finalize()
        return _manager(scaffold).wait_for_session(self._master, self._config, self._max_wait_secs)


@dataclasses.dataclass(frozen=True)
class StepContext:
    """What the function of ``run_step_fn`` is given.

    Attributes:
        session: the session underneath; its runs call no hooks.
        run_with_hooks: as ``MonitoredSession.run``.
    """

    session: Any
    run_with_hooks: Callable[..., Any]

    def request_stop(self) -> None:
        """Ends the loop around by ``StopIteration``."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class HookedSession:
    """A monitored session; subclasses say how the session underneath is made and whether it is made anew."""

    def __init__(
        self,
        session_creator: SessionCreator,
        hooks: Sequence[SessionRunHook] | None,
        stop_grace_period_secs: float,
        recovers: bool,
    ) -> None:
        self._hooks = list(hooks or ())
        self._creator = session_creator
        self._stop_grace_period_secs = stop_grace_period_secs
        self._recovers = recovers
        self._stop_requested = False
        self._session: Any = None
        self._coord: Any = None
        self._graph = get_default_graph()
        self._was_finalized = self._graph.finalized
        self._begin()
        self._open()

    @property
    def graph(self) -> Any:
        """The graph; None when closed."""
        return None if self._session is None else self._session.graph

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Runs ``fetches`` together with what the hooks ask for; arguments and result are those of ``Session.run``.

        Raises:
            RuntimeError: a stop was requested, or the session is closed.
        """
        if self._session is None:
            raise RuntimeError("Run called on a closed session.")
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        while True:
            try:
                return self._run_with_hooks(fetches, feed_dict, options, run_metadata)
            except LOST as error:
                if not self._recovers:
                    raise
                self._recover(error)
            except Exception:
                # A thread's own error says more than what it led to here.
                self._coord.raise_requested_exception()
                raise

    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """Calls ``step_fn`` with a :class:`StepContext`, and returns what it does.

        Raises:
            ValueError: its argument is not called ``step_context``.
        """
        names = tuple(inspect.signature(step_fn).parameters)
        if names not in (("step_context",), ("self", "step_context")):
            raise ValueError(
                "`step_fn` may either have one `step_context` argument, or `self` and `step_context` arguments if it's "
                f"an instance method. Got {names} instead."
            )
        return step_fn(StepContext(self._session, self.run))

    def should_stop(self) -> bool:
        """Whether a hook or a thread has asked to stop, or the session is closed."""
        if self._session is None:
            return True
        self._coord.raise_requested_exception()
        return bool(self._stop_requested or self._coord.should_stop())

    def close(self) -> None:
        """Ends the hooks and the session."""
        self._close(None)

    def __enter__(self) -> Any:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        # The end of the input is how training loops end.
        if kind in (tf.errors.OutOfRangeError, StopIteration):
            kind = None
        self._close(kind)
        return kind is None

    def _begin(self) -> None:
        for hook in self._hooks:
            hook.begin()

    def _open(self) -> None:
        self._session = self._creator.create_session()
        self._coord = tf.train.Coordinator(clean_stop_exception_types=[])
        if tf1.get_collection(tf1.GraphKeys.QUEUE_RUNNERS):
            start_queue_runners(sess=self._session, coord=self._coord)
        for hook in self._hooks:
            hook.after_create_session(self._session, self._coord)

    def _recover(self, error: Exception) -> None:
        if current_workers() is None:
            self._shut()
            self._open()
            return
        for hook in self._hooks:
            if isinstance(hook, CheckpointSaverHook):
                hook.end(self._session)
        begin_again(error)

    def _close(self, kind: type[BaseException] | None) -> None:
        if self._session is None:
            raise RuntimeError("Session is already closed.")
        try:
            if kind is None:
                for hook in self._hooks:
                    hook.end(self._session)
        finally:
            self._shut()

    def _shut(self) -> None:
        session, self._session = self._session, None
        self._coord.request_stop()
        try:
            self._coord.join(stop_grace_period_secs=self._stop_grace_period_secs, ignore_live_threads=True)
        finally:
            session.close()
            if not self._was_finalized:
                self._graph._unsafe_unfinalize()

    def _run_with_hooks(self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self._session)
        asked: list[Any] = []
        places: dict[int, int] = {}
        fed: dict[Any, Any] = {}
        wanted = RunOptions()
        _merge(wanted, options)
        for index, hook in enumerate(self._hooks):
            request = hook.before_run(context)
            if request is None:
                continue
            if request.fetches is not None:
                places[index] = len(asked)
                asked.append(request.fetches)
            _join(fed, request.feed_dict, "Same tensor is fed by two hooks.")
            _merge(wanted, request.options)
        _join(fed, feed_dict, "Same tensor is fed by a SessionRunHook and user.")
        run_metadata = RunMetadata() if run_metadata is None else run_metadata
        results, values = self._session.run([fetches, asked], fed, options=wanted, run_metadata=run_metadata)
        for index, hook in enumerate(self._hooks):
            result = values[places[index]] if index in places else None
            hook.after_run(context, SessionRunValues(result, wanted, run_metadata))
        self._stop_requested = self._stop_requested or context.stop_requested
        return results


class MonitoredSession(HookedSession):
    """A session that runs hooks, starts queue runners, and goes on after lost connections.

    Stands for ``tf.train.MonitoredSession``.

    >>> graph, session = compat.open_graph(), compat.Session()
    >>> step = compat.train.get_or_create_global_step()
    >>> train_op = compat.assign_add(step, 1)
    >>> with compat.train.MonitoredSession(hooks=[compat.train.StopAtStepHook(100)]) as session:
    ...     while not session.should_stop():
    ...         count = session.run(train_op)
    >>> count
    np.int64(100)

    Args:
        session_creator: makes the session; a :class:`ChiefSessionCreator` by default.
        hooks: called around each run.
        stop_grace_period_secs: how long threads may take to stop.
    """

    StepContext = StepContext

    def __init__(
        self,
        session_creator: SessionCreator | None = None,
        hooks: Sequence[SessionRunHook] | None = None,
        stop_grace_period_secs: float = 120,
    ) -> None:
        super().__init__(session_creator or ChiefSessionCreator(), hooks, stop_grace_period_secs, recovers=True)


class SingularMonitoredSession(HookedSession):
    """A :class:`MonitoredSession` for one process, which fails where the other would begin again.

    Stands for ``tf.train.SingularMonitoredSession``.

    Args:
        hooks: called around each run.
        scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path: as for :class:`ChiefSessionCreator`.
        stop_grace_period_secs: how long threads may take to stop.
    """

    StepContext = StepContext

    def __init__(
        self,
        hooks: Sequence[SessionRunHook] | None = None,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: str | None = None,
        stop_grace_period_secs: float = 120,
        checkpoint_filename_with_path: str | None = None,
    ) -> None:
        creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path)
        super().__init__(creator, hooks, stop_grace_period_secs, recovers=False)

    def raw_session(self) -> Any:
        """The session underneath."""
        return self._session


def _manager(scaffold: Scaffold) -> SessionManager:
    return SessionManager(
        local_init_op=scaffold.local_init_op,
        ready_op=scaffold.ready_op,
        ready_for_local_init_op=scaffold.ready_for_local_init_op,
        graph=get_default_graph(),
    )


def _merge(wanted: Any, options: Any) -> None:
    """Adds to what is wanted of a run what one more asks: the most that any does."""
    if options is None:
        return
    wanted.trace_level = max(wanted.trace_level, options.trace_level)
    wanted.timeout_in_ms = max(wanted.timeout_in_ms, options.timeout_in_ms)
    wanted.output_partition_graphs |= options.output_partition_graphs


def _join(fed: dict[Any, Any], more: Any, message: str) -> None:
    for key, value in dict(more or {}).items():
        if key in fed:
            raise RuntimeError(f"{message} Conflict(s): {key}")
        fed[key] = value
