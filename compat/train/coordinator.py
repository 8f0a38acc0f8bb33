"""A thread that does something at intervals until its coordinator stops it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf


class LooperThread(threading.Thread):
    """Runs its loop every so many seconds; stands for `tf.train.LooperThread`.

    Args:
      coord: the coordinator.
      timer_interval_secs: seconds from one run to the next; None runs without a pause.
      target, args, kwargs: what `run_loop` calls, unless a subclass defines it.

    Raises:
      ValueError: `coord` is not a `tf.train.Coordinator`.
    """

    def __init__(
        self,
        coord: tf.train.Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any] | None = None,
        args: Sequence[Any] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        if not isinstance(coord, tf.train.Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        super().__init__(daemon=True)
        self._coord = coord
        self._timer_interval_secs = timer_interval_secs
        self._loop_target = target
        self._loop_args = tuple(args or ())
        self._loop_kwargs = dict(kwargs or {})
        coord.register_thread(self)

    @staticmethod
    def loop(
        coord: tf.train.Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any],
        args: Sequence[Any] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> LooperThread:
        """A looper that calls `target`, started."""
        looper = LooperThread(coord, timer_interval_secs, target, args, kwargs)
        looper.start()
        return looper

    def run(self) -> None:
        """The thread's work; an exception in it stops the coordinator."""
        with self._coord.stop_on_exception():
            self.start_loop()
            next_time = time.time()
            while not self._coord.wait_for_stop(max(0.0, next_time - time.time())):
                next_time += self._timer_interval_secs or 0.0
                self.run_loop()
            self.stop_loop()

    def start_loop(self) -> None:
        """Called once before the loop."""

    def stop_loop(self) -> None:
        """Called once after it."""

    def run_loop(self) -> None:
        """Called at each interval."""
        if self._loop_target is not None:
            self._loop_target(*self._loop_args, **self._loop_kwargs)
