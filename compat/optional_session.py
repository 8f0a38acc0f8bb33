"""Functions of a session that may be called without one: steps have none."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

__all__ = ["session_optional"]


def session_optional(*kinds: type, name: str = "sess") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator of a function whose session may be left out of a call: it is None then.

    Args:
      *kinds: the types of the argument behind it, by which a call without a session is told.
      name: the name of its parameter.

    Example:
      >>> @session_optional(str)
      ... def save(sess, path):
      ...     return sess, path
      >>> save("a"), save(7, "a"), save(path="a")
      ((None, 'a'), (7, 'a'), (None, 'a'))
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        position = list(inspect.signature(function).parameters).index(name)

        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            given = args[position:]
            if name not in kwargs and (not given or isinstance(given[0], kinds)):
                args = (*args[:position], None, *given)
            return function(*args, **kwargs)

        return called

    return decorate
