"""Writing summaries to event files."""

from __future__ import annotations

import os
import time
import warnings
from types import TracebackType
from typing import Any

import tensorflow as tf
from tensorflow.core.framework import graph_pb2

from ..bridge.v1 import Event, Summary, TaggedRunMetadata
from .events import EventFile


class FileWriter:
    """Writes summaries, graphs and run metadata to a new event file of a folder. Stands for ``tf.summary.FileWriter``.

    >>> graph, session = compat.open_graph(), compat.Session()
    >>> merged = compat.summary.scalar("loss", tf.constant(0.5))
    >>> with compat.summary.FileWriter("logs", session.graph) as writer:
    ...     writer.add_summary(session.run(merged), global_step=1)

    Args:
        logdir: the folder; it is made.
        graph: a graph to add at once.
        max_queue: accepted: events are written in the calling thread.
        flush_secs: how long an event may wait before it reaches the file.
        graph_def: a ``GraphDef`` to add at once in place of a graph.
        filename_suffix: last part of the file's name.
        session: not supported.

    Raises:
        NotImplementedError: a ``session``; fetch summaries and add them here.
    """

    def __init__(
        self,
        logdir: str,
        graph: Any = None,
        max_queue: int = 10,
        flush_secs: float = 120,
        graph_def: Any = None,
        filename_suffix: str | None = None,
        session: Any = None,
    ) -> None:
        del max_queue
        if session is not None:
            raise NotImplementedError("FileWriter(session=...) writes from inside of a graph: use tf.summary of TF2")
        self._logdir = os.fspath(logdir)
        self._flush_secs = flush_secs
        self._suffix = filename_suffix or ""
        self._closed = False
        self._seen_summary_tags: set[str] = set()
        self._session_run_tags: set[str] = set()
        self._file = EventFile(self._logdir, flush_secs, self._suffix)
        if graph is not None or graph_def is not None:
            self.add_graph(graph, graph_def=graph_def)

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get_logdir(self) -> str:
        """The folder."""
        return self._logdir

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Adds a summary.

        Args:
            summary: a ``Summary``, or a serialized one: what a session's run gave, or a string tensor of plain TF2.
            global_step: the step, an integer, variable or tensor.
        """
        if not isinstance(summary, Summary):
            serialized = summary.numpy() if tf.is_tensor(summary) else summary
            summary = Summary.FromString(bytes(serialized))
        # A tag's metadata is kept with its first value only.
        for value in summary.value:
            if value.HasField("metadata"):
                if value.tag in self._seen_summary_tags:
                    value.ClearField("metadata")
                self._seen_summary_tags.add(value.tag)
        self._add(Event(summary=summary), global_step)

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Adds a ``SessionLog``, which says when sessions start and stop."""
        self._add(Event(session_log=session_log), global_step)

    def add_graph(self, graph: Any = None, global_step: Any = None, graph_def: Any = None) -> None:
        """Adds a graph, for TensorBoard to draw.

        Args:
            graph: a ``compat.Graph``, another ``tf.Graph``, or a ``GraphDef``.
            global_step: the step.
            graph_def: a ``GraphDef`` in place of ``graph``.

        Raises:
            ValueError: none or both are given.
            TypeError: ``graph`` is something else.
        """
        if (graph is None) == (graph_def is None):
            raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
        self._add(Event(graph_def=_graph_def(graph_def if graph is None else graph).SerializeToString()), global_step)

    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Adds a ``MetaGraphDef``.

        Raises:
            TypeError: it is something else.
        """
        if not hasattr(meta_graph_def, "meta_info_def"):
            raise TypeError(f"meta_graph_def must be type MetaGraphDef, saw type: {type(meta_graph_def)}")
        self._add(Event(meta_graph_def=meta_graph_def.SerializeToString()), global_step)

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Adds the ``RunMetadata`` of one run.

        Raises:
            ValueError: the tag was used before.
        """
        if tag in self._session_run_tags:
            raise ValueError("The provided tag was already used for this event type")
        self._session_run_tags.add(tag)
        tagged = TaggedRunMetadata(tag=tag, run_metadata=run_metadata.SerializeToString())
        self._add(Event(tagged_run_metadata=tagged), global_step)

    def add_event(self, event: Any) -> None:
        """Adds an ``Event`` as it is."""
        if self._closed:
            warnings.warn(
                "Attempting to use a closed FileWriter. The operation will be a noop unless the FileWriter is "
                "explicitly reopened.",
                stacklevel=3,
            )
        else:
            self._file.write(event)

    def flush(self) -> None:
        """Has everything added reach the file."""
        self._file.flush()

    def close(self) -> None:
        """Ends the file. What is added afterwards is dropped with a warning, until :meth:`reopen`."""
        self._file.close()
        self._closed = True

    def reopen(self) -> None:
        """Begins a new file after :meth:`close`; does nothing while it is open."""
        if self._closed:
            self._file = EventFile(self._logdir, self._flush_secs, self._suffix)
            self._closed = False

    def _add(self, event: Any, global_step: Any) -> None:
        event.wall_time = time.time()
        if global_step is not None:
            event.step = _number(global_step)
        self.add_event(event)


def _number(step: Any) -> int:
    if isinstance(step, tf.Variable):
        with tf.init_scope():
            return int(step.numpy())
    return int(step)


def _graph_def(graph: Any) -> Any:
    if isinstance(graph, graph_pb2.GraphDef):
        return graph
    if isinstance(graph, tf.Graph):
        return graph.as_graph_def(add_shapes=True)
    raise TypeError("The passed graph must be an instance of `Graph` or the deprecated `GraphDef`")
