"""Functions that say into how many parts a variable is cut along each axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from .lookup import find_or_create
from .scope import current_scope
from .store import current_pass
from .variable_scope import variable_scope

Partitioner = Callable[..., Sequence[int]]


def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Partitioner:
    """``num_shards`` parts along an axis, or fewer of a short one. Stands for ``tf.fixed_size_partitioner``."""

    def partitioner(shape: tf.TensorShape, **_: Any) -> list[int]:
        return _along(shape, axis, min(num_shards, shape[axis]))

    return partitioner


def variable_axis_size_partitioner(
    max_shard_bytes: int, axis: int = 0, bytes_per_string_element: int = 16, max_shards: int | None = None
) -> Partitioner:
    """Parts of at most so many bytes. Stands for ``tf.variable_axis_size_partitioner``.

    Args:
        max_shard_bytes: the greatest size of a part, in bytes.
        bytes_per_string_element: what a string counts for.
        max_shards: the greatest number of parts; these are then larger.

    Raises:
        ValueError: a number that is not positive.
    """
    if max_shard_bytes < 1 or bytes_per_string_element < 1:
        raise ValueError("Both max_shard_bytes and bytes_per_string_element must be positive.")
    if max_shards and max_shards < 1:
        raise ValueError("max_shards must be positive.")

    def partitioner(shape: tf.TensorShape, dtype: tf.DType) -> list[int]:
        if not shape.is_fully_defined():
            raise ValueError(f"shape is not fully defined: {shape}")
        slice_bytes = shape.num_elements() / shape[axis] * _element_bytes(dtype, bytes_per_string_element)
        slices = max(1, math.floor(max_shard_bytes / slice_bytes))
        shards = math.ceil(shape[axis] / slices)
        return _along(shape, axis, min(max_shards, shards) if max_shards else shards)

    return partitioner


def min_max_variable_partitioner(
    max_partitions: int = 1, axis: int = 0, min_slice_size: int = 256 << 10, bytes_per_string_element: int = 16
) -> Partitioner:
    """At most ``max_partitions`` parts of at least ``min_slice_size`` bytes.

    Stands for ``tf.min_max_variable_partitioner``.
    """

    def partitioner(shape: tf.TensorShape, dtype: tf.DType) -> list[int]:
        if axis >= len(shape):
            raise ValueError(f"Can not partition variable along axis {axis} when shape is only {shape}")
        size = shape.num_elements() * _element_bytes(dtype, bytes_per_string_element)
        return _along(shape, axis, max(1, min(shape[axis], max_partitions, math.ceil(size / min_slice_size))))

    return partitioner


def create_partitioned_variables(
    shape: Sequence[int],
    slicing: Sequence[int],
    initializer: Any,
    dtype: Any = tf.float32,
    trainable: bool = True,
    collections: Any = None,
    name: str | None = None,
    reuse: Any = None,
) -> list[Any]:
    """The parts of a variable cut as ``slicing`` says. Stands for ``tf.create_partitioned_variables``.

    The parts are ``name/part_0``, …; the name is ``PartitionedVariable``, numbered, unless given.

    Raises:
        ValueError: shape and slicing do not go together, or a custom getter is set.
    """
    if len(shape) != len(slicing):
        raise ValueError(
            "The 'shape' and 'slicing' of a partitioned Variable must have the length: "
            f"shape: {shape}, slicing: {slicing}"
        )
    if len(shape) < 1:
        raise ValueError(f"A partitioned Variable must have rank at least 1: shape: {shape}")
    with variable_scope(name, "PartitionedVariable", reuse=reuse):
        scope = current_scope()
        if scope.custom_getter is not None:
            raise ValueError("create_partitioned_variables cannot be used where a custom getter is set.")
        with current_pass().name_scope(None):
            return list(
                find_or_create(
                    scope.name,
                    shape=list(shape),
                    dtype=dtype,
                    initializer=scope.initializer if initializer is None else initializer,
                    regularizer=scope.regularizer,
                    reuse=scope.reuse,
                    trainable=trainable,
                    collections=collections,
                    caching_device=scope.caching_device,
                    partitioner=lambda **_: list(slicing),
                    use_resource=scope.use_resource,
                    constraint=scope.constraint,
                )
            )


def _along(shape: tf.TensorShape, axis: int, parts: int) -> list[int]:
    partitions = [1] * len(shape)
    partitions[axis] = parts
    return partitions


def _element_bytes(dtype: tf.DType, bytes_per_string_element: int) -> int:
    return bytes_per_string_element if dtype == tf.string else dtype.size
