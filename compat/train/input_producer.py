"""Queues of file names, numbers and slices: the first part of TF 1.15's input pipelines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ..queue.queues import FIFOQueue
from ..variables.assignment import count_up_to
from ..variables.creation import Variable
from ..variables.graph_keys import GraphKeys
from ..variables.name_scope import name_scope
from .queue_runner import QueueRunner, add_queue_runner

_EMPTY = "string_input_producer requires a non-null input tensor"


def match_filenames_once(pattern: Any, name: str | None = None) -> Any:
    """A local variable with the file names that match when it is initialized; `tf.train.match_filenames_once`.

    Args:
      pattern: a glob, or several.
    """
    with name_scope(name, "matching_filenames", [pattern]) as scope:
        return Variable(
            tf.io.matching_files(pattern),
            name=scope,
            trainable=False,
            validate_shape=False,
            collections=[GraphKeys.LOCAL_VARIABLES],
        )


def limit_epochs(tensor: Any, num_epochs: int | None = None, name: str | None = None) -> Any:
    """`tensor`, at most `num_epochs` times; stands for `tf.train.limit_epochs`.

    The count is a local variable: run `local_variables_initializer()` first.

    Raises:
      ValueError: `num_epochs` is not positive.
      tf.errors.OutOfRangeError: (when run) it was given as often.
    """
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError(f"num_epochs must be > 0 not {num_epochs}.")
    with name_scope(name, "limit_epochs", [tensor]) as scope:
        zero = tf.constant(0, dtype=tf.int64)
        epochs = Variable(zero, name="epochs", trainable=False, collections=[GraphKeys.LOCAL_VARIABLES])
        with tf.control_dependencies([count_up_to(epochs, num_epochs)]):
            return tf.identity(tensor, name=scope)


def input_producer(
    input_tensor: Any,
    element_shape: Any = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    summary_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> FIFOQueue:
    """A queue of the rows of a tensor, over and over; stands for `tf.train.input_producer`.

    A `QueueRunner` that fills it joins the graph's.

    Args:
      element_shape: shape of a row, where the tensor's is not known.
      num_epochs: how often each row is given; for ever when None.
      shuffle: whether the rows of an epoch come in random order.
      capacity: of the queue.
      summary_name: of a scalar summary of how full it is.
      cancel_op: of the runner.

    Raises:
      ValueError: the shape of a row is not known.
    """
    with name_scope(name, "input_producer", [input_tensor]):
        rows = tf.convert_to_tensor(input_tensor, name="input_tensor")
        row_shape = rows.shape[1:].merge_with(element_shape)
        if not row_shape.is_fully_defined():
            raise ValueError(
                "Either `input_tensor` must have a fully defined shape or `element_shape` must be specified"
            )
        if shuffle:
            rows = tf.random.shuffle(rows, seed=seed)
        rows = limit_epochs(rows, num_epochs)
        queue = FIFOQueue(capacity, [rows.dtype], [row_shape], shared_name=shared_name, name=name)
        add_queue_runner(QueueRunner(queue, [queue.enqueue_many([rows])], cancel_op=cancel_op))
        if summary_name is not None:
            summarize_fullness(summary_name, queue, capacity)
        return queue


def summarize_fullness(name: str, queue: Any, capacity: int, below: int = 0) -> None:
    """Adds a scalar summary of how full a queue is, not counting its first `below` elements."""
    from ..summary import scalar

    size = queue.size() if below == 0 else tf.maximum(0, queue.size() - below)
    scalar(name, tf.cast(size, tf.float32) * (1.0 / (capacity - below)))


def string_input_producer(
    string_tensor: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> FIFOQueue:
    """A queue of strings, of file names above all; stands for `tf.train.string_input_producer`.

    Raises:
      ValueError: `string_tensor` is an empty list.
      tf.errors.InvalidArgumentError: (when run) the tensor is empty.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> queue = string_input_producer(["a.csv", "b.csv"], num_epochs=1)
    """
    if not isinstance(string_tensor, tf.Tensor | tf.Variable) and not len(string_tensor):
        raise ValueError(_EMPTY)
    with name_scope(name, "input_producer", [string_tensor]) as scope:
        strings = tf.convert_to_tensor(string_tensor, dtype=tf.string)
        with tf.control_dependencies([tf.debugging.Assert(tf.greater(tf.size(strings), 0), [_EMPTY])]):
            strings = tf.identity(strings)
        return input_producer(
            strings,
            [],
            num_epochs,
            shuffle,
            seed,
            capacity,
            shared_name,
            f"fraction_of_{capacity}_full",
            scope,
            cancel_op,
        )


def range_input_producer(
    limit: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> FIFOQueue:
    """A queue of the numbers 0 to `limit - 1`; stands for `tf.train.range_input_producer`."""
    with name_scope(name, "input_producer", [limit]) as scope:
        summary_name = f"fraction_of_{capacity}_full"
        return input_producer(
            tf.range(limit), [], num_epochs, shuffle, seed, capacity, shared_name, summary_name, scope
        )


def slice_input_producer(
    tensor_list: Sequence[Any],
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> list[tf.Tensor]:
    """The next row of each tensor, the same one of all; stands for `tf.train.slice_input_producer`.

    Args:
      tensor_list: tensors of the same first size.

    Raises:
      ValueError: the list is empty.
    """
    with name_scope(name, "input_producer", tensor_list):
        tensors = [tf.convert_to_tensor(tensor) for tensor in tensor_list]
        if not tensors:
            raise ValueError("Expected at least one tensor in slice_input_producer().")
        queue = range_input_producer(
            tf.shape(tensors[0])[0], num_epochs, shuffle, seed, capacity, shared_name=shared_name
        )
        index = queue.dequeue()
        return [tf.gather(tensor, index) for tensor in tensors]
