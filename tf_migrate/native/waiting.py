"""Training steps that wait for the updates of moving averages."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tf_migrate.stages.updates import Apply, Minimize


def waited(update: Minimize | Apply, compat: str, updates: str, text_of: Callable[[ast.expr], str]) -> Iterator[str]:
    """The lines that make the updates which a step waits for; `updates` holds those that have no name otherwise."""
    if isinstance(update, Minimize) and update.after is not None:
        yield f"{compat}.run_updates({updates if isinstance(update.after, ast.Call) else text_of(update.after)})"
