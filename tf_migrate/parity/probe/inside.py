"""The values inside one run: every tensor that its fetches are computed from."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from recorder import flatten

_MOST = 3000
_LARGEST = 2**20  # elements of one tensor
_CONTROL = ("Switch", "RefSwitch", "Enter", "RefEnter", "Exit", "NextIteration", "LoopCond", "Merge")
_TYPES = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "bool")


def run_inside(plain: Any, session: Any, fetches: Any, feed_dict: Any, recorder: Any) -> Any:
    """Runs `fetches` with all that they are computed from, writes that down, and gives the fetches' result."""
    graph = session.graph
    tensors = _ancestors(graph, fetches, feed_dict)
    try:
        result, values = plain(session, [fetches, tensors], feed_dict)
    except Exception:
        return plain(session, fetches, feed_dict)
    found, arrays = [], {}
    for number, (tensor, value) in enumerate(zip(tensors, values)):
        inputs = [inner.name for inner in tensor.op.inputs]
        found.append([tensor.name, tensor.op.type, inputs, _place(tensor.op, recorder)])
        arrays[f"tensor_{number}"] = np.asarray(value)
    recorder.save_inside(found, arrays)
    return result


def _ancestors(graph: Any, fetches: Any, feed_dict: Any) -> list[Any]:
    """The tensors that a run computes, in the order in which the graph was built."""
    fed = {getattr(graph.as_graph_element(key), "name", "") for key in feed_dict or {}}
    waiting = []
    for item in flatten(fetches):
        element = graph.as_graph_element(item)
        waiting.append(getattr(element, "op", element))
    seen: dict[str, Any] = {}
    while waiting:
        operation = waiting.pop()
        if operation.name in seen:
            continue
        seen[operation.name] = operation
        waiting += [tensor.op for tensor in operation.inputs if tensor.name not in fed]
        waiting += list(operation.control_inputs)
    order = {operation.name: number for number, operation in enumerate(graph.get_operations())}
    found = [
        tensor
        for name in sorted(seen, key=lambda name: order.get(name, 0))
        for tensor in seen[name].outputs
        if _can_be_fetched(graph, tensor) and tensor.name not in fed
    ]
    return found[:_MOST]


def _can_be_fetched(graph: Any, tensor: Any) -> bool:
    operation = tensor.op
    within = getattr(operation, "_get_control_flow_context", lambda: None)()
    if within is not None or operation.type in _CONTROL or not graph.is_fetchable(tensor):
        return False
    size = tensor.shape.num_elements() if tensor.shape.is_fully_defined() else 0
    return (size or 0) <= _LARGEST and tensor.dtype.base_dtype.name in _TYPES


def _place(operation: Any, recorder: Any) -> Any:
    """The innermost line of the program that built an operation."""
    for frame in reversed(list(operation.traceback or ())):
        path = frame.filename if hasattr(frame, "filename") else frame[0]
        line = frame.lineno if hasattr(frame, "lineno") else frame[1]
        if recorder.is_program(path):
            return [os.path.relpath(os.path.abspath(path), recorder.root), line]
    return None
