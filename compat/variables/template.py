"""``make_template``: a function that makes its variables once."""

from __future__ import annotations

import contextlib
import functools
import weakref
from collections.abc import Callable
from typing import Any

from .collection import get_collection
from .graph_keys import GraphKeys
from .passes import Pass
from .scope import Getter, VariableScope
from .store import VariableStore, current_pass, program_pass
from .variable_scope import pure_variable_scope, variable_scope


class Template:
    """What :func:`make_template` returns: each call in a pass after the first reuses the first one's variables."""

    def __init__(
        self,
        name: str,
        func: Callable[..., Any],
        create_scope_now: bool = False,
        unique_name: str | None = None,
        custom_getter: Getter | None = None,
    ) -> None:
        if name is None:
            raise ValueError("name cannot be None.")
        self._name = name
        self._func = func
        self._unique_name = unique_name
        self._custom_getter = custom_getter
        self._variable_scope: VariableScope | None = None
        self._called: weakref.WeakSet[Pass] = weakref.WeakSet()
        if create_scope_now:
            chosen = unique_name or program_pass().scopes.unique(name)
            with pure_variable_scope(chosen, custom_getter=custom_getter) as scope:
                self._variable_scope = scope

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        building = program_pass()
        if building.always_new:
            building.store.adopt(self._eager)
            with self._eager:
                return self(*args, **kwargs)
        if building in self._called:
            return self._call_again(building, args, kwargs)
        with self._first_scope(building) as scope:
            self._variable_scope = scope
            result = self._func(*args, **kwargs)
        self._called.add(building)
        return result

    def _first_scope(self, building: Pass) -> contextlib.AbstractContextManager[VariableScope]:
        scope = self._variable_scope
        if scope is None:
            return variable_scope(self._unique_name, self._name, custom_getter=self._custom_getter)
        # A new pass: the name is taken there too.
        opened = building.scopes.opened
        opened[scope.name] = max(1, opened.get(scope.name, 0))
        return variable_scope(scope)

    def _call_again(self, building: Pass, args: Any, kwargs: Any) -> Any:
        before = len(building.trained)
        with variable_scope(self._variable_scope, reuse=True):
            result = self._func(*args, **kwargs)
        if added := building.trained[before:]:
            raise ValueError(
                "Trainable variable created when calling a template after the first time, perhaps you used tf.Variable "
                f"when you meant tf.get_variable: {added}"
            )
        return result

    @property
    def name(self) -> str:
        return self._name

    @property
    def func(self) -> Callable[..., Any]:
        """The function inside."""
        return self._func

    @property
    def _variables_created(self) -> bool:
        """Whether it was called: programs asked TF 1.x's by this name."""
        return bool(self._called)

    @property
    def variable_scope(self) -> VariableScope | None:
        """The variable scope, None before the first call."""
        return self._variable_scope

    @property
    def var_scope(self) -> VariableScope | None:
        """Old name of :attr:`variable_scope`."""
        return self._variable_scope

    @property
    def variable_scope_name(self) -> str | None:
        """Name of the variable scope with a trailing slash."""
        if self._variable_scope is None:
            return None
        name = self._variable_scope.name
        return name if not name or name.endswith("/") else name + "/"

    @functools.cached_property
    def _eager(self) -> VariableStore:
        """Holds the variables of a template that is called eagerly: no collection does."""
        return VariableStore()

    def _collected(self, key: str) -> list[Any]:
        if current_pass().always_new:
            return list(self._eager.members(key))
        return get_collection(key, self.variable_scope_name) if self._called else []

    @property
    def global_variables(self) -> list[Any]:
        return self._collected(GraphKeys.GLOBAL_VARIABLES)

    @property
    def local_variables(self) -> list[Any]:
        return self._collected(GraphKeys.LOCAL_VARIABLES)

    @property
    def variables(self) -> list[Any]:
        """The global and the local variables."""
        return self.global_variables + self.local_variables

    @property
    def trainable_variables(self) -> list[Any]:
        return self._collected(GraphKeys.TRAINABLE_VARIABLES)

    @property
    def non_trainable_variables(self) -> list[Any]:
        trained = {id(variable) for variable in self.trainable_variables}
        return [variable for variable in self.global_variables if id(variable) not in trained]

    @property
    def weights(self) -> list[Any]:
        return self.variables

    @property
    def trainable_weights(self) -> list[Any]:
        return self.trainable_variables

    @property
    def non_trainable_weights(self) -> list[Any]:
        return self.non_trainable_variables


def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Getter | None = None,
    **kwargs: Any,
) -> Template:
    """Wraps a function so that all its calls share the variables it gets with ``get_variable``.

    Stands for ``tf.make_template``.

    Args:
        name_: the variable scope, numbered where it was used.
        create_scope_now_: opens the scope (and takes its number) now rather than at the first call.
        unique_name_: the variable scope, not numbered.
        kwargs: arguments for the function.

    Raises:
        ValueError: no name; or, when called, a later call makes a trainable variable.

    >>> scale = compat.make_template("scale", lambda x: x * compat.get_variable("w", []))
    >>> with store:
    ...     y = scale(1.0) + scale(2.0)        # one variable scale/w
    """
    func = functools.partial(func_, **kwargs) if kwargs else func_
    return Template(name_, func, create_scope_now_, unique_name_, custom_getter_)
