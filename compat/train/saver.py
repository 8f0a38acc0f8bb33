"""Saving and restoring variables by name."""

from __future__ import annotations

import contextlib
import math
import os
import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from .. import counting, logging
from ..bridge.graph import current_graph
from ..bridge.v1 import SaverDef
from ..lookup.checkpoints import SavedTable
from ..optional_session import session_optional
from ..variables.store import built_graph
from . import checkpoint_state, saveables
from .global_step import global_step as step_value

_Kept = tuple[str, float]


class Saver:
    """Saves and restores variables under their TF1 names, in TF1's checkpoint format. Stands for ``tf.train.Saver``.

    Real TensorFlow 1.15 reads what it writes, and the other way round. It works on eager variables, so no session is
    needed: ``sess`` may be None in plain TF2. Nothing is restored unless everything fits.

    >>> graph, session = compat.open_graph(), compat.Session()
    >>> w = compat.get_variable("w", initializer=3.0)
    >>> session.run(w.initializer)
    >>> saver = compat.train.Saver()
    >>> path = saver.save(session, "./model", global_step=10)
    >>> path
    './model-10'
    >>> saver.restore(session, path)

    Args:
        var_list: what to save: variables and mutable tables, a dict of names to them, a ``VariableStore``; all global
            variables, and the tables of the graph, when None.
        reshape: let a restored value have another shape with as many elements.
        sharded: accepted: one process writes one shard, as TF1 did on one device.
        max_to_keep: how many recent checkpoints to keep; 0 or None keeps all and does not list them.
        keep_checkpoint_every_n_hours: besides those keep one for every so many hours.
        name: accepted and recorded in :meth:`as_saver_def`.
        restore_sequentially: accepted.
        saver_def: the options of an existing saver.
        builder: not supported.
        defer_build: choose the variables at :meth:`build`, not now.
        allow_empty: do nothing, and raise nothing, where there are no variables.
        write_version: ``SaverDef.V2``.
        pad_step_number: write the global step with eight digits.
        save_relative_paths: write relative paths into the ``checkpoint`` file.
        filename: accepted and recorded.

    Raises:
        ValueError: there are no variables, or two of one name.
        NotImplementedError: a ``builder``, or the V1 format.
    """

    def __init__(
        self,
        var_list: Any = None,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        saver_def: Any = None,
        builder: Any = None,
        defer_build: bool = False,
        allow_empty: bool = False,
        write_version: int = SaverDef.V2,
        pad_step_number: bool = False,
        save_relative_paths: bool = False,
        filename: str | None = None,
    ) -> None:
        del restore_sequentially
        if defer_build and var_list is not None:
            raise ValueError(
                "If `var_list` is provided then build cannot be deferred. Either set defer_build=False or "
                "var_list=None."
            )
        if builder is not None:
            raise NotImplementedError("Saver(builder=...) writes formats of its own; save with tf.train.Checkpoint")
        if saver_def is not None:
            write_version = saver_def.version or SaverDef.V2
            max_to_keep = saver_def.max_to_keep
            keep_checkpoint_every_n_hours = saver_def.keep_checkpoint_every_n_hours
            sharded = saver_def.sharded
        if write_version != SaverDef.V2:
            raise NotImplementedError("TF2 cannot write TF1's V1 checkpoint format: use write_version=SaverDef.V2")
        self._var_list = var_list
        self._reshape = reshape
        self._sharded = sharded
        self._max_to_keep = int(max_to_keep or 0)
        self._keep_every_n_hours = keep_checkpoint_every_n_hours
        self._name = name
        self._allow_empty = allow_empty
        self._pad_step_number = pad_step_number
        self._save_relative_paths = save_relative_paths
        self._filename = filename
        self._saveables: list[saveables.Saveable] | None = None
        self._tables: list[SavedTable] = []
        self._derived: list[saveables.Derived] = []
        self._next_checkpoint_time = time.time() + keep_checkpoint_every_n_hours * 3600
        self._last_checkpoints: list[_Kept] = []
        self._checkpoints_to_be_deleted: list[_Kept] = []
        if not defer_build:
            self.build()

    def build(self) -> None:
        """Chooses the variables; only needed after ``defer_build``.

        Raises:
            ValueError: there are none, or two of one name.
        """
        found, tables, derived = saveables.saveables_of(self._var_list)
        if not found and not tables and not self._allow_empty:
            raise ValueError("No variables to save")
        for table in tables:
            table.prepare()
        if found:
            counting.add(11 + sum(map(self._restoring, found)), built_graph())
        self._saveables, self._tables, self._derived = found, tables, derived

    def _restoring(self, saveable: saveables.Saveable) -> int:
        """How many operations of TF1 gave a variable its value."""
        assigning = 1 if getattr(saveable.variable, "shares_memory", False) else 2
        return assigning + (2 if self._reshape else 0)

    @session_optional(str, os.PathLike)
    def save(
        self,
        sess: Any,
        save_path: str,
        global_step: Any = None,
        latest_filename: str | None = None,
        meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True,
        write_state: bool = True,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> str | None:
        """Writes a checkpoint.

        Args:
            sess: the session, or None; it may be left out: ``saver.save(path)``.
            save_path: path of the checkpoint, without suffix.
            global_step: a number, variable or tensor that is appended to the path (``model-10``).
            latest_filename: name of the file that lists checkpoints; ``checkpoint`` by default.
            meta_graph_suffix: suffix of the graph's file.
            write_meta_graph: write the graph too: the bridge's, or that of the store which is entered.
            write_state: list the checkpoint, and delete those that are not to be kept.
            strip_default_attrs: accepted: default attributes are always left out of the graph.
            save_debug_info: accepted.

        Returns:
            The path with the step; None where there are no variables.

        Raises:
            RuntimeError: :meth:`build` is still to be called.
            TypeError: ``sess`` is no session.
            ValueError: the folder does not exist, or paths collide.
            tf.errors.FailedPreconditionError: a variable has no value yet.
            tf.errors.ResourceExhaustedError: the disk is full; earlier checkpoints are as they were.
        """
        del strip_default_attrs, save_debug_info
        if self._saveables is None:
            raise RuntimeError("`build()` should be called before save if defer_build==True")
        _check_session(sess)
        latest_filename = latest_filename or "checkpoint"
        path = self._path(sess, save_path, global_step, latest_filename)
        if self._saveables or self._tables:
            further = {name: value for table in self._tables for name, value in _read(table, sess)}
            with _turn_of(sess):
                self._write(path, further, latest_filename, write_state, meta_graph_suffix)
        graph = getattr(sess, "graph", None) or current_graph() or built_graph()
        if write_meta_graph and graph is not None:
            with graph.as_default():
                self.export_meta_graph(checkpoint_state.meta_graph_filename(path, meta_graph_suffix))
        return path if self._saveables or self._tables else None

    @session_optional(str, os.PathLike)
    def restore(self, sess: Any, save_path: str) -> None:
        """Gives the variables the values of a checkpoint; they need no initializer then.

        Checkpoints of ``tf.train.Checkpoint`` can be read as well, by the names that their variables had.

        Args:
            sess: the session, or None; it may be left out: ``saver.restore(path)``.
            save_path: path of the checkpoint, as :meth:`save` returned it.

        Raises:
            ValueError: there is no such checkpoint.
            tf.errors.DataLossError: its files are damaged; the message names them and what to do.
            tf.errors.NotFoundError: it lacks variables; the message names them.
            tf.errors.InvalidArgumentError: shapes or dtypes differ.
        """
        _check_session(sess)
        if self._saveables is None:
            raise RuntimeError("`build()` should be called before restore if defer_build==True")
        if not self._saveables and not self._tables:
            return
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        prefix = os.fspath(save_path)
        if not checkpoint_state.checkpoint_exists(prefix):
            raise ValueError(f"The passed save_path is not a valid checkpoint: {prefix}")
        logging.info("Restoring parameters from %s", prefix)
        try:
            further = {name: dtype for table in self._tables for name, dtype in _forms(table)}
            with _turn_of(sess):
                values = saveables.restore(prefix, self._saveables, self._reshape, further, self._derived)
            for table, keys, held in zip(self._tables, values[::2], values[1::2], strict=True):
                table.write(sess, keys, held)
        except tf.errors.NotFoundError as error:
            raise _explained(error, "a Variable name or other graph key that is missing") from None
        except tf.errors.InvalidArgumentError as error:
            raise _explained(error, "a mismatch between the current graph and the graph") from None

    @property
    def saveables(self) -> Sequence[saveables.Saveable]:
        """The variables under their names in checkpoints; none before :meth:`build`."""
        return tuple(self._saveables or ())

    @property
    def last_checkpoints(self) -> list[str]:
        """Paths of the checkpoints that are kept, oldest first."""
        return [path for path, _ in self._last_checkpoints]

    def set_last_checkpoints(self, last_checkpoints: Sequence[str]) -> None:
        """Takes earlier checkpoints over, never to be deleted."""
        self._last_checkpoints = [(path, math.inf) for path in last_checkpoints]

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time: Sequence[_Kept]) -> None:
        """Takes earlier checkpoints over, with the times when they were written."""
        self._last_checkpoints = list(last_checkpoints_with_time)

    def recover_last_checkpoints(self, checkpoint_paths: Sequence[str]) -> None:
        """Takes earlier checkpoints over, so far as they exist."""
        self._last_checkpoints = [
            (path, times[0]) for path in checkpoint_paths if (times := checkpoint_state.get_checkpoint_mtimes([path]))
        ]

    def as_saver_def(self) -> Any:
        """The options as a ``SaverDef``; the operations that it names exist in exported graphs only."""
        scope = self._name or "save"
        return SaverDef(
            filename_tensor_name=f"{scope}/Const:0",
            save_tensor_name=f"{scope}/control_dependency:0",
            restore_op_name=f"{scope}/restore_all",
            max_to_keep=self._max_to_keep,
            keep_checkpoint_every_n_hours=self._keep_every_n_hours,
            sharded=self._sharded,
            version=SaverDef.V2,
        )

    @property
    def saver_def(self) -> Any:
        """As :meth:`as_saver_def`."""
        return self.as_saver_def()

    def to_proto(self, export_scope: str | None = None) -> Any:
        """As :meth:`as_saver_def`; None where the saver is outside of ``export_scope``."""
        proto = self.as_saver_def()
        return None if export_scope and not proto.restore_op_name.startswith(export_scope) else proto

    @staticmethod
    def from_proto(saver_def: Any, import_scope: str | None = None) -> Saver:
        """A saver of all global variables with the options of ``saver_def``."""
        return Saver(saver_def=saver_def, name=import_scope)

    def export_meta_graph(self, filename: str | None = None, **options: Any) -> Any:
        """Writes the graph, with this saver in it; see :func:`compat.train.export_meta_graph`."""
        from .meta_graph import export_meta_graph

        return export_meta_graph(filename, saver=self, **options)

    def _path(self, sess: Any, save_path: str, global_step: Any, latest_filename: str) -> str:
        save_path = os.fspath(save_path)
        if os.path.split(latest_filename)[0]:
            raise ValueError("'latest_filename' must not contain path components")
        if global_step is None:
            if os.path.basename(save_path) == latest_filename and not self._sharded:
                raise ValueError(f"'latest_filename' collides with 'save_path': '{latest_filename}' and '{save_path}'")
            return save_path
        number = global_step if isinstance(global_step, (int, np.integer)) else step_value(sess, global_step)
        return f"{save_path}-{number:08d}" if self._pad_step_number else f"{save_path}-{number}"

    def _write(
        self, path: str, further: dict[str, Any], latest_filename: str, write_state: bool, meta_graph_suffix: str
    ) -> None:
        folder = os.path.dirname(path)
        # The kernel makes the folder itself, but none above it.
        if not tf.io.gfile.isdir(os.path.dirname(folder) or "."):
            raise ValueError(f"Parent directory of {path} doesn't exist, can't save.")
        saveables.save(path, self._saveables or [], further, self._derived)
        if not write_state:
            return
        self._record(path)
        checkpoint_state.update_checkpoint_state(
            folder,
            path,
            self.last_checkpoints,
            latest_filename,
            save_relative_paths=self._save_relative_paths,
        )
        self._delete_one(meta_graph_suffix)

    def _record(self, path: str) -> None:
        if not self._max_to_keep:
            return
        self._last_checkpoints = [kept for kept in self._last_checkpoints if kept[0] != path]
        self._last_checkpoints.append((path, time.time()))
        if len(self._last_checkpoints) > self._max_to_keep:
            self._checkpoints_to_be_deleted.append(self._last_checkpoints.pop(0))

    def _delete_one(self, meta_graph_suffix: str) -> None:
        if not self._checkpoints_to_be_deleted:
            return
        path, written = self._checkpoints_to_be_deleted.pop(0)
        if written > self._next_checkpoint_time:
            self._next_checkpoint_time += self._keep_every_n_hours * 3600
            return
        try:
            checkpoint_state.remove_checkpoint(path, meta_graph_suffix=meta_graph_suffix)
        except (OSError, tf.errors.OpError) as error:
            logging.warning("Ignoring: %s", error)


def _read(table: SavedTable, sess: Any) -> Iterable[tuple[str, Any]]:
    return zip(table.tensor_names, table.read(sess), strict=True)


def _forms(table: SavedTable) -> Iterable[tuple[str, tf.DType]]:
    return zip(table.tensor_names, table.dtypes, strict=True)


def _check_session(sess: Any) -> None:
    if sess is not None and not hasattr(sess, "run"):
        raise TypeError(f"'sess' must be a Session; {sess}")


def _turn_of(sess: Any) -> contextlib.AbstractContextManager[None]:
    """A context in which variables hold the values of ``sess``, which one session of a graph may not share."""
    return getattr(sess, "turn", contextlib.nullcontext)()


def _explained(error: tf.errors.OpError, cause: str) -> tf.errors.OpError:
    message = (
        f"Restoring from checkpoint failed. This is most likely due to {cause} from the checkpoint. Please ensure that "
        f"you have not altered the graph expected based on the checkpoint. Original error:\n\n{error.message}"
    )
    return type(error)(error.node_def, error.op, message)
