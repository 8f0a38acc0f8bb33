"""Checkpoints of objects, which programs with sessions save and restore by a session."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from ..bridge.graph import Graph, current_graph
from ..bridge.session import get_default_session
from ..bridge.variable import GraphVariable
from ..steps.graph import StoreGraph
from ..variables.creation import Variable
from . import slots_of_checkpoints
from .load_status import CheckpointLoadStatus

__all__ = ["Checkpoint", "CheckpointManager"]


class Checkpoint(tf.train.Checkpoint):  # type: ignore[misc]
    """Groups objects that are saved together. Stands for ``tf.train.Checkpoint`` of TF 1.15, whose files are the same.

    Where variables are of a graph, a session holds their values: what is restored waits until the status that
    :meth:`restore` gives is asked to, in that session. Steps need no session.

    Args:
        **kwargs: objects with variables, by the names that the file has for them: variables, layers, optimizers.

    Raises:
        ValueError: something is no such object.

    >>> with compat.Graph().as_default(), compat.Session() as session:
    ...     w = compat.Variable([1.0, 2.0], name="w")
    ...     checkpoint = compat.train.Checkpoint(w=w)
    ...     session.run(w.initializer)
    ...     path = checkpoint.save("./model", session=session)
    ...     session.run(compat.assign(w, [5.0, 6.0]))
    ...     checkpoint.restore(path).assert_consumed().run_restore_ops(session)
    ...     path, session.run(w)
    array([5., 6.], dtype=float32)
    ('./model-1', array([1., 2.], dtype=float32))
    """

    def write(self, file_prefix: str | os.PathLike[str], session: Any = None) -> str:
        """Writes the file and gives its path; it is neither numbered nor noted as the latest."""
        with self.within(session), slots_of_checkpoints.as_tf1(self):
            return str(super().write(os.fspath(file_prefix)))

    def save(self, file_prefix: str | os.PathLike[str], session: Any = None) -> str:
        """Writes ``file_prefix-1``, ``file_prefix-2``, … and gives the path.

        Args:
            file_prefix: the folder and the beginning of the file's name.
            session: whose values are saved; the default session's when None.

        Raises:
            ValueError: variables are of a graph, and there is no session.
        """
        with self.within(session), slots_of_checkpoints.as_tf1(self):
            return str(super().save(os.fspath(file_prefix)))

    def restore(self, save_path: str | os.PathLike[str] | None) -> Any:
        """Restores what a file holds: eagerly at once, and in a graph where the status that it gives is told to.

        Args:
            save_path: a path that :meth:`save` or :meth:`write` gave; None begins anew.

        Raises:
            tf.errors.NotFoundError: there is no such file.
        """
        path = None if save_path is None else os.fspath(save_path)
        if self.graph() is None:
            return super().restore(path)
        if path is not None:
            tf.train.load_checkpoint(path)  # It raises where there is none, as TF1 did at once.
        self._maybe_create_save_counter()
        return CheckpointLoadStatus(self, path)

    def read_now(self, path: str) -> Any:
        """Restores at once, whatever waits for a session."""
        return super().restore(path)

    def graph(self) -> Graph | None:
        """The graph of the variables, or that is being built; None in eager programs."""
        of_graphs = (each.graph for each in self.held() if isinstance(each, GraphVariable))
        return next(of_graphs, None) or current_graph()

    def held(self) -> list[tf.Variable]:
        """The variables that the objects lead to, slots of optimizers among them."""
        found: dict[int, Any] = {}
        pending: list[Any] = [self]
        while pending:
            each = pending.pop()
            if id(each) not in found:
                found[id(each)] = each
                pending += each._trackable_children().values()
        return [each for each in found.values() if isinstance(each, tf.Variable)]

    @contextlib.contextmanager
    def within(self, session: Any) -> Iterator[None]:
        """A context in which variables hold the values that a session has for them."""
        graph = self.graph()
        if graph is None:
            yield
            return
        with self._turn_of(session, graph), tf.init_scope():
            if self._save_counter is None:
                self._maybe_create_save_counter()
                if not isinstance(graph, StoreGraph):
                    self._save_counter.assign(0)
            yield

    @staticmethod
    def _turn_of(session: Any, graph: Graph) -> contextlib.AbstractContextManager[None]:
        if isinstance(graph, StoreGraph):
            return contextlib.nullcontext()  # the variables of a store have one value
        session = session or get_default_session()
        if session is None:
            raise ValueError("Variables of a graph are saved and restored by a session: give it, or enter it by `with`")
        turn: contextlib.AbstractContextManager[None] = session.turn()
        return turn

    def _maybe_create_save_counter(self) -> None:
        graph = self.graph()
        if self._save_counter is not None or graph is None:
            super()._maybe_create_save_counter()
            return
        opened = graph.building() if isinstance(graph, StoreGraph) else graph.as_default()
        with opened, tf.device("/cpu:0"):
            counter = Variable(0, name="save_counter", dtype=tf.int64, trainable=False)
        self._track_trackable(counter, "save_counter")
        object.__setattr__(self, "_save_counter", counter)


class CheckpointManager(tf.train.CheckpointManager):  # type: ignore[misc]
    """Keeps the latest of some checkpoints. Stands for ``tf.train.CheckpointManager`` of TF 1.15.

    Args:
        checkpoint: a `Checkpoint`.
        directory: where its files are.
        max_to_keep: how many of them stay, or None.
        keep_checkpoint_every_n_hours: of those that would go, one in so many hours stays.
        checkpoint_name: the beginning of the files' names.
    """

    def save(self, checkpoint_number: Any = None) -> str:
        """Saves by the default session, where there is a graph, and gives the path.

        Args:
            checkpoint_number: an integer or a variable that counts; the checkpoint's own count when None.
        """
        checkpoint = self._checkpoint
        if not isinstance(checkpoint, Checkpoint):
            return str(super().save(checkpoint_number))
        with checkpoint.within(None), slots_of_checkpoints.as_tf1(checkpoint):
            return str(super().save(checkpoint_number))
