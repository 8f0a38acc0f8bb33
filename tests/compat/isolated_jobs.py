"""What the tests of `compat.run_isolated` run in other processes."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
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
    gpus = [gpu.name for gpu in tf.config.list_logical_devices("GPU")]
    return w.numpy(), gpus, held_of_gpus(), os.getpid()


def held_of_gpus() -> list[str]:
    """The files of NVIDIA's driver that this process has open: one that uses a GPU has some."""
    links = [file for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]
    return sorted(path for path in map(os.readlink, links) if path.startswith("/dev/nvidia"))


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
