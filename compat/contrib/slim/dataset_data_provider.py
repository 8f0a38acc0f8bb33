"""A provider over a data set."""

from __future__ import annotations

from typing import Any

from . import parallel_reader
from .data_provider import DataProvider
from .dataset import Dataset


class DatasetDataProvider(DataProvider):
    """Reads and decodes a data set through queues. Stands for ``slim.dataset_data_provider.DatasetDataProvider``.

    Args:
        num_readers: how many files are read at once.
        shuffle: whether files and records are shuffled.
        num_epochs: how often; None for ever.
        common_queue_capacity, common_queue_min: size of the queue of records, and its least size for shuffling.
        record_key: the item that names the record.

    Raises:
        ValueError: the data set has an item of the name ``record_key``.
    """

    def __init__(
        self,
        dataset: Dataset,
        num_readers: int = 1,
        reader_kwargs: dict[str, Any] | None = None,
        shuffle: bool = True,
        num_epochs: int | None = None,
        common_queue_capacity: int = 256,
        common_queue_min: int = 128,
        record_key: str = "record_key",
        seed: int | None = None,
        scope: str | None = None,
    ) -> None:
        key, data = parallel_reader.parallel_read(
            dataset.data_sources,
            reader_class=dataset.reader,
            num_epochs=num_epochs,
            num_readers=num_readers,
            reader_kwargs=reader_kwargs,
            shuffle=shuffle,
            capacity=common_queue_capacity,
            min_after_dequeue=common_queue_min,
            seed=seed,
            scope=scope,
        )
        items = dataset.decoder.list_items()
        if record_key in items:
            raise ValueError(
                f"The item name used for `record_key` cannot also be used for a dataset item: {record_key}"
            )
        tensors = dict(zip(items, dataset.decoder.decode(data, items), strict=True))
        super().__init__({**tensors, record_key: key}, num_samples=dataset.num_samples)
