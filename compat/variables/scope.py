"""The variable scope object: defaults that ``get_variable`` takes from where it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf

from .replicas import in_one_of_several


class ReuseMode:
    """The type of :data:`AUTO_REUSE`; it compares by identity only."""

    def __repr__(self) -> str:
        return "AUTO_REUSE"


AUTO_REUSE: Final = ReuseMode()
"""Create a variable when it is missing, else return it. Stands for ``tf.AUTO_REUSE``."""

Getter = Callable[..., Any]


class VariableScope:
    """Name prefix and defaults for ``get_variable``. Stands for ``tf.VariableScope``.

    It is what ``with variable_scope(...) as scope`` binds, and can be entered again later.

    Attributes:
        name: absolute name of the scope, without a trailing slash; empty for the root.
        original_name_scope: the name scope under which it was first opened, with a trailing slash.
        reuse: ``True``, ``False``/``None`` or ``AUTO_REUSE``.
    """

    def __init__(
        self,
        reuse: Any,
        name: str = "",
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Getter | None = None,
        name_scope: str = "",
        dtype: Any = tf.float32,
        use_resource: bool | None = None,
        constraint: Any = None,
    ) -> None:
        self._name = name
        self._reuse = reuse
        self._initializer = initializer
        self._regularizer = regularizer
        self._caching_device = caching_device
        self._partitioner = partitioner
        self._custom_getter = custom_getter
        self._name_scope = name_scope
        self._dtype = dtype
        self._use_resource = use_resource
        self._constraint = constraint

    @property
    def name(self) -> str:
        return self._name

    @property
    def original_name_scope(self) -> str:
        return self._name_scope

    @property
    def reuse(self) -> Any:
        return self._reuse

    @property
    def initializer(self) -> Any:
        return self._initializer

    @property
    def regularizer(self) -> Any:
        return self._regularizer

    @property
    def caching_device(self) -> Any:
        return self._caching_device

    @property
    def partitioner(self) -> Any:
        return self._partitioner

    @property
    def custom_getter(self) -> Getter | None:
        return self._custom_getter

    @property
    def dtype(self) -> Any:
        return self._dtype

    @property
    def use_resource(self) -> bool | None:
        return self._use_resource

    @property
    def constraint(self) -> Any:
        return self._constraint

    def reuse_variables(self) -> None:
        """From here on variables of this scope object must exist already; it cannot be undone."""
        self._reuse = True

    def set_initializer(self, initializer: Any) -> None:
        """Sets the default initializer."""
        self._initializer = initializer

    def set_regularizer(self, regularizer: Any) -> None:
        """Sets the default regularizer."""
        self._regularizer = regularizer

    def set_caching_device(self, caching_device: Any) -> None:
        """Sets the default caching device."""
        self._caching_device = caching_device

    def set_partitioner(self, partitioner: Any) -> None:
        """Sets the default partitioner."""
        self._partitioner = partitioner

    def set_custom_getter(self, custom_getter: Getter | None) -> None:
        """Sets the default custom getter."""
        self._custom_getter = custom_getter

    def set_dtype(self, dtype: Any) -> None:
        """Sets the default dtype."""
        self._dtype = dtype

    def set_use_resource(self, use_resource: bool | None) -> None:
        """Sets whether variables are to be resource variables."""
        self._use_resource = use_resource

    def get_collection(self, name: str) -> list[Any]:
        """The items of a collection below this scope."""
        from .store import current_pass

        return current_pass().get_collection(name, self._name + "/" if self._name else "")

    def trainable_variables(self) -> list[Any]:
        """The trainable variables below this scope."""
        return self.get_collection("trainable_variables")

    def global_variables(self) -> list[Any]:
        """The global variables below this scope."""
        return self.get_collection("variables")

    def local_variables(self) -> list[Any]:
        """The local variables below this scope."""
        return self.get_collection("local_variables")

    def get_variable(self, store: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        """``get_variable`` as called in this scope. ``store`` is accepted for TF1's signature's sake."""
        from .lookup import get_variable_in

        return get_variable_in(self, name, *args, **kwargs)


def current_scope() -> VariableScope:
    """The variable scope of the store that is entered; raises ValueError where there is none."""
    from .store import current_pass

    return current_pass().scopes.current


def get_variable_scope() -> VariableScope:
    """Returns the current variable scope. Stands for ``tf.get_variable_scope``.

    A program may set what its scope begins with before it builds anything: its store begins here then.
    """
    from .store import default_store

    if tf.executing_eagerly() and not in_one_of_several():
        default_store()
    return current_scope()
