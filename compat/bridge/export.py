"""A bridge graph as a `GraphDef`: with its variables as handles by name, or frozen into constants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.core.framework import graph_pb2, node_def_pb2

from .frozen_functions import drop_unused, write_constants_of_call, write_gather, write_read
from .function_calls import CALLING
from .graph import Graph

__all__ = ["forget_new_attributes", "freeze", "portable_graph_def", "subgraph"]

_HINTS = {
    "AssignVariableOp": ("validate_shape",),
    "BatchMatMul": ("grad_x", "grad_y"),
    "BatchMatMulV2": ("grad_x", "grad_y"),
    "MatMul": ("grad_a", "grad_b"),
}
"""Attributes of newer TensorFlows, by operations, which change no value."""


def portable_graph_def(graph: Graph, graph_def: Any) -> graph_pb2.GraphDef:
    """`graph_def` of `graph` with the stand-ins for variables turned into `VarHandleOp`s of the same names.

    Attributes at their default values are left out, and those that TensorFlow 1.15 does not know, so that it reads the
    result, also as text.
    """
    variables = {f"{variable.op.name}/handle": variable for variable in graph.variables_by_handle.values()}
    portable = graph_pb2.GraphDef(versions=graph_def.versions, library=graph_def.library)
    for node in graph_def.node:
        variable = variables.get(node.name)
        copy = portable.node.add()
        if variable is None:
            copy.CopyFrom(node)
        else:
            _write_handle(copy, node.name, variable)
    for node in portable.node:
        _strip_defaults(graph, node)
    forget_new_attributes(portable)
    return portable


def forget_new_attributes(graph_def: Any) -> None:
    """Leaves out what TensorFlow 1.15 refuses in a graph, in bytes or as text, since it does not know it."""
    for function in graph_def.library.function:
        for argument in (*function.signature.input_arg, *function.signature.output_arg):
            argument.ClearField("experimental_full_type")
    bodies = [function.node_def for function in graph_def.library.function]
    for nodes in [graph_def.node, *bodies]:
        for node in nodes:
            node.ClearField("experimental_type")
            for name in _HINTS.get(node.op, ()):
                node.attr.pop(name, None)


def _write_handle(node: node_def_pb2.NodeDef, name: str, variable: tf.Variable) -> None:
    node.name, node.op = name, "VarHandleOp"
    node.attr["dtype"].type = variable.dtype.as_datatype_enum
    node.attr["shape"].shape.CopyFrom(variable.shape.as_proto())
    node.attr["shared_name"].s = variable.op.name.encode()


def _strip_defaults(graph: Graph, node: node_def_pb2.NodeDef) -> None:
    definition = graph.op_def_for_type(node.op)
    for attribute in definition.attr:
        if attribute.HasField("default_value") and node.attr.get(attribute.name) == attribute.default_value:
            del node.attr[attribute.name]
    for name in [name for name in node.attr if name.startswith("_")]:
        if name in ("_has_manual_control_dependencies", "_user_specified_name"):
            del node.attr[name]


def freeze(
    graph: Graph, graph_def: Any, output_names: Sequence[str], converts: Callable[[str], bool] = lambda name: True
) -> graph_pb2.GraphDef:
    """The part of `graph_def` that `output_names` need, its variables replaced by constants of their values.

    Args:
      graph: the graph that `graph_def` came from; its variables give the values.
      graph_def: the nodes to start from.
      output_names: names of the nodes to keep, and everything that they need.
      converts: whether the variable of a name becomes a constant; all do by default.

    Returns:
      A `GraphDef` with the same node names. Each variable is one constant, its reads identities of it; what reads a
      default variable of TF1 does so by its `w/read`, as it did there.

    Raises:
      ValueError: an output is not in the graph, or a variable is used otherwise than by its value.
      tf.errors.FailedPreconditionError: a variable has no value.
    """
    portable = portable_graph_def(graph, graph_def)
    reads = {name: read for name, read in _reads(graph, portable).items() if converts(name)}
    by_read = {read: name for name, read in reads.items()}
    portable = subgraph(portable, [by_read.get(name, name) for name in output_names])
    variables = {
        f"{variable.op.name}/handle": variable
        for variable in graph.variables_by_handle.values()
        if converts(variable.op.name)
    }
    frozen = graph_pb2.GraphDef(versions=portable.versions, library=portable.library)
    constants: set[str] = set()
    for node in portable.node:
        given = {place: variables[name] for place, name in enumerate(map(_node_name, node.input)) if name in variables}
        if not given:
            if node.name not in variables:
                copy = frozen.node.add()
                copy.CopyFrom(node)
                copy.ClearField("input")
                copy.input.extend(reads.get(name, name) for name in node.input)
            continue
        for variable in given.values():
            if variable.op.name not in constants:
                constants.add(variable.op.name)
                _write_constant(frozen.node.add(), variable.op.name, _value(variable))
                if variable.op.name in reads:
                    dtype = variable.dtype.as_datatype_enum
                    write_read(frozen.node.add(), reads[variable.op.name], variable.op.name, dtype)
        if node.name not in constants:
            _write_use(frozen, node, given, reads)
    part = subgraph(frozen, output_names)
    drop_unused(part)
    return part


def _reads(graph: Graph, graph_def: Any) -> dict[str, str]:
    """The default variables of TF1, and the names that it gave to what read them."""
    names = {node.name for node in graph_def.node}
    default = [each.op.name for each in graph.variables_by_handle.values() if each.shares_memory]
    return {name: f"{name}/read" for name in default if f"{name}/read" not in names}


def _write_use(
    frozen: graph_pb2.GraphDef, node: node_def_pb2.NodeDef, given: dict[int, Any], reads: Mapping[str, str]
) -> None:
    """Writes the node that uses variables, by the places of its inputs: constants now, which `reads` may read."""
    variable = next(iter(given.values()))
    name, dtype = variable.op.name, variable.dtype.as_datatype_enum
    if node.op == "ReadVariableOp":
        write_read(frozen.node.add(), node.name, name, dtype)
    elif node.op == "ResourceGather":
        _write_constant(frozen.node.add(), f"{node.name}/axis", np.int32(0))
        write_gather(frozen.node.add(), node, reads.get(name, name), f"{node.name}/axis", dtype)
    elif node.op in CALLING:
        call = frozen.node.add()
        call.CopyFrom(node)
        of_variables = {place: each.op.name for place, each in given.items()}
        inputs = [of_variables.get(place, each) for place, each in enumerate(node.input)]
        call.input[:] = [reads.get(each, each) for each in inputs]
        try:
            write_constants_of_call(frozen.library, call, given)
        except ValueError as refused:
            raise ValueError(f"cannot freeze {node.name}: {refused}. Freeze an inference graph without it.") from None
    elif node.op == "VariableShape":
        _write_constant(frozen.node.add(), node.name, np.array(variable.shape.as_list(), np.int32))
    else:
        raise ValueError(
            f"cannot freeze {node.name}: the operation {node.op} uses the variable {name} in a way that has no "
            "constant form (an update). Freeze an inference graph without it."
        )


def _value(variable: Any) -> np.ndarray[Any, Any]:
    with tf.init_scope():
        if not variable.is_initialized():
            raise tf.errors.FailedPreconditionError(
                None, None, f"Attempting to use uninitialized value {variable.op.name}"
            )
        return np.asarray(variable.numpy())


def _write_constant(node: node_def_pb2.NodeDef, name: str, value: Any) -> None:
    proto = tf.make_tensor_proto(value)
    node.name, node.op = name, "Const"
    node.attr["dtype"].type = proto.dtype
    node.attr["value"].tensor.CopyFrom(proto)


def _node_name(reference: str) -> str:
    return reference.removeprefix("^").split(":")[0]


def subgraph(graph_def: Any, output_names: Iterable[str]) -> graph_pb2.GraphDef:
    """The nodes of `graph_def` that `output_names` need, in their order.

    Raises:
      ValueError: an output is not in `graph_def`.
    """
    nodes = {node.name: node for node in graph_def.node}
    waiting = [_node_name(name) for name in output_names]
    missing = [name for name in waiting if name not in nodes]
    if missing:
        raise ValueError(f"{missing[0]} is not in graph")
    needed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting.extend(map(_node_name, nodes[name].input))
    part = graph_pb2.GraphDef(versions=graph_def.versions, library=graph_def.library)
    part.node.extend(node for node in graph_def.node if node.name in needed)
    return part
