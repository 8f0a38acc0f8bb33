"""What is fed becomes an array of its placeholder's type, as a run of TF 1.x made it one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

__all__ = ["cast", "numbers", "require_held"]

_WRAPS = int(np.__version__.partition(".")[0]) < 2
"""Whether NumPy makes an integer in a list one that fits, in place of raising."""


def cast(value: Any, dtype: tf.DType, name: str = "its parameter") -> np.ndarray[Any, Any]:
    """`value` as an array of `dtype`: fractions are cut off where it holds integers, truth values are 0 and 1.

    Args:
      value: whatever NumPy takes for an array.
      dtype: the type of what is fed.
      name: what is fed, for the error.

    Raises:
      TypeError: `value` is a Python integer that `dtype` cannot hold as it is, or holds numbers beyond its range.
      ValueError: an array of text is to be one of truth values, and holds other things than numbers.
    """
    require_held(value, dtype, name)
    if _WRAPS and dtype.is_integer and not all(_holds(dtype, each) for each in _integers(value)):
        raise _unheld(value, dtype, name)
    if dtype == tf.bool and isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "SU":
        value = value.astype(np.int64)  # NumPy 1 read numbers in text, today's takes any text for true
    try:
        return np.asarray(value, dtype=dtype.as_numpy_dtype)
    except OverflowError:
        raise _unheld(value, dtype, name) from None
    except ValueError:
        return np.asarray(_as_numbers(value), dtype=dtype.as_numpy_dtype)


def numbers(values: Any) -> np.ndarray[Any, Any]:
    """`values` as an array, where numbers stand beside arrays of one element.

    NumPy 1.23 and before made an array of objects of such a list, and a run of TF 1.x took that for numbers.

    Args:
      values: whatever NumPy takes for an array, and lists that hold numbers and arrays of one element.

    Raises:
      ValueError: `values` holds other parts that differ in shape.

    Example:
      >>> numbers([1.0, np.array([2.5], np.float32)])
      array([1. , 2.5])
    """
    try:
        return np.asarray(values)
    except ValueError:
        return np.asarray(_as_numbers(values))


def _as_numbers(values: Any) -> Any:
    """Lists of arrays of one element as lists of numbers, where numbers stand beside them."""
    if isinstance(values, np.ndarray) and values.dtype == object:
        values = values.tolist()
    if not isinstance(values, list | tuple):
        return values
    parts = [_as_numbers(part) for part in values]
    if any(isinstance(part, int | float | complex | np.generic) or _has_one(part, 0) for part in parts):
        parts = [part.item() if _has_one(part) else part for part in parts]
    return parts


def _has_one(part: Any, rank: int | None = None) -> bool:
    return isinstance(part, np.ndarray) and part.size == 1 and rank in (None, part.ndim)


def require_held(value: Any, dtype: tf.DType, name: str = "its parameter") -> None:
    """Raises TypeError where `value` is a Python integer, or a truth value, that is not the same in `dtype`."""
    if isinstance(value, int) and not _holds(dtype, value):
        raise _unheld(value, dtype, name)


def _holds(dtype: tf.DType, value: int) -> bool:
    if dtype.is_integer:
        return bool(dtype.min <= value <= dtype.max)
    if dtype.is_floating or dtype.is_complex:
        try:
            with np.errstate(over="ignore"):
                return float(dtype.real_dtype.as_numpy_dtype(value)) == float(value)
        except OverflowError:
            return False
    return dtype == tf.bool and value in (0, 1)


def _integers(value: Any) -> Iterator[Any]:
    """The integers in lists. A number of NumPy that stands alone, and arrays, are made to fit, by NumPy 2 too."""
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        for each in value:
            if isinstance(each, int | np.integer):
                yield each
            else:
                yield from _integers(each)


def _unheld(value: Any, dtype: tf.DType, name: str) -> TypeError:
    return TypeError(
        f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type {dtype.name} of "
        f"{name}. Try explicitly setting the type of the feed tensor to a larger type (e.g. int64)."
    )
