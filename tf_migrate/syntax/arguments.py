"""The arguments of a call, by name or position."""

from __future__ import annotations

import ast


def argument(call: ast.Call, name: str, position: int) -> ast.expr | None:
    """An argument of a call, given by its name or at its position; None where it has none."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    return call.args[position] if position < len(call.args) else None
