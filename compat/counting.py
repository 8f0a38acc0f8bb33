"""How many operations TensorFlow 1 made where a shim makes others.

It took the number of operations in the graph as the second seed of those that have the graph's seed alone: shims say
what TensorFlow 1 made, and graphs of the bridge count that (see `compat.bridge.operation_count`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from .private import ops

__all__ = ["add", "counted"]


def _count(otherwise: Any = None) -> Any:
    """The count of the graph that is being built, or None; `otherwise` is the graph where none is."""
    return getattr(otherwise if tf.executing_eagerly() else ops.get_default_graph(), "operation_count", None)


def add(operations: int, otherwise: Any = None) -> None:
    """Counts operations that TensorFlow 1 made besides; with a minus those that it did not make.

    They are of the graph that is being built, of the graph `otherwise` where none is.
    """
    count = _count(otherwise)
    if count is not None:
        count.add(operations)


@contextlib.contextmanager
def counted(operations: int) -> Iterator[None]:
    """A context: whatever is made in it counts as so many operations."""
    count = _count()
    before = None if count is None else count.number
    yield
    if count is not None:
        count.add(before + operations - count.number)
