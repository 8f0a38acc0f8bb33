"""The arguments of calls: which they are, and that they are those that are understood."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages.values import Refused, Stage, flatten

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

NOT_YET = "leave it to the bridge, or build this part another way"


def require_python(
    evaluator: Evaluator, node: ast.Call, but: Stage = Stage.PYTHON, beside: ast.expr | None = None
) -> None:
    """Refuses a call that is given a part of the graph, other than one of the stage `but`, or the argument `beside`."""
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    for value in flatten(evaluator.value(item) for item in given if item is not beside):
        if value.is_graph and value.stage is not but:
            what = ast.unparse(node.func)
            raise Refused(node, f"an argument of `{what}` is part of the graph", "give it a Python value")


def require_only(node: ast.Call, positional: tuple[str, ...], keywords: tuple[str, ...]) -> None:
    """Refuses a call with other arguments than these."""
    unknown = [keyword.arg for keyword in node.keywords if keyword.arg not in (*positional, *keywords)]
    starred = any(isinstance(item, ast.Starred) for item in node.args)
    if unknown or starred or len(node.args) > len(positional):
        what = unknown[0] if unknown and unknown[0] else "…"
        call = ast.unparse(node.func)
        raise Refused(node, f"the argument `{what}` of `{call}` is not understood by the native tier", NOT_YET)
