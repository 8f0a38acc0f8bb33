"""A `TensorShape` of TF 1.x and an entry of it, and what they answer."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from .bridge import v1

__all__ = ["Dimension", "TensorShape"]


class Dimension(v1.Dimension):
    """An entry of a shape, stands for `tf.Dimension`: where it is unknown it is neither equal nor unequal to anything.

    It is always true, also where it is 0: TensorFlow 2's own is not.

    Args:
      value: the number, or a dimension; None where it is unknown.

    Example:
      >>> Dimension(None) == 3, Dimension(3) == 3, bool(Dimension(0))
      (None, True, True)
    """

    def __bool__(self) -> bool:
        return True


class TensorShape(tf.TensorShape):
    """A shape, stands for `tf.TensorShape` of TF 1.x: one with unknown entries is equal to no other one.

    It is equal to itself, as the shape of one tensor is, and unknown shapes are equal to each other. Whether these are
    unequal to something raises ValueError.

    Args:
      dims: the shape, or a list of its entries.

    Example:
      >>> TensorShape([None, 3]) == tf.TensorShape([None, 3]), TensorShape([2, 3]) == [2, 3]
      (False, True)
    """

    def __init__(self, dims: Any) -> None:
        super().__init__(dims)
        self._made_of = dims if isinstance(dims, tf.TensorShape) else self

    def __eq__(self, other: object) -> bool:
        if other is self or other is self._made_of or getattr(other, "_made_of", None) is self._made_of:
            return True
        try:
            shape = tf.TensorShape(other)
        except TypeError:
            return NotImplemented
        if self.rank is None or shape.rank is None:
            return self.rank is None and shape.rank is None
        sizes: list[int | None] = self.as_list()
        return None not in sizes and sizes == shape.as_list()

    def __ne__(self, other: object) -> bool:
        equal = self.__eq__(other)
        if equal is NotImplemented:
            return NotImplemented
        if self.rank is None or tf.TensorShape(other).rank is None:
            raise ValueError("The inequality of unknown TensorShapes is undefined.")
        return not equal

    __hash__ = tf.TensorShape.__hash__
