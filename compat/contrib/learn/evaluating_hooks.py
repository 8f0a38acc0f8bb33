"""Evaluation in the middle of training, where a new checkpoint is there."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ... import train

_Latest = Callable[[], str | None]


class EvaluatingHook(train.SessionRunHook):
    """Evaluates each new checkpoint that it finds; what `ValidationMonitor` of TF 1.15 did in an `Experiment`.

    Args:
      evaluate: evaluates the last checkpoint.
      latest: gives its path, or None.
      every_steps: steps between two looks for one.
      check_interval_secs: seconds that have to be between two looks, too.
    """

    def __init__(
        self, evaluate: Callable[[], Any], latest: _Latest, every_steps: int, check_interval_secs: float | None
    ) -> None:
        self._evaluate, self._latest = evaluate, latest
        self._every_steps, self._interval = every_steps, check_interval_secs
        self._looked_at_step = 0
        self._looked_at: float | None = None
        self._evaluated: str | None = None

    def begin(self) -> None:
        self._step: int | None = None
        self._counter = train.get_global_step()

    def before_run(self, run_context: train.SessionRunContext) -> train.SessionRunArgs:
        if self._step is None:
            self._step = int(run_context.session.run(self._counter)) + 1
        return train.SessionRunArgs(self._counter)

    def after_run(self, run_context: train.SessionRunContext, run_values: train.SessionRunValues) -> None:
        step = self._step or 0
        self._step = int(run_values.results) + 1
        if step < self._looked_at_step + self._every_steps:
            return
        self._looked_at_step = step
        now = time.monotonic()
        if self._interval is not None and self._looked_at is not None and now - self._looked_at <= self._interval:
            return
        self._looked_at = now
        path = self._latest()
        if path is not None and path != self._evaluated:
            self._evaluated = path
            self._evaluate()


class EvaluatingListener(train.CheckpointSaverListener):
    """Evaluates and exports each checkpoint when it has been saved.

    Args:
      evaluated: metrics of a checkpoint, and what was exported of it.
      latest: gives the path of the last one.
    """

    def __init__(self, evaluated: Callable[[str], tuple[Any, Any]], latest: _Latest) -> None:
        self._evaluated, self._latest = evaluated, latest
        self._path: str | None = None
        self.results: tuple[Any, Any] = (None, None)

    def after_save(self, session: Any, global_step_value: int) -> None:
        path = self._latest()
        if path and path != self._path:
            self._path = path
            self.results = self._evaluated(path)
