"""Iterators of TF 1.15 over TF2 datasets: one-shot, initializable, reinitializable and feedable.

An iterator is a resource of the runtime. Under the bridge its operations are nodes of the graph, to be fetched;
eagerly and in a `tf.function` they act at once, and every `get_next()` gives the next element.
"""

from __future__ import annotations

import itertools
from typing import Any

import tensorflow as tf

from .. import counting
from ..bridge.graph import current_graph
from ..bridge.runtime import HOST
from ..private import structure as _structure
from .legacy_structure import output_classes, output_shapes, output_types, spec_from_legacy

_numbers = itertools.count()


class Iterator:
    """State of going through a dataset; stands for `tf.data.Iterator` of TF 1.15.

    Made by `make_one_shot_iterator`, `make_initializable_iterator`, `Iterator.from_structure` or
    `Iterator.from_string_handle`.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> iterator = Iterator.from_structure(tf.int64, [])
      >>> start = iterator.make_initializer(tf.data.Dataset.range(3))
      >>> element = iterator.get_next()
      >>> session.run(start)
      >>> session.run(element), session.run(element), session.run(element)      # then tf.errors.OutOfRangeError
      (np.int64(0), np.int64(1), np.int64(2))
    """

    def __init__(self, iterator_resource: tf.Tensor, initializer: Any, element_spec: Any) -> None:
        self._iterator_resource = iterator_resource
        self._initializer = initializer
        self._element_spec = element_spec

    @staticmethod
    def from_structure(
        output_types: Any, output_shapes: Any = None, shared_name: str | None = None, output_classes: Any = None
    ) -> Iterator:
        """An iterator without a dataset yet; stands for `tf.data.Iterator.from_structure`.

        Args:
          output_types: dtypes of an element, nested as it is.
          output_shapes: its shapes in the same structure, unknown when None.
          shared_name: name of the resource, for sharing it between iterators.
          output_classes: `tf.Tensor` or `tf.SparseTensor` in the same structure.

        Raises:
          TypeError, ValueError: the structures differ.
        """
        spec = spec_from_legacy(output_types, output_shapes, output_classes)
        return Iterator(_resource(spec, shared_name), None, spec)

    @staticmethod
    def from_string_handle(
        string_handle: Any, output_types: Any, output_shapes: Any = None, output_classes: Any = None
    ) -> Iterator:
        """The iterator whose `string_handle()` is fed; stands for `tf.data.Iterator.from_string_handle`."""
        spec = spec_from_legacy(output_types, output_shapes, output_classes)
        handle = tf.convert_to_tensor(string_handle, tf.string)
        with tf.device(HOST):
            resource = tf.raw_ops.IteratorFromStringHandleV2(string_handle=handle, **_signature(spec))
        return Iterator(resource, None, spec)

    @property
    def initializer(self) -> Any:
        """The operation that starts the iterator from the beginning of its dataset.

        Raises:
          ValueError: it has no dataset of its own: use `make_initializer(dataset)`.
        """
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer.")
        return self._initializer() if callable(self._initializer) else self._initializer

    def make_initializer(self, dataset: tf.data.Dataset, name: str | None = None) -> Any:
        """The operation that starts the iterator on `dataset`; it acts at once outside a graph.

        Raises:
          TypeError: elements of `dataset` have other types or structure than this iterator's.
        """
        found, wanted = output_types(dataset), self.output_types
        tf.nest.assert_same_structure(found, wanted)
        if tf.nest.flatten(found) != tf.nest.flatten(wanted):
            raise TypeError(f"Expected output types {wanted!r} but got dataset with output types {found!r}.")
        for shape, allowed in zip(
            _structure.get_flat_tensor_shapes(dataset.element_spec),
            _structure.get_flat_tensor_shapes(self._element_spec),
            strict=True,
        ):
            if not allowed.is_compatible_with(shape):
                raise TypeError(f"Expected output shapes compatible with {allowed!r} but got {shape!r}.")
        return _start(dataset, self._iterator_resource, name)

    def get_next(self, name: str | None = None) -> Any:
        """The next element, nested as the dataset's; stands for `Iterator.get_next`.

        Raises:
          tf.errors.OutOfRangeError: the dataset is used up (when it is run).
          tf.errors.FailedPreconditionError: the iterator was not started.
        """
        with tf.device(HOST):
            spec, resource = self._element_spec, self._iterator_resource
            flat = tf.raw_ops.IteratorGetNext(iterator=resource, name=name, **_signature(spec))
        return _structure.from_compatible_tensor_list(spec, list(flat))

    def string_handle(self, name: str | None = None) -> tf.Tensor:
        """A scalar string that stands for this iterator where `from_string_handle` expects one."""
        with tf.device(HOST):
            return tf.raw_ops.IteratorToStringHandle(resource_handle=self._iterator_resource, name=name)

    @property
    def element_spec(self) -> Any:
        """The `tf.TypeSpec`s of an element."""
        return self._element_spec

    @property
    def output_types(self) -> Any:
        """The dtypes of an element."""
        return output_types(self)

    @property
    def output_shapes(self) -> Any:
        """The shapes of an element."""
        return output_shapes(self)

    @property
    def output_classes(self) -> Any:
        """The classes of an element: `tf.Tensor`, `tf.SparseTensor`."""
        return output_classes(self)


def _signature(spec: Any) -> dict[str, Any]:
    return {
        "output_types": _structure.get_flat_tensor_types(spec),
        "output_shapes": _structure.get_flat_tensor_shapes(spec),
    }


def _resource(spec: Any, shared_name: str | None) -> tf.Tensor:
    if current_graph() is not None:
        with tf.device(HOST):
            return tf.raw_ops.IteratorV2(shared_name=shared_name or "", container="", **_signature(spec))
    with tf.init_scope(), tf.device(HOST):
        unique = shared_name or f"compat_iterator_{next(_numbers)}"
        return tf.raw_ops.IteratorV2(shared_name=unique, container="", **_signature(spec))


def _start(dataset: tf.data.Dataset, resource: tf.Tensor, name: str | None = None) -> Any:
    stepwise = made_when_asked(dataset)._apply_debug_options()
    with tf.device(HOST):
        return tf.raw_ops.MakeIterator(dataset=stepwise._variant_tensor, iterator=resource, name=name)


def made_when_asked(dataset: tf.data.Dataset) -> tf.data.Dataset:
    """A dataset whose iterators make an element when it is asked for, where the program says nothing else.

    TF2 puts `prefetch` behind each dataset, and computes the elements of `map` in parallel: Python functions and
    generators would run ahead of the runs that need them.
    """
    options = tf.data.Options()
    options.experimental_optimization.inject_prefetch = False
    options.experimental_optimization.map_parallelization = False
    return dataset.with_options(options)


def make_initializable_iterator(dataset: tf.data.Dataset, shared_name: str | None = None) -> Iterator:
    """An iterator to be started by running its `initializer`; `Dataset.make_initializable_iterator` of TF 1.15.

    Starting it again goes back to the beginning, with the values that are fed then. Outside a graph every look at
    `initializer` starts it.
    """
    spec = dataset.element_spec
    resource = _resource(spec, shared_name)
    if current_graph() is not None:
        counting.add(3)  # TF1 looked at the iterator and at the dataset by handles.
        return Iterator(resource, _start(dataset, resource), spec)
    return Iterator(resource, lambda: _start(dataset, resource), spec)


def make_one_shot_iterator(dataset: tf.data.Dataset) -> Iterator:
    """An iterator that starts by itself and goes through the dataset once; `Dataset.make_one_shot_iterator`.

    Under the bridge each session starts it before the first run that needs it.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> element = make_one_shot_iterator(tf.data.Dataset.range(2)).get_next()
      >>> session.run(element), session.run(element)
      (np.int64(0), np.int64(1))
    """
    spec = dataset.element_spec
    resource = _resource(spec, None)
    started = _start(dataset, resource)
    counting.add(-1)  # TF1's iterator was two operations.
    graph = current_graph()
    if graph is not None:
        graph.add_startup(resource.op, started)
    return Iterator(resource, None, spec)
