"""Names that layers get from their class."""

from __future__ import annotations

import re

from ..variables.store import current_pass


def numbered(base: str) -> str:
    """The name of an unnamed layer: counted in the pass where there is one. Only error messages show it."""
    try:
        numbers = current_pass().counters.setdefault("layers", {})
    except ValueError:
        return base
    numbers[base] = numbers.get(base, 0) + 1
    return f"{base}_{numbers[base]}"


def snake_case(name: str) -> str:
    spaced = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    snake = re.sub(r"([a-z])([A-Z])", r"\1_\2", spaced).lower()
    return "private" + snake if snake.startswith("_") else snake
