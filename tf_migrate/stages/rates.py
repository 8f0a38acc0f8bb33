"""Optimizers, and learning rates that are tensors: placeholders, decays, and what is computed of them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages.updates import Apply, Minimize, Rate
from tf_migrate.stages.values import Reads, Refused, Stage, Value, flatten

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_WORD = "learning_rate"
_RATE = "tf.float32"
_HELD = frozenset({Stage.CONSTANT, Stage.VARIABLE})


def optimizer(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """The value of a call that makes an optimizer of Python values, or with a tensor for its learning rate."""
    words = {keyword.arg: keyword.value for keyword in node.keywords}
    given = node.args[0] if node.args else words.get(_WORD)
    rate = None
    for item in (*node.args, *words.values()):
        value, reads, _ = evaluator.collect(item)
        if not any(part.is_graph for part in flatten([value])):
            continue
        if item is not given or not _is_rate(evaluator, value):
            what = f"an argument of `{ast.unparse(node.func)}` is part of the graph"
            raise Refused(node, what, "give it a Python value")
        rate = Rate(node, item, dict(reads), value.stage in _HELD)
    return Value(Stage.OPTIMIZER, symbol=symbol, rate=rate)


def with_rate(reads: Reads, rate: Rate | None) -> Reads:
    """What a training step reads, its learning rate included."""
    return dict(reads) if rate is None else {**rate.reads, **reads}


def is_made_in_place(node: ast.expr, value: Value) -> bool:
    """Whether an expression is a part of an optimizer that a step makes for itself: that stays where the step stood."""
    steps = [update for update in value.updates if isinstance(update, Minimize | Apply)]
    made = [update.optimizer for update in steps if update.rate is None]
    return any(isinstance(call, ast.Call) and node in ast.walk(call) for call in made)


def _is_rate(evaluator: Evaluator, value: Value) -> bool:
    if evaluator.active or evaluator.frames or evaluator.fetching or value.parts is not None or value.several:
        return False
    if value.stage is Stage.PLACEHOLDER:
        return value.iteration is None and isinstance(value.node, ast.Call) and _is_single(evaluator, value.node)
    return value.stage in _HELD or (value.stage is Stage.TENSOR and not value.random)


def _is_single(evaluator: Evaluator, placeholder: ast.Call) -> bool:
    """Whether a placeholder is fed numbers of the type that the step computes with."""
    words = {keyword.arg: keyword.value for keyword in placeholder.keywords}
    dtype = placeholder.args[0] if placeholder.args else words.get("dtype")
    return dtype is not None and evaluator.names.resolve(dtype) == _RATE
