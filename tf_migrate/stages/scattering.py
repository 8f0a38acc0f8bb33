"""Updates of parts of a variable, and counting: `tf.scatter_update` and its kin, `tf.count_up_to`.

Native code keeps these calls: they are made where the function updates.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tf_migrate.stages.arguments import require_only
from tf_migrate.stages.updates import Assign
from tf_migrate.stages.values import TENSORS, Refused, Stage, Value, flatten, moving
from tf_migrate.syntax.arguments import argument

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_SCATTERING = """
batch_scatter_update scatter_add scatter_div scatter_max scatter_min scatter_mul scatter_nd_add scatter_nd_sub
scatter_nd_update scatter_sub scatter_update
"""
SCATTERING = frozenset(f"tf.{name}" for name in _SCATTERING.split())
COUNTING = "tf.count_up_to"


@dataclass(frozen=True, eq=False)
class Scatter(Assign):
    """An update of parts of a variable; `value` is the whole call."""


@dataclass(frozen=True, eq=False)
class Count(Assign):
    """An update that counts, and gives the number before; `value` is the whole call."""


def scatter(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """`tf.scatter_update(variable, indices, updates)`."""
    require_only(node, ("ref", "indices", "updates"), ("use_locking", "name"))
    target, indices, updates = (argument(node, word, at) for at, word in enumerate(("ref", "indices", "updates")))
    if target is None or indices is None or updates is None:
        raise Refused(node, f"`{symbol}` without a variable, indices and updates", "give it all three")
    return _updated(evaluator, node, target, [indices, updates], Scatter)


def count_up_to(evaluator: Evaluator, node: ast.Call, symbol: str | None = None) -> Value:
    """`tf.count_up_to(variable, limit)`, or the method of a variable."""
    given = ("ref", "limit") if symbol is not None else ("limit",)
    require_only(node, given, ("name",) if symbol is not None else ())
    limit = argument(node, "limit", len(given) - 1)
    target = (
        argument(node, "ref", 0)
        if symbol is not None
        else node.func.value
        if isinstance(node.func, ast.Attribute)
        else None
    )
    if target is None or limit is None:
        raise Refused(node, "a count without a variable and a limit", "give it both")
    evaluator.require_python(limit)
    return _updated(evaluator, node, target, [limit], Count)


def _updated(
    evaluator: Evaluator, node: ast.Call, target: ast.expr, given: list[ast.expr], kind: type[Assign]
) -> Value:
    """The value of a call that updates a variable."""
    if evaluator.active or evaluator.frames or evaluator.fetching:
        raise Refused(
            node, f"`{ast.unparse(node.func)}` is called inside a function or a run", "call it in a statement"
        )
    with evaluator.collecting() as (reads, _):
        updated = evaluator.value(target)
        values = [evaluator.value(item) for item in given]
    if updated.stage is not Stage.VARIABLE or updated.parts is not None or len(updated.variables) != 1:
        raise Refused(node, "the variable that is updated is not known", "update a variable by its name")
    if any(part.is_graph and part.stage not in TENSORS for part in flatten(values)):
        raise Refused(node, "what a variable is updated with is no tensor", "give it tensors")
    aliased = tuple(variable for value in values for variable in value.variables)
    update = kind(evaluator.unit, target, updated, "", node, dict(reads), False, aliased)
    variables = () if kind is Count else updated.variables
    return Value(Stage.EFFECT, updates=(update,), variables=variables, moves=moving(values))
