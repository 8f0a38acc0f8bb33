"""Gradients that a program takes itself: `tf.gradients`, `compute_gradients`, and their `apply_gradients`."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from tf_migrate.stages.averages import with_updates
from tf_migrate.stages.containers import is_fresh
from tf_migrate.stages.demand import slope_of
from tf_migrate.stages.lists import TRAINABLE, require_trainable, stored_variables
from tf_migrate.stages.rates import with_rate
from tf_migrate.stages.updates import Apply, Gradients
from tf_migrate.stages.values import (
    OPEN,
    PYTHON,
    TENSOR,
    Refused,
    Stage,
    Value,
    Variable,
    combine,
    container,
    flatten,
    is_fed,
    many,
    moving,
)

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_GIVEN_BY_PLACE = ("ys", "xs", "grad_ys")
_OPTIONS = frozenset({"gate_gradients", "name"})
_OF_TENSORS = frozenset({Stage.PLACEHOLDER, Stage.TENSOR})
_DIFFERENTIATED = _OF_TENSORS | {Stage.VARIABLE, Stage.VARIABLES}
_NOT_YET = "leave it to the bridge, or take the gradients another way"


def trainable_variables(evaluator: Evaluator, node: ast.Call) -> Value:
    """`tf.trainable_variables()`, or the collection of them: the list of those there are so far."""
    start = 1 if evaluator.names.resolve(node.func) == "tf.get_collection" else 0
    words = {keyword.arg: keyword.value for keyword in node.keywords}
    scope = node.args[start] if len(node.args) > start else words.get("scope")
    if evaluator.storing or evaluator.creates:
        return stored_variables(evaluator, node, scope)
    if scope is not None:
        raise Refused(node, "the trainable variables of one scope are asked for", "list them by name")
    known = _trainable(evaluator)
    if not known:
        raise Refused(node, "the trainable variables are asked for, and none is known", "list them by name")
    evaluator.listed[node] = known
    return container(tuple(Value(Stage.VARIABLE, variables=(variable,)) for variable in known))


def _trainable(evaluator: Evaluator) -> tuple[Variable, ...]:
    """The trainable variables of the graph that is built, so far."""
    return tuple(variable for variable in evaluator.variables[evaluator.earlier :] if variable.trainable)


def gradients(evaluator: Evaluator, node: ast.Call) -> Value:
    """`tf.gradients(loss, variables)`: a tape takes those, and the call itself those of tensors, or of given ones."""
    words = {keyword.arg: keyword.value for keyword in node.keywords}
    listed = node.args[1] if len(node.args) > 1 else words.get("xs")
    target = PYTHON if listed is None else evaluator.value(listed)
    if {part.stage for part in flatten([target])} <= _OF_TENSORS or "grad_ys" in words or len(node.args) == 3:
        return _of_tensors(evaluator, node, target, words)
    if len(node.args) != 2 or node.keywords:
        raise Refused(node, "this form of `tf.gradients` is not understood by the native tier", _NOT_YET)
    _require_statement(evaluator, node)
    if target.stage is Stage.VARIABLES:
        require_trainable(node, target)
        taken = _note(evaluator, node, node.args[0], None, whole=_is_all(evaluator, node.args[1], target))
        return replace(taken, several=True)
    if target.stage is not Stage.VARIABLE:
        raise Refused(node, "gradients are taken of something other than variables", _NOT_YET)
    require_watched(node, target)
    whole = set(target.variables) >= set(_trainable(evaluator)) and not evaluator.storing
    taken = _note(evaluator, node, node.args[0], None, by_one=target.parts is None, whole=whole)
    count = 1 if target.parts is None else len(target.parts)
    return container((taken,) * count)


def _of_tensors(evaluator: Evaluator, node: ast.Call, target: Value, words: Mapping[str | None, ast.expr]) -> Value:
    """A call that stays: inside of a function TensorFlow 2 takes such gradients as TensorFlow 1 did in a graph."""
    positional = len(node.args) > len(_GIVEN_BY_PLACE) or any(isinstance(item, ast.Starred) for item in node.args)
    if positional or not words.keys() <= {*_GIVEN_BY_PLACE, *_OPTIONS} or evaluator.fetching:
        raise Refused(node, "this form of `tf.gradients` is not understood by the native tier", _NOT_YET)
    named = (word for key, word in words.items() if key not in _OPTIONS)
    parts = list(flatten(evaluator.value(item) for item in (*node.args, *named)))
    if any(part.stage not in _DIFFERENTIATED and part.is_none is not True for part in parts):
        raise Refused(node, "gradients are taken of something other than tensors and variables", _NOT_YET)
    evaluator.derived.append(node)
    made = replace(combine(parts), fed=any(map(is_fed, parts)))
    if target.stage is Stage.VARIABLES:
        return replace(made, several=True)
    return container((made,) * len(list(flatten([target]))))


def compute_gradients(evaluator: Evaluator, node: ast.Call) -> Value:
    """`optimizer.compute_gradients(loss)`: the pairs of gradient and variable."""
    words = {keyword.arg: keyword.value for keyword in node.keywords}
    loss = node.args[0] if node.args else words.get("loss")
    listed = node.args[1] if len(node.args) > 1 else words.get("var_list")
    if loss is None or len(node.args) > 2 or not set(words) <= {"loss", "var_list"}:
        raise Refused(node, "this form of `compute_gradients` is not understood by the native tier", _NOT_YET)
    _require_statement(evaluator, node)
    if listed is None and (evaluator.storing or evaluator.creates):
        taken = _note(evaluator, node, loss, None, whole=True)
        return many(container((taken, stored_variables(evaluator, node, None))))
    if listed is None:
        known = _trainable(evaluator)
        parts = tuple(Value(Stage.VARIABLE, variables=(variable,)) for variable in known)
        evaluator.listed[node] = known
    else:
        value = evaluator.value(listed)
        if value.stage is Stage.VARIABLES and value.parts is None:
            require_trainable(node, value)
            if evaluator.key_of(listed) is None:
                what = "`var_list` is made in the call of `compute_gradients`"
                raise Refused(node, what, "give the list a name before")
            taken = _note(evaluator, node, loss, listed, whole=_is_all(evaluator, listed, value))
            return many(container((taken, value)))
        if value.stage is not Stage.VARIABLE or value.parts is None:
            raise Refused(node, "which variables `var_list` holds is not known", "list them by name")
        require_watched(node, value)
        parts = value.parts
    whole = {item for part in parts for item in part.variables} >= set(_trainable(evaluator)) and not evaluator.storing
    taken = _note(evaluator, node, loss, listed, whole=whole)
    return container(tuple(container((taken, part)) for part in parts))


def makes_list(evaluator: Evaluator, node: ast.expr) -> bool:
    """Whether an expression makes a list or dictionary: an optimizer gives its gradients as a new list of pairs."""
    if is_fresh(node):
        return True
    method = node.func if isinstance(node, ast.Call) else None
    if not isinstance(method, ast.Attribute) or method.attr != "compute_gradients":
        return False
    return evaluator.value(method.value).stage is Stage.OPTIMIZER


def apply_gradients(evaluator: Evaluator, node: ast.Call) -> Value:
    """`optimizer.apply_gradients(pairs)`."""
    assert isinstance(node.func, ast.Attribute)
    words = {keyword.arg: keyword.value for keyword in node.keywords}
    pairs = node.args[0] if node.args else words.get("grads_and_vars")
    step = node.args[1] if len(node.args) > 1 else words.get("global_step")
    known = set(words) <= {"grads_and_vars", "global_step", "name"}
    made = isinstance(node.func.value, ast.Call)
    if pairs is None or not known or len(node.args) > 2 or (evaluator.key_of(node.func.value) is None and not made):
        raise Refused(node, "this form of `apply_gradients` is not understood by the native tier", _NOT_YET)
    if evaluator.active or evaluator.fetching:
        raise Refused(node, "`apply_gradients` is called inside a function or a run", "call it where the gradients are")
    with evaluator.collecting() as (seen, _):
        rate = evaluator.value(node.func.value).rate
    with evaluator.collecting() as (reads, _):
        value = evaluator.value(pairs)
        if step is not None and evaluator.value(step).stage is not Stage.VARIABLE:
            raise Refused(step, "the global step is no variable that is known", _NOT_YET)
    stored = any(part.stage is Stage.VARIABLES for part in flatten([value]))
    if value.stage not in _OF_TENSORS or not (value.variables or stored):
        raise Refused(node, "which variables are updated is not known", "pass pairs of gradient and variable")
    # An optimizer that the step makes for itself is made where the step stood, of what its arguments are there.
    every = with_updates(evaluator, with_rate(reads if made else {**seen, **reads}, rate))
    update = Apply(evaluator.unit, node.func.value, pairs, step, value.variables, every, False, rate, evaluator.waits)
    return Value(Stage.EFFECT, updates=(update,), grouped=True, moves=moving([value]))


def require_watched(node: ast.Call, variables: Value) -> None:
    """A tape watches trainable variables only."""
    if any(not variable.trainable for variable in variables.variables):
        raise Refused(node, "gradients are taken of a variable that is not trainable", "make it trainable")


def _require_statement(evaluator: Evaluator, node: ast.Call) -> None:
    if evaluator.active or evaluator.fetching or evaluator.frames:
        raise Refused(node, "gradients are taken inside a function or a run", "take them in a statement of their own")


def _note(
    evaluator: Evaluator,
    node: ast.Call,
    loss: ast.expr,
    variables: ast.expr | None,
    *,
    by_one: bool = False,
    whole: bool = False,
) -> Value:
    """Notes gradients that are taken, `whole` by all variables that are trained; gives what each of them is."""
    with evaluator.collecting() as (reads, _):
        value = evaluator.value(loss)
    if any(part.stage is not Stage.TENSOR for part in flatten([value])):
        raise Refused(node, "the loss is no tensor that depends on variables", "take gradients of a tensor")
    known = slope_of(value) if value.parts is None else OPEN
    evaluator.gradients.append(Gradients(node, loss, variables, dict(reads), by_one, known, whole))
    return replace(TENSOR, moves=known.each)


def _is_all(evaluator: Evaluator, node: ast.expr, listed: Value) -> bool:
    """Whether an expression is the list of all trainable variables of a store, or the name that it was given."""
    binding = evaluator.env.get(node.id) if isinstance(node, ast.Name) else None
    made = None if binding is None or binding.node is None else evaluator.module.parents.get(binding.node)
    call = made.value if isinstance(made, ast.Assign) else node
    known = listed.listed[0] if len(listed.listed) == 1 else None
    if known is None or known.call is not call or known.key != TRAINABLE:
        return False
    given = len(known.call.args) + len(known.call.keywords)
    return given == (evaluator.names.resolve(known.call.func) == "tf.get_collection")
