"""Layers that are given some of their arguments before: `dense = functools.partial(tf.layers.dense, activation=elu)`.

What they are given may be a part of the graph, so they are made where they are called: in the functions that replace
the runs. A call means what it would mean with all arguments written out.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.names.canonical import Names
from tf_migrate.stages import effects
from tf_migrate.stages.layers import call_of_layer, layer
from tf_migrate.stages.uses import PARTIAL, is_only_called
from tf_migrate.stages.values import Refused, Stage, Value
from tf_migrate.syntax.callee import callee

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_LAYERS = (effects.LAYERS | effects.RANDOM_LAYERS | effects.CELLS) - effects.KERAS_CELLS
_STEP = "bind it to a name of its own, and only call that"


def symbol_called(names: Names, call: ast.Call) -> str | None:
    """The TensorFlow function that a call calls, or gives arguments to by `functools.partial`."""
    given = callee(call.func, names.module) == PARTIAL and bool(call.args)
    return names.resolve(call.args[0] if given else call.func)


def partial_layer(evaluator: Evaluator, node: ast.Call) -> Value | None:
    """A layer with some of its arguments; None for what else `functools.partial` is given, and for other calls."""
    symbol = symbol_called(evaluator.names, node)
    if symbol not in _LAYERS or evaluator.is_abroad:
        return None
    if not _is_only_called(evaluator, node):
        raise Refused(node, f"`{symbol}`, with some of its arguments, is not only called by a name", _STEP)
    given = tuple(evaluator.value(item) for item in _given(node))
    if evaluator.partials.setdefault(node, given) != given:
        raise Refused(node, f"what `{symbol}` is given before its calls is not the same each time", _STEP)
    return Value(Stage.LAYER, symbol=symbol, node=node)


def call_of_made(evaluator: Evaluator, node: ast.Call, made: Value) -> Value:
    """The value of calling a cell, or a layer that has some of its arguments."""
    begun = made.node
    if not isinstance(begun, ast.Call) or begun not in evaluator.partials:
        return call_of_layer(evaluator, node)
    assert made.symbol is not None
    with evaluator.aside():
        now = tuple(evaluator.value(item) for item in _given(begun))
    if now != evaluator.partials[begun]:
        what = f"what `{ast.unparse(node.func)}` was given before means something else by the time of this call"
        raise Refused(node, what, "give each value a name of its own")
    written = evaluator.written_out.setdefault((node, begun), _written_out(node, begun))
    with evaluator.aside() as (_, impure):
        value = layer(evaluator, written, made.symbol)
    if evaluator.drawn(impure):
        evaluator.note_seeded(written)
    evaluator.arguments(node)
    return value


def _given(node: ast.Call) -> tuple[ast.expr, ...]:
    return (*node.args[1:], *(word.value for word in node.keywords))


def _written_out(node: ast.Call, begun: ast.Call) -> ast.Call:
    """A call with all arguments: those of its own take the places of others of their names."""
    own = {word.arg for word in node.keywords}
    keywords = [word for word in begun.keywords if word.arg is None or word.arg not in own]
    call = ast.Call(begun.args[0], [*begun.args[1:], *node.args], [*keywords, *node.keywords])
    return ast.copy_location(call, node)


def _is_only_called(evaluator: Evaluator, node: ast.Call) -> bool:
    """Whether a layer gets one name, outside of loops and conditions, and all that reads this name calls it."""
    module = evaluator.module
    around = next(place for place in module.around(module.statement_of(node)) if not isinstance(place, ast.With))
    return isinstance(around, ast.FunctionDef | ast.Module) and is_only_called(node, module)
