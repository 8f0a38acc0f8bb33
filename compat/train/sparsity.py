"""Where TF 1.x had dense gradients and TF2 has sparse ones.

The gradient of a lookup is sparse: only the rows that were looked up have one. In TF 1.x the addends of a sum had a
dense gradient always; TF2 hands the sparse one on where it need not be summed up, so that `tf.gather(w + 1.0, ids)`
updates the momenta of some rows of `w` only, where TF 1.x updated those of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tensorflow as tf

_SUMS = frozenset({"Add", "AddV2", "Sub"})
# Whose gradient is sparse where that of the result is, in both TensorFlows.
_HANDED_ON = frozenset({"ReadVariableOp", "Identity", "Neg", "Cast", "Concat", "ConcatV2", "AddN"})
# Lookups, and which of their inputs are the indices.
_LOOKUPS = {"Gather": 1, "GatherV2": 1, "ResourceGather": 1}


def as_dense_as_in_tf1(gradient: Any, variable: Any) -> Any:
    """The gradient, dense where it is sparse and a sum lies between the variable and a lookup that it comes from.

    Eager gradients are given back as they are: nothing tells how they were computed.
    """
    if not isinstance(gradient, tf.IndexedSlices) or not tf.is_symbolic_tensor(gradient.indices):
        return gradient
    looked_up = list(_lookups_in_sums(_handle(variable, gradient.indices.graph)))
    if looked_up and _depends_on(gradient.indices, looked_up):
        return tf.convert_to_tensor(gradient)
    return gradient


def _handle(variable: Any, graph: Any) -> Any:
    """What stands for a variable's handle in a function's graph; a tensor of the graph for itself."""
    if isinstance(variable, tf.Tensor):
        return variable
    handle = getattr(variable, "handle", None)
    return next((inside for outside, inside in getattr(graph, "captures", ()) if outside is handle), None)


def _lookups_in_sums(tensor: Any) -> Iterator[Any]:
    """The indices of the lookups in sums of ``tensor``."""
    waiting, seen = [] if tensor is None else [(tensor, False)], set()
    while waiting:
        current, summed = waiting.pop()
        for operation in current.consumers():
            within = summed or operation.type in _SUMS
            if operation.type in _LOOKUPS and within and operation.inputs[0] is current:
                yield operation.inputs[_LOOKUPS[operation.type]]
            elif operation.type in _SUMS | _HANDED_ON and (id(operation), within) not in seen:
                seen.add((id(operation), within))
                waiting += [(output, within) for output in operation.outputs]


def _depends_on(tensor: Any, others: list[Any]) -> bool:
    wanted = {id(other) for other in others}
    waiting, seen = [tensor], set()
    while waiting:
        current = waiting.pop()
        if id(current) in wanted:
            return True
        if id(current) not in seen:
            seen.add(id(current))
            waiting += current.op.inputs
    return False
