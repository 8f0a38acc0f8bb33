"""Nodes, which are calls of layers, as old Keras had them: where their inputs come from, and lists of tensors.

`tf_keras` dropped the indices of a node's inputs, and the first node of a model, which goes from its inputs to its
outputs; Keras 2.2 had lists where TF 1.15's own Keras had one tensor.

  >>> from compat.keras2 import layers
  >>> with compat.Graph().as_default():
  ...     layer = layers.Dense(2)
  ...     _ = layer(layers.Input((3,)))
  >>> layer._inbound_nodes[0].node_indices, layer._inbound_nodes[0].tensor_indices
  (0, 0)
  >>> with compat.Graph().as_default():
  ...     given = layers.Input((3,))
  ...     model = compat.keras2.Model(given, layers.Dense(2)(given))
  ...     called = model(layers.Input((3,)))
  >>> len(model._inbound_nodes), called._keras_history.node_index
  (2, 1)
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tf_keras.src.engine import base_layer_v1, functional, node

__all__ = ["as_lists", "install"]


def _index(name: str) -> property:
    """The place that a node's inputs have among the calls of their layers, or among the results of those."""

    def of(tensor: Any) -> int:
        return int(getattr(tensor._keras_history, name))

    def found(self: Any) -> Any:
        return [] if self.is_input else tf.nest.map_structure(of, self.call_args[0])

    return property(found)


def _listed(get: Callable[[Any], Any]) -> property:
    return property(lambda self: tf.nest.flatten(get(self)))


def _shapes(get: Callable[[Any], Any]) -> property:
    def found(self: Any) -> list[Any]:
        shapes = get(self)
        return shapes if isinstance(shapes, list) else [shapes]

    return property(found)


def _unwrapped(get: Callable[[Any], Any]) -> property:
    """A layer's shape, which is no list where it has one input or output."""

    def found(self: Any) -> Any:
        shapes = get(self)
        return shapes[0] if isinstance(shapes, list) and len(shapes) == 1 else shapes

    return property(found)


class _Whole(node.Node):  # type: ignore[misc]
    """A model's own node: from its inputs to its outputs, behind no layer."""

    def __init__(self, model: Any) -> None:
        self.layer, self.is_input = model, False
        self.call_args, self.call_kwargs, self._keras_inputs = (model._nested_inputs,), {}, []
        self.outputs = model._nested_outputs
        self.flat_input_ids = [str(id(each)) for each in model.inputs]
        self.flat_output_ids = [str(id(each)) for each in model.outputs]

    inbound_layers = node_indices = tensor_indices = property(lambda self: [])


def _with_own(connect: Callable[..., None]) -> Callable[..., None]:
    """Makes a model of the layers between its inputs and its outputs, with a node of its own before all others."""

    @functools.wraps(connect)
    def connected(self: Any, *args: Any, **kwargs: Any) -> None:
        connect(self, *args, **kwargs)
        nodes = self._inbound_nodes
        if nodes and isinstance(nodes[0], _Whole):
            nodes[0] = _Whole(self)
        elif not nodes:
            nodes.append(_Whole(self))

    return connected


def _of_call(name: str) -> property:
    """A model's input or output; one that its first call built has those of the call."""
    of_model = getattr(functional.Functional, name).fget

    def found(self: Any) -> Any:
        return of_model(self) if self._is_graph_network else getattr(super(functional.Functional, self), name)

    return property(found)


def install() -> None:
    """Gives nodes the indices of their inputs, and models their own node."""
    for name in ("node_index", "tensor_index"):
        setattr(node.Node, name.replace("index", "indices"), _index(name))
    functional.Functional._init_graph_network = _with_own(functional.Functional._init_graph_network)
    for name in ("input", "input_shape", "output", "output_shape"):
        setattr(functional.Functional, name, _of_call(name))


def as_lists() -> None:
    """Has nodes keep lists, from now on in this process."""
    layer = base_layer_v1.Layer
    for name in ("input_tensors", "output_tensors", "inbound_layers", "node_indices", "tensor_indices"):
        setattr(node.Node, name, _listed(getattr(node.Node, name).fget))
    for name in ("input_shapes", "output_shapes"):
        setattr(node.Node, name, _shapes(getattr(node.Node, name).fget))
    for name in ("input_shape", "output_shape"):
        setattr(layer, name, _unwrapped(getattr(layer, name).fget))
