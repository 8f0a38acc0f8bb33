"""What the tests of `compat.run_isolated` run in other processes."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any


class Particular(Exception):
    """One that pickling does not survive: it wants two arguments."""

    def __init__(self, left: str, right: str) -> None:
        super().__init__(f"{left} and {right}")


def whereabouts(array: Any, scale: float = 1.0) -> tuple[int, Any]:
    return os.getpid(), array * scale


def train(steps: int) -> Any:
    import tensorflow as tf

    w = tf.Variable([4.0])
    for _ in range(steps):
        w.assign(0.5 * w)
    return w.numpy(), [gpu.name for gpu in tf.config.list_logical_devices("GPU")]


def misbehave(how: str) -> Any:
    if how == "raise":
        raise LookupError("no such thing")
    if how == "raise unpicklable":
        raise Particular("one", "other")
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "exit":
        sys.exit(3)
    if how == "sleep":
        time.sleep(600)
    return lambda: how
