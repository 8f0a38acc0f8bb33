"""Layers and recurrent cells: calls that look up or create variables in the graph's store."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages import effects
from tf_migrate.stages.values import LAYER, TENSOR, TENSORS, Refused, Stage, Value, flatten

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_TAKEN = TENSORS | {Stage.PYTHON, Stage.STATIC, Stage.LAYER}
_NOT_YET = "leave it to the bridge, or use a layer that the native tier understands"


def is_layer(symbol: str) -> bool:
    """Whether a symbol is a layer, a cell, or a function that unrolls one."""
    return symbol in effects.LAYERS or symbol in effects.RANDOM_LAYERS or symbol in effects.CELLS


def layer(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """A call of a layer gives a tensor, or several; a cell is an object that is called later."""
    _require_taken(evaluator, node)
    if is_seeded(node, effects.LAYER_SEEDS.get(symbol)):
        evaluator.note_impure(node)
    evaluator.creates.add("named" if _is_named(evaluator, node, symbol) else "layer")
    if symbol in effects.CELLS:
        return LAYER
    return Value(Stage.TENSOR, random=True) if symbol in effects.RANDOM_LAYERS else TENSOR


def is_seeded(node: ast.Call, position: int | None) -> bool:
    """Whether a call is given a seed, by name or in its place: one sequence of numbers, for all runs that draw."""
    if position is None:
        return False
    given = [keyword.value for keyword in node.keywords if keyword.arg == "seed"] + node.args[position : position + 1]
    starred = any(isinstance(item, ast.Starred) for item in node.args)
    return starred or not all(isinstance(seed, ast.Constant) and seed.value is None for seed in given)


def call_of_layer(evaluator: Evaluator, node: ast.Call) -> Value:
    """A call of a cell: its output and state."""
    _require_taken(evaluator, node)
    evaluator.creates.add("layer")
    return TENSOR


def state_of_layer(evaluator: Evaluator, node: ast.Call) -> Value:
    """`cell.zero_state(batch_size, dtype)`."""
    _require_taken(evaluator, node)
    return TENSOR


def _is_named(evaluator: Evaluator, node: ast.Call, symbol: str) -> bool:
    """Whether the names of a layer's variables, if it has any, do not depend on the layers before it."""
    if symbol in effects.WITHOUT_VARIABLES:
        return True
    if not symbol.startswith(("tf.layers.", "tf.contrib.layers.")):
        return False
    word = "scope" if symbol.startswith("tf.contrib.") else "name"
    return any(keyword.arg == word and evaluator.value(keyword.value).is_none is False for keyword in node.keywords)


def _require_taken(evaluator: Evaluator, node: ast.Call) -> None:
    if any(keyword.arg is None for keyword in node.keywords):
        raise Refused(node, "a layer takes its arguments from a dictionary", "spell the arguments out")
    if evaluator.fetching:
        raise Refused(node, "a layer is built in the run itself", "build it before")
    for value in flatten(evaluator.arguments(node)):
        if value.stage not in _TAKEN:
            raise Refused(node, "a layer is given something of the graph that is no tensor", _NOT_YET)
