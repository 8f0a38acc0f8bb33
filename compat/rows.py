"""Arrays of rows that differ in shape, as NumPy 1.18 made them: of objects, with the leading axes that all agree in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["rows"]

_MOST_AXES = 32
"""Of an array of NumPy 1.18."""


def rows(values: Any) -> np.ndarray[Any, Any]:
    """`values` as an array, also where rows differ in shape.

    NumPy 1.23 and before made an array of objects of them, as batches of sentences and labels are.

    Args:
      values: whatever NumPy takes for an array, and lists whose parts differ in shape.

    Raises:
      ValueError: parts that are arrays agree in the first axes alone, which NumPy 1.18 refused too.

    Example:
      >>> rows([[1, 2], [3]])
      array([list([1, 2]), list([3])], dtype=object)
      >>> rows(list(zip([[1, 2, 3]], [[0, 1]])))
      array([[list([1, 2, 3]), list([0, 1])]], dtype=object)
      >>> rows([[1, 2], [3, 4]])
      array([[1, 2],
             [3, 4]])
    """
    try:
        return np.asarray(values)
    except ValueError:
        made = np.empty(_shape(values, _MOST_AXES), object)
    _fill(made, values)
    return made


def _shape(value: Any, most: int) -> tuple[int, ...]:
    """The axes that all parts of a value agree in."""
    if isinstance(value, np.ndarray):
        return value.shape[:most]
    if not most or not _has_parts(value):
        return ()
    parts = list(value)
    if not parts or most == 1:
        return (len(parts),)
    shared = _shape(parts[0], most - 1)
    for part in parts[1:]:
        shared = _shared(shared, _shape(part, len(shared)))
    return (len(parts), *shared)


def _has_parts(value: Any) -> bool:
    if isinstance(value, str | bytes | dict | np.generic):
        return False
    return isinstance(value, Sequence) or (hasattr(value, "__getitem__") and hasattr(value, "__len__"))


def _shared(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The leading axes that two shapes agree in."""
    axes = min(len(one), len(other))
    return one[: next((axis for axis in range(axes) if one[axis] != other[axis]), axes)]


def _fill(made: np.ndarray[Any, Any], value: Any) -> None:
    if isinstance(value, np.ndarray):
        made[...] = value
        return
    parts = list(value)
    for place in range(len(made)):
        part = parts[place if len(parts) > 1 else 0]
        if made.ndim > 1:
            _fill(made[place], part)
        else:
            made[place] = part
