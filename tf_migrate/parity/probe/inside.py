"""The values inside one run: each operation that it executes, with what it reads, computes and updates."""

from __future__ import annotations

import os
from typing import Any, Callable

import numpy as np
from recorder import flatten

_MOST = 3000  # tensors
_LARGEST = 2**20  # elements of one tensor
_CONTROL = ("Switch", "RefSwitch", "Enter", "RefEnter", "Exit", "RefExit", "NextIteration", "LoopCond", "Merge")
_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")
_TYPES = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "bool")
_HAS_SINGLE: dict[tuple[int, str], bool] = {}
_UPDATES = ("Apply", "ResourceApply", "SparseApply", "ResourceSparseApply", "Assign", "Scatter", "ResourceScatter")


class Inside:
    """What there is to see in one run of a graph.

    Attributes:
      operations: those that the run executes, in the order in which the graph was built.
      tensors: those of their results that can be fetched beside the run's own.
    """

    def __init__(self, graph: Any, wanted: Any, fed: dict[str, Any], variable_of: Callable[[Any], str | None]) -> None:
        self.operations = ancestors(graph, wanted, fed)
        self._fed = fed
        self._variable_of = variable_of
        self.tensors = [
            tensor
            for operation in self.operations
            for tensor in operation.outputs
            if tensor.name not in fed and self._is_fetchable(graph, tensor)
        ][:_MOST]

    def gradients(self) -> list[tuple[str, Any]]:
        """What optimizers are given: the variable's name and the tensor; a sparse gradient comes in two parts."""
        found = []
        for operation in self.operations:
            if "Apply" not in operation.type:
                continue
            for argument, tensor in zip(operation.op_def.input_arg, operation.inputs):
                name = self._variable_of(operation.inputs[0])
                if name is not None and argument.name in ("grad", "delta", "indices") and tensor.dtype.name in _TYPES:
                    found.append((name if argument.name != "indices" else f"{name} (indices)", tensor))
        return sorted(found, key=lambda item: item[0])

    def save(self, recorder: Any, values: Any, results: Any) -> None:
        """Writes the operations with their values; `results` are the tensors behind the run's values, in order."""
        names = {tensor.name: number for number, tensor in enumerate(self.tensors)}
        arrays = {f"tensor_{number}": np.asarray(value) for number, value in enumerate(values)}
        for name, value in self._fed.items():
            if value is not None:
                names[name] = len(names)
                arrays[f"tensor_{names[name]}"] = np.asarray(value)
        described = [self._described(operation, recorder) for operation in self.operations]
        wanted = [getattr(item, "name", None) for item in results]
        recorder.save_inside({"operations": described, "values": names, "results": wanted}, arrays)

    def _described(self, operation: Any, recorder: Any) -> dict[str, Any]:
        inputs = [tensor.name for tensor in operation.inputs]
        variable = None
        if operation.type in _VARIABLES:
            variable = operation.name
        elif operation.inputs and operation.type.startswith((*_UPDATES, "ReadVariable")):
            variable = self._variable_of(operation.inputs[0])
        elif not operation.inputs and operation.outputs:
            variable = self._variable_of(operation.outputs[0])
        return {
            "name": operation.name,
            "type": operation.type,
            "inputs": inputs,
            "outputs": [tensor.name for tensor in operation.outputs],
            "place": place_of(operation, recorder),
            "attributes": _attributes(operation),
            "variable": variable,
        }

    def _is_fetchable(self, graph: Any, tensor: Any) -> bool:
        operation = tensor.op
        within = getattr(operation, "_get_control_flow_context", lambda: None)()
        if within is not None or operation.type in _CONTROL or not graph.is_fetchable(tensor):
            return False
        if _reads_variable(operation):
            return False  # whether before or after the run's updates is for each TensorFlow to say
        size = tensor.shape.num_elements() if tensor.shape.is_fully_defined() else 0
        return (size or 0) <= _LARGEST and tensor.dtype.name in _TYPES


def look_inside(
    plain: Any, session: Any, fetches: Any, feed_dict: Any, recorder: Any, variable_of: Callable[[Any], str | None]
) -> Any:
    """Runs `fetches` with all that they are computed from, writes that down, and gives the fetches' result."""
    graph = session.graph
    elements = elements_of(graph, fetches)
    inside = Inside(graph, elements, fed_values(graph, feed_dict), variable_of)
    result, values = plain(session, [fetches, inside.tensors], feed_dict)
    inside.save(recorder, values, [item for item in elements if hasattr(item, "op")])
    return result


def with_gradients(
    plain: Any, session: Any, fetches: Any, feed_dict: Any, variable_of: Callable[[Any], str | None]
) -> Any:
    """Runs `fetches` with the gradients that its optimizers are given: the result, and (name, array) of each."""
    graph = session.graph
    elements = elements_of(graph, fetches)
    found = Inside(graph, elements, fed_values(graph, feed_dict), variable_of).gradients()
    result, values = plain(session, [fetches, [tensor for _, tensor in found]], feed_dict)
    return result, [(name, value) for (name, _), value in zip(found, values)]


def fed_values(graph: Any, feed_dict: Any) -> dict[str, Any]:
    """The values that are fed, by the names of the tensors, as these tensors' types; None for what is no array."""
    fed: dict[str, Any] = {}
    for key, value in _simple_feeds(feed_dict or {}):
        try:
            tensor = graph.as_graph_element(key)
            fed[tensor.name] = np.asarray(value, tensor.dtype.as_numpy_dtype)
        except (TypeError, ValueError, KeyError, AttributeError):
            fed[getattr(key, "name", str(key))] = None
    return fed


def default_values(graph: Any) -> dict[str, Any]:
    """The constants that placeholders hold while they are not fed, by the names of these tensors."""
    from tensorflow.python.framework.tensor_util import constant_value

    tensors = [item.outputs[0] for item in graph.get_operations() if item.type == "PlaceholderWithDefault"]
    found = {tensor.name: constant_value(tensor.op.inputs[0]) for tensor in tensors}
    return {name: value for name, value in found.items() if value is not None}


def _simple_feeds(feed_dict: Any) -> Any:
    """The tensors that are fed and their values; a sparse placeholder is its three parts."""
    for key, value in feed_dict.items():
        if type(key).__name__ == "SparseTensor" and len(value) == 3:
            parts = (value.indices, value.values, value.dense_shape) if hasattr(value, "indices") else value
            yield from zip((key.indices, key.values, key.dense_shape), parts)
        else:
            yield key, value


def precision_of(graph: Any, fetches: Any, values: list[Any]) -> dict[str, str]:
    """Position -> "float32", for float64 values that are computed from float32: they are no more precise than these."""
    if not any(getattr(value, "dtype", None) == np.float64 for value in values):
        return {}
    tensors = [item for item in elements_of(graph, fetches) if hasattr(item, "op")]
    if len(tensors) != len(values):
        return {}
    return {
        str(number): "float32"
        for number, tensor in enumerate(tensors)
        if tensor.dtype.name == "float64" and _has_single(graph, tensor)
    }


def _has_single(graph: Any, tensor: Any) -> bool:
    key = (id(graph), tensor.name)
    if key not in _HAS_SINGLE:
        made = ancestors(graph, [tensor], {})
        _HAS_SINGLE[key] = any(item.dtype.name.startswith("float32") for one in made for item in one.outputs)
    return _HAS_SINGLE[key]


def updates_of(graph: Any) -> list[Any]:
    """The operations of a graph that change variables."""
    return [operation for operation in graph.get_operations() if operation.type.startswith(_UPDATES)]


def elements_of(graph: Any, fetches: Any) -> list[Any]:
    """Tensors and operations that are fetched; a sparse tensor is its parts."""
    parts: list[Any] = []
    for item in flatten(fetches):
        kind = type(item).__name__
        names = {"SparseTensor": ("indices", "values", "dense_shape"), "IndexedSlices": ("values", "indices")}.get(kind)
        parts += [getattr(item, name) for name in names] if names else [item]
    return [graph.as_graph_element(item) for item in parts]


def ancestors(graph: Any, wanted: Any, fed: dict[str, Any]) -> list[Any]:
    """The operations that are executed for those wanted, short of what is fed, in the order of building."""
    waiting = [getattr(element, "op", element) for element in wanted]
    seen: dict[str, Any] = {}
    while waiting:
        operation = waiting.pop()
        if operation.name in seen:
            continue
        seen[operation.name] = operation
        waiting += [tensor.op for tensor in operation.inputs if tensor.name not in fed]
        waiting += list(operation.control_inputs)
    return [operation for operation in graph.get_operations() if operation.name in seen]


def _reads_variable(operation: Any) -> bool:
    """Whether an operation gives a variable as it is, maybe under another name or shape."""
    while operation.type in ("Identity", "Reshape", "StopGradient") and operation.inputs:
        operation = operation.inputs[0].op
    return operation.type in (*_VARIABLES, "ReadVariableOp")


def _attributes(operation: Any) -> dict[str, Any]:
    """What an operation was told when it was built: numbers, words and lists of them."""
    found: dict[str, Any] = {}
    for name, value in operation.node_def.attr.items():
        kind = value.WhichOneof("value")
        if name.startswith("_") or name in ("container", "shared_name"):
            continue
        if kind in ("i", "f", "b"):
            found[name] = getattr(value, kind)
        elif kind == "s":
            found[name] = value.s.decode("utf-8", "replace")
        elif kind == "list" and value.list.i:
            found[name] = list(value.list.i)
    return found


def place_of(operation: Any, recorder: Any) -> Any:
    """The innermost line of the program that built an operation; of a gradient, that of what is differentiated."""
    operation = getattr(operation, "_original_op", None) or operation
    for frame in reversed(list(operation.traceback or ())):
        path = frame.filename if hasattr(frame, "filename") else frame[0]
        line = frame.lineno if hasattr(frame, "lineno") else frame[1]
        if recorder.is_program(path):
            return [os.path.relpath(os.path.abspath(path), recorder.root), line]
    return None
