"""Variables cut into parts along one axis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tensorflow as tf

from ..private import variables as _variables
from .passes import Pass


class PartitionInfo:
    """What an initializer is told about the part that it fills.

    Attributes:
        full_shape: the shape of the whole variable.
        var_offset: where the part starts, one number an axis.
    """

    def __init__(self, full_shape: Sequence[int], var_offset: Sequence[int]) -> None:
        self.full_shape = list(full_shape)
        self.var_offset = list(var_offset)

    def single_offset(self, shape: Sequence[int]) -> int:
        """Where the part of shape ``shape`` starts along the axis that is cut; 0 when none is."""
        axis = self.single_slice_dim(shape)
        return 0 if axis is None else self.var_offset[axis]

    def single_slice_dim(self, shape: Sequence[int]) -> int | None:
        """The axis that is cut for a part of shape ``shape``, None when it is the whole."""
        cut = [axis for axis, (part, full) in enumerate(zip(shape, self.full_shape, strict=True)) if part != full]
        if len(cut) > 1:
            raise ValueError(f"Cannot use single_slice_dim() with shape {shape}: more than one axis is cut.")
        return cut[0] if cut else None


# A variable in parts ``name/part_0``, ``name/part_1``, …: iterating gives them, converting gives the whole as a tensor.
# It is TensorFlow's own class, which ``embedding_lookup`` knows.
PartitionedVariable = _variables.PartitionedVariable


def get_partitioned(
    building: Pass,
    get_one: Callable[..., Any],
    name: str,
    partitioner: Any,
    shape: Any,
    dtype: Any,
    initializer: Any,
    reuse: Any,
) -> Any:
    """Gets or creates a partitioned variable; ``get_one(name, shape, dtype, initializer, …)`` makes a part."""
    if name in building.variables:
        raise ValueError(
            f"A partitioner was provided, but an unpartitioned version of the variable was found: {name}. "
            "Perhaps a variable of the same name was already created without partitioning?"
        )
    dtype = tf.as_dtype(dtype)
    whole = tf.TensorShape(shape)
    if initializer is not None and not callable(initializer):
        initializer = tf.convert_to_tensor(initializer)
        whole, dtype = whole.merge_with(initializer.shape), initializer.dtype
    existing = building.partitioned.get(name)
    partitions = None if partitioner is None else _partitions(partitioner, whole, dtype)
    if existing is not None:
        _check_shared(existing, name, whole, dtype, partitions, reuse)
        return existing
    if partitions is None:
        raise ValueError(f"PartitionedVariable {name} does not exist, or was not created with tf.get_variable().")
    parts = []
    for index, (offset, part_shape) in enumerate(_slices(whole.as_list(), partitions)):
        info = PartitionInfo(whole.as_list(), offset)
        given: list[int] | None = part_shape
        source = initializer
        if source is not None and not callable(source):
            given, source = None, tf.slice(initializer, offset, part_shape)
        part = get_one(f"{name}/part_{index}", given, dtype, source, partition_info=info)
        # Checkpoints hold the whole under its own name.
        part._set_save_slice_info(tf.Variable.SaveSliceInfo(name, whole.as_list(), offset, part_shape))
        parts.append(part)
    made = PartitionedVariable(name, whole, dtype, parts, partitions)
    building.partitioned[name] = made
    return made


def _check_shared(
    existing: Any, name: str, shape: tf.TensorShape, dtype: tf.DType, partitions: Any, reuse: Any
) -> None:
    if reuse is False:
        raise ValueError(
            f"Partitioned variable with name {name} already exists. "
            "Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope?"
        )
    sharing = f"Trying to reuse partitioned variable {name}, but specified"
    if not shape.is_compatible_with(existing.shape):
        raise ValueError(f"{sharing} shape {shape} and found shape {existing.shape}.")
    if dtype != existing.dtype:
        raise ValueError(f"{sharing} dtype {dtype.name} and found dtype {existing.dtype.name}.")
    if partitions is not None and list(partitions) != list(existing._get_partitions()):
        raise ValueError(f"{sharing} partitions {partitions} and found partitions {list(existing._get_partitions())}.")


def _partitions(partitioner: Any, shape: tf.TensorShape, dtype: tf.DType) -> list[int]:
    if not callable(partitioner):
        raise ValueError(f"Partitioner must be callable, but received: {partitioner}")
    if not shape.is_fully_defined():
        raise ValueError(f"Shape of a new partitioned variable must be fully defined, but instead was {shape}.")
    if shape.rank < 1:
        raise ValueError(f"A partitioned Variable must have rank at least 1, shape: {shape}")
    slicing = partitioner(shape=shape, dtype=dtype)
    if not isinstance(slicing, Sequence):
        raise ValueError(f"Partitioner must return a sequence, but saw: {slicing}")
    if len(slicing) != shape.rank:
        raise ValueError(
            f"Partitioner returned a partition list that does not match the Variable's rank: {slicing} vs. {shape}"
        )
    if any(count < 1 for count in slicing):
        raise ValueError(f"Partitioner returned zero partitions for some axes: {slicing}")
    if sum(count > 1 for count in slicing) > 1:
        raise ValueError(f"Can only slice a variable along one dimension: shape: {shape}, partitioning: {slicing}")
    return list(slicing)


def _slices(shape: list[int], partitions: Sequence[int]) -> Iterator[tuple[list[int], list[int]]]:
    """Offset and shape of each part; the first parts are one longer where the axis does not divide."""
    axis = next((axis for axis, count in enumerate(partitions) if count > 1), 0)
    count = partitions[axis]
    short, longer = divmod(shape[axis], count)
    start = 0
    for index in range(count):
        length = short + (index < longer)
        offset, part = [0] * len(shape), list(shape)
        offset[axis], part[axis] = start, length
        yield offset, part
        start += length
