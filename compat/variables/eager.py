"""Variables of TF 1.x programs that ran eagerly: each call of ``get_variable`` made one."""

from __future__ import annotations

from collections.abc import Container, Hashable

import tensorflow as tf

from .passes import Pass
from .store import VariableStore


class _EagerPass(Pass):
    always_new = True


class EagerVariables(VariableStore):
    """The store of code that TF 1.x would have run eagerly.

    There ``get_variable`` and the functions of ``tf.layers`` made new variables at each call, whatever ``reuse`` said,
    and objects (layers, cells, optimizers, templates) kept theirs; collections held only those of templates. A second
    variable of a name is numbered here (``w_1``), where TF1 gave both one name.

    >>> with EagerVariables():
    ...     first, second = (compat.get_variable("w", [2]) for _ in range(2))
    >>> first is second
    False
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name=name)
        self._templates: list[VariableStore] = []

    def begin(self) -> Pass:
        """A new pass, which finds no variable that it made before."""
        return _EagerPass(self)

    def keep(self, key: Hashable, variable: tf.Variable) -> None:
        """Keeps the variable out of the collection."""

    def adopt(self, template: VariableStore) -> None:
        """Shows the variables of a template's own store in the collections."""
        if not any(known is template for known in self._templates):
            self._templates.append(template)

    def members(self, key: Hashable) -> list[tf.Variable]:
        """The variables of a collection."""
        return [variable for template in self._templates for variable in template.members(key)]


def unused_name(name: str, taken: Container[str]) -> str:
    """``name``, or the first of ``name_1``, ``name_2``… that is not taken."""
    candidate, number = name, 0
    while candidate in taken:
        number += 1
        candidate = f"{name}_{number}"
    return candidate
