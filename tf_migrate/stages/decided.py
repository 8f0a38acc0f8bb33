"""Conditions that only ask whether there is a session, or for the version of TensorFlow: what they give is known.

`if sess is None:` is decided by what the call gives.

The branch that is taken is read as a part of the straight line; the other one never runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tf_migrate.names.sessions import GLOBAL_INITIALIZERS
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.texts import asks_version
from tf_migrate.stages.values import Stage

_SESSIONS = frozenset({"tf.Session", "tf.InteractiveSession"})


class Decisions:
    """The branches that such conditions take; `dead` are the nodes of the others."""

    def __init__(self) -> None:
        self.taken: dict[ast.If, list[ast.stmt]] = {}
        self.dead: set[ast.AST] = set()

    def branch(self, evaluator: Evaluator, node: ast.If) -> list[ast.stmt] | None:
        """The branch that a condition takes, where it is known and about sessions or initializers; else None."""
        chained = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
        of_session = _asks(node.test) and any(_is_of_session(evaluator, inner) for inner in ast.walk(node))
        if chained or not (of_session or _chooses_initializer(evaluator, node)):
            return None
        with evaluator.aside() as (_, impure):
            truth = evaluator.value(node.test).truth
        left = list(_nodes(node.body if truth is False else node.orelse))
        if truth is None or impure or not all(_may_go(evaluator, inner) for inner in left):
            return None
        taken = node.body if truth else node.orelse
        if any(statement.lineno in (node.lineno, node.test.end_lineno) for statement in taken):
            return None
        self.dead.update(left)
        self.taken[node] = taken
        return taken


def _asks(test: ast.expr) -> bool:
    """Whether a condition asks whether a name means None."""
    plain = isinstance(test, ast.Compare) and isinstance(test.left, ast.Name | ast.Attribute)
    return plain and isinstance(test, ast.Compare) and all(isinstance(item, ast.Is | ast.IsNot) for item in test.ops)


def _is_of_session(evaluator: Evaluator, node: ast.AST) -> bool:
    """Whether a node makes a session, or means one."""
    if isinstance(node, ast.Call):
        return evaluator.names.resolve(node.func) in _SESSIONS
    known = evaluator.env.get(evaluator.key_of(node) or "")
    return known is not None and known.value.stage is Stage.SESSION


def _chooses_initializer(evaluator: Evaluator, node: ast.If) -> bool:
    """Whether the version of TensorFlow decides under which name the variables' initializer is asked for."""
    calls = (inner.func for statement in node.body for inner in ast.walk(statement) if isinstance(inner, ast.Call))
    initializes = any(evaluator.names.resolve(func) in GLOBAL_INITIALIZERS for func in calls)
    return initializes and asks_version(evaluator.names, node.test)


def _may_go(evaluator: Evaluator, node: ast.AST) -> bool:
    """Whether a node of a branch that never runs is nothing of which a person would want to hear more."""
    known = evaluator.sites.get(node) if isinstance(node, ast.Call) else None
    return known is None or known.initializer_only


def _nodes(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    return (inner for statement in body for inner in ast.walk(statement))
