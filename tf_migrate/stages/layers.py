"""Layers and recurrent cells: calls that look up or create variables in the graph's store."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from tf_migrate.stages import effects
from tf_migrate.stages.arg_scopes import note_normalized
from tf_migrate.stages.averages import note_averages
from tf_migrate.stages.demand import LAYER as OF_LAYER
from tf_migrate.stages.demand import kind_of_call, slope, with_slope
from tf_migrate.stages.functions import read_handed
from tf_migrate.stages.loose import loose_in_layer
from tf_migrate.stages.made import note_made, note_makers
from tf_migrate.stages.shared_memory import sharing
from tf_migrate.stages.values import (
    LAYER,
    STATE,
    TENSOR,
    TENSORS,
    ZERO_STATE,
    Refused,
    Stage,
    Value,
    container,
    flatten,
    many,
    moving,
)

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_TAKEN = TENSORS | {Stage.PYTHON, Stage.STATIC, Stage.LAYER}
_OUTPUTS = many(TENSOR)
_UNROLLED = {
    "tf.nn.bidirectional_dynamic_rnn": container((container((TENSOR, TENSOR)), container((STATE, STATE)))),
    "tf.nn.dynamic_rnn": container((TENSOR, STATE)),
    **dict.fromkeys(("tf.nn.static_rnn", "tf.contrib.rnn.static_rnn"), container((_OUTPUTS, STATE))),
    **dict.fromkeys(
        ("tf.nn.static_bidirectional_rnn", "tf.contrib.rnn.static_bidirectional_rnn"),
        container((_OUTPUTS, STATE, STATE)),
    ),
}
"""What functions give that unroll cells."""
_OF_KERAS_CELLS = {"units", "activation", "use_bias", "name"}
_NOT_YET = "leave it to the bridge, or use a layer that the native tier understands"


def is_layer(symbol: str) -> bool:
    """Whether a symbol is a layer, a cell, or a function that unrolls one."""
    return symbol in effects.LAYERS or symbol in effects.RANDOM_LAYERS or symbol in effects.CELLS


def layer(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """A call of a layer gives a tensor, or several; a cell is an object that is called later."""
    _require_taken(evaluator, node, symbol)
    if is_seeded(node, effects.LAYER_SEEDS.get(symbol)):
        evaluator.note_seeded(node)
    if symbol in effects.CELLS - effects.KERAS_CELLS:
        # Its variables are made, and their names counted, where it is called or unrolled.
        return LAYER
    evaluator.creates.add("named" if _is_named(evaluator, node, symbol) else "layer")
    note_makers(evaluator, {node}, [node])
    note_made(evaluator, node, symbol)
    moved = note_averages(evaluator, node, symbol)
    note_normalized(evaluator, node, symbol)
    if symbol in effects.KERAS_CELLS:
        return _keras_cell(evaluator, node, symbol)
    if symbol in _UNROLLED:
        return with_slope(_UNROLLED[symbol], evaluator.arguments(node), OF_LAYER)
    given = evaluator.arguments(node)
    shared = sharing(given) if symbol in effects.ALIASES else ()
    loose = loose_in_layer(evaluator.names, node, symbol, given)
    known = Value(Stage.TENSOR, random=symbol in effects.RANDOM_LAYERS, variables=shared, loose=loose)
    inclined = slope(kind_of_call(evaluator.names, node, symbol), given)
    return replace(known, moves=moving(given) | moved, slope=inclined)


def _keras_cell(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """A Keras cell of a size, with an activation that has a name: `dynamic_rnn` unrolls it."""
    if evaluator.active or evaluator.frames:
        raise Refused(node, f"`{symbol}` is called inside a function or a loop", "make the cell outside")
    words = {keyword.arg: keyword.value for keyword in node.keywords}
    plain = len(node.args) + len(words.keys() & {"units"}) == 1 and words.keys() <= _OF_KERAS_CELLS
    named = all(isinstance(words[word], ast.Constant) for word in words.keys() & {"activation", "name"})
    if not plain or not named:
        raise Refused(node, f"this form of `{symbol}` is not understood by the native tier", _NOT_YET)
    return Value(Stage.LAYER, symbol=symbol, node=node)


def is_seeded(node: ast.Call, position: int | None) -> bool:
    """Whether a call is given a seed, by name or in its place: one sequence of numbers, for all runs that draw."""
    if position is None:
        return False
    given = [keyword.value for keyword in node.keywords if keyword.arg == "seed"] + node.args[position : position + 1]
    starred = any(isinstance(item, ast.Starred) for item in node.args)
    return starred or not all(isinstance(seed, ast.Constant) and seed.value is None for seed in given)


def call_of_layer(evaluator: Evaluator, node: ast.Call) -> Value:
    """A call of a cell: its output and state."""
    evaluator.require_straight(node)
    if evaluator.value(node.func).symbol in effects.KERAS_CELLS:
        raise Refused(node, "a Keras cell is called", "unroll it by `tf.nn.dynamic_rnn`")
    _require_taken(evaluator, node)
    evaluator.creates.add("layer")
    evaluator.makers.add(node)
    note_made(evaluator, node, None)
    return with_slope(container((TENSOR, STATE)), evaluator.arguments(node), OF_LAYER)


def state_of_layer(evaluator: Evaluator, node: ast.Call) -> Value:
    """`cell.zero_state(batch_size, dtype)`."""
    _require_taken(evaluator, node)
    evaluator.built.add(node)
    return ZERO_STATE


def _is_named(evaluator: Evaluator, node: ast.Call, symbol: str) -> bool:
    """Whether the names of a layer's variables, if it has any, do not depend on the layers before it."""
    if symbol in effects.WITHOUT_VARIABLES:
        return True
    if not symbol.startswith(("tf.layers.", *effects.CONTRIB)):
        return False
    word = "scope" if symbol.startswith("tf.contrib.") else "name"
    return any(keyword.arg == word and evaluator.value(keyword.value).is_none is False for keyword in node.keywords)


def _require_taken(evaluator: Evaluator, node: ast.Call, symbol: str = "") -> None:
    if any(keyword.arg is None for keyword in node.keywords):
        raise Refused(node, "a layer takes its arguments from a dictionary", "spell the arguments out")
    if evaluator.fetching:
        raise Refused(node, "a layer is built in the run itself", "build it before")
    for value in flatten(evaluator.arguments(node)):
        if value.stage not in _TAKEN or (value.symbol in effects.KERAS_CELLS and symbol != "tf.nn.dynamic_rnn"):
            raise Refused(node, "a layer is given something of the graph that is no tensor", _NOT_YET)
    read_handed(evaluator, node, [*node.args, *node.keywords])
