"""A bridge graph as a `GraphDef`: with its variables as handles by name, or frozen into constants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.core.framework import graph_pb2, node_def_pb2

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
      ValueError: an output is not in the graph, or a variable is used inside a loop, a branch or a function.
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
        variable = next((variables[name] for name in map(_node_name, node.input) if name in variables), None)
        if variable is None:
            if node.name not in variables:
                copy = frozen.node.add()
                copy.CopyFrom(node)
                copy.ClearField("input")
                copy.input.extend(reads.get(name, name) for name in node.input)
            continue
        if variable.op.name not in constants:
            constants.add(variable.op.name)
            _write_constant(frozen.node.add(), variable.op.name, _value(variable))
            if variable.op.name in reads:
                _write_read(frozen, reads[variable.op.name], variable)
        if node.name != variable.op.name:
            _write_use(frozen, node, variable, reads.get(variable.op.name, variable.op.name))
    return subgraph(frozen, output_names)


def _reads(graph: Graph, graph_def: Any) -> dict[str, str]:
    """The default variables of TF1, and the names that it gave to what read them."""
    names = {node.name for node in graph_def.node}
    default = [each.op.name for each in graph.variables_by_handle.values() if each.shares_memory]
    return {name: f"{name}/read" for name in default if f"{name}/read" not in names}


def _write_read(frozen: graph_pb2.GraphDef, name: str, variable: Any) -> None:
    read = frozen.node.add(name=name, op="Identity", input=[variable.op.name])
    read.attr["T"].type = variable.dtype.as_datatype_enum


def _write_use(frozen: graph_pb2.GraphDef, node: node_def_pb2.NodeDef, variable: Any, read: str) -> None:
    """Writes the node that uses `variable`, now a constant under the variable's name, read under another one."""
    name, dtype = variable.op.name, variable.dtype.as_datatype_enum
    if node.op == "ReadVariableOp":
        _write_read(frozen, node.name, variable)
    elif node.op == "ResourceGather":
        _write_constant(frozen.node.add(), f"{node.name}/axis", np.int32(0))
        gather = frozen.node.add(name=node.name, op="GatherV2", input=[read, node.input[1], f"{node.name}/axis"])
        gather.attr["Tparams"].type = dtype
        gather.attr["Tindices"].CopyFrom(node.attr["Tindices"])
        gather.attr["Taxis"].type = tf.int32.as_datatype_enum
    elif node.op == "VariableShape":
        _write_constant(frozen.node.add(), node.name, np.array(variable.shape.as_list(), np.int32))
    else:
        raise ValueError(
            f"cannot freeze {node.name}: the operation {node.op} uses the variable {name} in a way that has no "
            "constant form (an update, or the body of a loop or branch). Freeze an inference graph without it."
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
