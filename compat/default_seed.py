"""The seed of the program's default graph: TF 1.x had one such graph, whatever stands for it here.

Graphs that the program makes beside it, and the one that follows when it is thrown away, begin without a seed.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from .private import context

__all__ = ["default_seed"]


class _DefaultSeed:
    def __init__(self) -> None:
        self.value: int | None = None
        """The seed that the program gave its default graph."""
        self._given: Any = None
        """TensorFlow 2's generator that began with the seed of a graph: `tf.random.set_seed` makes a new one."""

    def give(self, seed: int | None) -> None:
        """Gives TensorFlow 2 a seed that is one of a graph, for functions that run in no graph of the program."""
        tf.random.set_seed(seed)
        self._given = _generator()

    def of_default_graph(self) -> int | None:
        """The seed of the default graph; that of TensorFlow 2, where the program set that alone."""
        return self.of_tensorflow_2() if self.value is None else self.value

    def of_tensorflow_2(self) -> int | None:
        """The seed that the program set by `tf.random.set_seed`, which is one for all graphs; else None."""
        seed: int | None = context.global_seed()
        return None if _generator() is self._given else seed


def _generator() -> Any:
    return getattr(context.context(), "_rng", None)  # there is none before the first seed


default_seed = _DefaultSeed()
