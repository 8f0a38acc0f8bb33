"""`tf.train.batch`, `shuffle_batch`, their `_join` and their `maybe_` forms, with TF 1.15's arguments.

Common arguments:
  tensors: one example: a list or dict of tensors. Of `tensors_list`, each has a thread of its own.
  batch_size: examples in a batch.
  capacity: how many examples the queue holds.
  enqueue_many: whether the tensors hold several examples along their first dimension.
  shapes: of an example; taken from the tensors when None.
  dynamic_pad: sizes may differ; a batch is padded with zeros.
  allow_smaller_final_batch: whether the last batch may have fewer examples.
  keep_input: a bool, or with `enqueue_many` a vector of them: which examples to keep.

All add a `QueueRunner` to the graph and give tensors in the form of an example. When run they raise
`tf.errors.OutOfRangeError` once the examples are used up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .input_batch import Batching, batch_from, check_sources, shuffled_from


def maybe_batch(
    tensors: Any,
    keep_input: Any,
    batch_size: Any,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches of the examples to keep; stands for `tf.train.maybe_batch`."""
    how = Batching(batch_size, enqueue_many, shapes, allow_smaller_final_batch, keep_input, num_threads)
    return batch_from([tensors], how, capacity, dynamic_pad, shared_name, name, "batch")


def batch(
    tensors: Any,
    batch_size: Any,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches; stands for `tf.train.batch`.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> x, y = batch([tf.constant(1.0), tf.constant([2, 3])], batch_size=10)
      >>> y.shape
      TensorShape([10, 2])
    """
    how = Batching(batch_size, enqueue_many, shapes, allow_smaller_final_batch, True, num_threads)
    return batch_from([tensors], how, capacity, dynamic_pad, shared_name, name, "batch")


def maybe_batch_join(
    tensors_list: Sequence[Any],
    keep_input: Any,
    batch_size: Any,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches of the examples to keep, from several sources; stands for `tf.train.maybe_batch_join`."""
    how = Batching(batch_size, enqueue_many, shapes, allow_smaller_final_batch, keep_input)
    sources = check_sources(tensors_list)
    return batch_from(sources, how, capacity, dynamic_pad, shared_name, name, "batch_join")


def batch_join(
    tensors_list: Sequence[Any],
    batch_size: Any,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches from several sources; stands for `tf.train.batch_join`."""
    how = Batching(batch_size, enqueue_many, shapes, allow_smaller_final_batch, True)
    sources = check_sources(tensors_list)
    return batch_from(sources, how, capacity, dynamic_pad, shared_name, name, "batch_join")


def maybe_shuffle_batch(
    tensors: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    keep_input: Any,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Shuffled batches of the examples to keep; stands for `tf.train.maybe_shuffle_batch`."""
    how = Batching(batch_size, enqueue_many, shapes, allow_smaller_final_batch, keep_input, num_threads)
    return shuffled_from([tensors], how, capacity, min_after_dequeue, seed, shared_name, name, "shuffle_batch")


def shuffle_batch(
    tensors: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Shuffled batches; stands for `tf.train.shuffle_batch`.

    Args:
      min_after_dequeue: how many examples wait in the queue at least, while more are coming.

    Raises:
      ValueError: `capacity` is not above `min_after_dequeue`.
    """
    how = Batching(batch_size, enqueue_many, shapes, allow_smaller_final_batch, True, num_threads)
    return shuffled_from([tensors], how, capacity, min_after_dequeue, seed, shared_name, name, "shuffle_batch")


def maybe_shuffle_batch_join(
    tensors_list: Sequence[Any],
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    keep_input: Any,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Shuffled batches of the examples to keep, from several sources; `tf.train.maybe_shuffle_batch_join`."""
    how = Batching(batch_size, enqueue_many, shapes, allow_smaller_final_batch, keep_input)
    sources = check_sources(tensors_list)
    return shuffled_from(sources, how, capacity, min_after_dequeue, seed, shared_name, name, "shuffle_batch_join")


def shuffle_batch_join(
    tensors_list: Sequence[Any],
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Shuffled batches from several sources; stands for `tf.train.shuffle_batch_join`."""
    how = Batching(batch_size, enqueue_many, shapes, allow_smaller_final_batch, True)
    sources = check_sources(tensors_list)
    return shuffled_from(sources, how, capacity, min_after_dequeue, seed, shared_name, name, "shuffle_batch_join")
