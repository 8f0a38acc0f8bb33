"""Branches and bodies of loops whose variables become constants: their functions take values in the place of handles.

One function may be called with different variables, and calls others: each gets a copy for the places of its values.

  >>> with compat.Graph().as_default() as graph:
  ...     flag = compat.placeholder_with_default(False, [], name="flag")
  ...     weight = compat.Variable(2.0, name="weight")
  ...     chosen = tf.identity(tf.cond(flag, lambda: weight * 2.0, lambda: weight), name="chosen")
  ...     with compat.Session() as session:
  ...         session.run(weight.initializer)
  ...         frozen = compat.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), ["chosen"])
  >>> chosen = compat.FrozenGraph(frozen).function(["import/flag:0"], "import/chosen:0")
  >>> [float(chosen(value)) for value in (True, False)]
  [4.0, 2.0]
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf
from tensorflow.core.framework import function_pb2, node_def_pb2

from .function_calls import CALLING, CHOOSING, called_functions

__all__ = ["drop_unused", "write_constants_of_call", "write_gather", "write_read"]

_TYPES = {"While": "T", "StatelessWhile": "T"}


def write_read(node: node_def_pb2.NodeDef, name: str, value: str, dtype: int) -> None:
    """Writes the read of a variable, whose value is a constant now."""
    node.name, node.op = name, "Identity"
    node.input[:] = [value]
    node.attr["T"].type = dtype


def write_gather(node: node_def_pb2.NodeDef, gather: node_def_pb2.NodeDef, value: str, axis: str, dtype: int) -> None:
    """Writes what takes rows of a variable, whose value is a constant now."""
    node.name, node.op = gather.name, "GatherV2"
    node.input[:] = [value, gather.input[1], axis]
    node.attr["Tparams"].type = dtype
    node.attr["Tindices"].CopyFrom(gather.attr["Tindices"])
    node.attr["Taxis"].type = tf.int32.as_datatype_enum


def write_constants_of_call(library: Any, node: node_def_pb2.NodeDef, given: dict[int, Any]) -> None:
    """Has a call take the values of variables, by the places of its inputs, for their handles.

    Raises:
      ValueError: a function uses a variable otherwise than by reading it.
    """
    before = 1 if node.op in CHOOSING else 0
    arguments = {place - before: variable for place, variable in given.items()}
    types = node.attr[_TYPES.get(node.op, "Tin")].list.type
    for place, variable in arguments.items():
        types[place] = variable.dtype.as_datatype_enum
        if node.op in _TYPES and node.attr["output_shapes"].list.shape:
            node.attr["output_shapes"].list.shape[place].CopyFrom(variable.shape.as_proto())
    node.attr.pop("_read_only_resource_inputs", None)
    for called in called_functions(node):
        called.name = _function(library, called.name, arguments)


def drop_unused(graph_def: Any) -> None:
    """Drops the functions that no node of a graph calls, nor a function that one calls."""
    library = {function.signature.name: function for function in graph_def.library.function}
    needed: set[str] = set()
    waiting = list(graph_def.node)
    while waiting:
        for called in called_functions(waiting.pop()):
            if called.name in library and called.name not in needed:
                needed.add(called.name)
                waiting.extend(library[called.name].node_def)
    kept = function_pb2.FunctionDefLibrary(gradient=graph_def.library.gradient)
    kept.function.extend(function for name, function in library.items() if name in needed)
    graph_def.library.CopyFrom(kept)


def _function(library: Any, name: str, arguments: dict[int, Any]) -> str:
    """The name of a function that takes values for handles, which is written into the library."""
    of_values = "_".join([name, "frozen", *(str(place) for place in sorted(arguments))])
    # One function is called with other variables too: their types may be others.
    of_values = "_".join([of_values, *(str(arguments[place].dtype.as_datatype_enum) for place in sorted(arguments))])
    if any(function.signature.name == of_values for function in library.function):
        return of_values
    old = next(function for function in library.function if function.signature.name == name)
    new = function_pb2.FunctionDef()
    new.CopyFrom(old)
    new.signature.name = of_values
    variables: dict[str, Any] = {}
    for place, variable in arguments.items():
        argument = new.signature.input_arg[place]
        variables[argument.name] = variable
        argument.type = variable.dtype.as_datatype_enum
        argument.ClearField("handle_data")
        new.arg_attr.pop(place, None)
        new.resource_arg_unique_id.pop(place, None)
    for result in new.signature.output_arg:
        if new.ret[result.name] in variables:
            result.type = variables[new.ret[result.name]].dtype.as_datatype_enum
            result.ClearField("handle_data")
    del new.node_def[:]
    reads = [_write_use(library, new, node, variables) for node in old.node_def]
    _rename(new, {f"{read}:value": f"{read}:output" for read in reads if read})
    library.function.add().CopyFrom(new)
    return of_values


def _write_use(library: Any, function: Any, node: Any, variables: dict[str, Any]) -> str | None:
    """Writes a node of a function; the name of a read of a variable, whose result has another name now."""
    given = {place: variables[name] for place, name in enumerate(node.input) if name in variables}
    new = function.node_def.add()
    if not given:
        new.CopyFrom(node)
        return None
    dtype = next(iter(given.values())).dtype.as_datatype_enum
    if node.op == "ReadVariableOp":
        write_read(new, node.name, node.input[0], dtype)
        return str(node.name)
    if node.op == "ResourceGather":
        axis = function.node_def.add(name=f"{node.name}/axis", op="Const")
        axis.attr["dtype"].type = tf.int32.as_datatype_enum
        axis.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(0))
        write_gather(new, node, node.input[0], f"{axis.name}:output:0", dtype)
        return None
    if node.op not in CALLING:
        raise ValueError(f"the operation {node.op} of {function.signature.name} does not read it")
    new.CopyFrom(node)
    write_constants_of_call(library, new, given)
    return None


def _rename(function: Any, results: dict[str, str]) -> None:
    """Uses results by their new names: `read:value:0` is `read:output:0`."""

    def renamed(reference: str) -> str:
        result, _, place = reference.rpartition(":")
        return f"{results[result]}:{place}" if result in results else reference

    for node in function.node_def:
        node.input[:] = [renamed(reference) for reference in node.input]
    for name, reference in function.ret.items():
        function.ret[name] = renamed(reference)
