"""What a run is given: feeds checked and cast as TF1 did, as eager tensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from ..casting import cast
from .conversions import conversion_of
from .graph import Graph
from .runtime import held, to_eager_tensor

__all__ = ["feed_values", "feeds"]

_READING = ("ReadVariableOp",)
_UPDATING = ("Assign", "ResourceApply", "ResourceSparseApply", "VarIsInitialized")


def feeds(graph: Graph, feed_dict: Mapping[Any, Any] | None) -> dict[tf.Tensor, Any]:
    """`feed_dict` with each key replaced by the tensor, or tensors, of `graph` that it names.

    Args:
      graph: the graph that resolves names.
      feed_dict: tensor, variable, name, sparse tensor, indexed slices, object of a registered type or nested tuple
        of such -> value.

    Raises:
      TypeError: a key or a value cannot be fed.
      ValueError: a key is not of this graph, or its value has another structure.
    """
    if not feed_dict:
        return {}
    fed: dict[tf.Tensor, Any] = {}
    for key, value in feed_dict.items():
        if isinstance(key, tf.Tensor):
            if key.graph is not graph:
                raise TypeError(
                    f"Cannot interpret feed_dict key as Tensor: Tensor {key} is not an element of this graph."
                )
            _feed_element(graph, key, value, fed)
        else:
            _feed(graph, key, value, fed)
    return fed


def _feed(graph: Graph, key: Any, value: Any, fed: dict[tf.Tensor, Any]) -> None:
    if isinstance(key, tf.SparseTensor):
        parts = [key.indices, key.values, key.dense_shape]
        is_sparse = isinstance(value, tf.SparseTensor)
        values = [value.indices, value.values, value.dense_shape] if is_sparse else list(value)
    elif isinstance(key, tf.IndexedSlices):
        parts = [part for part in (key.values, key.indices, key.dense_shape) if part is not None]
        values = list(value)[: len(parts)]
    elif isinstance(key, tuple | list):
        parts, values = tf.nest.flatten(key), tf.nest.flatten(value)
    elif (conversion := conversion_of(key)) is not None and conversion.feed is not None:
        for part, part_value in conversion.feed(key, value):
            _feed(graph, part, part_value, fed)
        return
    else:
        try:
            element = graph.as_graph_element(key, allow_tensor=True, allow_operation=False)
        except (TypeError, ValueError, KeyError) as error:
            raise TypeError(f"Cannot interpret feed_dict key as Tensor: {error}") from None
        _feed_element(graph, element, value, fed)
        return
    if len(parts) != len(values):
        raise ValueError(f"Cannot feed {len(values)} values for the {len(parts)} parts of {key}")
    for part, part_value in zip(parts, values, strict=True):
        _feed(graph, part, part_value, fed)


def _feed_element(graph: Graph, element: tf.Tensor, value: Any, fed: dict[tf.Tensor, Any]) -> None:
    """Feeds a tensor; where it carries the name of a variable, the variable, however the key named it."""
    fed[element] = value
    if element.op.type in _READING:
        variable = graph.variable_read_by(element.op)
        if variable is not None and variable.shares_memory and variable.op is element.op:
            fed.update(dict.fromkeys(_readers(element), value))


def _readers(element: tf.Tensor) -> list[tf.Tensor]:
    """What the variable of a graph element is read by: TF1 gave all of them what was fed for the variable.

    Where something reads it by its handle (a gather, a branch, a loop), that is fed too, with a variable of the call's.
    """
    handle = element.op.inputs[0]
    users = handle.consumers()
    reads = [user.outputs[0] for user in users if user.type.startswith(_READING)]
    hidden = any(not user.type.startswith((*_READING, *_UPDATING)) for user in users)
    return [*reads, handle] if hidden else reads


def feed_values(fed: Mapping[tf.Tensor, Any]) -> list[Any]:
    """The values of `fed` as eager tensors of the types and shapes that their tensors ask for.

    Raises:
      TypeError: a value is a Python integer that the tensor's type cannot hold, or nothing that NumPy casts to it.
      ValueError: a value's shape does not fit the tensor's static shape.
    """
    return [_feed_value(tensor, value) for tensor, value in fed.items()]


def _feed_value(tensor: tf.Tensor, value: Any) -> Any:
    dtype = tensor.dtype.base_dtype
    if dtype == tf.resource and not isinstance(value, tf.Tensor):
        return _handle_of(tensor, value)
    if isinstance(value, tf.Tensor):
        if not hasattr(value, "numpy"):
            raise TypeError(
                "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, "
                f"strings, lists, numpy ndarrays, or TensorHandles. For reference, the tensor object was {value} "
                f"which was passed to the feed with key {tensor}."
            )
        if dtype in (tf.resource, tf.variant):
            return value
        value = value.numpy()
    array = cast(value, dtype, tensor.name)
    if not tensor.shape.is_compatible_with(array.shape):
        raise ValueError(
            f"Cannot feed value of shape {array.shape!r} for Tensor {tensor.name!r}, which has shape "
            f"{str(tensor.shape)!r}"
        )
    return to_eager_tensor(array, dtype)


def _handle_of(handle: tf.Tensor, value: Any) -> tf.Tensor:
    """The handle of a variable like that of a graph's handle, which has a value as long as its own handle lives."""
    variable = handle.graph.variables_by_handle[id(handle.graph.captured()[handle.op.name])]
    dtype = variable.dtype.base_dtype
    return held(to_eager_tensor(cast(value, dtype, variable.name), dtype), variable.shape)
