"""`tf.contrib.eager.Iterator`: going through a dataset in Python."""

from __future__ import annotations

from collections.abc import Iterator as PythonIterator
from typing import Any

import tensorflow as tf

from ...data.iterator import made_when_asked


class Iterator:
    """Goes through a dataset; stands for `tf.contrib.eager.Iterator`.

    Args:
      dataset: a `tf.data.Dataset`.

    Example:
      >>> for x in Iterator(tf.data.Dataset.range(2)):
      ...     print(x.numpy())
      0
      1
    """

    def __init__(self, dataset: tf.data.Dataset) -> None:
        self._iterator = iter(made_when_asked(dataset))

    def __iter__(self) -> PythonIterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._iterator)

    def next(self) -> Any:
        """The next element.

        Raises:
          StopIteration: there is none.
        """
        return next(self._iterator)

    def get_next(self, name: str | None = None) -> Any:
        """The next element.

        Raises:
          tf.errors.OutOfRangeError: there is none.
        """
        del name
        return self._iterator.get_next()
