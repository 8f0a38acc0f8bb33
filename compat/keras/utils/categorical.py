"""Class numbers as rows of zeros with a one."""

from __future__ import annotations

from typing import Any

import numpy as np


def to_categorical(y: Any, num_classes: int | None = None, dtype: Any = "float32") -> np.ndarray:
    """Rows with a one at the place of each class; stands for `tf.keras.utils.to_categorical`.

    Keras 3's function names its argument `x`, and gives float64 always.

    Args:
      y: Class numbers from 0 on, of any shape; a last axis of length 1 is dropped.
      num_classes: The length of a row, one more than the largest number where it is not given.
      dtype: NumPy's type of the result.

    Returns:
      An array of the numbers' shape and `num_classes`.

    Raises:
      IndexError: a number is `num_classes` or more.

    Example:
      >>> to_categorical([0, 2]).tolist()
      [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    numbers = np.asarray(y, int)
    if numbers.ndim > 1 and numbers.shape[-1] == 1:
        numbers = numbers[..., 0]
    rows: np.ndarray = np.eye(num_classes or int(numbers.max()) + 1, dtype=dtype)[numbers]
    return rows
