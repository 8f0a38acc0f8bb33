"""``tf.variable_creator_scope`` of TF 1.x: a say in how variables are made."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any

Creator = Callable[..., Any]


class _Active(threading.local):
    def __init__(self) -> None:
        self.creators: list[Creator] = []


_active = _Active()


@contextlib.contextmanager
def variable_creator_scope(variable_creator: Creator) -> Iterator[None]:
    """Has ``variable_creator`` make the variables of the body. Stands for ``tf.variable_creator_scope``.

    Args:
        variable_creator: called as ``variable_creator(next_creator, **kwargs)`` with the arguments of ``tf.Variable``;
            it returns a variable, as a rule ``next_creator(**kwargs)``. The innermost scope's is called first.

    >>> made = []
    >>> def note(next_creator, **kwargs):
    ...     made.append(next_creator(**kwargs))
    ...     return made[-1]
    >>> with store, compat.variable_creator_scope(note):
    ...     w = compat.get_variable("w", [2])
    """
    _active.creators.append(variable_creator)
    try:
        yield
    finally:
        _active.creators.remove(variable_creator)


def through_creators(make: Creator, **arguments: Any) -> Any:
    """What the creators of the scopes around make of ``make(**arguments)``."""
    for creator in _active.creators:
        make = functools.partial(creator, make)
    return make(**arguments)
