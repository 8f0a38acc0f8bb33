"""Whether and where summaries are written: `tf.contrib.summary`'s conditions and writers."""

from __future__ import annotations

import atexit
import contextlib
import itertools
import threading
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf

from ...bridge.graph import current_graph
from ...bridge.resources import flush_writer
from ...bridge.runtime import HOST
from ...bridge.session import get_default_session
from ...steps.graph import StoreGraph
from ...steps.recording import building
from ...steps.step import run as run_steps
from ...train.global_step import get_global_step
from ...variables.collection import add_to_collection, get_collection
from ...variables.store import built_graph

_INITIALIZERS = "_SUMMARY_WRITER_INIT_COLLECTION_V2"
_numbers = itertools.count()


class _State(threading.local):
    def __init__(self) -> None:
        self.writer: SummaryWriter | None = None
        self.record: Callable[[], Any] = lambda: False


_state = _State()


class SummaryWriter:
    """Where summaries are written; stands for `tf.contrib.summary.SummaryWriter`.

    Made by `create_file_writer`.
    """

    def __init__(self, resource: tf.Tensor, initialize: Callable[[], Any]) -> None:
        self._resource = resource
        self._initialize = initialize

    @property
    def resource(self) -> tf.Tensor:
        """The writer's resource."""
        return self._resource

    def init(self) -> Any:
        """Opens its file; an operation under the bridge."""
        return self._initialize()

    def set_as_default(self) -> None:
        """Makes it the one that summaries go to."""
        _state.writer = self

    @contextlib.contextmanager
    def as_default(self) -> Iterator[SummaryWriter]:
        """Makes it the one that summaries go to, for the body of the `with`."""
        before, _state.writer = _state.writer, self
        try:
            yield self
            if current_graph() is None and tf.executing_eagerly():
                self.flush()
        finally:
            _state.writer = before

    def flush(self) -> Any:
        """Has everything written reach the file."""
        return tf.raw_ops.FlushSummaryWriter(writer=self._resource)

    def close(self) -> Any:
        """Ends the file."""
        return tf.raw_ops.CloseSummaryWriter(writer=self._resource)


def create_file_writer(
    logdir: Any,
    max_queue: int | None = None,
    flush_millis: int | None = None,
    filename_suffix: str | None = None,
    name: str | None = None,
) -> SummaryWriter:
    """A writer to an event file of a folder; stands for `tf.contrib.summary.create_file_writer`.

    Args:
      logdir: the folder; None writes nothing.
      max_queue: how many summaries wait before they are written; ten by default, in steps none.
      flush_millis: how long they wait at most, in milliseconds.
      filename_suffix: last part of the file's name.
      name: shared name of the writer.

    Example:
      >>> with create_file_writer("logs").as_default(), always_record_summaries():
      ...     _ = compat.contrib.summary.scalar("loss", 0.5, step=1)
    """

    def initialize() -> Any:
        return tf.raw_ops.CreateSummaryFileWriter(
            writer=resource,
            logdir=logdir,
            max_queue=waiting if max_queue is None else max_queue,
            flush_millis=120_000 if flush_millis is None else flush_millis,
            filename_suffix=".v2" if filename_suffix is None else filename_suffix,
        )

    # Where no session ends, nothing waits for that.
    waiting = 0 if isinstance(current_graph(), StoreGraph) else 10
    if current_graph() is not None:
        resource = tf.raw_ops.SummaryWriter(shared_name=name or "")
        atexit.register(_flush_named, resource.op.get_attr("shared_name").decode())
        operation = initialize()
        add_to_collection(_INITIALIZERS, operation)
        return SummaryWriter(resource, lambda: operation)
    with tf.init_scope():
        resource = tf.raw_ops.SummaryWriter(shared_name=name or f"compat_summary_writer_{next(_numbers)}")
        initialize()
    return SummaryWriter(resource, initialize)


create_summary_file_writer = create_file_writer


def _flush_named(shared_name: str) -> None:
    """What a graph's writer was given reaches its file at last, though no session is closed."""
    with tf.init_scope(), tf.device(HOST):
        flush_writer(tf.raw_ops.SummaryWriter(shared_name=shared_name))


def default_writer() -> SummaryWriter | None:
    """The writer that summaries go to."""
    return _state.writer


def should_record_summaries() -> Any:
    """Whether summaries are written now, a bool or a bool tensor; `tf.contrib.summary.should_record_summaries`."""
    return _state.record()


@contextlib.contextmanager
def _recording(condition: Callable[[], Any]) -> Iterator[None]:
    before, _state.record = _state.record, condition
    try:
        yield
    finally:
        _state.record = before


def always_record_summaries() -> contextlib.AbstractContextManager[None]:
    """Summaries are written in the body; stands for `tf.contrib.summary.always_record_summaries`."""
    return _recording(lambda: True)


def never_record_summaries() -> contextlib.AbstractContextManager[None]:
    """Summaries are not written in the body; stands for `tf.contrib.summary.never_record_summaries`."""
    return _recording(lambda: False)


def record_summaries_every_n_global_steps(n: int, global_step: Any = None) -> contextlib.AbstractContextManager[None]:
    """Summaries are written at every `n`-th step; `tf.contrib.summary.record_summaries_every_n_global_steps`."""
    step = get_global_step() if global_step is None else global_step
    with tf.device("/device:CPU:0"):
        if tf.executing_eagerly():
            return _recording(lambda: bool(tf.equal(step % n, 0)))
        due = tf.equal(step % n, 0)
    return _recording(lambda: due)


def summary_writer_initializer_op() -> list[Any]:
    """The operations that open the graph's writers; `tf.contrib.summary.summary_writer_initializer_op`.

    Raises:
      RuntimeError: no graph is built.
    """
    if current_graph() is None and built_graph() is None:
        raise RuntimeError("tf.contrib.summary.summary_writer_initializer_op is only supported in graph mode.")
    return get_collection(_INITIALIZERS)


def initialize(graph: Any = None, session: Any = None) -> None:
    """Opens the graph's writers in a session; stands for `tf.contrib.summary.initialize`.

    Args:
      graph: a graph to write to the default writer.
      session: the session, the default one when None. In steps there is none: the graph is that of the store.

    Raises:
      RuntimeError: no writer is the default one.
      ValueError: there is no session.
    """
    if current_graph() is None and built_graph() is None:
        return
    if default_writer() is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    run = _run_in(session or get_default_session())
    run(summary_writer_initializer_op())
    if graph is not None:
        data = graph.as_graph_def().SerializeToString()
        with building():
            written = tf.raw_ops.WriteGraphSummary(
                writer=default_writer().resource, step=tf.constant(0, tf.int64), tensor=data
            )
        run(written)


def _run_in(session: Any) -> Callable[[Any], Any]:
    if session is not None:
        return session.run
    if current_graph() is not None:
        raise ValueError("session must be passed if no default session exists")
    return run_steps


def flush(writer: SummaryWriter | None = None, name: str | None = None) -> Any:
    """Has what was written reach the file; stands for `tf.contrib.summary.flush`."""
    chosen = writer or default_writer()
    return tf.no_op() if chosen is None else tf.raw_ops.FlushSummaryWriter(writer=chosen.resource, name=name)
