"""`with arg_scope([fully_connected], normalizer_fn=batch_norm, …)`: layers that are called with more arguments.

The statements in such a block move with it: each function that holds some of them opens it again. Where it adds batch
normalization that moves its averages in place, the layers in it do more than compute, and `planning.needed` sees to it
that a run does that where TF1's did.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tf_migrate.stages import effects
from tf_migrate.stages.functions import read_handed
from tf_migrate.stages.values import Reads, Refused

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

ARG_SCOPES = frozenset({"tf.contrib.framework.arg_scope", "tf.contrib.slim.arg_scope"})
_SAME = {"convolution2d": "conv2d", "linear": "fully_connected", "relu": "fully_connected"}
_SAME["convolution2d_transpose"] = "conv2d_transpose"
_PARAMETERS = frozenset({"center", "decay", "epsilon", "is_training", "scale", "updates_collections"})
_STEP = "give the layers their arguments themselves, or leave it to the bridge"


@dataclass(frozen=True)
class ArgScope:
    """The layers that a block gives arguments to, what it reads, and whether it normalizes what they compute."""

    layers: frozenset[str]
    reads: Reads
    normalizes: bool


def arg_scope(evaluator: Evaluator, call: ast.Call) -> ArgScope:
    """What a block gives to layers; raises Refused where that is not understood."""
    listed = call.args[0] if len(call.args) == 1 else None
    items = listed.elts if isinstance(listed, ast.List | ast.Tuple) else []
    symbols = [evaluator.names.resolve(item) or "" for item in items]
    if not symbols or not (effects.LAYERS - effects.BATCH_NORM).issuperset(symbols):
        raise Refused(call, "which layers the block gives arguments to is not understood", _STEP)
    words = {word.arg: word.value for word in call.keywords}
    normalizer = words.pop("normalizer_fn", None)
    with evaluator.collecting() as (reads, impure):
        parameters = words.pop("normalizer_params", None)
        normalizes = normalizer is not None and evaluator.names.resolve(normalizer) in effects.BATCH_NORM
        if parameters is not None:
            evaluator.value(parameters)
        for word, value in words.items():
            if word is None or evaluator.value(value).is_graph:
                raise Refused(call, "the block gives a part of the graph to layers", _STEP)
        read_handed(evaluator, call, [word for word in call.keywords if word.arg in words])
    plain = normalizer is None or (normalizes and parameters is not None and _moves_in_place(evaluator, parameters))
    if not plain or (normalizer is None and parameters is not None):
        raise Refused(call, "what the block normalizes, and how, is not understood", _STEP)
    if impure:
        raise Refused(impure[0], "the block is given something that is computed there", "give it a name")
    return ArgScope(frozenset(map(_function, symbols)), dict(reads), normalizes)


def _function(symbol: str) -> str:
    """The function that a layer of `tf.contrib` is, whatever it is called by."""
    head, _, word = symbol.rpartition(".")
    return f"{effects.CONTRIB[0]}{_SAME.get(word, word)}" if f"{head}." in effects.CONTRIB else symbol


def _moves_in_place(evaluator: Evaluator, parameters: ast.expr) -> bool:
    """Whether a dictionary that is written out says that averages move where the output is computed."""
    binding = evaluator.env.get(parameters.id) if isinstance(parameters, ast.Name) else None
    made = None if binding is None or binding.node is None else evaluator.module.parents.get(binding.node)
    written = made.value if isinstance(made, ast.Assign) else parameters
    if not isinstance(written, ast.Dict):
        return False
    if isinstance(parameters, ast.Name) and not _only_given(evaluator, parameters):
        return False
    found = {_text(key): value for key, value in zip(written.keys, written.values, strict=True)}
    place = found.get("updates_collections")
    return found.keys() <= _PARAMETERS and isinstance(place, ast.Constant) and place.value is None


def _only_given(evaluator: Evaluator, name: ast.Name) -> bool:
    """Whether a dictionary is bound once, and nothing is done with it but to give it to such blocks."""
    module = evaluator.module
    once = len(module.scope_of(name).bindings.get(name.id, [])) == 1
    return once and all(isinstance(module.parents[load], ast.keyword) for load in module.loads.get(name.id, []))


def _text(key: ast.expr | None) -> str:
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""


def note_normalized(evaluator: Evaluator, node: ast.Call, symbol: str) -> None:
    """Notes a layer whose output is normalized by what the blocks around it say."""
    words = {keyword.arg: keyword.value for keyword in node.keywords}
    around = [scope for scope in evaluator.arg_scopes if _function(symbol) in scope.layers]
    if not any(scope.normalizes for scope in around):
        return
    if evaluator.active or evaluator.frames or words.keys() & {"normalizer_params", "normalizer_fn"}:
        raise Refused(node, "a layer in a block of arguments is normalized in a way that is not followed", _STEP)
    evaluator.in_place.append(node)


def require_whole(node: ast.stmt, calls: list[ast.Call]) -> None:
    """Refuses a statement that does more than to give the output of one layer a name."""
    value = node.value if isinstance(node, ast.Assign) else None
    if len(calls) > 1 or value is not calls[0]:
        raise Refused(calls[0], "a layer that moves averages is called inside another expression", "give it a name")
