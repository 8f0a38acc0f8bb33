"""Variables of TF 1.x programs that ran eagerly: each call of ``get_variable`` made one."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterator
from typing import Any

import tensorflow as tf

from .graph_keys import GraphKeys
from .initial_value import InitialValue
from .passes import Pass
from .store import VariableStore


class _EagerPass(Pass):
    """Names are not numbered: TF1 did that in graphs only. Variable scopes and layers still are."""

    always_new = True

    def unique_name(self, name: str) -> str:
        scope = self.scopes.name_scope
        return f"{scope}/{name}" if scope else name

    @contextlib.contextmanager
    def variable_name(self, name: str | None, default: str) -> Iterator[str]:
        yield self.unique_name(name or default).rstrip("/")


class EagerVariables(VariableStore):
    """The store of code that TF 1.x would have run eagerly.

    There ``get_variable`` and the functions of ``tf.layers`` made new variables at each call, whatever ``reuse`` said,
    and objects (layers, cells, optimizers, templates) kept theirs; collections held only those of templates and the
    global step. Two variables may have one name. The store does not keep them alive.

    >>> with EagerVariables():
    ...     first, second = (compat.get_variable("w", [2]) for _ in range(2))
    >>> first is second, first.name == second.name
    (False, True)
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name=name)
        self._templates: list[VariableStore] = []

    def begin(self) -> Pass:
        """A new pass, which finds no variable that it made before."""
        return _EagerPass(self)

    def obtain(self, name: str, initial_value: InitialValue, **properties: Any) -> tf.Variable:
        """A new variable, which belongs to whoever asked for it."""
        return self.create(name, initial_value, **properties)

    def keep(self, key: Hashable, variable: tf.Variable) -> None:
        """Keeps the variable out of the collection, if it is not the global step."""
        if key == GraphKeys.GLOBAL_STEP:
            super().keep(key, variable)

    def adopt(self, template: VariableStore) -> None:
        """Shows the variables of a template's own store in the collections."""
        if not any(known is template for known in self._templates):
            self._templates.append(template)

    def members(self, key: Hashable) -> list[tf.Variable]:
        """The variables of a collection."""
        return super().members(key) + [variable for template in self._templates for variable in template.members(key)]
