"""Event files: records of ``Event`` protos, as TensorBoard reads them."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from ..bridge.v1 import Event
from ..io.full_disk import full_disk_raises


class EventFile:
    """Appends events to one new file of a folder, which appears with the first event.

    Args:
        logdir: the folder; it is made.
        flush_secs: how long an event may wait before it reaches the file.
        suffix: last part of the file's name.
    """

    def __init__(self, logdir: str, flush_secs: float, suffix: str) -> None:
        tf.io.gfile.makedirs(logdir)
        self._logdir = logdir
        self._flush_secs = flush_secs
        self._suffix = suffix
        self._lock = threading.Lock()
        self._records: Any = None
        self._path = ""
        self._flushed = 0.0
        self._closing: Any = None

    def write(self, event: Any) -> None:
        """Appends one event."""
        with self._lock:
            if self._records is None:
                self._open()
            with _room(self._path):
                self._records.write(event.SerializeToString())
            if time.time() - self._flushed > self._flush_secs:
                self._flush()

    def flush(self) -> None:
        """Has everything written reach the file."""
        with self._lock:
            if self._records is not None:
                self._flush()

    def close(self) -> None:
        """Ends the file."""
        with self._lock:
            if self._records is not None:
                self._closing()
                self._records = None

    def _flush(self) -> None:
        with _room(self._path):
            self._records.flush()
        self._flushed = time.time()

    def _unused_path(self, seconds: int) -> str:
        # Two writers of one second must not write over each other.
        while True:
            name = f"events.out.tfevents.{seconds:010d}.{socket.gethostname()}{self._suffix}"
            path = os.path.join(self._logdir, name)
            if not tf.io.gfile.exists(path):
                return path
            seconds += 1

    def _open(self) -> None:
        now = time.time()
        self._path = self._unused_path(int(now))
        self._records = tf.io.TFRecordWriter(self._path)
        # A program that ends without close() must not lose what it wrote.
        self._closing = weakref.finalize(self, _close, self._records, self._path)
        self._records.write(Event(wall_time=now, file_version="brain.Event:2").SerializeToString())
        self._flush()


def _room(path: str) -> contextlib.AbstractContextManager[None]:
    return full_disk_raises(f"The event file {path}", "Make room on the disk, then run again.")


def _close(records: Any, path: str) -> None:
    with _room(path):
        records.close()


def summary_iterator(path: str) -> Iterator[Any]:
    """The events of a file, in order. Stands for ``tf.train.summary_iterator``.

    >>> with compat.Graph().as_default(), compat.Session() as session:
    ...     with compat.summary.FileWriter("logs") as writer:
    ...         writer.add_summary(session.run(compat.summary.scalar("loss", 0.5)), global_step=3)
    >>> for event in compat.train.summary_iterator(tf.io.gfile.glob("logs/*")[0]):
    ...     for value in event.summary.value:
    ...         print(event.step, value.tag, value.simple_value)
    3 loss 0.5

    Raises:
        tf.errors.NotFoundError: there is no such file.
        tf.errors.DataLossError: the file is damaged.
    """
    with tf.init_scope():
        records = iter(tf.data.TFRecordDataset(path))
    while True:
        with tf.init_scope():
            record = next(records, None)
        if record is None:
            return
        yield Event.FromString(record.numpy())
