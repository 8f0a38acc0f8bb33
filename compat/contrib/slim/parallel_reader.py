"""Several readers into one queue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ... import summary
from ...queue.queues import FIFOQueue, RandomShuffleQueue
from ...train.input_producer import string_input_producer
from ...train.queue_runner import QueueRunner, add_queue_runner
from ...variables.name_scope import name_scope


class ParallelReader:
    """Reads several files at once into one queue. Stands for ``slim.parallel_reader.ParallelReader``.

    Args:
        reader_class: a class such as ``compat.TFRecordReader``.
        common_queue: a queue of pairs of strings.
        num_readers: how many files are read at once.

    Raises:
        TypeError: a queue of something else.
    """

    def __init__(
        self, reader_class: Any, common_queue: Any, num_readers: int = 4, reader_kwargs: dict[str, Any] | None = None
    ) -> None:
        if [tf.as_dtype(dtype) for dtype in common_queue.dtypes] != [tf.string, tf.string]:
            raise TypeError("common_queue.dtypes must be [tf.string, tf.string]")
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._common_queue = common_queue

    @property
    def num_readers(self) -> int:
        return len(self._readers)

    @property
    def common_queue(self) -> Any:
        return self._common_queue

    def read(self, queue: Any, name: str | None = None) -> Any:
        """Key and value of the next record of the files that ``queue`` names."""
        self._fill_from(queue)
        return self._common_queue.dequeue(name=name)

    def read_up_to(self, queue: Any, num_records: int, name: str | None = None) -> Any:
        """Keys and values of as many records."""
        self._fill_from(queue)
        return self._common_queue.dequeue_up_to(num_records, name)

    def _fill_from(self, queue: Any) -> None:
        operations = [self._common_queue.enqueue(reader.read(queue)) for reader in self._readers]
        add_queue_runner(QueueRunner(self._common_queue, operations))

    def num_records_produced(self, name: str | None = None) -> Any:
        """How many records have been read."""
        return tf.add_n([reader.num_records_produced() for reader in self._readers], name=name)

    def num_work_units_completed(self, name: str | None = None) -> Any:
        """How many files have been read."""
        return tf.add_n([reader.num_work_units_completed() for reader in self._readers], name=name)


def parallel_read(
    data_sources: Any,
    reader_class: Any,
    num_epochs: int | None = None,
    num_readers: int = 4,
    reader_kwargs: dict[str, Any] | None = None,
    shuffle: bool = True,
    dtypes: Sequence[Any] | None = None,
    capacity: int = 256,
    min_after_dequeue: int = 128,
    seed: int | None = None,
    scope: str | None = None,
) -> Any:
    """Key and value of the next record of files read at once. Stands for ``slim.parallel_reader.parallel_read``."""
    files = get_data_files(data_sources)
    with name_scope(scope, "parallel_read"):
        names = string_input_producer(files, num_epochs=num_epochs, shuffle=shuffle, seed=seed, name="filenames")
        kinds = dtypes or [tf.string, tf.string]
        if shuffle:
            queue = RandomShuffleQueue(capacity, min_after_dequeue, kinds, seed=seed, name="common_queue")
        else:
            queue = FIFOQueue(capacity, kinds, name="common_queue")
        summary.scalar(f"fraction_of_{capacity}_full", tf.cast(queue.size(), tf.float32) * (1.0 / capacity))
        return ParallelReader(reader_class, queue, num_readers, reader_kwargs).read(names)


def single_pass_read(
    data_sources: Any, reader_class: Any, reader_kwargs: dict[str, Any] | None = None, scope: str | None = None
) -> Any:
    """Key and value of the next record, in order and once. Stands for ``slim.parallel_reader.single_pass_read``."""
    files = get_data_files(data_sources)
    with name_scope(scope, "single_pass_read"):
        names = string_input_producer(files, num_epochs=1, shuffle=False, capacity=1, name="filenames")
        return reader_class(**(reader_kwargs or {})).read(names)


def get_data_files(data_sources: Any) -> list[str]:
    """Files out of names and patterns. Stands for ``slim.parallel_reader.get_data_files``.

    Raises:
        ValueError: there are none.
    """
    if isinstance(data_sources, list | tuple):
        files = [file for source in data_sources for file in get_data_files(source)]
    elif any(sign in data_sources for sign in "*?["):
        files = tf.io.gfile.glob(data_sources)
    else:
        files = [data_sources]
    if not files:
        raise ValueError(f"No data files found in {data_sources}")
    return files
