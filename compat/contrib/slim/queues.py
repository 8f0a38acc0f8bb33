"""Queue runners for the length of a ``with``."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from ...train.queue_runner import start_queue_runners


@contextlib.contextmanager
def QueueRunners(session: Any) -> Iterator[None]:
    """Runs the queue runners of the graph while inside. Stands for ``slim.queues.QueueRunners``.

    >>> graph, session = compat.open_graph(), compat.Session()
    >>> number = compat.train.batch([tf.constant(7)], 2)
    >>> with QueueRunners(session):
    ...     session.run(number)
    array([7, 7], dtype=int32)
    """
    coordinator = tf.train.Coordinator()
    threads = start_queue_runners(session, coordinator)
    try:
        yield
    finally:
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=120)
