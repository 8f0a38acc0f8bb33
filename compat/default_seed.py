"""The seed of the program's default graph: TF 1.x had one such graph, whatever stands for it here.

Graphs that the program makes beside it, and the one that follows when it is thrown away, begin without a seed.
"""

from __future__ import annotations

import tensorflow as tf
from tensorflow.python.eager import context

__all__ = ["default_seed"]


class _DefaultSeed:
    def __init__(self) -> None:
        self.value: int | None = None
        """The seed that the program gave its default graph."""
        self._given: int | None = None

    def give(self, seed: int | None) -> None:
        """Gives TensorFlow 2 a seed that is one of a graph, for functions that run in no graph of the program."""
        tf.random.set_seed(seed)
        self._given = seed

    def of_tensorflow_2(self) -> int | None:
        """The seed that the program set by `tf.random.set_seed`, which is one for all graphs; else None."""
        seed: int | None = context.global_seed()
        return None if seed == self._given else seed


default_seed = _DefaultSeed()
