"""Callbacks of TF 1.15: when training stops, and which columns a log has.

A baseline of `EarlyStopping` is what the first epoch has to beat, and the first epoch may be the last: `tf_keras` never
stops behind the first epoch, and forgets a baseline as long as the epochs become better. `CSVLogger` writes what the
first epoch has: `tf_keras` adds columns for what validates, where nothing does.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from tf_keras.src import callbacks

__all__ = ["install"]


def _begin(self: Any, logs: Any = None) -> None:
    del logs
    self.wait = self.stopped_epoch = 0
    worst = np.inf if self.monitor_op == np.less else -np.inf
    self.best = worst if self.baseline is None else self.baseline
    self.best_weights = None


def _after_epoch(self: Any, epoch: int, logs: Any = None) -> None:
    current = self.get_monitor_value(logs)
    if current is None:
        return
    if self.monitor_op(current - self.min_delta, self.best):
        self.best, self.wait = current, 0
        if self.restore_best_weights:
            self.best_weights = self.model.get_weights()
        return
    self.wait += 1
    if self.wait >= self.patience:
        self.stopped_epoch, self.model.stop_training = epoch, True
        if self.restore_best_weights and self.best_weights is not None:
            self.model.set_weights(self.best_weights)


def _with_own_columns(log: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(log)
    def logged(self: Any, epoch: int, logs: Any = None) -> None:
        if self.keys is None:
            self.keys = sorted(logs or {})
        log(self, epoch, logs)

    return logged


def install() -> None:
    """Has training stop, and logs look, as they did, from now on in this process."""
    callbacks.CSVLogger.on_epoch_end = _with_own_columns(callbacks.CSVLogger.on_epoch_end)
    callbacks.EarlyStopping.on_train_begin = _begin
    callbacks.EarlyStopping.on_epoch_end = _after_epoch
