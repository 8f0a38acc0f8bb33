"""What a data set consists of."""

from __future__ import annotations

from typing import Any


class Dataset:
    """Files, and how to read and decode them. Stands for ``slim.dataset.Dataset``.

    Args:
        data_sources: files, or patterns of their names.
        reader: a class such as ``compat.TFRecordReader``.
        decoder: a :class:`.data_decoder.DataDecoder`.
        num_samples: how many examples there are.
        items_to_descriptions: what the items mean.
        kwargs: more attributes.
    """

    def __init__(
        self,
        data_sources: Any,
        reader: Any,
        decoder: Any,
        num_samples: int,
        items_to_descriptions: dict[str, str],
        **kwargs: Any,
    ) -> None:
        self.data_sources = data_sources
        self.reader = reader
        self.decoder = decoder
        self.num_samples = num_samples
        self.items_to_descriptions = items_to_descriptions
        self.__dict__.update(kwargs)
