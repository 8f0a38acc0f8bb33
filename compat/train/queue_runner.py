"""Threads that keep queues full: `tf.train.QueueRunner` of TF 1.15."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

import tensorflow as tf
from tensorflow.core.protobuf.queue_runner_pb2 import QueueRunnerDef

from ..bridge import v1
from ..bridge.graph import get_default_graph
from ..bridge.session import Session, session_here
from ..optional_session import session_optional
from ..variables.collection import add_to_collection, get_collection
from ..variables.graph_keys import GraphKeys


class _Named(NamedTuple):
    """A queue of which only the name is known."""

    name: str


# How often a thread enqueues until it looks whether it is to stop. A queue that is closed ends it sooner.
_AT_ONCE = 64


class QueueRunner:
    """Runs the enqueue operations of a queue, each in a thread of its own; stands for `tf.train.QueueRunner`.

    Args:
      queue: the queue.
      enqueue_ops: operations; one that stands here twice gets two threads.
      close_op: closes the queue when all threads have run out; `queue.close()` when None.
      cancel_op: closes it and ends pending enqueues; `queue.close(cancel_pending_enqueues=True)` when None.
      queue_closed_exception_types: errors that mean "no more input"; `OutOfRangeError` when None.

    Raises:
      ValueError: no queue or no operation is given.
      TypeError: `queue_closed_exception_types` is not a tuple of `tf.errors` classes.
    """

    def __init__(
        self,
        queue: Any = None,
        enqueue_ops: Sequence[tf.Operation] | None = None,
        close_op: tf.Operation | None = None,
        cancel_op: tf.Operation | None = None,
        queue_closed_exception_types: tuple[type[tf.errors.OpError], ...] | None = None,
    ) -> None:
        if not queue or not enqueue_ops:
            raise ValueError("Must provide queue and enqueue_ops.")
        ends = queue_closed_exception_types
        if ends is not None and not (
            isinstance(ends, tuple) and ends and all(issubclass(end, tf.errors.OpError) for end in ends)
        ):
            raise TypeError(
                f"queue_closed_exception_types, when provided, must be a tuple of tf.error types, but saw: {ends}"
            )
        self._queue = queue
        self._enqueue_ops = list(enqueue_ops)
        self._close_op = queue.close() if close_op is None else close_op
        self._cancel_op = queue.close(cancel_pending_enqueues=True) if cancel_op is None else cancel_op
        self._ends = ends or (tf.errors.OutOfRangeError,)
        self._lock = threading.Lock()
        self._running: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._exceptions_raised: list[BaseException] = []

    @property
    def queue(self) -> Any:
        """The queue."""
        return self._queue

    @property
    def enqueue_ops(self) -> list[tf.Operation]:
        """The operations that fill it."""
        return self._enqueue_ops

    @property
    def close_op(self) -> tf.Operation:
        """The operation that closes it."""
        return self._close_op

    @property
    def cancel_op(self) -> tf.Operation:
        """The operation that closes it and ends pending enqueues."""
        return self._cancel_op

    @property
    def queue_closed_exception_types(self) -> tuple[type[tf.errors.OpError], ...]:
        """The errors that mean that no more input comes."""
        return self._ends

    @property
    def exceptions_raised(self) -> list[BaseException]:
        """What the threads raised while there was no coordinator to tell."""
        return self._exceptions_raised

    @property
    def name(self) -> str:
        """The queue's name."""
        return str(self._queue.name)

    def create_threads(
        self,
        sess: Session | None = None,
        coord: tf.train.Coordinator | None = None,
        daemon: bool = False,
        start: bool = False,
    ) -> list[threading.Thread]:
        """Makes the threads for a session, none when those made before still run.

        Args:
          sess: the session that runs the operations; when None, as for `start_queue_runners`.
          coord: is told of errors, and says when to stop.
          daemon: whether the threads end with the program.
          start: whether they start now.

        Raises:
          ValueError: there is no session.
        """
        sess = session_here() if sess is None else sess
        if sess is None:
            raise ValueError("A queue runner needs a session, or a store that is entered")
        with self._lock:
            if self._running.get(sess, 0) > 0:
                return []
            self._running[sess] = len(self._enqueue_ops)
            self._exceptions_raised = []
        threads = [
            threading.Thread(
                target=self._fill, args=(sess, operation, coord), name=f"QueueRunnerThread-{self.name}-{operation.name}"
            )
            for operation in self._enqueue_ops
        ]
        if coord is not None:
            name = f"QueueRunnerThread-{self.name}-close_on_stop"
            threads.append(threading.Thread(target=self._cancel_on_stop, args=(sess, coord), name=name))
        for thread in threads:
            if coord is not None:
                coord.register_thread(thread)
            thread.daemon = daemon
            if start:
                thread.start()
        return threads

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The runner as a `QueueRunnerDef`, for a `.meta` file; with a scope None where it is outside, else without it.

        Raises:
          TypeError: an error that ends the input is none of TensorFlow's own classes.
        """
        prefix = f"{export_scope}/" if export_scope else ""
        if not self.name.startswith(prefix):
            return None
        return QueueRunnerDef(
            queue_name=self.name[len(prefix) :],
            enqueue_op_name=[operation.name[len(prefix) :] for operation in self._enqueue_ops],
            close_op_name=self._close_op.name[len(prefix) :],
            cancel_op_name=self._cancel_op.name[len(prefix) :],
            queue_closed_exception_types=[v1.error_code_from_exception_type(kind) for kind in self._ends],
        )

    @staticmethod
    def from_proto(queue_runner_def: Any, import_scope: str | None = None) -> QueueRunner:
        """The runner of a `QueueRunnerDef` over the operations of the current graph, below a scope."""
        graph, prefix = get_default_graph(), f"{import_scope}/" if import_scope else ""

        def found(name: str) -> tf.Operation:
            return graph.get_operation_by_name(prefix + name.split(":")[0])

        return QueueRunner(
            _Named(prefix + queue_runner_def.queue_name),
            [found(name) for name in queue_runner_def.enqueue_op_name],
            found(queue_runner_def.close_op_name),
            found(queue_runner_def.cancel_op_name),
            tuple(v1.exception_type_from_error_code(code) for code in queue_runner_def.queue_closed_exception_types)
            or None,
        )

    def _fill(self, session: Session, operation: tf.Operation, coord: tf.train.Coordinator | None) -> None:
        enqueue = session.make_repeated(operation, _AT_ONCE)
        last = False
        try:
            while not (coord is not None and coord.should_stop()):
                enqueue()
        except self._ends:
            last = True
        except Exception as error:
            if coord is not None:
                coord.request_stop(error)
            else:
                with self._lock:
                    self._exceptions_raised.append(error)
                raise
        finally:
            with self._lock:
                self._running[session] -= 1
                last = last and self._running[session] == 0
        if last:
            self._run_quietly(session, self._close_op)

    def _cancel_on_stop(self, session: Session, coord: tf.train.Coordinator) -> None:
        coord.wait_for_stop()
        self._run_quietly(session, self._cancel_op)

    @staticmethod
    def _run_quietly(session: Session, operation: tf.Operation) -> None:
        """The queue may be gone with its session already; nobody waits for this result."""
        try:
            session.run(operation)
        except (tf.errors.OpError, RuntimeError) as error:
            tf.get_logger().debug("Ignored while closing a queue: %s", error)


def add_queue_runner(qr: QueueRunner, collection: str = GraphKeys.QUEUE_RUNNERS) -> None:
    """Has `start_queue_runners` start this runner; stands for `tf.train.add_queue_runner`."""
    add_to_collection(collection, qr)


@session_optional(tf.train.Coordinator)
def start_queue_runners(
    sess: Session | None = None,
    coord: tf.train.Coordinator | None = None,
    daemon: bool = True,
    start: bool = True,
    collection: str = GraphKeys.QUEUE_RUNNERS,
) -> list[threading.Thread]:
    """Starts the threads of all runners of the graph; stands for `tf.train.start_queue_runners`.

    Args:
      sess: the session; when None the default one, or what runs the steps of the store that is entered.
      coord, daemon, start: as in `QueueRunner.create_threads`.

    Returns:
      The threads.

    Raises:
      ValueError: no session is given and none is the default.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> coord = tf.train.Coordinator()
      >>> threads = start_queue_runners(session, coord)
      >>> # run what the queues feed, then:
      >>> coord.request_stop()
      >>> coord.join(threads)
    """
    session = session_here() if sess is None else sess
    if session is None:
        raise ValueError(
            "Cannot start queue runners: No default session is registered. Use `with sess.as_default()` or pass an "
            "explicit session to start_queue_runners(sess=sess)"
        )
    if not isinstance(session, Session):
        if type(session).__name__ in {"MonitoredSession", "SingularMonitoredSession"}:
            return []
        raise TypeError(f"sess must be a `compat.Session` object. Given class: {type(session)}")
    threads = []
    with session.graph.as_default():
        for runner in get_collection(collection):
            threads += runner.create_threads(session, coord=coord, daemon=daemon, start=start)
    return threads
