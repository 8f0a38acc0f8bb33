"""Whether a program comes from a statement to a run for certain, but for loops that may have no turn."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tf_migrate.steps.facts import ProgramFacts
from tf_migrate.syntax.own_nodes import every_node

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Assert, ast.Yield, ast.YieldFrom)
_EXITS = frozenset(("exit", "_exit", "quit", "abort", "fail", "error"))
_OF_NAMES = frozenset(
    ("AttributeError", "BaseException", "Exception", "NameError", "StandardError", "UnboundLocalError")
)
"""What catches that a name or an attribute is not there."""


def comes_to(facts: ProgramFacts, anchor: ast.stmt, node: ast.AST) -> bool:
    """Whether nothing but loops stands between a statement and a run behind it that may keep the program from the run.

    What the run reads by names that may be missing can be read right behind the statement then: where one is missing,
    the program raises in both.
    """
    inner = node
    for outer in facts.around(node):
        if not isinstance(inner, ast.stmt):
            if is_perhaps(outer, inner):
                return False
        else:
            block = _block_of(outer, inner)
            if block is None:
                return False
            at = block.index(inner)
            here = anchor in block
            if any(map(_may_leave, block[block.index(anchor) + 1 if here else 0 : at])):
                return False
            if here:
                return True
            if not isinstance(outer, (*_LOOPS, ast.With, ast.AsyncWith, ast.Try)):
                return False
            if isinstance(outer, ast.Try) and any(_catches_names(handler.type) for handler in outer.handlers):
                return False
        inner = outer
    return False


def _block_of(outer: ast.AST, statement: ast.stmt) -> Sequence[ast.stmt] | None:
    """The body that a statement stands in; None where it is another part, such as an `else`."""
    body = getattr(outer, "body", None)
    return body if isinstance(body, list) and statement in body else None


def is_perhaps(outer: ast.AST, inner: ast.AST) -> bool:
    """Whether a part of an expression may not be evaluated."""
    if isinstance(outer, ast.IfExp):
        return inner is not outer.test
    if isinstance(outer, ast.BoolOp):
        return inner is not outer.values[0]
    if isinstance(outer, ast.If):
        return inner is not outer.test
    if isinstance(outer, ast.While | ast.Assert):
        return inner is not outer.test
    return isinstance(outer, ast.Lambda | ast.comprehension | ast.GeneratorExp) or (
        isinstance(outer, ast.ListComp | ast.SetComp | ast.DictComp) and any(each.ifs for each in outer.generators)
    )


def _may_leave(statement: ast.stmt) -> bool:
    """Whether a program may not go on behind a statement, as it says itself."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    return any(
        isinstance(inner, _LEAVING) or (isinstance(inner, ast.Call) and _name_of(inner.func) in _EXITS)
        for inner in every_node(statement)
    )


def _name_of(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _catches_names(types: ast.expr | None) -> bool:
    """Whether a handler catches that a name is missing."""
    if types is None:
        return True
    return any(_name_of(part) in _OF_NAMES for part in ast.walk(types) if isinstance(part, ast.expr))
