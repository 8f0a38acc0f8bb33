"""How many operations TF1 would have had in a graph: the second seed of those that have the graph's seed alone.

TF1 gave a random operation without a seed of its own the number of operations that its graph had by then. Functions of
TF2 make nearly the same operations; what is known to differ is counted here: variables, `tf.random.uniform`
between 0 and 1, dropout. Behind gradients, loops, branches, recurrent layers and batch normalization, which are built
in another way, the numbers are others than TF1's.
"""

from __future__ import annotations

import weakref
from collections import deque
from typing import Any

import tensorflow as tf
from tensorflow.python.framework import random_seed

__all__ = ["OperationCount"]


_DROPOUTS = {("Const", "Mul", "Shape"): (1, 4), ("Const", "Sub", "RealDiv", "Shape"): (3, 5)}
"""What TF2's dropout makes before its random numbers, for a rate of Python's and for a tensor: how many TF1 made fewer
before them, and how many more behind."""


class _Number(int):
    """A count that notes when TensorFlow makes a seed of it."""

    count: OperationCount

    def __mod__(self, other: int) -> int:
        self.count.is_asked = True
        return int(self) % other


class OperationCount:
    """The count of one graph.

    Attributes:
      is_asked: whether the next random operation has its second seed from here.
    """

    def __init__(self, graph: Any) -> None:
        self._graph = weakref.ref(graph)  # TensorFlow's table holds this count, and is to let go of the graph.
        self._number = 0
        self._drawn_in: str | None = None
        self._last: deque[str] = deque(maxlen=4)
        self._dropout = ("", 0)
        self.is_asked = False
        self.add(0)

    def add(self, operations: int) -> None:
        """Counts operations; those that TF1 did not make are counted with a minus."""
        self._number += operations
        number = _Number(self._number)
        number.count = self
        random_seed._graph_to_seed_dict[self._graph()] = number

    def before(self, op_type: str, attributes: Any, scope: str) -> Any:
        """The attributes of an operation that is going to be made, with TF1's second seed.

        `tf.random.uniform` made its bounds in TF1, also where they are 0 and 1.
        """
        asked, self.is_asked = self.is_asked, False
        if op_type == "RandomUniform" and _is_uniform(scope) and not self._has(f"{scope}/max"):
            around = scope.rpartition("/")[0]
            fewer = 0
            for made, (fewer_before, more_behind) in _DROPOUTS.items():
                if [*self._last][-len(made) :] == [f"{around}/{name}" for name in made]:
                    fewer, self._dropout = fewer_before, (f"{around}/SelectV2", more_behind)
            self.add(2 - fewer)
            if asked:
                attributes = dict(attributes)
                attributes["seed2"] = type(attributes["seed2"])(i=attributes["seed2"].i + 2 - fewer)
        return attributes

    def after(self, operation: tf.Operation) -> None:
        """Counts an operation that was made; TF1 wrote `numbers * (max - min) + min` for any bounds."""
        self.add(1)
        self._last.append(operation.name)
        if operation.name == self._dropout[0]:
            self.add(self._dropout[1])
        scope = operation.name.rpartition("/")[0]
        if operation.name == f"{self._drawn_in}/Mul":
            self.add(2)  # numbers * max
        self._drawn_in = None
        if operation.type == "RandomUniform" and _is_uniform(scope):
            if self._has(f"{scope}/max"):
                self._drawn_in = scope
            else:
                self.add(3)

    def _has(self, name: str) -> bool:
        return name.lower() in self._graph()._names_in_use


def _is_uniform(scope: str) -> bool:
    """Whether a scope is that of `tf.random.uniform`."""
    return scope.rpartition("/")[2].startswith("random_uniform")
