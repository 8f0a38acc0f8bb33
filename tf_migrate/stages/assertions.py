"""Assertions about tensors, what waits for them, and `tf.Print`: operations that do something but change nothing.

TF1 ran an assertion where something that a run needed waited for it. Native code keeps the block that waits around
each statement in it, so that a function has the assertion where it has one of these.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from tf_migrate.stages.demand import LINEAR, slope
from tf_migrate.stages.values import TENSORS, Refused, Stage, Value, flatten, moving
from tf_migrate.syntax.arguments import argument

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

ASSERTION = "tf.Assert"
PRINT = "tf.Print"
_KINDS = """
equal greater greater_equal integer less less_equal near negative non_negative non_positive none_equal positive rank
rank_at_least rank_in
"""
ASSERTIONS = frozenset(f"{prefix}.assert_{kind}" for prefix in ("tf", "tf.debugging") for kind in _KINDS.split()) | {
    ASSERTION,
    "tf.debugging.Assert",
}


def assertion(evaluator: Evaluator, node: ast.Call) -> Value:
    """An assertion about tensors: an operation, which is no tensor."""
    _require_tensors(evaluator, node)
    return Value(Stage.TENSOR, symbol=ASSERTION)


def printing(evaluator: Evaluator, node: ast.Call) -> Value:
    """`tf.Print(tensor, data)`: the tensor as it is, printed by each run that needs it."""
    _require_tensors(evaluator, node)
    given = argument(node, "input_", 0)
    value = None if given is None else evaluator.value(given)
    if value is None or value.parts is not None or value.several or value.stage not in TENSORS:
        raise Refused(node, "what is printed and given back is not known", "give `tf.Print` one tensor")
    known = Value(Stage.TENSOR, variables=value.variables, random=value.random, fed=value.fed, loose=value.loose)
    return replace(known, moves=moving(evaluator.arguments(node)), slope=slope(LINEAR, [value]))


def _require_tensors(evaluator: Evaluator, node: ast.Call) -> None:
    if any(keyword.arg is None for keyword in node.keywords) or any(
        isinstance(item, ast.Starred) for item in node.args
    ):
        raise Refused(node, f"`{ast.unparse(node.func)}` takes its arguments from a container", "spell them out")
    for part in flatten(evaluator.arguments(node)):
        if part.is_graph and part.stage not in TENSORS | {Stage.STATIC}:
            raise Refused(
                node, f"`{ast.unparse(node.func)}` is given something of the graph that is no tensor", "drop it"
            )
