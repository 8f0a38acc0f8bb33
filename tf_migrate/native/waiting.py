"""Training steps that wait for the updates of moving averages."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tf_migrate.stages.program import Program
from tf_migrate.stages.values import Apply, Minimize


def waited(update: Minimize | Apply, compat: str, text_of: Callable[[ast.expr], str]) -> Iterator[str]:
    """The lines that make the updates which a step waits for."""
    if isinstance(update, Minimize) and update.after is not None:
        yield f"{compat}.run_updates({text_of(update.after)})"


def store_options(program: Program) -> str:
    """What a store is told: to leave updates of moving averages to those that ask for them."""
    return "defer_updates=True" if any(unit.averages for unit in program.units) else ""
