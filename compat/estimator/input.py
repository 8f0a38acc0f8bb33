"""What an `input_fn` gives, as tensors of the graph being built."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import tensorflow as tf

from ..data import make_initializable_iterator
from ..variables import GraphKeys, add_to_collection


def call_input_fn(input_fn: Callable[..., Any], **available: Any) -> tuple[Any, Any]:
    """Features and labels of `input_fn`, which may return them, features alone, or a `tf.data.Dataset` of either.

    Args:
      input_fn: takes any of the `available` arguments by name.
      **available: `mode`, `params`, `config`.
    """
    result = input_fn(**accepted(input_fn, available))
    if isinstance(result, tf.data.Dataset):
        iterator = make_initializable_iterator(result)
        add_to_collection(GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
        result = iterator.get_next()
    if isinstance(result, list | tuple):
        if len(result) != 2:
            raise ValueError(f"input_fn should return (features, labels) as a len 2 tuple, got {len(result)} elements")
        return result[0], result[1]
    return result, None


def accepted(function: Callable[..., Any], available: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the `available` arguments that `function` takes by name."""
    parameters = inspect.signature(function).parameters.values()
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters):
        return dict(available)
    names = {parameter.name for parameter in parameters}
    return {name: value for name, value in available.items() if name in names}


def numpy_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool | None = None,
    queue_capacity: int = 1000,
    num_threads: int = 1,
) -> Callable[[], Any]:
    """An `input_fn` over arrays; stands for `tf.estimator.inputs.numpy_input_fn` of TF 1.15.

    Batches run on across the ends of epochs, as TF1's did; only the very last one may be smaller.

    Args:
      x: an array or a dictionary of arrays of the same length, examples first.
      y: an array or a dictionary of arrays, or None.
      batch_size: examples a batch.
      num_epochs: how often the arrays are gone through; None: without end.
      shuffle: whether examples come in random order, drawn from a buffer of `queue_capacity`. TF1's order, drawn
        by threads, was not reproducible.
      queue_capacity: see `shuffle`.
      num_threads: accepted and ignored.

    Raises:
      ValueError: `shuffle` is not given, there are no arrays, or their lengths differ.
    """
    del num_threads
    if not isinstance(shuffle, bool):
        raise ValueError("shuffle must be provided and explicitly set as boolean (it is recommended to set it as True)")
    features = {name: np.asarray(array) for name, array in x.items()} if isinstance(x, Mapping) else np.asarray(x)
    labels = {name: np.asarray(array) for name, array in y.items()} if isinstance(y, Mapping) else y
    lengths = {len(array) for part in (features, labels) if part is not None for array in _arrays(part)}
    if len(lengths) != 1:
        raise ValueError(f"x and y must hold at least one array, and all arrays the same number of examples: {lengths}")

    def input_fn() -> Any:
        data = features if labels is None else (features, labels)
        dataset = tf.data.Dataset.from_tensor_slices(data)
        if shuffle:
            dataset = dataset.shuffle(queue_capacity)
        dataset = dataset.repeat(num_epochs).batch(batch_size)
        iterator = make_initializable_iterator(dataset)
        add_to_collection(GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
        return iterator.get_next()

    return input_fn


def pandas_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool | None = None,
    queue_capacity: int | None = 1000,
    num_threads: int = 1,
    target_column: str = "target",
) -> Callable[[], Any]:
    """An `input_fn` over a pandas `DataFrame`; stands for `tf.estimator.inputs.pandas_input_fn` of TF 1.15.

    Args:
      x: a `DataFrame`; each column becomes a feature.
      y: a `Series` or a `DataFrame` with the index of `x`, or None.
      batch_size, num_epochs, shuffle, num_threads: as for `numpy_input_fn`.
      queue_capacity: as for `numpy_input_fn`; None: all examples.
      target_column: a name that no column of `x` may have.

    Raises:
      TypeError: `target_column` is no string.
      ValueError: `shuffle` is not given, the indices differ, or `x` has a column `target_column`.
    """
    if not isinstance(target_column, str):
        raise TypeError("target_column must be a string type")
    if y is not None and target_column in x:
        raise ValueError(f"Cannot use name {target_column} for target column: x has a column of that name")
    if y is not None and not np.array_equal(x.index, y.index):
        raise ValueError(f"Index for x and y are mismatched.\nIndex for x: {x.index}\nIndex for y: {y.index}")
    capacity = len(x) if queue_capacity is None else queue_capacity
    labels = _columns(y) if hasattr(y, "columns") else y
    return numpy_input_fn(_columns(x), labels, batch_size, num_epochs, shuffle, capacity, num_threads)


def _columns(frame: Any) -> dict[Any, np.ndarray[Any, Any]]:
    return {name: np.asarray(frame[name]) for name in frame.columns}


def _arrays(part: Any) -> list[Any]:
    return list(part.values()) if isinstance(part, Mapping) else [part]
