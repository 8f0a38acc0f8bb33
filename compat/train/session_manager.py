"""Sessions whose variables have values: from a checkpoint, or from their initializers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from .. import logging
from .. import variables as tf1
from ..bridge.graph import get_default_graph
from ..bridge.session import Session
from .checkpoint_damage import restore_last_whole
from .checkpoint_state import get_checkpoint_state
from .workers import share_with_workers


class SessionManager:
    """Makes sessions and gets their variables ready. Stands for ``tf.train.SessionManager``.

    Args:
        local_init_op: run in each new session.
        ready_op: gives the names of what has no value yet.
        ready_for_local_init_op: the same, before ``local_init_op``.
        graph: the graph; the default graph when None.
        recovery_wait_secs: seconds between looks for a checkpoint.
        local_init_run_options, local_init_feed_dict: for ``local_init_op``.
    """

    def __init__(
        self,
        local_init_op: Any = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        graph: Any = None,
        recovery_wait_secs: float = 30,
        local_init_run_options: Any = None,
        local_init_feed_dict: Any = None,
    ) -> None:
        self._local_init_op = local_init_op
        self._ready_op = ready_op
        self._ready_for_local_init_op = ready_for_local_init_op
        self._graph = graph or get_default_graph()
        self._recovery_wait_secs = recovery_wait_secs
        self._local_init_run_options = local_init_run_options
        self._local_init_feed_dict = local_init_feed_dict

    def prepare_session(
        self,
        master: str,
        init_op: Any = None,
        saver: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
        init_feed_dict: Any = None,
        init_fn: Callable[[Any], Any] | None = None,
    ) -> Session:
        """A session with the latest checkpoint's values; where there is none, after ``init_op`` and ``init_fn``.

        A damaged checkpoint is passed over for the one before, with a warning that says so.

        Raises:
            tf.errors.DataLossError: there are checkpoints, and all are damaged.
            RuntimeError: there is nothing to initialize with, or something still has no value.
        """
        session, restored = self._restored_session(
            master,
            saver,
            checkpoint_dir,
            checkpoint_filename_with_path,
            wait_for_checkpoint,
            max_wait_secs,
            config,
        )
        if not restored:
            if init_op is None and init_fn is None and self._local_init_op is None:
                raise RuntimeError("Model is not initialized and no init_op or init_fn or local_init_op was given")
            if init_op is not None:
                self._run_init_op(session, init_op, init_feed_dict)
            if init_fn is not None:
                init_fn(session)
        self._share_with_workers(session)
        self._initialize_local(session, init_op, init_fn)
        return session

    def recover_session(
        self,
        master: str,
        saver: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
    ) -> tuple[Session, bool]:
        """A session with a checkpoint's values, and whether there was one and everything has a value now."""
        session, restored = self._restored_session(
            master,
            saver,
            checkpoint_dir,
            checkpoint_filename_with_path,
            wait_for_checkpoint,
            max_wait_secs,
            config,
        )
        if not restored:
            return session, False
        if self._local_init_op is not None and not self._missing(session, self._ready_for_local_init_op):
            self._run_local_init_op(session)
        missing = self._missing(session, self._ready_op)
        if missing:
            logging.info("Restoring model from %s did not make model ready: %s", checkpoint_dir, missing)
        return session, not missing

    def wait_for_session(self, master: str, config: Any = None, max_wait_secs: float = float("inf")) -> Session:
        """A session as soon as everything has a value.

        Raises:
            tf.errors.DeadlineExceededError: it took longer than ``max_wait_secs``.
        """
        import tensorflow as tf

        session = self._session(master, config)
        deadline = time.time() + max_wait_secs
        self._share_with_workers(session)
        if self._local_init_op is not None:
            self._run_local_init_op(session)
        while missing := self._missing(session, self._ready_op):
            if time.time() + self._recovery_wait_secs > deadline:
                raise tf.errors.DeadlineExceededError(None, None, f"Session was not ready: {missing}")
            time.sleep(self._recovery_wait_secs)
        return session

    def _restored_session(
        self,
        master: str,
        saver: Any,
        checkpoint_dir: str | None,
        path: str | None,
        wait_for_checkpoint: bool,
        max_wait_secs: float,
        config: Any,
    ) -> tuple[Session, bool]:
        session = self._session(master, config)
        if checkpoint_dir and path:
            raise ValueError("Can not provide both checkpoint_dir and checkpoint_filename_with_path.")
        if saver is None or not (checkpoint_dir or path):
            return session, False
        if path:
            saver.restore(session, path)
            return session, True
        deadline = time.time() + max_wait_secs
        while wait_for_checkpoint and not _has_checkpoint(checkpoint_dir) and time.time() < deadline:
            time.sleep(self._recovery_wait_secs)
        kept = restore_last_whole(str(checkpoint_dir), lambda found: saver.restore(session, found))
        if kept:
            saver.recover_last_checkpoints(kept)
        return session, bool(kept)

    def _session(self, master: str, config: Any) -> Session:
        return Session(master, graph=self._graph, config=config)

    def _run_init_op(self, session: Session, init_op: Any, init_feed_dict: Any) -> None:
        session.run(init_op, feed_dict=init_feed_dict)

    def _initialize_local(self, session: Session, init_op: Any, init_fn: Any) -> None:
        if self._local_init_op is not None:
            missing = self._missing(session, self._ready_for_local_init_op)
            if missing:
                raise RuntimeError(
                    f"Init operations did not make model ready for local_init.  Init op: {_name(init_op)}, "
                    f"init fn: {init_fn}, error: {missing}"
                )
            self._run_local_init_op(session)
        missing = self._missing(session, self._ready_op)
        if missing:
            raise RuntimeError(
                f"Init operations did not make model ready.  Init op: {_name(init_op)}, init fn: {init_fn}, "
                f"local_init_op: {_name(self._local_init_op)}, error: {missing}"
            )

    def _share_with_workers(self, session: Session) -> None:
        share_with_workers(session, self._graph.get_collection(tf1.GraphKeys.GLOBAL_VARIABLES))

    def _run_local_init_op(self, session: Session) -> None:
        logging.info("Running local_init_op.")
        session.run(self._local_init_op, feed_dict=self._local_init_feed_dict, options=self._local_init_run_options)
        logging.info("Done running local_init_op.")

    def _missing(self, session: Session, ready_op: Any) -> str:
        """What has no value yet, in words; empty when everything is ready."""
        if ready_op is None:
            return ""
        names = session.run(ready_op)
        if not len(names):
            return ""
        listed = ", ".join(name.decode() if isinstance(name, bytes) else str(name) for name in names)
        return f"Variables not initialized: {listed}"


def _has_checkpoint(folder: str) -> bool:
    state = get_checkpoint_state(folder)
    return bool(state and state.model_checkpoint_path)


def _name(operation: Any) -> str:
    return "None" if operation is None else str(getattr(operation, "name", operation))
