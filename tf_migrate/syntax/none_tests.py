"""Tests for None: what they ask for, and which way they go where it is None."""

from __future__ import annotations

import ast


def none_test(test: ast.expr) -> tuple[ast.expr, bool] | None:
    """What a test asks for, and what the test is where that is None: `sess is None`, `not sess`, `sess`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = none_test(test.operand)
        return None if inner is None else (inner[0], not inner[1])
    if isinstance(test, ast.Compare):
        other = test.comparators[0]
        plain = len(test.ops) == 1 and isinstance(other, ast.Constant) and other.value is None
        if plain and isinstance(test.ops[0], ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
            return test.left, isinstance(test.ops[0], ast.Is | ast.Eq)
        return None
    return (test, False) if isinstance(test, ast.Name | ast.Attribute) else None
