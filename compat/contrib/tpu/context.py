"""The shards of a TPU that a computation is built for: none, where there is no TPU.

Stands for `tensorflow.contrib.tpu.python.tpu.tpu_function`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["TpuContext", "get_tpu_context", "tpu_shard_context"]


class TpuContext(threading.local):
    """Holds the number of shards while a sharded computation is built, else None; stands for `TpuContext`."""

    def __init__(self) -> None:
        self._number_of_shards: int | None = None

    @property
    def number_of_shards(self) -> int | None:
        """The number of shards, or None."""
        return self._number_of_shards

    def set_number_of_shards(self, number_of_shards: int | None) -> None:
        """Sets the number of shards."""
        self._number_of_shards = number_of_shards


_current = TpuContext()


def get_tpu_context() -> TpuContext:
    """The context of this thread; stands for `get_tpu_context`."""
    return _current


@contextmanager
def tpu_shard_context(number_of_shards: int) -> Iterator[None]:
    """Builds a computation for a number of shards; stands for `tpu_shard_context`."""
    if _current.number_of_shards is not None:
        raise NotImplementedError("tpu_shard_context cannot be nested.")
    try:
        _current.set_number_of_shards(number_of_shards)
        yield
    finally:
        _current.set_number_of_shards(None)
