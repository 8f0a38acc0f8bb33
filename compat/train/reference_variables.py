"""TF1's reference variables in a ``GraphDef``, rewritten as resource variables: TF2 has no others."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import tensorflow as tf
from tensorflow.core.framework import graph_pb2

from ..private import op_def_registry

_VARIABLES = ("Variable", "VariableV2")
# Each takes the variable first; the attribute `T` is called `dtype` in the new operation.
_UPDATES = {
    "Assign": "AssignVariableOp",
    "AssignAdd": "AssignAddVariableOp",
    "AssignSub": "AssignSubVariableOp",
    "ScatterAdd": "ResourceScatterAdd",
    "ScatterDiv": "ResourceScatterDiv",
    "ScatterMax": "ResourceScatterMax",
    "ScatterMin": "ResourceScatterMin",
    "ScatterMul": "ResourceScatterMul",
    "ScatterSub": "ResourceScatterSub",
    "ScatterUpdate": "ResourceScatterUpdate",
}
# These keep their attributes' names.
_SAME_ATTRIBUTES = {
    "CountUpTo": "ResourceCountUpTo",
    "IsVariableInitialized": "VarIsInitializedOp",
    "ScatterNdAdd": "ResourceScatterNdAdd",
    "ScatterNdSub": "ResourceScatterNdSub",
    "ScatterNdUpdate": "ResourceScatterNdUpdate",
    "StridedSliceAssign": "ResourceStridedSliceAssign",
}
_WITHOUT_REFERENCE_RESULT = ("CountUpTo", "IsVariableInitialized")
# Control flow carries handles as it carried references.
_FLOW = ("RefEnter", "RefExit", "RefIdentity", "RefMerge", "RefNextIteration", "RefSwitch")


@dataclasses.dataclass(frozen=True)
class VariableNode:
    """A variable of a graph.

    Attributes:
        name: its name; a node of that name, if it is not the handle's, gives its value.
        handle: name of the node of its handle.
        dtype: its dtype.
        shape: its static shape.
    """

    name: str
    handle: str
    dtype: tf.DType
    shape: tf.TensorShape


def to_resource_form(graph_def: Any) -> tuple[graph_pb2.GraphDef, list[VariableNode]]:
    """The same graph over resource variables, and its variables.

    A reference variable ``w`` becomes the nodes ``w/handle`` and ``w`` (its value); operations that updated it update
    through the handle under their old names.

    Raises:
        ValueError: an operation takes a reference in a way that has no counterpart.
    """
    return _Rewriting(graph_def).run()


@dataclasses.dataclass(frozen=True)
class _Reference:
    """A tensor that was a reference.

    Attributes:
        handle: the tensor that is the variable's handle now.
        value: the node that reads the variable there.
        dtype: attribute with the variable's dtype.
        after: the update after which it is read, if it is the result of one.
    """

    handle: str
    value: str
    dtype: Any
    after: str | None = None


class _Rewriting:
    def __init__(self, graph_def: Any) -> None:
        self._old = graph_def
        self._new = graph_pb2.GraphDef(versions=graph_def.versions, library=graph_def.library)
        self._nodes: Mapping[str, Any] = {node.name: node for node in graph_def.node}
        self._reads: dict[str, _Reference] = {}

    def run(self) -> tuple[graph_pb2.GraphDef, list[VariableNode]]:
        variables = []
        for node in self._old.node:
            if node.op in _VARIABLES:
                variables.append(self._write_variable(node))
            elif node.op == "VarHandleOp":
                self._new.node.add().CopyFrom(node)
                variables.append(_resource_variable(node))
            else:
                self._write(node)
        for name, reference in sorted(self._reads.items()):
            self._write_read(name, reference, [f"^{reference.after}"] if reference.after else [])
        return self._new, variables

    def _write_variable(self, node: Any) -> VariableNode:
        handle = self._new.node.add(name=f"{node.name}/handle", op="VarHandleOp", device=node.device)
        handle.attr["dtype"].CopyFrom(node.attr["dtype"])
        handle.attr["shape"].CopyFrom(node.attr["shape"])
        handle.attr["shared_name"].s = node.name.encode()
        reference = _Reference(handle.name, node.name, node.attr["dtype"])
        self._write_read(node.name, reference, [name for name in node.input if name.startswith("^")])
        shape = tf.TensorShape(node.attr["shape"].shape)
        return VariableNode(node.name, handle.name, tf.as_dtype(node.attr["dtype"].type), shape)

    def _write_read(self, name: str, reference: _Reference, control: list[str]) -> None:
        read = self._new.node.add(name=name, op="ReadVariableOp", input=[reference.handle, *control])
        read.attr["dtype"].CopyFrom(reference.dtype)

    def _write(self, node: Any) -> None:
        written = self._new.node.add()
        written.CopyFrom(node)
        references = _reference_inputs(node)
        if node.op == "Identity" and (read := self._reference(node.input[0])):
            # A read of its own: it must see what its control inputs have done.
            written.op, written.input[0] = "ReadVariableOp", read.handle
            written.ClearField("attr")
            written.attr["dtype"].CopyFrom(read.dtype)
            if read.after:
                written.input.append(f"^{read.after}")
            return
        if references:
            self._rename(node, written)
        for index, name in enumerate(node.input):
            reference = self._reference(name)
            if reference is None:
                continue
            if index in references:
                written.input[index] = reference.handle
                if reference.after:
                    written.input.append(f"^{reference.after}")
            else:
                written.input[index] = self._value_of(reference)

    def _value_of(self, reference: _Reference) -> str:
        if reference.value not in self._nodes:
            self._reads[reference.value] = reference
        return reference.value

    def _rename(self, node: Any, written: Any) -> None:
        if node.op in _UPDATES:
            written.op = _UPDATES[node.op]
            written.attr["dtype"].CopyFrom(node.attr["T"])
            written.attr.pop("T", None)
        elif node.op in _SAME_ATTRIBUTES:
            written.op = _SAME_ATTRIBUTES[node.op]
        elif node.op in _FLOW:
            written.op = node.op.removeprefix("Ref")
            written.attr["T"].type = tf.resource.as_datatype_enum
        elif node.op.startswith(("Apply", "SparseApply")):
            written.op = f"Resource{node.op}"
        else:
            raise ValueError(
                f"Cannot import {node.name}: the operation {node.op} takes a reference variable, and TF2 has no such "
                "variables. Import an inference graph, or build the graph by its code."
            )
        known = {attribute.name for attribute in op_def_registry.get(written.op).attr}
        for name in [name for name in written.attr if name not in known and not name.startswith("_")]:
            del written.attr[name]

    def _reference(self, tensor: str) -> _Reference | None:
        """What the tensor was a reference to: a variable, a branch's view of one, or the result of an update."""
        name = _node_of(tensor)
        node = self._nodes.get(name)
        if tensor.startswith("^") or node is None:
            return None
        if node.op in _VARIABLES:
            return _Reference(f"{name}/handle", name, node.attr["dtype"])
        if node.op in _FLOW:
            return _Reference(tensor, self._unused(f"{name}/value_{tensor.partition(':')[2] or 0}"), node.attr["T"])
        if _reference_inputs(node) and node.op not in _WITHOUT_REFERENCE_RESULT:
            before = self._reference(node.input[0])
            return before and _Reference(before.handle, self._unused(f"{name}/updated"), before.dtype, after=name)
        return None

    def _unused(self, name: str) -> str:
        while name in self._nodes:
            name += "_"
        return name


def _reference_inputs(node: Any) -> list[int]:
    definition = op_def_registry.get(node.op)
    if definition is None:
        return []
    return [index for index, argument in enumerate(definition.input_arg) if argument.is_ref]


def _resource_variable(node: Any) -> VariableNode:
    name = node.attr["shared_name"].s.decode() or node.name
    return VariableNode(name, node.name, tf.as_dtype(node.attr["dtype"].type), tf.TensorShape(node.attr["shape"].shape))


def _node_of(reference: str) -> str:
    return reference.removeprefix("^").split(":")[0]
