"""Variables that are compared and hashed by identity, as those of TF 1.x were."""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf

from .replicas import has_replicas


class Identified:
    """The operators and methods of a variable that TF 1.x defined otherwise than TF2 does.

    ``v == w`` asks whether both are one variable, so variables are members of sets and keys of dictionaries; ``v += x``
    leaves the variable alone and binds the name to the sum.
    """

    def __iadd__(self, other: Any) -> Any:
        return self + other

    def __isub__(self, other: Any) -> Any:
        return self - other

    def __imul__(self, other: Any) -> Any:
        return self * other

    def __itruediv__(self, other: Any) -> Any:
        return self / other

    def __ipow__(self, other: Any) -> Any:
        return self**other

    def initialized_value(self) -> tf.Tensor:
        """The value of the variable, which has one from the start."""
        return self.read_value()  # type: ignore[attr-defined,no-any-return]

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other


@functools.cache
def _identified(kind: type[tf.Variable]) -> type[tf.Variable]:
    return type(kind.__name__, (Identified, kind), {"__doc__": kind.__doc__, "__module__": kind.__module__})


def identified(variable: tf.Variable) -> tf.Variable:
    """The same variable, with TF 1.x's operators; one that a strategy spread over replicas stays as it is."""
    if not has_replicas(variable):
        variable.__class__ = _identified(type(variable))
    return variable
