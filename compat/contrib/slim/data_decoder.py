"""What turns records into tensors."""

from __future__ import annotations

import abc
from typing import Any


class DataDecoder(abc.ABC):
    """Decodes records. Stands for ``slim.data_decoder.DataDecoder``."""

    @abc.abstractmethod
    def decode(self, data: Any, items: list[str]) -> list[Any]:
        """The items of a record, in the order asked for."""

    @abc.abstractmethod
    def list_items(self) -> list[str]:
        """The names of the items."""
