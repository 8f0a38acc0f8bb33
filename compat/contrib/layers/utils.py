"""Outputs of layers kept in collections under a name, and the small rules of arguments that the layers share."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from ...layers.branching import smart_cond as smart_cond
from ...variables.collection import add_to_collections, get_collection
from ...variables.store import current_pass


def collect_named_outputs(collections: Any, alias: str, outputs: Any) -> Any:
    """Adds outputs to collections under the name of their layer, and returns them.

    Stands for ``tf.contrib.layers.utils.collect_named_outputs``.
    """
    if collections:
        append_tensor_alias(outputs, alias)
        add_to_collections(collections, outputs)
    return outputs


def append_tensor_alias(tensor: Any, alias: str) -> Any:
    """Gives a tensor one more name. Stands for ``tf.contrib.layers.utils.append_tensor_alias``."""
    tensor.aliases = [*getattr(tensor, "aliases", []), alias.removesuffix("/")]
    return tensor


def get_tensor_aliases(tensor: Any) -> list[str]:
    """The names given to a tensor, else that of its op. Stands for ``tf.contrib.layers.utils.get_tensor_aliases``."""
    if hasattr(tensor, "aliases"):
        return list(tensor.aliases)
    name = str(tensor.name)
    return [name.removesuffix(":0")]


def gather_tensors_aliases(tensors: Iterable[Any]) -> list[str]:
    """The names of several tensors. Stands for ``tf.contrib.layers.utils.gather_tensors_aliases``."""
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def convert_collection_to_dict(collection: str, clear_collection: bool = False) -> OrderedDict[str, Any]:
    """A collection of outputs by their names.

    Stands for ``tf.contrib.layers.utils.convert_collection_to_dict``.
    """
    named = OrderedDict((alias, each) for each in get_collection(collection) for alias in get_tensor_aliases(each))
    if clear_collection:
        current_pass().clear_collection(collection)
    return named


def get_variable_collections(variables_collections: Any, name: str) -> Any:
    """The collections for variables of that kind: all of a list, or the dict's entry."""
    return variables_collections.get(name) if isinstance(variables_collections, dict) else variables_collections


def last_dimension(shape: Any, min_rank: int = 1) -> int:
    """The size of the last axis. Stands for ``tf.contrib.layers.utils.last_dimension``.

    Raises:
        ValueError: unknown, or fewer axes than ``min_rank``.
    """
    return _dimension(tf.TensorShape(shape), -1, min_rank)


def channel_dimension(shape: Any, data_format: str, min_rank: int = 1) -> int:
    """The number of channels. Stands for ``tf.contrib.layers.utils.channel_dimension``."""
    return _dimension(tf.TensorShape(shape), 1 if data_format == "channels_first" else -1, min_rank)


def _dimension(shape: tf.TensorShape, axis: int, min_rank: int) -> int:
    if shape.rank is None:
        raise ValueError("dims of shape must be known but is None")
    if shape.rank < min_rank:
        raise ValueError(f"rank of shape must be at least {min_rank} not: {shape.rank}")
    if shape[axis] is None:
        raise ValueError(f"dimension {axis} of shape must be known but is None: {shape}")
    return int(shape[axis])


def two_element_tuple(int_or_tuple: Any) -> tuple[int, int]:
    """Two ints out of one or two. Stands for ``tf.contrib.layers.utils.two_element_tuple``."""
    if isinstance(int_or_tuple, int):
        return int_or_tuple, int_or_tuple
    if isinstance(int_or_tuple, list | tuple | tf.TensorShape) and len(int_or_tuple) == 2:
        return int(int_or_tuple[0]), int(int_or_tuple[1])
    raise ValueError(f"Must be an int, a list with 2 elements or a TensorShape of length 2: {int_or_tuple}")


def layers_format(data_format: str | None, allowed: tuple[str | None, ...]) -> str:
    """``channels_first`` or ``channels_last`` out of a kernel's data format such as ``NHWC``.

    Raises:
        ValueError: it is not one of those allowed.
    """
    if data_format not in allowed:
        raise ValueError(f"data_format has to be one of {', '.join(str(each) for each in allowed)}: {data_format!r}")
    return "channels_first" if data_format is not None and data_format.startswith("NC") else "channels_last"
