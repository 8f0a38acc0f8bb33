"""Batches out of single examples, by queues: the second part of TF 1.15's input pipelines.

The eight public functions differ in three ways: from one source (`batch`) or several (`batch_join`), in order or
shuffled, all examples or those of `keep_input` (`maybe_`). Examples are tensors, sparse tensors, or dicts of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from ..queue.queues import FIFOQueue, PaddingFIFOQueue, RandomShuffleQueue
from ..variables.name_scope import name_scope
from .input_producer import summarize_fullness
from .queue_runner import QueueRunner, add_queue_runner


@dataclass(frozen=True)
class Batching:
    """How examples go into and out of the queue of one call."""

    batch_size: Any
    enqueue_many: bool
    shapes: Any
    allow_smaller_final_batch: bool
    keep_input: Any
    threads: int = 1


def enqueue_and_dequeue(
    sources: Sequence[Any],
    batching: Batching,
    make_queue: Callable[[list[tf.DType], list[Any]], Any],
    summarize: Callable[[Any], None],
    scope: str,
) -> Any:
    """Has each source fill one queue, and gives batches out of it, in the form of a source."""
    keep = _checked_keep(batching.keep_input, batching.enqueue_many)
    columns = [_tensors(source) for source in sources]
    sparse = [_sparse_type(column, batching.enqueue_many) for column in columns[0]]
    columns = [[_stored(tensor, batching.enqueue_many) for tensor in column] for column in columns]
    types = [tensor.dtype for tensor in columns[0]]
    for column in columns[1:]:
        if [tensor.dtype for tensor in column] != types:
            raise TypeError(f"Expected types to be consistent: {types} vs. {[tensor.dtype for tensor in column]}.")
    shapes = _element_shapes(columns, batching.enqueue_many) if batching.shapes is None else batching.shapes
    queue = make_queue(types, shapes)
    enqueues = [_enqueue(queue, column, keep, batching.enqueue_many) for column in columns]
    add_queue_runner(QueueRunner(queue, enqueues * batching.threads))
    summarize(queue)
    dequeue = queue.dequeue_up_to if batching.allow_smaller_final_batch else queue.dequeue_many
    dequeued = dequeue(batching.batch_size, name=scope)
    parts = list(dequeued) if isinstance(dequeued, list | tuple) else [dequeued]
    restored = [_restored(part, kind) for part, kind in zip(parts, sparse, strict=True)]
    if isinstance(sources[0], dict):
        return dict(zip(sorted(sources[0], key=str), restored, strict=True))
    return restored if isinstance(dequeued, list | tuple) else restored[0]


def _tensors(source: Any) -> list[Any]:
    listed = [source[key] for key in sorted(source, key=str)] if isinstance(source, dict) else list(source)
    if not listed:
        raise ValueError("Expected at least one tensor in batch().")
    return [tensor if isinstance(tensor, tf.SparseTensor) else tf.convert_to_tensor(tensor) for tensor in listed]


def _checked_keep(keep_input: Any, enqueue_many: bool) -> tf.Tensor | None:
    if keep_input is True:
        return None
    keep = tf.convert_to_tensor(keep_input)
    if keep.shape.rank is None:
        raise ValueError("`keep_input` dimensions must be known at graph construction.")
    if not enqueue_many and keep.shape.rank == 1:
        raise ValueError("`keep_input` cannot be a vector when `enqueue_many=False`.")
    if keep.shape.rank > 1:
        raise ValueError("`keep_input` must be 0 or 1 dimensions.")
    return keep


def _sparse_type(tensor: Any, enqueue_many: bool) -> tuple[tf.DType, int | None] | None:
    """Type and rank of one example of a sparse tensor; None for a dense one."""
    if not isinstance(tensor, tf.SparseTensor):
        return None
    rank = tensor.dense_shape.shape[0]
    return tensor.dtype, None if rank is None else rank - int(enqueue_many)


def _stored(tensor: Any, enqueue_many: bool) -> tf.Tensor:
    """A sparse tensor as the strings that a queue can hold."""
    if not isinstance(tensor, tf.SparseTensor):
        return tensor
    return tf.io.serialize_many_sparse(tensor) if enqueue_many else tf.io.serialize_sparse(tensor)


def _restored(tensor: tf.Tensor, sparse: tuple[tf.DType, int | None] | None) -> Any:
    if sparse is None:
        return tensor
    dtype, rank = sparse
    return tf.io.deserialize_many_sparse(tensor, dtype=dtype, rank=rank)


def _element_shapes(columns: Sequence[Sequence[tf.Tensor]], enqueue_many: bool) -> list[tf.TensorShape]:
    merged = []
    for tensors in zip(*columns, strict=True):
        for tensor in tensors:
            if tensor.shape.rank is None:
                raise ValueError(f"Cannot infer Tensor's rank: {tensor}")
        shapes = [tensor.shape.with_rank_at_least(1)[1:] if enqueue_many else tensor.shape for tensor in tensors]
        shape = shapes[0]
        for other in shapes[1:]:
            shape.merge_with(other)
        merged.append(shape)
    return merged


def _enqueue(queue: Any, tensors: list[tf.Tensor], keep: tf.Tensor | None, enqueue_many: bool) -> tf.Operation:
    enqueue = queue.enqueue_many if enqueue_many else queue.enqueue
    if keep is None:
        return enqueue(tensors)
    if keep.shape.rank == 1:
        kept = [tf.dynamic_partition(tensor, tf.cast(keep, tf.int32), 2)[1] for tensor in tensors]
        return enqueue(kept)

    def put() -> tf.Tensor:
        with tf.control_dependencies([enqueue(tensors)]):
            return tf.constant(True)

    return tf.cond(keep, put, lambda: tf.constant(False)).op


def batch_from(
    sources: Sequence[Any],
    batching: Batching,
    capacity: int,
    dynamic_pad: bool,
    shared_name: str | None,
    name: str | None,
    default_name: str,
) -> Any:
    """Batches in the order of the examples."""
    kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
    with name_scope(name, default_name, [batching.keep_input]) as scope:
        return enqueue_and_dequeue(
            sources,
            batching,
            lambda types, shapes: kind(capacity, types, shapes, shared_name=shared_name),
            lambda queue: summarize_fullness(f"fraction_of_{capacity}_full", queue, capacity),
            scope,
        )


def shuffled_from(
    sources: Sequence[Any],
    batching: Batching,
    capacity: int,
    min_after_dequeue: int,
    seed: int | None,
    shared_name: str | None,
    name: str | None,
    default_name: str,
) -> Any:
    """Batches of examples in random order."""
    if capacity <= min_after_dequeue:
        raise ValueError(f"capacity {capacity} must be bigger than min_after_dequeue {min_after_dequeue}.")
    free = capacity - min_after_dequeue
    with name_scope(name, default_name, [batching.keep_input]) as scope:
        return enqueue_and_dequeue(
            sources,
            batching,
            lambda types, shapes: RandomShuffleQueue(
                capacity, min_after_dequeue, types, shapes, seed=seed, shared_name=shared_name
            ),
            lambda queue: summarize_fullness(
                f"fraction_over_{min_after_dequeue}_of_{free}_full", queue, capacity, min_after_dequeue
            ),
            scope,
        )


def check_sources(tensors_list: Sequence[Any]) -> Sequence[Any]:
    """The sources of a `_join` function.

    Raises:
      ValueError: there is none, or dicts differ in their keys.
    """
    if not tensors_list:
        raise ValueError("Expected at least one set of tensors")
    if isinstance(tensors_list[0], dict) and any(set(one) != set(tensors_list[0]) for one in tensors_list[1:]):
        raise ValueError("All dictionaries in tensors_list must have the same keys")
    return tensors_list
