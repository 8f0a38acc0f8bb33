"""The blocks of statements that a node holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def blocks(node: ast.AST | None) -> Iterator[list[ast.stmt]]:
    """Its body, what follows `else`, and what follows `finally`; none of an expression, which has no statements."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
