"""Questions about expressions that lead to others: each is asked once for a node and a depth.

Names that loops bind to one another (`x = f(y)`, `y = g(x)`, three times each) can be followed in very many ways.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar

Answers = dict[str, dict[tuple[ast.expr, int], Any]]
"""By questions: what is known of nodes, at each depth."""


class Asked(Protocol):
    """What is asked of the expressions of one module."""

    answers: Answers


_Asked = TypeVar("_Asked", bound=Asked)
_Answer = TypeVar("_Answer")


def asked_once(
    question: Callable[[_Asked, ast.expr, int], _Answer],
) -> Callable[[_Asked, ast.expr, int], _Answer]:
    """Keeps the answers to a question."""

    @wraps(question)
    def answer(asked: _Asked, node: ast.expr, depth: int) -> _Answer:
        known = asked.answers.setdefault(question.__qualname__, {})
        if (node, depth) not in known:
            known[node, depth] = question(asked, node, depth)
        found: _Answer = known[node, depth]
        return found

    return answer
