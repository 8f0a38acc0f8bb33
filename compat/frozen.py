"""A function or a Keras model as one `GraphDef` of constants, and such a `GraphDef` as a function."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.framework import graph_pb2

from .bridge.export import subgraph
from .bridge.freezing import without_defaults
from .frozen_graph import FrozenGraph
from .private import convert_to_constants

__all__ = ["freeze", "load_frozen"]


def freeze(
    model: Any,
    output_names: Sequence[str] | None = None,
    path: str | os.PathLike[str] | None = None,
    clear_devices: bool = False,
) -> graph_pb2.GraphDef:
    """What `model` computes as a `GraphDef` whose variables are constants.

    Takes the place of `convert_variables_to_constants_v2` and what is written around it, and of TF 1.15's
    `tf.graph_util.convert_variables_to_constants` where there is no session. Attributes at their defaults are left
    out, so that TF 1.15 reads the result where it has all operations.

    Args:
      model: a Keras model, a `tf.function` with an `input_signature`, or a concrete function. Its inputs become
        placeholders under the names of its parameters.
      output_names: names of the output nodes, in the order of `tf.nest.flatten`; "output", "output_1", … when None.
      path: a file to write, text where it ends in `.pbtxt`, else binary.
      clear_devices: whether to forget on which devices the operations were put.

    Returns:
      The `GraphDef`: what the outputs need, and nothing else.

    Raises:
      TypeError: `model` is none of these, or is a function without an `input_signature`.
      ValueError: there are fewer or more names than outputs, or a name is taken by another node.

    Example:
      >>> scale = tf.Variable(3.0)
      >>> @tf.function(input_signature=[tf.TensorSpec([None], tf.float32, "x")])
      ... def scaled(x):
      ...     return scale * x
      >>> graph_def = compat.freeze(scaled, ["y"], "scaled.pb")
      >>> compat.load_frozen("scaled.pb", ["x"], ["y"])(tf.constant([2.0])).numpy()
      array([6.], dtype=float32)
    """
    constant = convert_to_constants.convert_variables_to_constants_v2(_concrete(model))
    graph_def = constant.graph.as_graph_def()
    count = len(constant.outputs)
    names = [f"output_{index}" if index else "output" for index in range(count)]
    names = list(output_names) if output_names is not None else names
    taken = {node.name for node in graph_def.node}
    if len(names) != count or len(set(names)) != count:
        raise ValueError(f"freeze: the function has {count} outputs, and output_names are {names}")
    for name, tensor in zip(names, constant.outputs, strict=True):
        if name in taken:
            if _source(graph_def, tensor.name) == name:
                continue
            raise ValueError(f"freeze: the graph has a node {name!r} already; give the output another name")
        node = graph_def.node.add(name=name, op="Identity", input=[tensor.name])
        node.attr["T"].type = tensor.dtype.as_datatype_enum
    frozen = without_defaults(subgraph(graph_def, names))
    if clear_devices:
        for node in frozen.node:
            node.device = ""
    if path is not None:
        _write(frozen, Path(path))
    return frozen


def load_frozen(graph_def: Any, inputs: Sequence[str], outputs: Sequence[str]) -> Any:
    """A frozen graph as a function: TF1 imported it and ran it in a session.

    Args:
      graph_def: a `GraphDef`, or the file of one, text where it ends in `.pbtxt`; of TF 1.15 or of `freeze`.
      inputs: names of the nodes or tensors that the function's arguments take the place of, in order.
      outputs: names of the nodes or tensors that it returns.

    Returns:
      A function that gives a tensor, or a list of them where there are several outputs; see `FrozenGraph.function`.

    Raises:
      ValueError: there is no such node, or the outputs need one that keeps a state between runs.

    Example:
      >>> graph_def = compat.freeze(tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Rescaling(2.0)]))
      >>> (name,) = [node.name for node in graph_def.node if node.op == "Placeholder"]
      >>> compat.load_frozen(graph_def, [name], ["output"])(tf.ones([1, 2])).numpy()
      array([[2., 2.]], dtype=float32)
    """
    definition = graph_def if isinstance(graph_def, graph_pb2.GraphDef) else _read(Path(graph_def))
    asked = [_tensor_name(name) for name in outputs]
    try:
        given = [_tensor_name(name) for name in inputs]
        return FrozenGraph(definition, name="").function(given, asked[0] if len(asked) == 1 else asked)
    except KeyError as error:
        raise ValueError(f"load_frozen: {error.args[0]}") from None


def _concrete(model: Any) -> Any:
    if isinstance(model, tf.keras.Model):
        specs = [tf.TensorSpec(x.shape, x.dtype, x.name.partition(":")[0]) for x in model.inputs]
        called = tf.function(lambda *inputs: model(inputs[0] if len(inputs) == 1 else list(inputs)))
        return called.get_concrete_function(*specs)
    if hasattr(model, "get_concrete_function"):
        if model.input_signature is None:
            raise TypeError("freeze: the tf.function has no input_signature; give it one, or a concrete function")
        return model.get_concrete_function()
    if not hasattr(model, "structured_outputs"):
        raise TypeError(f"freeze: takes a Keras model, a tf.function or a concrete function, not {model!r}")
    return model


def _source(graph_def: graph_pb2.GraphDef, output: str) -> str:
    """The node whose first result an output is, behind the identities that a function gives its results through."""
    nodes = {node.name: node for node in graph_def.node}
    name, _, index = output.partition(":")
    while index in ("", "0") and nodes[name].op == "Identity" and nodes[name].name.startswith("Identity"):
        name, _, index = nodes[name].input[0].partition(":")
    return name if index in ("", "0") else output


def _tensor_name(name: str) -> str:
    return name if ":" in name else f"{name}:0"


def _write(graph_def: graph_pb2.GraphDef, path: Path) -> None:
    if path.suffix == ".pbtxt":
        path.write_text(text_format.MessageToString(graph_def), encoding="utf-8")
    else:
        path.write_bytes(graph_def.SerializeToString())


def _read(path: Path) -> graph_pb2.GraphDef:
    if path.suffix == ".pbtxt":
        return text_format.Parse(path.read_text(encoding="utf-8"), graph_pb2.GraphDef())
    return graph_pb2.GraphDef.FromString(path.read_bytes())
