"""`EarlyStopping` of TF 1.15: a baseline is what the first epoch has to beat, and the first epoch may be the last.

`tf_keras` never stops behind the first epoch, and forgets a baseline as long as the epochs become better.
"""

from __future__ import annotations

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


def install() -> None:
    """Has training stop where it did, from now on in this process."""
    callbacks.EarlyStopping.on_train_begin = _begin
    callbacks.EarlyStopping.on_epoch_end = _after_epoch
