"""Default arguments for functions, in force inside a ``with``."""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
Scope = dict[str, dict[str, Any]]

# Which keyword arguments each decorated function has, by its key.
_decorated: dict[str, tuple[str, ...]] = {}


class _Stack(threading.local):
    def __init__(self) -> None:
        self.scopes: list[Scope] = [{}]


_stack = _Stack()


def arg_scope_func_key(op: Callable[..., Any]) -> str:
    """The key of a function in an arg scope. Stands for ``tf.contrib.framework.arg_scope_func_key``."""
    return str(getattr(op, "_key_op", str(op)))


def current_arg_scope() -> Scope:
    """The arg scope in force. Stands for ``tf.contrib.framework.current_arg_scope``."""
    return _stack.scopes[-1]


def has_arg_scope(func: Callable[..., Any]) -> bool:
    """Whether a function takes arguments from arg scopes. Stands for ``tf.contrib.framework.has_arg_scope``."""
    return arg_scope_func_key(func) in _decorated


def arg_scoped_arguments(func: Callable[..., Any]) -> tuple[str, ...]:
    """Names of the arguments with defaults of a decorated function.

    Stands for ``tf.contrib.framework.arg_scoped_arguments``.
    """
    if not has_arg_scope(func):
        raise ValueError(f"{func} is not decorated with @add_arg_scope")
    return _decorated[arg_scope_func_key(func)]


@contextlib.contextmanager
def arg_scope(list_ops_or_scope: Sequence[Callable[..., Any]] | Scope, **kwargs: Any) -> Iterator[Scope]:
    """Gives functions default arguments inside the ``with``. Stands for ``tf.contrib.framework.arg_scope``.

    Args:
        list_ops_or_scope: functions decorated with :func:`add_arg_scope`, or a scope to enter again.
        kwargs: their arguments; inner scopes win over outer ones, arguments of the call over all.

    Raises:
        ValueError: a function that is not decorated, or arguments for a scope entered again.
        TypeError: neither a list nor a scope.

    >>> layers, x = compat.contrib.layers, tf.ones([1, 8, 8, 3])
    >>> with store, arg_scope([layers.conv2d], padding="VALID") as scope:
    ...     net = layers.conv2d(x, 64, 3)
    >>> net.shape
    TensorShape([1, 6, 6, 64])
    """
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError("When attempting to re-use a scope by suppling a dictionary, kwargs must be empty.")
        scope = dict(list_ops_or_scope)
    elif isinstance(list_ops_or_scope, list | tuple):
        scope = dict(current_arg_scope())
        for op in list_ops_or_scope:
            if not has_arg_scope(op):
                raise ValueError(f"{op.__module__}.{op.__name__} is not decorated with @add_arg_scope")
            key = arg_scope_func_key(op)
            scope[key] = {**scope.get(key, {}), **kwargs}
    else:
        raise TypeError("list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)")
    _stack.scopes.append(scope)
    try:
        yield scope
    finally:
        _stack.scopes.pop()


def add_arg_scope(func: F) -> F:
    """Decorates a function so that it takes arguments from :func:`arg_scope`.

    Stands for ``tf.contrib.framework.add_arg_scope``.
    """
    key = arg_scope_func_key(func)

    @functools.wraps(func)
    def with_scope(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **{**current_arg_scope().get(key, {}), **kwargs})

    _decorated[key] = tuple(
        parameter.name
        for parameter in inspect.signature(func).parameters.values()
        if parameter.default is not inspect.Parameter.empty
    )
    with_scope._key_op = key  # type: ignore[attr-defined]
    return with_scope  # type: ignore[return-value]
