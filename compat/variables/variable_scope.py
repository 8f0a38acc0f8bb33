"""``with variable_scope(...)``: prefix and defaults for the variables created inside."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import tensorflow as tf

from .passes import Pass
from .replicas import in_one_of_several
from .scope import AUTO_REUSE, Getter, VariableScope
from .store import current_pass, has_store, scope_without_store

_ENTERED: dict[int, contextlib.AbstractContextManager[VariableScope]] = {}
"""What keeps scopes open that `variable_scope("a").__enter__()` entered, with an object that nothing holds. Its name
scope is closed with the object, as TF1's was."""
_DEFAULTS = ("initializer", "regularizer", "caching_device", "partitioner", "custom_getter", "dtype", "use_resource")


class variable_scope:
    """Opens a variable scope and a name scope. Stands for ``tf.variable_scope``.

    In eager code it may be opened where no store is, as constructors do that make nothing in it: there
    ``get_variable`` and layers raise, and so does a store that is entered inside.

    Args:
        name_or_scope: a name below the current scope, a :class:`VariableScope` to go back to, or None.
        default_name: the name when ``name_or_scope`` is None, numbered where the current scope opened it before.
        values: accepted and ignored.
        initializer, regularizer, caching_device, partitioner, custom_getter, dtype, use_resource, constraint:
            defaults for ``get_variable`` inside; None inherits (``constraint`` is never inherited, as in TF1).
        reuse: True or ``AUTO_REUSE`` to reuse variables; False and None inherit from the scope around.
        auxiliary_name_scope: False opens no name scope.

    Raises:
        TypeError: neither a name nor a default name, or a name that is neither.
        ValueError: an unknown ``reuse``, or reuse of a default name.

    >>> with store, compat.variable_scope("a") as a:
    ...     w = compat.get_variable("w", [2])
    ...     with compat.variable_scope(a, reuse=True):
    ...         assert compat.get_variable("w", [2]) is w
    """

    def __init__(
        self,
        name_or_scope: str | VariableScope | None,
        default_name: str | None = None,
        values: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Getter | None = None,
        reuse: Any = None,
        dtype: Any = None,
        use_resource: bool | None = None,
        constraint: Any = None,
        auxiliary_name_scope: bool = True,
    ) -> None:
        del values
        if default_name is None and name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if name_or_scope is not None and not isinstance(name_or_scope, str | VariableScope):
            raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
        if reuse is not None and not isinstance(reuse, bool) and reuse is not AUTO_REUSE:
            raise ValueError("The reuse parameter must be True or False or None.")
        if name_or_scope is None and reuse:
            raise ValueError("reuse=True cannot be used without a name_or_scope")
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError(f"The auxiliary_name_scope must be `True` or `False`, while get {auxiliary_name_scope}")
        self._name_or_scope = name_or_scope
        self._default_name = default_name
        self._reuse = reuse or None
        self._constraint = constraint
        self._auxiliary_name_scope = auxiliary_name_scope
        self._given = dict(
            zip(
                _DEFAULTS,
                (initializer, regularizer, caching_device, partitioner, custom_getter, dtype, use_resource),
                strict=True,
            )
        )
        # As TF1: a context manager entered again keeps the name that it found the first time, and tells of the name
        # scope of that time, though its operations go into a new one.
        self._chosen: str | None = None
        self._name_scope: str | None = None
        self._open: list[contextlib.ExitStack] = []

    def __enter__(self) -> VariableScope:
        if tf.executing_eagerly() and not (has_store() or in_one_of_several()):
            return self._enter_alone()
        building = current_pass()
        with contextlib.ExitStack() as stack:
            name_scope = self._enter_name_scope(building, stack)
            if self._name_scope is None:
                self._name_scope = name_scope
            entered = self._scope(building, self._name_scope)
            scope = stack.enter_context(entered)
            _ENTERED[id(entered)] = entered
            stack.callback(_ENTERED.pop, id(entered), None)
            self._open.append(stack.pop_all())
        return scope

    def _enter_alone(self) -> VariableScope:
        given = self._name_or_scope
        name = given.name if isinstance(given, VariableScope) else given or self._default_name or ""
        with contextlib.ExitStack() as stack:
            stack.enter_context(scope_without_store(name))
            self._open.append(stack.pop_all())
        return VariableScope(self._reuse, name=name, name_scope=name and f"{name}/")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return self._open.pop().__exit__(kind, error, trace)

    def _enter_name_scope(self, building: Pass, stack: contextlib.ExitStack) -> str:
        if not self._auxiliary_name_scope:
            current = building.name_scope_name()
            return stack.enter_context(building.name_scope(current + "/" if current else None))
        name: str | None
        if isinstance(self._name_or_scope, VariableScope):
            name = self._name_or_scope.name.split("/")[-1]
        else:
            name = self._default_name if self._name_or_scope is None else self._name_or_scope
        if not name:
            return ""
        return stack.enter_context(building.name_scope(name))

    def _scope(self, building: Pass, name_scope: str) -> contextlib.AbstractContextManager[VariableScope]:
        options = {"reuse": self._reuse, "constraint": self._constraint, "given": self._given}
        if isinstance(self._name_or_scope, VariableScope):
            self._chosen = self._name_or_scope.name
            return _reopened(building, self._name_or_scope, **options)
        if self._chosen is None:
            self._chosen = (
                building.scopes.unique(self._default_name or "") if self._name_or_scope is None else self._name_or_scope
            )
        return _extended(building, self._chosen, name_scope or self._chosen, **options)


@contextlib.contextmanager
def _extended(
    building: Pass, name: str, name_scope: str, *, reuse: Any, constraint: Any, given: dict[str, Any]
) -> Iterator[VariableScope]:
    """A scope below the current one: it inherits what is not given, reuse included."""
    state = building.scopes
    parent = state.current
    full = f"{parent.name}/{name}" if parent.name else name
    scope = _derived(parent, full, name_scope, reuse or parent.reuse, constraint, given)
    state.open(full)
    state.current = scope
    try:
        yield scope
    finally:
        _leave(building, scope)
        state.close_below(full)
        state.current = parent


@contextlib.contextmanager
def _reopened(
    building: Pass, source: VariableScope, *, reuse: Any, constraint: Any, given: dict[str, Any]
) -> Iterator[VariableScope]:
    """A scope gone back to: its absolute name, its defaults, its counters as they were."""
    state = building.scopes
    before = state.current
    scope = _derived(source, source.name, source.original_name_scope, reuse or source.reuse, constraint, given)
    state.open(source.name)
    opened = dict(state.opened)
    state.current = scope
    try:
        yield scope
    finally:
        _leave(building, scope)
        state.opened = opened
        state.current = before


def _leave(building: Pass, scope: VariableScope) -> None:
    if building.scopes.current is not scope:
        raise RuntimeError("Improper nesting of variable_scope.")


def _derived(
    source: VariableScope, name: str, name_scope: str, reuse: Any, constraint: Any, given: dict[str, Any]
) -> VariableScope:
    values = {key: getattr(source, key) if value is None else value for key, value in given.items()}
    if given["custom_getter"] is not None and source.custom_getter is not None:
        values["custom_getter"] = _around(given["custom_getter"], source.custom_getter)
    return VariableScope(reuse, name=name, name_scope=name_scope, constraint=constraint, **values)


def _around(inner: Getter, outer: Getter) -> Getter:
    """The custom getter of an inner scope, which sees the outer one's as its getter."""

    def chained(getter: Getter, *args: Any, **kwargs: Any) -> Any:
        return inner(functools.partial(outer, getter), *args, **kwargs)

    return chained


@contextlib.contextmanager
def variable_op_scope(
    values: Any, name_or_scope: Any, default_name: str | None = None, *args: Any, **kwargs: Any
) -> Iterator[VariableScope]:
    """:class:`variable_scope` with ``values`` first. Stands for ``tf.variable_op_scope``."""
    positional = ("initializer", "regularizer", "caching_device", "partitioner", "custom_getter", "reuse", "dtype")
    kwargs.update(zip(positional, args, strict=False))
    with variable_scope(name_or_scope, default_name, values, **kwargs) as scope:
        yield scope


@contextlib.contextmanager
def pure_variable_scope(
    name_or_scope: str | VariableScope,
    reuse: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    custom_getter: Getter | None = None,
    old_name_scope: str | None = None,
    dtype: Any = None,
    use_resource: bool | None = None,
    constraint: Any = None,
) -> Iterator[VariableScope]:
    """A variable scope that opens no name scope, as layers use it.

    Stands for ``_pure_variable_scope`` of TF 1.15's ``tensorflow.python.ops.variable_scope``.

    Args:
        name_or_scope: a name below the current scope, or a :class:`VariableScope` to go back to.
        reuse: True or ``AUTO_REUSE`` to reuse variables; None inherits from the scope around.
        old_name_scope: what the scope tells as its ``original_name_scope``; its name when None.
        initializer, regularizer, caching_device, partitioner, custom_getter, dtype, use_resource, constraint:
            defaults for ``get_variable`` inside, as in :class:`variable_scope`.

    >>> with store, compat.variables.pure_variable_scope("a"):
    ...     compat.get_variable("w", [2]).name
    'a/w:0'
    """
    building = current_pass()
    given = (initializer, regularizer, caching_device, partitioner, custom_getter, dtype, use_resource)
    options = {"reuse": reuse, "constraint": constraint, "given": dict(zip(_DEFAULTS, given, strict=True))}
    if isinstance(name_or_scope, VariableScope):
        opened = _reopened(building, name_or_scope, **options)
    else:
        opened = _extended(building, name_or_scope, old_name_scope or name_or_scope, **options)
    with opened as scope:
        yield scope
