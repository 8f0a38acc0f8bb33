"""Conditions whose branches build a graph each, and run it: `if args.train: train() else: test()`.

One branch runs, and finds the default graph as the other one would have found it. So each is read as if it were the
script's straight line, in a graph of its own; behind the condition nothing may go on with either.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from tf_migrate.names.sessions import SESSION_CLASSES
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.functions import mentions_graph

_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


def alternatives(
    evaluator: Evaluator, entering: Container[ast.AST], node: ast.If
) -> tuple[list[ast.expr], list[list[ast.stmt]]] | None:
    """The conditions and the branches of such a statement; None for any other.

    `entering` are the calls of functions that build a graph and run it.
    """
    tests, branches = chain(node)
    building = [branch for branch in branches if any(mentions_graph(evaluator, item) for item in branch)]
    alone = all(_runs(evaluator, entering, branch) for branch in building)
    return (tests, branches) if building and alone else None


def chain(node: ast.If) -> tuple[list[ast.expr], list[list[ast.stmt]]]:
    """The conditions of `if`, `elif`, …, and the branches, with one more where there is an `else`."""
    tests, branches = [node.test], [node.body]
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
        tests.append(node.test)
        branches.append(node.body)
    return tests, [*branches, node.orelse] if node.orelse else branches


def _runs(evaluator: Evaluator, entering: Container[ast.AST], branch: list[ast.stmt]) -> bool:
    """Whether a branch makes a session and runs it, or enters a function that does."""
    calls = [inner for statement in branch for inner in _executed(statement) if isinstance(inner, ast.Call)]
    makes = any(evaluator.names.resolve(call.func) in SESSION_CLASSES for call in calls)
    return any(call in entering or (makes and call in evaluator.sites) for call in calls)


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _DEFINITIONS):
            yield from _executed(child)
