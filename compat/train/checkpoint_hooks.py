"""Saving checkpoints while training."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from .. import logging
from .. import variables as tf1
from ..bridge.v1 import SessionLog
from ..summary.writer_cache import FileWriterCache
from .global_step import get_or_create_global_step_read
from .message_file import write_graph_file
from .meta_graph import export_meta_graph
from .session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from .step_timer import SecondOrStepTimer


class CheckpointSaverListener:
    """Told when checkpoints are saved. Stands for ``tf.train.CheckpointSaverListener``."""

    def begin(self) -> None:
        """Called before the session is made."""

    def before_save(self, session: Any, global_step_value: int) -> None:
        """Called before each checkpoint."""

    def after_save(self, session: Any, global_step_value: int) -> Any:
        """Called after each checkpoint; training stops when it returns something true."""

    def end(self, session: Any, global_step_value: int) -> None:
        """Called at the end."""


class CheckpointSaverHook(SessionRunHook):
    """Saves a checkpoint at the beginning, every so many steps or seconds, and at the end.

    Stands for ``tf.train.CheckpointSaverHook``.

    Args:
        checkpoint_dir: folder of the checkpoints.
        save_secs, save_steps: seconds or steps between; one of them.
        saver: the saver; else the scaffold's, else the one of the collection ``SAVERS``.
        checkpoint_basename: first part of the files' names.
        scaffold: a ``Scaffold``.
        listeners: told about each checkpoint.

    Raises:
        ValueError: a saver and a scaffold, or both or none of ``save_secs`` and ``save_steps``.
    """

    def __init__(
        self,
        checkpoint_dir: str,
        save_secs: float | None = None,
        save_steps: int | None = None,
        saver: Any = None,
        checkpoint_basename: str = "model.ckpt",
        scaffold: Any = None,
        listeners: Sequence[CheckpointSaverListener] | None = None,
    ) -> None:
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver = saver
        self._checkpoint_dir = checkpoint_dir
        self._save_path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._scaffold = scaffold
        self._timer = SecondOrStepTimer(save_secs, save_steps)
        self._listeners = list(listeners or ())

    def begin(self) -> None:
        self._summary_writer = FileWriterCache.get(self._checkpoint_dir)
        self._global_step = get_or_create_global_step_read("CheckpointSaverHook")
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        global_step = session.run(self._global_step)
        graph = getattr(session, "graph", None)
        if graph is not None:
            write_graph_file(graph, self._checkpoint_dir)
            self._summary_writer.add_graph(graph)
            self._summary_writer.add_meta_graph(export_meta_graph(graph=graph, saver=self._get_saver()))
        self._save(session, global_step)
        self._timer.update_last_triggered_step(global_step)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._global_step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if not self._timer.should_trigger_for_step(run_values.results + 1):
            return
        global_step = run_context.session.run(self._global_step)
        if self._timer.should_trigger_for_step(global_step):
            self._timer.update_last_triggered_step(global_step)
            if self._save(run_context.session, global_step):
                run_context.request_stop()

    def end(self, session: Any) -> None:
        last_step = session.run(self._global_step)
        if last_step != self._timer.last_triggered_step():
            self._save(session, last_step)
        for listener in self._listeners:
            listener.end(session, last_step)

    def _save(self, session: Any, step: int) -> bool:
        logging.info("Saving checkpoints for %d into %s.", step, self._save_path)
        for listener in self._listeners:
            listener.before_save(session, step)
        self._get_saver().save(session, self._save_path, global_step=step)
        log = SessionLog(status=SessionLog.CHECKPOINT, checkpoint_path=self._save_path)
        self._summary_writer.add_session_log(log, step)
        wishes = [listener.after_save(session, step) for listener in self._listeners]
        return any(wishes)

    def _get_saver(self) -> Any:
        if self._saver is None and self._scaffold is not None:
            return self._scaffold.saver
        if self._saver is None:
            savers = tf1.get_collection(tf1.GraphKeys.SAVERS)
            if len(savers) != 1:
                raise RuntimeError(
                    f"{len(savers)} items in collection {tf1.GraphKeys.SAVERS}. Please add one saver to the collection "
                    "or provide a saver or scaffold."
                )
            self._saver = savers[0]
        return self._saver
