"""`tf.train.Supervisor`: the training loop's keeper before there were monitored sessions."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tensorflow as tf

from .. import logging
from ..bridge.graph import Graph, get_default_graph
from ..bridge.session import Session
from ..bridge.v1 import SessionLog, Summary
from ..lookup.resource import tables_initializer
from ..summary import FileWriter, merge_all
from ..variables.collection import get_collection
from ..variables.graph_keys import GraphKeys
from ..variables.initialization import (
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
)
from .coordinator import LooperThread
from .global_step import get_global_step
from .saver import Saver
from .scaffold import Scaffold
from .session_manager import SessionManager


class Supervisor:
    """Initializes or restores, saves and summarizes in threads, ends in order; stands for `tf.train.Supervisor`.

    Args whose default is `USE_DEFAULT` are taken from the graph's collections, else made; None means none.

    Args:
      graph: the graph, the default one when None.
      ready_op, ready_for_local_init_op: names of what is not initialized.
      is_chief: False waits for another session to initialize the model.
      init_op, init_feed_dict, init_fn, local_init_op: how to initialize.
      logdir: where checkpoints, summaries and events go; None for none of them.
      summary_op: all summaries, merged.
      saver: the saver.
      global_step: the step.
      save_summaries_secs, save_model_secs: how often; 0 for never.
      recovery_wait_secs: between two looks at a model that another session initializes.
      stop_grace_secs: how long threads have to end.
      checkpoint_basename: of the checkpoints.
      session_manager: makes the session.
      summary_writer: writes summaries.

    Example:
      >>> supervisor = Supervisor(logdir="/tmp/run")
      >>> with supervisor.managed_session() as session:
      ...     while not supervisor.should_stop():
      ...         session.run(train_op)
    """

    USE_DEFAULT = 0

    def __init__(
        self,
        graph: Graph | None = None,
        ready_op: Any = USE_DEFAULT,
        ready_for_local_init_op: Any = USE_DEFAULT,
        is_chief: bool = True,
        init_op: Any = USE_DEFAULT,
        init_feed_dict: Any = None,
        local_init_op: Any = USE_DEFAULT,
        logdir: str | None = None,
        summary_op: Any = USE_DEFAULT,
        saver: Any = USE_DEFAULT,
        global_step: Any = USE_DEFAULT,
        save_summaries_secs: float = 120,
        save_model_secs: float = 600,
        recovery_wait_secs: float = 30,
        stop_grace_secs: float = 120,
        checkpoint_basename: str = "model.ckpt",
        session_manager: SessionManager | None = None,
        summary_writer: Any = USE_DEFAULT,
        init_fn: Callable[[Session], None] | None = None,
        local_init_run_options: Any = None,
    ) -> None:
        del local_init_run_options
        self._graph = get_default_graph() if graph is None else graph
        self._is_chief = is_chief
        self._coord = tf.train.Coordinator()
        self._stop_grace_secs = stop_grace_secs
        self._init_feed_dict = init_feed_dict
        self._init_fn = init_fn
        self._save_summaries_secs = save_summaries_secs
        self._save_model_secs = save_model_secs
        with self._graph.as_default():
            self._init_op = _chosen(init_op, "init_op", GraphKeys.INIT_OP, global_variables_initializer)
            self._ready_op = _chosen(ready_op, "ready_op", GraphKeys.READY_OP, report_uninitialized_variables)
            self._local_init_op = _chosen(local_init_op, "local_init_op", GraphKeys.LOCAL_INIT_OP, _local_init)
            self._ready_for_local_init_op = (
                None if _is_default(ready_for_local_init_op) else ready_for_local_init_op
            )
            self._summary_op = _chosen(summary_op, "summary_op", GraphKeys.SUMMARY_OP, merge_all)
            self._saver = _chosen(saver, "saver", GraphKeys.SAVERS, _saver)
            self._global_step = get_global_step() if _is_default(global_step) else global_step
        self._logdir = logdir if is_chief else None
        self._save_path = os.path.join(logdir, checkpoint_basename) if logdir else None
        if _is_default(summary_writer):
            summary_writer = FileWriter(logdir) if logdir and is_chief else None
        self._summary_writer = summary_writer
        self._graph_added_to_summary = False
        self._session_manager = session_manager or SessionManager(
            self._local_init_op,
            self._ready_op,
            self._ready_for_local_init_op,
            self._graph,
            recovery_wait_secs,
        )
        self._graph.finalize()

    coord = property(lambda self: self._coord)
    graph = property(lambda self: self._graph)
    is_chief = property(lambda self: self._is_chief)
    init_op = property(lambda self: self._init_op)
    init_feed_dict = property(lambda self: self._init_feed_dict)
    ready_op = property(lambda self: self._ready_op)
    ready_for_local_init_op = property(lambda self: self._ready_for_local_init_op)
    session_manager = property(lambda self: self._session_manager)
    summary_writer = property(lambda self: self._summary_writer)
    summary_op = property(lambda self: self._summary_op)
    save_summaries_secs = property(lambda self: self._save_summaries_secs)
    save_model_secs = property(lambda self: self._save_model_secs)
    global_step = property(lambda self: self._global_step)
    saver = property(lambda self: self._saver)
    save_path = property(lambda self: self._save_path)

    def prepare_or_wait_for_session(
        self,
        master: str = "",
        config: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        start_standard_services: bool = True,
    ) -> Session:
        """A session that is ready to train, with the queue runners started.

        Args:
          master: only "" (this process).
          config: of the session.
          wait_for_checkpoint, max_wait_secs: whether to wait for a checkpoint, and how long.
          start_standard_services: whether to start the threads that save.
        """
        self._coord.clear_stop()
        if self._summary_writer is not None:
            self._summary_writer.reopen()
        if not self._is_chief:
            session = self._session_manager.wait_for_session(master, config=config, max_wait_secs=max_wait_secs)
        else:
            session = self._session_manager.prepare_session(
                master,
                init_op=self._init_op,
                saver=self._saver,
                checkpoint_dir=self._logdir,
                wait_for_checkpoint=wait_for_checkpoint,
                max_wait_secs=max_wait_secs,
                config=config,
                init_feed_dict=self._init_feed_dict,
                init_fn=self._init_fn,
            )
            if self._summary_writer is not None and not self._graph_added_to_summary:
                self._summary_writer.add_graph(self._graph)
                self._graph_added_to_summary = True
            if start_standard_services:
                self.start_standard_services(session)
        self.start_queue_runners(session)
        return session

    PrepareSession = prepare_or_wait_for_session

    @contextlib.contextmanager
    def managed_session(
        self,
        master: str = "",
        config: Any = None,
        start_standard_services: bool = True,
        close_summary_writer: bool = True,
    ) -> Iterator[Session]:
        """A session that is ready to train; at the end the threads are stopped and it is closed.

        `OutOfRangeError` from the body is the end of the input, and no error.
        """
        with contextlib.ExitStack() as ending:
            # Threads that wait in a call end when the session is closed, after those that look at the coordinator.
            ending.callback(self.stop, close_summary_writer=close_summary_writer)
            try:
                session = self.prepare_or_wait_for_session(
                    master, config, start_standard_services=start_standard_services
                )
                ending.pop_all()
                ending.callback(session.close)
                ending.callback(self.stop, close_summary_writer=close_summary_writer)
                yield session
            except Exception as error:
                self.request_stop(error)

    def start_standard_services(self, sess: Session) -> list[LooperThread]:
        """Starts the threads that save summaries, the speed and checkpoints.

        Raises:
          RuntimeError: this is no chief.
        """
        if not self._is_chief:
            raise RuntimeError("Only chief supervisor can start standard services.")
        if not self._logdir:
            logging.warning("Standard services need a 'logdir' passed to the Supervisor")
            return []
        threads = []
        if self._summary_writer is not None and self._global_step is not None:
            log = SessionLog(status=SessionLog.START)
            self._summary_writer.add_session_log(log, self._step(sess))
        if self._save_summaries_secs and self._summary_writer is not None:
            if self._summary_op is not None:
                threads.append(self.loop(self._save_summaries_secs, self._write_summaries, (sess,)))
            if self._global_step is not None:
                threads.append(self.loop(self._save_summaries_secs, _SpeedCounter(self, sess)))
        if self._saver is not None and self._save_model_secs:
            threads.append(self.loop(self._save_model_secs, self._save, (sess,)))
        return threads

    def start_queue_runners(self, sess: Session, queue_runners: Sequence[Any] | None = None) -> list[Any]:
        """Starts the threads of queue runners, of all in the graph when None."""
        if queue_runners is None:
            with self._graph.as_default():
                queue_runners = get_collection(GraphKeys.QUEUE_RUNNERS)
        threads: list[Any] = []
        for runner in queue_runners:
            threads += runner.create_threads(sess, coord=self._coord, daemon=True, start=True)
        return threads

    StartQueueRunners = start_queue_runners

    def loop(
        self,
        timer_interval_secs: float | None,
        target: Callable[..., Any],
        args: Sequence[Any] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> LooperThread:
        """Starts a thread that calls `target` every so often, until the supervisor stops."""
        return LooperThread.loop(self._coord, timer_interval_secs, target, args, kwargs)

    Loop = loop

    def should_stop(self) -> bool:
        """Whether the loop should end."""
        return bool(self._coord.should_stop())

    ShouldStop = should_stop

    def request_stop(self, ex: Any = None) -> None:
        """Asks the loop and all threads to end; `ex` is raised by `stop`."""
        self._coord.request_stop(ex)

    RequestStop = request_stop

    def stop_on_exception(self) -> Any:
        """A context manager that asks to stop on an exception."""
        return self._coord.stop_on_exception()

    def wait_for_stop(self) -> None:
        """Waits until somebody asks to stop."""
        self._coord.wait_for_stop()

    def stop(self, threads: Any = None, close_summary_writer: bool = True, ignore_live_threads: bool = False) -> None:
        """Stops the threads and closes the writer.

        Raises:
          Exception: what a thread raised.
        """
        self._coord.request_stop()
        try:
            self._coord.join(
                threads, stop_grace_period_secs=self._stop_grace_secs, ignore_live_threads=ignore_live_threads
            )
        finally:
            if close_summary_writer and self._summary_writer is not None:
                self._summary_writer.add_session_log(SessionLog(status=SessionLog.STOP))
                self._summary_writer.close()
                self._graph_added_to_summary = False

    Stop = stop

    def summary_computed(self, sess: Session, summary: Any, global_step: Any = None) -> None:
        """Writes a summary that the program computed.

        Raises:
          TypeError: `summary` is no serialized summary.
          RuntimeError: there is no writer.
        """
        if not self._summary_writer:
            raise RuntimeError("Writing a summary requires a summary writer.")
        if global_step is None and self._global_step is not None:
            global_step = self._step(sess)
        self._summary_writer.add_summary(summary, global_step)

    SummaryComputed = summary_computed

    def _step(self, session: Session) -> int | None:
        return None if self._global_step is None else int(session.run(self._global_step))

    def _save(self, session: Session) -> None:
        self._saver.save(session, self._save_path, global_step=self._step(session))

    def _write_summaries(self, session: Session) -> None:
        self._summary_writer.add_summary(session.run(self._summary_op), self._step(session))


class _SpeedCounter:
    """Writes steps a second at each call."""

    def __init__(self, supervisor: Supervisor, session: Session) -> None:
        self._supervisor = supervisor
        self._session = session
        self._tag = supervisor.global_step.name.split(":")[0] + "/sec"
        self._last = (time.time(), supervisor._step(session) or 0)

    def __call__(self) -> None:
        now, step = time.time(), self._supervisor._step(self._session) or 0
        seconds, steps = now - self._last[0], step - self._last[1]
        self._last = (now, step)
        speed = steps / seconds if seconds > 0 else float("inf")
        value = Summary.Value(tag=self._tag, simple_value=speed)
        self._supervisor.summary_writer.add_summary(Summary(value=[value]), step)
        logging.info("%s: %g", self._tag, speed)


def _is_default(value: Any) -> bool:
    return isinstance(value, int) and value == Supervisor.USE_DEFAULT


def _chosen(value: Any, name: str, collection: str, make: Callable[[], Any]) -> Any:
    if not _is_default(value):
        return value
    elements = get_collection(collection)
    return elements[0] if elements else Scaffold.get_or_default(name, collection, make)


def _local_init() -> Any:
    return tf.group(local_variables_initializer(), tables_initializer())


def _saver() -> Saver | None:
    return Saver() if get_collection(GraphKeys.GLOBAL_VARIABLES) else None
