"""Marking functions and arguments of one's own as deprecated."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from ... import logging

F = TypeVar("F", bound=Callable[..., Any])


def _when(date: str | None) -> str:
    return "in a future version" if date is None else f"after {date}"


def deprecated(date: str | None, instructions: str, warn_once: bool = True) -> Callable[[F], F]:
    """Warns when the function is called. Stands for ``tf.contrib.framework.deprecated``.

    Args:
        date: when it will be gone, as ``2020-01-31``; None for some day.
        instructions: what to use instead.
        warn_once: whether one warning is enough.
    """

    def decorate(func: F) -> F:
        return _warning(func, lambda arguments: f"{func.__name__} will be removed", date, instructions, warn_once)

    return decorate


def deprecated_args(date: str | None, instructions: str, *names: str, warn_once: bool = True) -> Callable[[F], F]:
    """Warns when one of these arguments is given. Stands for ``tf.contrib.framework.deprecated_args``."""

    def decorate(func: F) -> F:
        def problem(arguments: dict[str, Any]) -> str | None:
            given = [name for name in names if name in arguments]
            return f"{func.__name__}: {', '.join(given)} will be removed" if given else None

        return _warning(func, problem, date, instructions, warn_once)

    return decorate


def deprecated_arg_values(
    date: str | None, instructions: str, warn_once: bool = True, **values: Any
) -> Callable[[F], F]:
    """Warns when an argument has this value. Stands for ``tf.contrib.framework.deprecated_arg_values``."""

    def decorate(func: F) -> F:
        def problem(arguments: dict[str, Any]) -> str | None:
            given = [f"{name}={value}" for name, value in values.items() if arguments.get(name, func) == value]
            return f"{func.__name__}: {', '.join(given)} will be removed" if given else None

        return _warning(func, problem, date, instructions, warn_once)

    return decorate


def _warning(
    func: F, problem: Callable[[dict[str, Any]], str | None], date: str | None, instructions: str, warn_once: bool
) -> F:
    signature = inspect.signature(func)
    warned = False

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        nonlocal warned
        found = problem(dict(signature.bind_partial(*args, **kwargs).arguments))
        if found is not None and not (warned and warn_once):
            warned = True
            logging.warning("%s %s. %s", found, _when(date), instructions)
        return func(*args, **kwargs)

    return wrapper  # type: ignore[return-value]
