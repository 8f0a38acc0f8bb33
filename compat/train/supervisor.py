"""A session with checkpoints and summaries in the background."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import tensorflow as tf

from .. import variables as tf1
from ..bridge.graph import get_default_graph
from ..bridge.v1 import SessionLog
from ..summary.merging import merge_all
from ..summary.writer import FileWriter
from .coordinator import LooperThread
from .global_step import get_global_step
from .global_step import global_step as step_value
from .message_file import write_graph_file
from .meta_graph import export_meta_graph
from .saver import Saver
from .scaffold import Scaffold
from .session_manager import SessionManager
from .supervisor_threads import CheckpointThread, StepCounterThread, SummaryThread

_DEFAULT: Any = object()


class Supervisor:
    """Initializes or restores a session, and saves and summarizes beside it. Stands for ``tf.train.Supervisor``.

    >>> graph, session = compat.open_graph(), compat.Session()
    >>> train_op = compat.assign_add(compat.train.get_or_create_global_step(), 1)
    >>> supervisor = compat.train.Supervisor(logdir="model")
    >>> with supervisor.managed_session() as session:
    ...     while not supervisor.should_stop():
    ...         if session.run(train_op) == 10:
    ...             supervisor.request_stop()

    What is not given is taken from the graph's collections, or made and put there; None means without. Afterwards the
    graph must not grow.

    Args:
        graph: the graph; the default graph when None.
        ready_op, ready_for_local_init_op: give the names of what has no value yet.
        is_chief: whether it initializes, saves and summarizes; else it waits.
        init_op, init_feed_dict, init_fn: initialize where there is no checkpoint.
        local_init_op: run in each new session.
        logdir: folder of checkpoints and summaries; neither is written without it.
        summary_op: the summaries to write.
        saver: the saver.
        global_step: the step counter.
        save_summaries_secs, save_model_secs: seconds between; 0 for never.
        recovery_wait_secs: seconds between looks for a checkpoint.
        stop_grace_secs: how long threads may take to stop.
        checkpoint_basename: first part of the checkpoints' names.
        session_manager: the session manager.
        summary_writer: the writer.
        local_init_run_options: for ``local_init_op``.
    """

    USE_DEFAULT = _DEFAULT

    def __init__(
        self,
        graph: Any = None,
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
        session_manager: Any = None,
        summary_writer: Any = _DEFAULT,
        init_fn: Callable[[Any], Any] | None = None,
        local_init_run_options: Any = None,
    ) -> None:
        keys = tf1.GraphKeys
        self._graph = graph or get_default_graph()
        self.is_chief = is_chief
        self.init_feed_dict = init_feed_dict
        self._init_fn = init_fn
        with self._graph.as_default():
            self.ready_op = _chosen(ready_op, keys.READY_OP, tf1.report_uninitialized_variables)
            self.ready_for_local_init_op = _chosen(ready_for_local_init_op, keys.READY_FOR_LOCAL_INIT_OP, lambda: None)
            self.init_op = _chosen(init_op, keys.INIT_OP, tf1.global_variables_initializer)
            self.local_init_op = _chosen(local_init_op, keys.LOCAL_INIT_OP, Scaffold.default_local_init_op)
            self.saver = _chosen(saver, keys.SAVERS, lambda: Saver() if tf1.global_variables() else None)
            self.summary_op = _chosen(summary_op, keys.SUMMARY_OP, merge_all)
            self.global_step = get_global_step() if global_step is _DEFAULT else global_step
        self.coord = tf.train.Coordinator()
        self._stop_grace_secs = stop_grace_secs
        writes = is_chief and bool(logdir)
        self._logdir = logdir if is_chief else None
        self.save_path = os.path.join(logdir or "", checkpoint_basename) if writes else None
        self.save_summaries_secs = save_summaries_secs if is_chief else None
        self.save_model_secs = save_model_secs if is_chief else None
        self.summary_writer: Any = None
        if is_chief and summary_writer is not _DEFAULT:
            self.summary_writer = summary_writer
        elif writes:
            self.summary_writer = FileWriter(str(logdir))
        self._graph_added = False
        self.session_manager = session_manager or SessionManager(
            local_init_op=self.local_init_op,
            ready_op=self.ready_op,
            ready_for_local_init_op=self.ready_for_local_init_op,
            graph=self._graph,
            recovery_wait_secs=recovery_wait_secs,
            local_init_run_options=local_init_run_options,
        )
        self._meta_graph = export_meta_graph(graph=self._graph, saver=self.saver) if is_chief else None
        self._graph.finalize()

    @contextlib.contextmanager
    def managed_session(
        self,
        master: str = "",
        config: Any = None,
        start_standard_services: bool = True,
        close_summary_writer: bool = True,
    ) -> Iterator[Any]:
        """A session that is ready, with services and queue runners beside it; stops them all at the end.

        The end of the input (``OutOfRangeError``) ends the block without an error; an error in a thread ends it with
        that error.
        """
        session = None
        try:
            session = self.prepare_or_wait_for_session(
                master, config=config, start_standard_services=start_standard_services
            )
            yield session
        except Exception as error:
            self.request_stop(error)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                if session is not None:
                    session.close()

    def prepare_or_wait_for_session(
        self,
        master: str = "",
        config: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        start_standard_services: bool = True,
    ) -> Any:
        """A session that is ready, for programs that stop it themselves."""
        self.coord.clear_stop()
        if self.summary_writer is not None:
            self.summary_writer.reopen()
        if self.is_chief:
            session = self.session_manager.prepare_session(
                master,
                init_op=self.init_op,
                saver=self.saver,
                checkpoint_dir=self._logdir,
                wait_for_checkpoint=wait_for_checkpoint,
                max_wait_secs=max_wait_secs,
                config=config,
                init_feed_dict=self.init_feed_dict,
                init_fn=self._init_fn,
            )
            self._write_graph()
            if start_standard_services:
                self._start_services(session)
        else:
            session = self.session_manager.wait_for_session(master, config=config, max_wait_secs=max_wait_secs)
        if start_standard_services:
            self._start_runners(session)
        return session

    def start_standard_services(self, sess: Any) -> list[Any]:
        """Starts the threads that save and summarize. Returns them.

        Raises:
            RuntimeError: this is not the chief.
        """
        return self._start_services(sess)

    def _start_services(self, sess: Any) -> list[Any]:
        if not self.is_chief:
            raise RuntimeError(
                "Only chief supervisor can start standard services. Because only chief supervisors can write events."
            )
        if not self._logdir:
            return []
        if self.global_step is not None and self.summary_writer is not None:
            log = SessionLog(status=SessionLog.START)
            self.summary_writer.add_session_log(log, step_value(sess, self.global_step))
        threads: list[Any] = []
        if self.save_summaries_secs and self.summary_writer is not None:
            if self.summary_op is not None:
                threads.append(SummaryThread(self, sess))
            if self.global_step is not None:
                threads.append(StepCounterThread(self, sess))
        if self.saver is not None and self.save_model_secs:
            threads.append(CheckpointThread(self, sess))
        for thread in threads:
            thread.start()
        return threads

    def start_queue_runners(self, sess: Any, queue_runners: Sequence[Any] | None = None) -> list[Any]:
        """Starts the threads of queue runners, the graph's by default. Returns them."""
        return self._start_runners(sess, queue_runners)

    def _start_runners(self, sess: Any, queue_runners: Sequence[Any] | None = None) -> list[Any]:
        runners = queue_runners
        if runners is None:
            runners = self._graph.get_collection(tf1.GraphKeys.QUEUE_RUNNERS)
        return [
            thread
            for runner in runners
            for thread in runner.create_threads(sess, coord=self.coord, daemon=True, start=True)
        ]

    def loop(self, timer_interval_secs: float | None, target: Any, args: Any = None, kwargs: Any = None) -> Any:
        """Starts a thread that calls ``target`` every so many seconds, until the stop. Returns it."""
        thread = LooperThread(self.coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        thread.start()
        return thread

    def stop(self, threads: Any = None, close_summary_writer: bool = True, ignore_live_threads: bool = False) -> None:
        """Stops the threads and waits for them; raises what one of them raised."""
        self.coord.request_stop()
        try:
            self.coord.join(
                threads, stop_grace_period_secs=self._stop_grace_secs, ignore_live_threads=ignore_live_threads
            )
        finally:
            if close_summary_writer and self.summary_writer is not None:
                self.summary_writer.add_session_log(SessionLog(status=SessionLog.STOP))
                self.summary_writer.close()
                self._graph_added = False

    def request_stop(self, ex: Any = None) -> None:
        """Asks the threads to stop; ``ex`` is raised by :meth:`stop`, unless it is how input ends."""
        self.coord.request_stop(ex)

    def should_stop(self) -> bool:
        """Whether a stop was asked for."""
        return bool(self.coord.should_stop())

    def stop_on_exception(self) -> Any:
        """A context that asks for a stop when its body raises."""
        return self.coord.stop_on_exception()

    def wait_for_stop(self) -> None:
        """Waits until a stop is asked for."""
        self.coord.wait_for_stop()

    def summary_computed(self, sess: Any, summary: Any, global_step: Any = None) -> None:
        """Adds a summary at the current step.

        Raises:
            RuntimeError: there is no writer.
        """
        if self.summary_writer is None:
            raise RuntimeError("Writing a summary requires a summary writer.")
        if global_step is None and self.global_step is not None:
            global_step = step_value(sess, self.global_step)
        self.summary_writer.add_summary(summary, global_step)

    PrepareSession = prepare_or_wait_for_session
    StartQueueRunners = start_queue_runners
    StartStandardServices = start_standard_services
    Stop = stop
    RequestStop = request_stop
    Loop = loop
    ShouldStop = should_stop
    StopOnException = stop_on_exception
    WaitForStop = wait_for_stop
    SummaryComputed = summary_computed

    def _write_graph(self) -> None:
        if self._logdir:
            write_graph_file(self._graph, self._logdir)
        if self.summary_writer is not None and not self._graph_added:
            self.summary_writer.add_graph(self._graph)
            self.summary_writer.add_meta_graph(self._meta_graph)
            self._graph_added = True


def basic_train_loop(
    supervisor: Supervisor,
    train_step_fn: Callable[..., Any],
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    master: str = "",
) -> None:
    """Calls ``train_step_fn(session, *args, **kwargs)`` until the supervisor stops. Stands for
    ``tf.train.basic_train_loop``."""
    with supervisor.managed_session(master) as session:
        while not supervisor.should_stop():
            train_step_fn(session, *(args or ()), **(kwargs or {}))


def _chosen(given: Any, collection: str, make: Callable[[], Any]) -> Any:
    if given is not _DEFAULT:
        return given
    found = tf1.get_collection(collection)
    if found:
        return found[0]
    made = make()
    if made is not None:
        tf1.add_to_collection(collection, made)
    return made
