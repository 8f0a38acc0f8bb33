"""The axis of a batch normalization of Keras 2.2: the number that it was made with, also once its input is known.

>>> Axis(-1, [3]), Axis(-1, [3]) == [3], 3 in Axis(-1, [3])
(-1, True, True)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tf_keras.src.layers.normalization.batch_normalization import BatchNormalizationBase

__all__ = ["Axis", "accept"]

_AXIS = "_keras2_axis"


class Axis(int):
    """A number, which its layer reads as the list of one dimension that it means."""

    dimensions: list[int]

    def __new__(cls, given: int, dimensions: list[int]) -> Axis:
        axis = super().__new__(cls, given)
        axis.dimensions = dimensions
        return axis

    def __iter__(self) -> Iterator[int]:
        return iter(self.dimensions)

    def __len__(self) -> int:
        return len(self.dimensions)

    def __getitem__(self, index: int) -> int:
        return self.dimensions[index]

    def __contains__(self, dimension: object) -> bool:
        return dimension in self.dimensions

    def __eq__(self, other: object) -> bool:
        return self.dimensions == other if isinstance(other, list) else int(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__

    def __reduce__(self) -> tuple[type[int], tuple[int]]:
        return int, (int(self),)  # in a configuration, which is copied, the number alone


def _get(self: Any) -> Any:
    return self.__dict__[_AXIS]


def _set(self: Any, value: Any) -> None:
    before = self.__dict__.get(_AXIS)
    is_found = isinstance(before, int) and isinstance(value, list) and len(value) == 1
    self.__dict__[_AXIS] = Axis(int(before), value) if is_found else value


def accept() -> None:
    """Has batch normalizations keep their axis, from now on in this process."""
    BatchNormalizationBase.axis = property(_get, _set)
