"""What a run is asked for: nested fetches in, the same structure of NumPy values out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from ..private import indexed_slices
from .conversions import Conversion, conversion_of
from .graph import Graph

__all__ = ["Fetches", "SparseTensorValue", "structure_key"]

SparseTensorValue = tf.compat.v1.SparseTensorValue


class Fetches:
    """The elements that a nested structure of fetches names, and the way back from their values.

    Args:
      graph: the graph that resolves names.
      fetches: a tensor, operation, variable, sparse tensor, indexed slices, name, an object of a registered type,
        or a list, tuple, named tuple, dictionary or object of an attrs class of such.

    Raises:
      TypeError: something in the structure is none of these.
      ValueError: a name or an element is not of this graph.
    """

    def __init__(self, graph: Graph, fetches: Any) -> None:
        self._graph = graph
        self.tensors: list[tf.Tensor] = []
        self.operations: list[tf.Operation] = []
        self.asked: list[Any] = []  # keeps alive the objects whose ids stand in `structure_key`
        self._positions: dict[int, int] = {}
        self.rebuild: Callable[[Sequence[Any]], Any] = self._add(fetches)

    def _add(self, fetch: Any) -> Callable[[Sequence[Any]], Any]:
        if isinstance(fetch, Mapping):
            return self._add_mapping(fetch)
        if isinstance(fetch, tuple | list) and not isinstance(fetch, SparseTensorValue):
            return self._add_sequence(fetch)
        self.asked.append(fetch)
        if isinstance(fetch, tf.SparseTensor):
            return self._add_parts(SparseTensorValue, [fetch.indices, fetch.values, fetch.dense_shape])
        if isinstance(fetch, tf.IndexedSlices):
            parts = [fetch.values, fetch.indices]
            if fetch.dense_shape is not None:
                parts.append(fetch.dense_shape)
            return self._add_parts(_indexed_slices_value, parts)
        if isinstance(fetch, tf.RaggedTensor):
            parts = [fetch.flat_values, *fetch.nested_row_splits]
            return self._add_parts(_ragged_value, parts)
        if (attributes := getattr(type(fetch), "__attrs_attrs__", None)) is not None:
            return self._add_attributes(fetch, [attribute.name for attribute in attributes])
        if (conversion := conversion_of(fetch)) is not None:
            return self._add_converted(fetch, conversion)
        return self._add_element(fetch)

    def _add_attributes(self, fetch: Any, names: Sequence[str]) -> Callable[[Sequence[Any]], Any]:
        readers = [self._add(getattr(fetch, name)) for name in names]
        kind = type(fetch)
        return lambda values: kind(*[read(values) for read in readers])

    def _add_converted(self, fetch: Any, conversion: Conversion) -> Callable[[Sequence[Any]], Any]:
        with self._graph.as_default():  # It may build the tensor that it stands for only now.
            parts, make = conversion.fetch(fetch)
        readers = [self._add_element(part) for part in parts]
        return lambda values: make([read(values) for read in readers])

    def _add_element(self, fetch: Any) -> Callable[[Sequence[Any]], Any]:
        try:
            element = self._graph.as_graph_element(fetch, allow_tensor=True, allow_operation=True)
        except TypeError as error:
            raise TypeError(
                f"Fetch argument {fetch!r} has invalid type {type(fetch)}, must be a string or Tensor. ({error})"
            ) from None
        except (ValueError, KeyError) as error:
            raise ValueError(f"Fetch argument {fetch!r} cannot be interpreted as a Tensor. ({error})") from None
        if isinstance(element, tf.Operation):
            if element not in self.operations:
                self.operations.append(element)
            return lambda values: None
        position = self._positions.setdefault(id(element), len(self.tensors))
        if position == len(self.tensors):
            self.tensors.append(element)
        return lambda values: values[position]

    def _add_parts(self, make: Callable[..., Any], parts: Sequence[tf.Tensor]) -> Callable[[Sequence[Any]], Any]:
        readers = [self._add_element(part) for part in parts]
        return lambda values: make(*[read(values) for read in readers])

    def _add_sequence(self, fetch: Sequence[Any]) -> Callable[[Sequence[Any]], Any]:
        readers = [self._add(item) for item in fetch]
        if isinstance(fetch, list):
            return lambda values: [read(values) for read in readers]
        kind = type(fetch)
        if hasattr(fetch, "_fields"):
            return lambda values: kind(*[read(values) for read in readers])
        return lambda values: kind([read(values) for read in readers])

    def _add_mapping(self, fetch: Mapping[Any, Any]) -> Callable[[Sequence[Any]], Any]:
        readers = {key: self._add(item) for key, item in fetch.items()}
        kind = type(fetch)
        try:
            kind()
        except TypeError:
            kind = dict

        def rebuild(values: Sequence[Any]) -> Any:
            return kind((key, read(values)) for key, read in readers.items())

        return rebuild


def _indexed_slices_value(values: Any, indices: Any, dense_shape: Any = None) -> Any:
    return indexed_slices.IndexedSlicesValue(values, indices, dense_shape)


def _ragged_value(flat_values: Any, *nested_row_splits: Any) -> Any:
    value = flat_values
    for splits in reversed(nested_row_splits):
        value = tf.compat.v1.ragged.RaggedTensorValue(value, splits)
    return value


def structure_key(fetch: Any) -> Any:
    """A hashable key that is equal for the same structure over the same objects."""
    if isinstance(fetch, list):
        return ("list", *[structure_key(item) for item in fetch])
    if isinstance(fetch, tuple):
        return (type(fetch), *[structure_key(item) for item in fetch])
    if isinstance(fetch, Mapping):
        return (type(fetch), *[(key, structure_key(item)) for key, item in fetch.items()])
    return fetch if isinstance(fetch, str) else id(fetch)
