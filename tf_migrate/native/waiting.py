"""Training steps that wait for the updates of moving averages."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from tf_migrate.stages.updates import Apply, Minimize, Update


def waited(update: Minimize | Apply, compat: str, updates: str, text_of: Callable[[ast.expr], str]) -> Iterator[str]:
    """The lines that make the updates which a step waits for; `updates` holds those that have no name otherwise."""
    if update.after is not None:
        yield f"{compat}.run_updates({updates if isinstance(update.after, ast.Call) else text_of(update.after)})"


def asked_for(updates: Iterable[Update]) -> Iterator[ast.Call]:
    """The calls that ask for what steps wait for, where it has no name."""
    for update in updates:
        if isinstance(update, Minimize | Apply) and isinstance(update.after, ast.Call):
            yield update.after
