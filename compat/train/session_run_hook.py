"""Hooks: what happens around each run of a monitored session."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple


class SessionRunArgs(NamedTuple):
    """What a hook adds to a run. Stands for ``tf.train.SessionRunArgs``.

    Attributes:
        fetches: what to fetch, any structure of fetches.
        feed_dict: what to feed, or None.
        options: ``RunOptions``, or None.
    """

    fetches: Any
    feed_dict: Any = None
    options: Any = None


class SessionRunValues(NamedTuple):
    """What a run gave to a hook. Stands for ``tf.train.SessionRunValues``.

    Attributes:
        results: values in the structure of the hook's fetches; None where it asked for nothing.
        options: the run's ``RunOptions``.
        run_metadata: the run's ``RunMetadata``.
    """

    results: Any
    options: Any
    run_metadata: Any


@dataclasses.dataclass
class SessionRunContext:
    """One run, as hooks see it. Stands for ``tf.train.SessionRunContext``.

    Attributes:
        original_args: what the program asked for, as :class:`SessionRunArgs`.
        session: the session underneath; runs of it call no hooks.
    """

    original_args: SessionRunArgs
    session: Any
    _stop_requested: bool = False

    @property
    def stop_requested(self) -> bool:
        """Whether a hook has asked to stop."""
        return self._stop_requested

    def request_stop(self) -> None:
        """Has ``should_stop`` of the monitored session be true after this run."""
        self._stop_requested = True


class SessionRunHook:
    """What can be done around runs; subclasses override what they need. Stands for ``tf.train.SessionRunHook``."""

    def begin(self) -> None:
        """Called once, before the session is made; the graph may still grow."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Called when the session has been made and the variables have values."""

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Called before each run; what it returns is fetched and fed with it."""

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Called after each run."""

    def end(self, session: Any) -> None:
        """Called once at the end, unless an error ended the session."""
