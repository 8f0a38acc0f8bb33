"""How many operations TF1 would have had in a graph: the second seed of those that have the graph's seed alone.

TF1 gave a random operation without a seed of its own the number of operations that its graph had by then. Functions of
TF2 make nearly the same operations; where it is known how many more or fewer TF1 made, they are counted here, and shims
say it themselves (`compat.counting`). Behind gradients, loops, branches, recurrent layers and some further functions
numbers are others than TF1's: `tf_migrate/facts/operation_count.txt` names them, and the rule TFM138 reports them.
"""

from __future__ import annotations

import inspect
import re
import sys
import weakref
from collections import deque
from collections.abc import Mapping, Sequence, Set
from types import CodeType, FrameType
from typing import Any

import tensorflow as tf

from ..private import array_ops, clip_ops, math_ops, random_seed

__all__ = ["OperationCount"]


_DROPOUTS = {("Const", "Mul", "Shape"): (1, 4), ("Const", "Sub", "RealDiv", "Shape"): (3, 5)}
"""What TF2's dropout makes before its random numbers, for a rate of Python's and for a tensor: how many TF1 made fewer
before them, and how many more behind."""

_GAMMA = -2
"""TF2 broadcasts what `tf.random.gamma` is given, by four operations; TF1 added zeros to it, by two."""

_BESIDES = {
    "Split": 1,
    "MatrixDiagV3": -4,
    "MatrixDiagPartV3": -2,
    "MatrixSetDiagV3": -1,
    "OnesLike": 2,
    "DummySeedGenerator": -1,
    "DummyMemoryCache": -1,
}
"""By types of operations how many TF1 made besides: the number of parts; a shape to fill with ones. It had no constants
of which diagonal, and nothing that datasets are shuffled or cached by."""
_ONES = frozenset(inspect.unwrap(each).__code__ for each in (array_ops.ones_like_v2, array_ops.ones_like_impl))
"""Makes one constant of a small shape that is known, where TF1 filled a tensor in any case."""
_CLIPPING = frozenset({inspect.unwrap(clip_ops.clip_by_global_norm).__code__})
"""Adds what is not finite, where TF1 selected it."""
_TENSORDOT = frozenset({inspect.unwrap(math_ops.tensordot).__code__})
_FILLING = frozenset(inspect.unwrap(each).__code__ for each in (array_ops.zeros, array_ops.ones))
"""Make a tensor of a shape; TF1 multiplied its sizes, and asked whether that is small, also where some are tensors."""


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
        self._last: deque[str] = deque(maxlen=12)
        self._dropout = ("", 0)
        self.is_asked = False
        self.add(0)

    @property
    def number(self) -> int:
        """How many operations there are."""
        return self._number

    def add(self, operations: int) -> None:
        """Counts operations; those that TF1 did not make are counted with a minus."""
        self._number += operations
        number = _Number(self._number)
        number.count = self
        random_seed._graph_to_seed_dict[self._graph()] = number

    def answered(self) -> None:
        """Forgets that somebody asked for a seed who makes no operation of it: in TF1 that counted nothing."""
        self.is_asked = False
        self.add(0)

    def before(self, op_type: str, attributes: Any, scope: str) -> Any:
        """The attributes of an operation that is going to be made, with TF1's second seed.

        `tf.random.uniform` made its bounds in TF1, also where they are 0 and 1.
        """
        asked, self.is_asked = self.is_asked, False
        if op_type == "RandomUniform" and _is_uniform(scope) and not self._has(f"{scope}/max"):
            around = scope.rpartition("/")[0]
            fewer = 0
            # A shape that the program gives is made among the random numbers.
            last = [name for name in self._last if not name.startswith(f"{scope}/shape")]
            given = 1 if len(last) < len(self._last) else 0
            for made, (fewer_before, more_behind) in _DROPOUTS.items():
                before = [f"{around}/{name}" for name in made[: len(made) - given]]
                if last[-len(before) :] == before:
                    fewer, self._dropout = fewer_before, (f"{around}/mul_1", more_behind)
            attributes = self._shifted(attributes, 2 - fewer, asked)
        elif op_type == "RandomGamma" and self._last and self._last[-1] == f"{scope}/BroadcastTo":
            attributes = self._shifted(attributes, _GAMMA, asked)
        return attributes

    def _shifted(self, attributes: Any, operations: int, asked: bool) -> Any:
        """The attributes of an operation that TF1 made behind so many operations more."""
        self.add(operations)
        if asked:
            attributes = dict(attributes)
            attributes["seed2"] = type(attributes["seed2"])(i=attributes["seed2"].i + operations)
        return attributes

    def after(self, operation: tf.Operation) -> None:
        """Counts an operation that was made; TF1 wrote `numbers * (max - min) + min` for any bounds."""
        self.add(1 + _besides(operation))
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


def _besides(operation: tf.Operation) -> int:
    """How many operations TF1 made besides one of TF2; with a minus how many fewer it made with it."""
    if operation.type == "OneHot":
        values = (given.op.name for given in operation.inputs[2:])
        return sum(re.fullmatch(rf"{re.escape(operation.name)}/Const(_\d+)?", name) is not None for name in values)
    if operation.type == "Const":
        if operation.name.endswith("/shape") and operation.outputs[0].dtype == tf.float32:
            return -1  # An empty list as a shape: a second constant, of integers, follows.
        return 2 if _names_in(_ONES).get("name") == f"{operation.name}/" else 0
    if operation.type == "AddV2":
        return 1 if operation.name.endswith("/add") and _names_in(_CLIPPING) else 0
    if operation.type == "Pack":
        shape = _names_in(_FILLING).get("shape") if operation.name.endswith("/packed") else None
        return _besides_shape(shape) if isinstance(shape, list | tuple) else 0
    if operation.type == "ResourceGather":
        return 1 if getattr(operation.graph.variable_read_by(operation), "shares_memory", False) else 0
    if operation.type == "MatMul" and (names := _names_in(_TENSORDOT)):
        return _besides_product(operation.outputs[0], names)
    return _BESIDES.get(operation.type, 0)


def _besides_product(product: tf.Tensor, names: Mapping[str, Any]) -> int:
    """How many operations TF1 made besides for `tf.tensordot`: it also transposed and reshaped what needs neither."""
    besides = 0
    for name in ("a", "b"):
        made, given = names[f"{name}_reshape"], names[name]
        besides += 4 if made is given else 2 if made.op.inputs[0] is given else 0
    free = names["a_free_dims"], names["b_free_dims"]
    known = all(isinstance(sizes, list) for sizes in free) and product.shape.is_fully_defined()
    return besides + (2 if known and product.shape.as_list() == [*free[0], *free[1]] else 0)


def _besides_shape(sizes: Sequence[Any]) -> int:
    """How many operations TF1 made of the product of sizes, some of which are tensors, and of the question after it."""
    products = 0
    seen = tf.is_tensor(sizes[0])
    for size in sizes[1:]:
        if seen or tf.is_tensor(size):
            products += 1 if seen and tf.is_tensor(size) else 2
            seen = True
    return products + 2


def _names_in(functions: Set[CodeType]) -> Mapping[str, Any]:
    """The local names of the one of these functions of TensorFlow that is making an operation; none where none is."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not _is_of_tensorflow(frame):
        frame = frame.f_back
    while frame is not None and _is_of_tensorflow(frame):
        if frame.f_code in functions:
            return frame.f_locals
        frame = frame.f_back
    return {}


def _is_of_tensorflow(frame: FrameType) -> bool:
    return frame.f_globals.get("__name__", "").startswith("tensorflow.")


def _is_uniform(scope: str) -> bool:
    """Whether a scope is that of `tf.random.uniform`."""
    return scope.rpartition("/")[2].startswith("random_uniform")
