"""The initializer, run again: the variables that had values begin anew, with random numbers drawn anew.

Natively each of them is given its first value once more. That is certain only where the expression of that value still
means what it meant, and can be computed again; the shape in it, which the variable has, may be the variable's own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tf_migrate.stages.captures import may_change
from tf_migrate.stages.updates import Apply, Minimize, Update
from tf_migrate.stages.values import Binding, Stage, Variable
from tf_migrate.syntax.arguments import argument

if TYPE_CHECKING:
    from tf_migrate.names.canonical import Names
    from tf_migrate.stages.walk import Walk

_SHAPED = frozenset(f"tf.{name}" for name in ("ones", "random_normal", "random_uniform", "truncated_normal", "zeros"))
_WITHOUT_SLOTS = frozenset({"tf.train.GradientDescentOptimizer", "tf.train.ProximalGradientDescentOptimizer"})


@dataclass(frozen=True, eq=False)
class Restart:
    """A run of the initializer that `statement`, the unit of that number, gives `variables` their first values by.

    `shapes` are the shapes, by the calls that make variables, that are read from these, as they may be others by now.
    `seen` says that functions or a Saver may see them behind it, whatever the runs of the script do; `traces` that
    training steps left slots behind, which begin anew as well in TensorFlow 1.
    """

    statement: ast.stmt
    unit: int
    variables: tuple[Variable, ...]
    shapes: Mapping[ast.Call, ast.expr]
    seen: bool
    traces: bool


def restart(walk: Walk, statement: ast.stmt, had: Iterable[Variable]) -> Restart | None:
    """What a second run of the initializer does to variables that had values; None where that cannot be written."""
    variables = tuple(had)
    evaluator = walk.evaluator
    seen = bool(evaluator.closed or evaluator.savers or walk.saved)
    traces = not all(leaves_no_trace(walk.names, update) for run in walk.runs for update in run.updates)
    if walk.creating or evaluator.running or not all(_repeats(walk, variable) for variable in variables):
        return None
    shapes = {variable.call: shape for variable in variables if (shape := _changing_shape(walk, variable)) is not None}
    return None if seen and traces else Restart(statement, evaluator.unit, variables, shapes, seen, traces)


def leaves_no_trace(names: Names, update: Update) -> bool:
    """Whether an update changes nothing but the variables that the script names: no slots of an optimizer."""
    if not isinstance(update, Minimize | Apply):
        return True
    made = {binding.value.symbol for binding in update.reads.values() if binding.value.stage is Stage.OPTIMIZER}
    if isinstance(update.optimizer, ast.Call):
        made.add(names.resolve(update.optimizer.func))
    return bool(made) and made <= _WITHOUT_SLOTS


def _repeats(walk: Walk, variable: Variable) -> bool:
    """Whether the first value of a variable can be computed again here, and the variable is known by its name."""
    unit, bound = walk.units[variable.unit], walk.evaluator.env.get(variable.target)
    plain = walk.names.resolve(variable.call.func) == "tf.Variable"
    if not (plain and unit.repeats and bound is not None and bound.home in (None, walk.home)):
        return False
    if not isinstance(variable.key, ast.Constant | None) or variable.call not in {
        known.call for known in bound.value.variables
    }:
        return False
    return not _changed(walk, variable) or _changing_shape(walk, variable) is not None


def _changing_shape(walk: Walk, variable: Variable) -> ast.expr | None:
    """The shape in the first value of a variable, where nothing but names in it may mean something else by now."""
    unit, changed = walk.units[variable.unit], _changed(walk, variable)
    initial = argument(variable.call, "initial_value", 0)
    known = isinstance(initial, ast.Call) and walk.names.resolve(initial.func) in _SHAPED
    shape = argument(initial, "shape", 0) if known and isinstance(initial, ast.Call) else None
    if not changed or shape is None or any(binding.value.function is not None for binding in unit.reads.values()):
        return None
    inner = set(ast.walk(shape))
    outside = {node.id for node in ast.walk(unit.node) if isinstance(node, ast.Name) and node not in inner}
    return None if changed & outside else shape


def _changed(walk: Walk, variable: Variable) -> set[str]:
    """The names by which a variable's first value was computed that may mean something else by now."""
    reads = walk.units[variable.unit].reads
    return {name for name, binding in reads.items() if not _still_means(walk, name, binding)}


def _still_means(walk: Walk, name: str, binding: Binding) -> bool:
    """Whether a name holds the Python value that it held when the variable was made."""
    if binding.value.stage is not Stage.PYTHON or walk.evaluator.env.get(name) is not binding or binding.depth:
        return False
    if binding.value.function is not None:
        return True
    return may_change(name, binding, walk.module, walk.entered, walk.evaluator.built) is None
