"""Variables that are assigned to list by list: `[tf.assign(t, e) for t, e in zip(targets, sources)]`.

The lists are those of the variables of a store, or hold variables that are known one by one. A list of a store may also
be assigned to alone: `[v.assign(tf.clip_by_value(v, -0.1, 0.1)) for v in variables]`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tf_migrate.stages.updates import Assign
from tf_migrate.stages.values import TENSOR, TENSORS, Refused, Stage, Value, flatten

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator
    from tf_migrate.stages.lists import Listing

_STEP = "zip two lists of variables, and assign to those of the first"


@dataclass(frozen=True, eq=False)
class AssignEach(Assign):
    """Assignments to each variable of a list: `loop` is the comprehension, `listed` what lists of a store hold."""

    loop: ast.ListComp
    listed: tuple[Listing, ...]


def assigned_each(
    evaluator: Evaluator, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, element: ast.expr
) -> Value | None:
    """The value of a comprehension that assigns to each variable of a list; None for any other."""
    generator = node.generators[0]
    zipped, target = _zipped(evaluator, generator.iter), generator.target
    lists = zipped or ([generator.iter] if _is_stored(evaluator.value(generator.iter)) else [])
    assigned = _assigned(evaluator, element)
    if not lists or assigned is None or not isinstance(node, ast.ListComp):
        return None
    variable, value = assigned
    given = getattr(target, "elts", []) if zipped else [target]
    names = [item.id for item in given if isinstance(item, ast.Name)]
    plain = len(names) == len(given) == len(lists) == len(set(names)) and not isinstance(target, ast.List)
    if not plain or len(node.generators) > 1 or generator.ifs or variable.id not in names:
        raise Refused(node, "lists of variables are assigned to in a way that is not understood", _STEP)
    asked = evaluator.fetching and not evaluator.running
    if evaluator.active or asked or evaluator.frames:
        raise Refused(node, "lists of variables are assigned to inside a function or a run", "do it in a statement")
    with evaluator.collecting() as (reads, impure):
        values = [evaluator.value(item) for item in lists]
        listed = tuple(listing for known in values for listing in known.listed)
        made = _value(evaluator, value, names)
    updated = _updated(node, values, names.index(variable.id))
    if evaluator.lists:
        raise Refused(node, "lists of variables are made where they are assigned to", "give each list a name before")
    if impure or made.stage not in TENSORS or made.random or reads.keys() & set(names):
        raise Refused(node, "what is assigned to a list of variables is not known", _STEP)
    inline = evaluator.fetching
    update = AssignEach(evaluator.unit, variable, updated, "assign", value, dict(reads), inline, (), node, listed)
    return Value(Stage.EFFECT, updates=(update,), grouped=True)


def _updated(node: ast.expr, values: list[Value], place: int) -> Value:
    """The variables that are assigned to, where they are known; what is assigned comes from others, in no order."""
    columns = [
        part.variables for known in zip(*(value.parts or () for value in values), strict=False) for part in known
    ]
    assigned = [variable for variables in columns[place :: len(values)] for variable in variables]
    others = {variable for index, held in enumerate(columns) if index % len(values) != place for variable in held}
    if len(set(assigned)) < len(assigned) or others.intersection(assigned):
        raise Refused(node, "one run updates a variable and copies it, in no order", "run the updates in turn")
    return Value(Stage.VARIABLES, variables=tuple(assigned))


def _value(evaluator: Evaluator, value: ast.expr, names: list[str]) -> Value:
    evaluator.frames.append(dict.fromkeys(names, TENSOR))
    try:
        made = evaluator.value(value)
    finally:
        evaluator.frames.pop()
    if any(part.variables for part in flatten([made])):
        raise Refused(value, "what is assigned to a list of variables is another variable", _STEP)
    return made


def _zipped(evaluator: Evaluator, node: ast.expr) -> list[ast.expr]:
    """The lists of variables that are zipped; none where it is anything else."""
    builtin = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "zip"
    if not (builtin and isinstance(node, ast.Call)) or node.keywords or "zip" in evaluator.module.root.bindings:
        return []
    values = [evaluator.value(item) for item in node.args]
    known = all(map(_is_stored, values)) or all(map(is_list_of_variables, values))
    return node.args if values and known else []


def _is_stored(value: Value) -> bool:
    """Whether a value is a list of variables of a store, and of no others."""
    return value.stage is Stage.VARIABLES and bool(value.listed) and not value.variables


def is_list_of_variables(value: Value) -> bool:
    """Whether a value is a list of variables that are known one by one."""
    parts = value.parts if value.keys is None and not value.several else None
    return bool(parts) and all(
        part.stage is Stage.VARIABLE and part.parts is None and len(part.variables) == 1 for part in parts or ()
    )


def _assigned(evaluator: Evaluator, node: ast.expr) -> tuple[ast.Name, ast.expr] | None:
    """The name that is assigned to, and the value."""
    if not isinstance(node, ast.Call) or node.keywords or any(isinstance(item, ast.Starred) for item in node.args):
        return None
    symbol = evaluator.names.resolve(node.func)
    items = node.args
    if symbol is None and isinstance(node.func, ast.Attribute) and node.func.attr == "assign":
        items = [node.func.value, *node.args]
    elif symbol != "tf.assign":
        return None
    variable = items[0] if len(items) == 2 else None
    return (variable, items[1]) if isinstance(variable, ast.Name) else None
