"""Variables that are compared and hashed by identity, as those of TF 1.x were."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import tensorflow as tf

from ..bridge.graph import current_graph
from .replicas import has_replicas


class _Operation(NamedTuple):
    """The operation of a variable, to those who ask for its name and kind."""

    name: str
    type: str = "VariableV2"
    inputs: tuple[Any, ...] = ()


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

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Sets the variable, as ``tf.assign`` does."""
        return self._updated("assign", value, use_locking, name, read_value)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Adds to the variable, as ``tf.assign_add`` does."""
        return self._updated("assign_add", delta, use_locking, name, read_value)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtracts from the variable, as ``tf.assign_sub`` does."""
        return self._updated("assign_sub", delta, use_locking, name, read_value)

    def _updated(self, method: str, value: Any, use_locking: bool, name: str | None, read_value: bool) -> Any:
        """An update; where results tell which are made, one among those that they may need; in a graph one of TF1."""
        from . import assignment

        if not assignment.is_for_results() and (current_graph() is None or not read_value):
            return getattr(super(), method)(value, use_locking, name, read_value)
        updated = getattr(assignment, method)(self, value, use_locking=use_locking, name=name)
        return updated if read_value else updated.op

    def _strided_slice_assign(self, *args: Any, **options: Any) -> Any:
        from . import assignment

        if assignment.is_for_results():
            name = self.name  # type: ignore[attr-defined]
            raise ValueError(f"Whether results need an update of a part of {name} is not known: assign to all of it.")
        return super()._strided_slice_assign(*args, **options)  # type: ignore[misc]

    def initialized_value(self) -> tf.Tensor:
        """The value of the variable, which has one from the start."""
        return self.read_value()  # type: ignore[attr-defined,no-any-return]

    @property
    def op(self) -> Any:
        """What TF 1.x called the operation of a variable: programs ask for its name."""
        return _Operation(self.name.split(":")[0])  # type: ignore[attr-defined]

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
