"""Losses of regularizers: each variable that a layer makes may put one into a collection of the graph.

A store has a collection of its own for each function that enters it, which holds the losses of the layers that the
function computes. So a function that asks for them computes all layers whose variables were made before.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from tf_migrate.stages import effects
from tf_migrate.stages.lists import REGULARIZATION, Listing
from tf_migrate.stages.values import TENSOR, Loose, Refused, Value, many
from tf_migrate.syntax.arguments import argument

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_SUM = "tf.losses.get_regularization_loss"
_LISTS = "tf.losses.get_regularization_losses"
SUMS = (_SUM, _LISTS)
_STEP = "ask for all of them, in a statement of its own, behind the layers"


def is_regularizer(evaluator: Evaluator, value: Value) -> bool:
    """Whether a Python value is a regularizer: called, it computes a loss of a tensor."""
    return isinstance(value.node, ast.Call) and evaluator.names.resolve(value.node.func) in effects.REGULARIZERS


def regularization(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """The losses of all regularizers so far, or their sum."""
    place = 0 if symbol in SUMS else 1
    given = (argument(node, "scope", place), argument(node, "name", place + 1))
    if any(item is not None and not evaluator.value(item).is_none for item in given) or len(node.args) > place:
        raise Refused(node, "the losses of regularizers are asked for by a scope, or get a name", _STEP)
    asked = evaluator.fetching or (evaluator.frames and not evaluator.active)
    if asked or not (evaluator.storing or evaluator.creates):
        what = "the losses of regularizers are asked for inside another expression, or before all layers"
        raise Refused(node, what, _STEP)
    for unit in evaluator.storing:
        evaluator.note_statement(unit, node)
    evaluator.lists.append(Listing(node, REGULARIZATION, "", evaluator.unit))
    known = replace(TENSOR, loose=frozenset({Loose(node, (), alone=True)}))
    return known if symbol == _SUM else many(known)
