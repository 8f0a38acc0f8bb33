"""`tensorflow.contrib.tpu.python.tpu.tpu_function` of TF 1.15: the context of a computation that is sharded.

Off TPU nothing is: programs ask for the number of shards, and go on as for one where it is None.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["TpuContext", "get_tpu_context", "on_device_training_loop", "tpu_shard_context"]


class TpuContext(threading.local):
    """What is known of the computation that is being built.

    Attributes:
      number_of_shards: how many there are of it; None where none is being built.
    """

    number_of_shards: int | None = None

    def set_number_of_shards(self, number_of_shards: int | None) -> None:
        """Sets `number_of_shards`."""
        self.number_of_shards = number_of_shards


_context = TpuContext()


@contextlib.contextmanager
def tpu_shard_context(number_of_shards: int) -> Iterator[None]:
    """A block in which the context says that there are so many shards.

    Raises:
      NotImplementedError: such a block is open.
    """
    if _context.number_of_shards is not None:
        raise NotImplementedError("tpu_shard_context cannot be nested.")
    _context.set_number_of_shards(number_of_shards)
    try:
        yield
    finally:
        _context.set_number_of_shards(None)


def get_tpu_context() -> TpuContext:
    """The context of this thread.

    Example:
      >>> get_tpu_context().number_of_shards or 1
      1
    """
    return _context


def on_device_training_loop(func: Callable[..., Any]) -> Callable[..., Any]:
    """The function as it is, marked as a training loop on the device."""
    func.step_marker_location = "STEP_MARK_AT_TOP_LEVEL_WHILE_LOOP"  # type: ignore[attr-defined]
    return func
