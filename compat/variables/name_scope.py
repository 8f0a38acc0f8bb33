"""``tf.name_scope`` of TF 1.x."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from .store import current_pass


@contextlib.contextmanager
def name_scope(name: str | None, default_name: str | None = None, values: Any = None) -> Iterator[str]:
    """Opens a name scope, numbered where the name was used before. Stands for ``tf.name_scope``.

    It prefixes ``compat.Variable`` but not ``compat.get_variable``, as in TF 1.x. Yields the scope's full name with a
    trailing slash. Where no store is active it is TF2's ``tf.name_scope``.

    Args:
        name: the name; None takes ``default_name``, and goes to the root where that is None too. With a trailing
            slash it is absolute.
        default_name: the name when ``name`` is None.
        values: accepted and ignored.

    Raises:
        TypeError: ``name`` is not a string.
    """
    chosen = default_name if name is None else name
    if chosen is not None and not isinstance(chosen, str):
        raise TypeError(f"name for name_scope must be a string, not {type(chosen).__name__}.")
    if name is None and default_name is None and values is not None:
        raise ValueError("At least one of name (None) and default_name (None) must be provided.")
    try:
        building = current_pass()
    except ValueError:
        with tf.name_scope(chosen or "/") as scope:
            yield scope
        return
    with building.name_scope(chosen) as scope:
        yield scope


@contextlib.contextmanager
def op_scope(values: Any, name: str | None, default_name: str | None = None) -> Iterator[str]:
    """:func:`name_scope` with ``values`` first. Stands for ``tf.op_scope``."""
    with name_scope(name, default_name, values) as scope:
        yield scope
