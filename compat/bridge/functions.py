"""Parts of a bridge graph as `tf.function`s: to call from TF2 code, and to save."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf

from ..private import ops
from .export import subgraph
from .graph import Graph

__all__ = ["as_function", "imported_function"]


def as_function(graph: Graph, inputs: Mapping[str, tf.Tensor], outputs: Mapping[str, tf.Tensor]) -> Any:
    """The part of `graph` that computes `outputs` from `inputs`, as a `tf.function` over the graph's variables.

    Args:
      graph: the graph that was built.
      inputs: parameter name -> tensor that stands for it.
      outputs: result name -> tensor.

    Returns:
      A `tf.function` of `inputs`' names, each with its tensor's type and static shape, that gives a dictionary.
    """
    part = subgraph(graph.as_graph_def(), [tensor.op.name for tensor in outputs.values()])
    for node in part.node:
        # Without it TF2 takes the table of each saved function for one of its own.
        if node.op == "HashTableV2":
            node.attr["use_node_name_sharing"].b = True
    present = {node.name for node in part.node}
    outside = {name: tensor for name, tensor in graph.captured().items() if name in present}
    names = [_identifier(name) for name in inputs]
    signature = [tf.TensorSpec(t.shape, t.dtype, name) for name, t in zip(names, inputs.values(), strict=True)]

    def compute(*values: Any) -> dict[str, Any]:
        stands_for = {tensor.name: value for tensor, value in zip(inputs.values(), values, strict=True)}
        given = {name: value for name, value in stands_for.items() if name.split(":")[0] in present}
        trace = ops.get_default_graph()
        given.update({f"{name}:0": trace.capture(tensor) for name, tensor in outside.items()})
        results = tf.graph_util.import_graph_def(
            part, input_map=given, return_elements=[tensor.name for tensor in outputs.values()], name=""
        )
        return dict(zip(outputs, results, strict=True))

    return tf.function(compute, input_signature=signature, autograph=False)


def imported_function(
    graph_def: Any, inputs: Sequence[str], signature: Sequence[tf.TensorSpec], outputs: Sequence[str]
) -> Any:
    """A `GraphDef` as a concrete function: only what its outputs need runs, as in a session.

    Args:
      graph_def: the `GraphDef`; loops and conditions may be those of TF 1.15.
      inputs: names of tensors that the arguments take the places of, in the graph or not.
      signature: the arguments' types and shapes.
      outputs: names of the tensors that the function gives as a list, inputs or not.
    """
    read = {name if ":" in name else f"{name}:0" for node in graph_def.node for name in node.input}
    inside = [name for name in outputs if name not in inputs]

    def compute(*values: Any) -> Any:
        given = dict(zip(inputs, values, strict=True))
        mapped = {name: value for name, value in given.items() if name in read}
        found = tf.graph_util.import_graph_def(graph_def, input_map=mapped, return_elements=inside, name="")
        given.update(zip(inside, found, strict=True))
        return [given[name] for name in outputs]

    return tf.compat.v1.wrap_function(compute, list(signature))


def _identifier(name: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in name)
