"""What gives tensors by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


class DataProvider:
    """Gives the tensors of one example. Stands for ``slim.data_provider.DataProvider``.

    Args:
        items_to_tensors: tensors by the names of their items.
        num_samples: how many examples there are.
    """

    def __init__(self, items_to_tensors: dict[str, Any], num_samples: int) -> None:
        self._items_to_tensors = items_to_tensors
        self._num_samples = num_samples

    def get(self, items: Sequence[str]) -> list[Any]:
        """The tensors of those items.

        Raises:
            ValueError: an unknown item, or no list.
        """
        if not isinstance(items, list | tuple):
            raise ValueError("items must be a list or tuple")
        for item in items:
            if item not in self._items_to_tensors:
                raise ValueError(f"Item [{item}] is invalid. Valid entries include: {list(self._items_to_tensors)}")
        return [self._items_to_tensors[item] for item in items]

    def list_items(self) -> Iterable[str]:
        """The names of the items."""
        return self._items_to_tensors.keys()

    def num_samples(self) -> int:
        """How many examples there are."""
        return self._num_samples
