"""Averages of variables: `tf.train.ExponentialMovingAverage`, the updates of them, and the variables that it keeps.

TF1 made the variable for an average, its shadow, at the first `apply`, and gave it the first value of the averaged
variable. Which value of the two an update saw that stood beside a training step was open, unless it waited for that.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tf_migrate.stages.arguments import require_only
from tf_migrate.stages.moving import apply_in_function, average_in_function, averages_in_function
from tf_migrate.stages.pairs import is_list_of_variables
from tf_migrate.stages.updates import Apply, Assign, Minimize, Update
from tf_migrate.stages.values import Reads, Refused, Stage, Value, Variable, flatten
from tf_migrate.syntax.arguments import argument

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

AVERAGES = "tf.train.ExponentialMovingAverage"
_ARGUMENTS = ("decay", "num_updates", "zero_debias", "name")
_IN_FUNCTIONS = {"apply": apply_in_function, "average": average_in_function}
_NOT_YET = "leave it to the bridge, or average the variables by assignments"


@dataclass
class Shadows:
    """The shadows that one object keeps, by the calls that make the averaged variables; `reads` decides its decay."""

    reads: Reads
    kept: dict[ast.Call, Variable] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Average:
    """`averages.apply(variables)`: `made` are those variables whose shadows it makes, `after` what it waits for."""

    unit: int
    averages: ast.expr
    variables: ast.expr
    averaged: tuple[Variable, ...]
    shadows: tuple[Variable, ...]
    made: tuple[Variable, ...]
    after: tuple[Update, ...]
    reads: Reads
    inline: bool = False


def averages(evaluator: Evaluator, node: ast.Call) -> Value:
    """An object that keeps averages: its decay may depend on a variable that counts the updates."""
    require_only(node, _ARGUMENTS, ())
    if evaluator.active and not evaluator.fetching:
        return averages_in_function(evaluator, node)
    if evaluator.frames or evaluator.fetching:
        raise Refused(node, f"a `{AVERAGES}` is made inside another expression", "make it in a statement")
    with evaluator.collecting() as (reads, _):
        for place, word in enumerate(_ARGUMENTS):
            given = argument(node, word, place)
            value = None if given is None else evaluator.value(given)
            counts = value is not None and word == "num_updates" and value.stage is Stage.VARIABLE
            if value is not None and value.is_graph and not (counts and value.parts is None):
                raise Refused(node, f"`{word}` of averages is part of the graph", "give it a Python value")
    evaluator.shadows[node] = Shadows(dict(reads))
    return Value(Stage.AVERAGES, node=node)


def method_of_averages(evaluator: Evaluator, node: ast.Call, method: str, receiver: Value) -> Value:
    """The value of a method call on an object that keeps averages."""
    moving = None if receiver.node is None else evaluator.moving_averages.get(receiver.node)
    if moving is not None and evaluator.active and method in _IN_FUNCTIONS:
        return _IN_FUNCTIONS[method](evaluator, node, moving)
    known = None if receiver.node is None else evaluator.shadows.get(receiver.node)
    if known is None:
        raise Refused(node, "which averages these are is not known", "give the object one name")
    if method == "apply":
        return _apply(evaluator, node, known)
    if method == "average":
        return _average(evaluator, node, known)
    raise Refused(node, f"`.{method}()` of averages is not understood by the native tier", _NOT_YET)


def _apply(evaluator: Evaluator, node: ast.Call, known: Shadows) -> Value:
    """`averages.apply(variables)`, of variables that are known one by one."""
    require_only(node, ("var_list",), ())
    assert isinstance(node.func, ast.Attribute)
    listed = argument(node, "var_list", 0)
    if evaluator.active or evaluator.frames or evaluator.fetching:
        raise Refused(node, "`apply` of averages is called inside a function or a run", "call it in a statement")
    if not all(isinstance(update, Minimize | Apply | Average) for update in evaluator.awaited):
        raise Refused(node, "averages wait for something else than training steps", "let them wait for these alone")
    with evaluator.collecting() as (reads, _):
        evaluator.value(node.func.value)
        value = Value(Stage.PYTHON) if listed is None else evaluator.value(listed)
    if any(part.stage is Stage.TENSOR for part in flatten([value])):
        raise Refused(node, "tensors are averaged outside of a function that builds", _NOT_YET)
    if listed is None or not is_list_of_variables(value) or evaluator.lists:
        raise Refused(node, "which variables are averaged is not known", "give `apply` a list of `tf.Variable`s")
    averaged = tuple(variable for part in value.parts or () for variable in part.variables)
    if len({variable.call for variable in averaged}) < len(averaged):
        raise Refused(node, "a variable is averaged twice at once", "list each variable once")
    made = tuple(variable for variable in averaged if variable.call not in known.kept)
    others = [other.kept.keys() for other in evaluator.shadows.values() if other is not known]
    if any(variable.call in kept for kept in others for variable in made):
        raise Refused(node, "a variable has several averages", "average it once, or leave it to the bridge")
    for variable in made:
        # A shadow is known by a call of its own that makes it, as all variables are.
        call = ast.copy_location(ast.Call(node.func, [], []), node)
        target = f"{ast.unparse(node.func.value)}.average({variable.target})"
        known.kept[variable.call] = Variable(evaluator.unit, call, target, None, False)
    evaluator.shadowed = evaluator.shadowed or bool(made)
    shadows = tuple(known.kept[variable.call] for variable in averaged)
    every = {**known.reads, **reads}
    update = Average(evaluator.unit, node.func.value, listed, averaged, shadows, made, evaluator.awaited, every)
    return Value(Stage.EFFECT, updates=(*evaluator.awaited, update), grouped=True)


def _average(evaluator: Evaluator, node: ast.Call, known: Shadows) -> Value:
    """`averages.average(variable)`: the shadow, a variable like others."""
    require_only(node, ("var",), ())
    given = argument(node, "var", 0)
    value = Value(Stage.PYTHON) if given is None else evaluator.value(given)
    single = value.stage is Stage.VARIABLE and value.parts is None and len(value.variables) == 1
    shadow = known.kept.get(value.variables[0].call) if single else None
    if shadow is None:
        raise Refused(node, "the average is asked for of something that has none so far", "call `apply` before")
    return Value(Stage.VARIABLE, variables=(shadow,))


def require_no_shadow(evaluator: Evaluator, node: ast.expr, value: Value) -> None:
    """Refuses an operation that gives a shadow its first value: that is the value which another variable has then."""
    shadows = {shadow for known in evaluator.shadows.values() for shadow in known.kept.values()}
    if shadows.intersection(value.variables):
        raise Refused(node, "an average is initialized by itself", "initialize all variables at once")


def awaited(update: Update) -> tuple[Update, ...]:
    """The updates that one waits for."""
    return update.after if isinstance(update, Assign | Average) else ()
