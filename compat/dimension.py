"""An entry of a `TensorShape` of TF 1.x, and what it answers."""

from __future__ import annotations

from .bridge import v1

__all__ = ["Dimension"]


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
