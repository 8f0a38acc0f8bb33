"""Transformations that only `tf.contrib.data` had, to be given to `Dataset.apply`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...data.legacy_structure import flat_shapes, output_types

Transformation = Callable[[tf.data.Dataset], Any]


def batch_and_drop_remainder(batch_size: Any) -> Transformation:
    """Full batches only; stands for `tf.contrib.data.batch_and_drop_remainder`.

    Example:
      >>> dataset = tf.data.Dataset.range(5)
      >>> [batch.tolist() for batch in dataset.apply(batch_and_drop_remainder(2)).as_numpy_iterator()]
      [[0, 1], [2, 3]]
    """
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


def padded_batch_and_drop_remainder(batch_size: Any, padded_shapes: Any, padding_values: Any = None) -> Transformation:
    """Full, padded batches only; stands for `tf.contrib.data.padded_batch_and_drop_remainder`."""
    return lambda dataset: dataset.padded_batch(batch_size, padded_shapes, padding_values, drop_remainder=True)


def sloppy_interleave(map_func: Callable[..., Any], cycle_length: int, block_length: int = 1) -> Transformation:
    """Datasets mixed as they become ready; stands for `tf.contrib.data.sloppy_interleave`."""
    return tf.data.experimental.parallel_interleave(map_func, cycle_length, block_length, sloppy=True)


def assert_element_shape(expected_shapes: Any) -> Transformation:
    """Checks and sets the shape of elements; stands for `tf.contrib.data.assert_element_shape`.

    Raises:
      ValueError: (when applied) a static shape does not fit.
      tf.errors.InvalidArgumentError: (when run) an element's does not.
    """

    def apply(dataset: tf.data.Dataset) -> tf.data.Dataset:
        shapes = flat_shapes(output_types(dataset), expected_shapes)

        def check(*element: Any) -> Any:
            structure = element[0] if len(element) == 1 else element
            parts = zip(tf.nest.flatten(structure), shapes, strict=True)
            return tf.nest.pack_sequence_as(structure, [tf.ensure_shape(part, shape) for part, shape in parts])

        return dataset.map(check)

    return apply


def sliding_window_batch(
    window_size: int, stride: int | None = None, window_shift: int | None = None, window_stride: int = 1
) -> Transformation:
    """Windows of elements; stands for `tf.contrib.data.sliding_window_batch`.

    Args:
      window_size: elements in a window.
      window_shift: from the first element of a window to that of the next; `stride` is its old name.
      window_stride: from one element of a window to the next.

    Raises:
      ValueError: both `stride` and `window_shift` are given.
    """
    if stride is not None and window_shift is not None:
        raise ValueError("Cannot specify both `stride` and `window_shift`")
    shift = window_shift if window_shift is not None else stride

    def whole(window: Any) -> Any:
        parts = tf.nest.map_structure(lambda part: part.batch(window_size), window)
        return tf.data.Dataset.zip(parts)

    def apply(dataset: tf.data.Dataset) -> tf.data.Dataset:
        windows = dataset.window(window_size, shift=shift or 1, stride=window_stride, drop_remainder=True)
        return windows.flat_map(lambda *window: whole(window[0] if len(window) == 1 else window))

    return apply


def reduce_dataset(dataset: tf.data.Dataset, reducer: Any) -> Any:
    """What a `Reducer` makes of all elements; stands for `tf.contrib.data.reduce_dataset`.

    Raises:
      TypeError: `reducer` is no `Reducer`.
    """
    if not isinstance(reducer, tf.data.experimental.Reducer):
        raise TypeError(f"Expected reducer to be an instance of Reducer, but got {type(reducer)}")
    grouped = dataset.apply(tf.data.experimental.group_by_reducer(lambda *_: tf.constant(0, tf.int64), reducer))
    return tf.data.experimental.get_single_element(grouped)
