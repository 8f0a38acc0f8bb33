"""Whether graph-building code, traced again, computes the same: code that counts its calls, say, does not.

TF 1.x built its graph once. What is traced several times has to give the same operations and constants each time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from .needed import BRANCHING, waited_for

_OF_ONE_TRACE = frozenset({"container", "seed", "seed2", "shared_name"})
_PLAIN = (bool, int, float, str, bytes, type(None))

Signature = tuple[Hashable, ...]


def signature(results: Any, given: Sequence[Any] = ()) -> Signature:
    """What computes results from what is given: equal where the operations, their constants and their order are.

    Names, seeds of operations and what waits for what differ from trace to trace, and say nothing.
    """
    flat = [waited_for(each) for each in tf.nest.flatten(results, expand_composites=True)]
    return tuple(_Reader(given).read(flat))


class _Reader:
    """Numbers what a walk back from the results meets: operations, and single outcomes of conditions."""

    def __init__(self, given: Sequence[Any]) -> None:
        self._given = {id(each): number for number, each in enumerate(given)}
        self._numbers: dict[tuple[int, int | None], int] = {}
        self._waiting: deque[tuple[Any, int | None]] = deque()
        self._captures: dict[int, dict[int, Any]] = {}

    def read(self, results: Sequence[Any]) -> Iterator[Hashable]:
        yield tuple(self._result(each) for each in results)
        while self._waiting:
            operation, index = self._waiting.popleft()
            if operation.type in BRANCHING:
                outcomes = range(len(operation.outputs)) if index is None else [index]
                graphs = (operation._true_graph, operation._false_graph)
                chosen = (self._tensor(graph.outputs[outcome]) for graph in graphs for outcome in outcomes)
                yield operation.type, self._tensor(operation.inputs[0]), tuple(chosen)
            else:
                inputs = tuple(self._tensor(each) for each in operation.inputs)
                yield operation.type, inputs, tuple(_attributes(operation))

    def _result(self, value: Any) -> Hashable:
        if isinstance(value, tf.Operation):
            return self._number(value, None)
        return self._tensor(value) if tf.is_symbolic_tensor(value) else _known(value)

    def _number(self, operation: Any, index: int | None) -> int:
        key = id(operation), index
        if key not in self._numbers:
            self._numbers[key] = len(self._numbers)
            self._waiting.append((operation, index))
        return self._numbers[key]

    def _tensor(self, tensor: Any) -> Hashable:
        while tf.is_symbolic_tensor(tensor):
            if id(tensor) in self._given:
                return "given", self._given[id(tensor)]
            captured = self._captured(tensor.graph)
            if id(tensor) in captured:
                tensor = captured[id(tensor)]
            elif tensor.op.type == "Identity":  # Functions put them behind what they return.
                tensor = tensor.op.inputs[0]
            elif tensor.op.type in BRANCHING:
                return self._number(tensor.op, tensor.value_index)
            else:
                return self._number(tensor.op, None), tensor.value_index
        return _known(tensor)

    def _captured(self, graph: Any) -> dict[int, Any]:
        pairs = getattr(graph, "captures", ())
        known = self._captures.get(id(graph), {})
        if len(known) != len(pairs):
            known = self._captures[id(graph)] = {id(inner): outer for outer, inner in pairs}
        return known


def _attributes(operation: Any) -> Iterator[Hashable]:
    if operation.type == "Const" and operation.outputs[0].dtype == tf.string:
        return  # What assertions say has names in it.
    attributes = operation.node_def.attr
    for name in sorted(attributes):
        if attributes[name].WhichOneof("value") == "func":
            body = operation.graph._get_function(attributes[name].func.name)
            graph = getattr(body, "graph", None)
            yield name, None if graph is None else signature(graph.outputs, graph.inputs)
        elif not name.startswith("_") and name not in _OF_ONE_TRACE:
            yield name, attributes[name].SerializeToString(deterministic=True)


def _known(value: Any) -> Hashable:
    """A value outside of the graph: what it holds; which one it is, of a variable; of what kind, of an object."""
    if isinstance(value, tf.Variable) or (isinstance(value, tf.Tensor) and value.dtype == tf.resource):
        return id(value)
    if isinstance(value, tf.Tensor):
        value = value.numpy()
    if isinstance(value, np.ndarray | np.generic):
        return str(value.dtype), value.shape, value.tobytes() if value.dtype != object else repr(value)
    return repr(value) if isinstance(value, _PLAIN) else type(value).__qualname__
