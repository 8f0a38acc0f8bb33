"""Collections that a program gives names of its own: which variables joined them, in the order of the graph."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages.arguments import NOT_YET
from tf_migrate.stages.captures import may_change
from tf_migrate.stages.lists import GLOBAL, TRAINABLE, stored_variables
from tf_migrate.stages.values import Refused, Stage, Value, container
from tf_migrate.syntax.arguments import argument

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_PLACE = 6
_WRITE_OUT = "list the names of the collections in the call"


def joins(evaluator: Evaluator, node: ast.Call) -> None:
    """Notes which collections the variable of a `tf.get_variable` joins."""
    evaluator.joined[node] = _named(evaluator, node)


def joins_in_function(evaluator: Evaluator, node: ast.Call) -> None:
    """Notes which collections a variable of a store joins: another call of the function may name others."""
    names = _named(evaluator, node)
    if names and any(isinstance(inner, ast.AugAssign) for inner in ast.walk(evaluator.active[-1])):
        raise Refused(node, "which collections the variable joins is not known", _WRITE_OUT)
    evaluator.joined_in_store.update(names)


def _named(evaluator: Evaluator, node: ast.Call) -> tuple[str, ...]:
    """The collections that a call names, beside the graph's own ones."""
    given = argument(node, "collections", _PLACE)
    if given is None or evaluator.value(given).is_none:
        return ()
    texts = [item.text for item in evaluator.value(given).items or ()]
    known = tuple(text for text in texts if text is not None)
    if len(known) < len(texts) or not known:
        raise Refused(node, "which collections the variable joins is not known", _WRITE_OUT)
    if GLOBAL not in known or TRAINABLE in known:
        # The initializer of all variables knows those of one collection, a training step those of the other.
        raise Refused(node, "the variable is left out of the graph's own collections, or named there", NOT_YET)
    return tuple(text for text in known if text != GLOBAL)


def members_of(evaluator: Evaluator, node: ast.Call, name: str) -> Value:
    """`tf.get_collection("target_net")`: the list of the variables that joined it so far."""
    if len(node.args) + len(node.keywords) > 1:
        raise Refused(node, f"the collection `{name}` is asked for the items of one scope", NOT_YET)
    if evaluator.active or evaluator.fetching or evaluator.frames:
        raise Refused(node, f"the collection `{name}` is asked for inside a function or a run", "ask for it before")
    _require_unchanged(evaluator, name)
    own = evaluator.variables[evaluator.earlier :]
    known = tuple(variable for variable in own if name in evaluator.joined.get(variable.call, ()))
    if name in evaluator.joined_in_store and evaluator.storing and not known:
        return stored_variables(evaluator, node, None, name)
    if not known or name in evaluator.joined_in_store:
        raise Refused(node, f"what joined the collection `{name}` is not known", "list what it holds by name")
    evaluator.listed[node] = known
    return container(tuple(Value(Stage.VARIABLE, variables=(variable,)) for variable in known))


def _require_unchanged(evaluator: Evaluator, name: str) -> None:
    """Refuses a collection where a list that names it may have been another one when a variable was made."""
    for word, binding in evaluator.written:
        items = binding.value.items or ()
        place = may_change(word, binding, evaluator.module, {}, evaluator.built)
        if place is not None and any(item.text == name for item in items):
            raise Refused(place, f"`{word}`, which names the collection `{name}`, may be changed here", _WRITE_OUT)
