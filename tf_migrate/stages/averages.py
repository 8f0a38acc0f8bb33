"""Moving averages of batch normalization, and the updates of them that training steps wait for.

A layer that normalizes puts its updates into a collection, where a training step may ask for them: TF1 made them in the
runs of that step and in no others. So a function that takes the step computes all layers whose updates it asks for.
With `updates_collections=None` its output waits for them: then it is a `Move` of whatever is computed of that.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from tf_migrate.stages import effects
from tf_migrate.stages.arguments import require_only
from tf_migrate.stages.handing import filled, parameters
from tf_migrate.stages.lists import KEYS, UPDATES, Listing
from tf_migrate.stages.moving import is_repeated
from tf_migrate.stages.values import Move, Reads, Refused, Stage, Value

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator
    from tf_migrate.stages.objects import ObjectClass

_POSITIONAL = 6
_BY_PLACE = ("inputs", "decay", "center", "scale", "epsilon")
_BY_NAME = (
    "activation_fn",
    "data_format",
    "fused",
    "is_training",
    "reuse",
    "scope",
    "trainable",
    "updates_collections",
)
_UNREAD = frozenset({"adjustment", "renorm", "renorm_clipping", "renorm_momentum", "virtual_batch_size"})
_PLAIN = re.compile(r"[A-Za-z]\w*")
_STEP = "ask for all updates by `tf.get_collection(tf.GraphKeys.UPDATE_OPS)`, in a statement of its own"


def note_averages(evaluator: Evaluator, node: ast.Call, symbol: str) -> frozenset[Move]:
    """Notes a layer that puts updates of its averages into the collection, below the outermost scope around it.

    Gives what a layer does in place.
    """
    if symbol not in effects.AVERAGING:
        return frozenset()
    if symbol in effects.BATCH_NORM:
        require_only(node, _BY_PLACE, _BY_NAME)
        if _is_in_place(evaluator, node):
            return _moved_in_place(evaluator, node, symbol)
    elif len(node.args) > _POSITIONAL or any(keyword.arg in _UNREAD for keyword in node.keywords):
        raise Refused(node, f"this form of `{symbol}` is not understood by the native tier", "leave it to the bridge")
    if _may_train(evaluator, node, symbol):
        evaluator.moving.append(evaluator.opened[0] if evaluator.opened else None)
    return frozenset()


def _may_train(evaluator: Evaluator, node: ast.Call, symbol: str) -> bool:
    """Whether a layer may move its averages: those of `tf.layers` do not where nothing is said."""
    word = "is_training" if symbol in effects.BATCH_NORM else "training"
    said = next((keyword.value for keyword in node.keywords if keyword.arg == word), None)
    return symbol in effects.BATCH_NORM if said is None else evaluator.value(said).truth is not False


def _is_in_place(evaluator: Evaluator, node: ast.Call) -> bool:
    """Whether the output of a layer waits for the updates; otherwise the collection of updates holds them."""
    asked = next((word.value for word in node.keywords if word.arg == "updates_collections"), None)
    if asked is None or KEYS.get(evaluator.names.resolve(asked) or "") == UPDATES:
        return False
    if evaluator.value(asked).is_none is not True:
        raise Refused(asked, "where a layer puts the updates of its averages is not known", "write `None` there")
    return True


def _moved_in_place(evaluator: Evaluator, node: ast.Call, symbol: str) -> frozenset[Move]:
    """What a layer whose output waits for its updates surely does, if it trains."""
    if not _may_train(evaluator, node, symbol):
        return frozenset()
    if is_repeated(evaluator):
        raise Refused(node, "a layer that moves averages is called in a comprehension", "write a loop")
    move = Move((*evaluator.path, node), averages=False)
    evaluator.moved.append(move)
    return frozenset({move})


def with_updates(evaluator: Evaluator, reads: Reads) -> Reads:
    """What a training step reads where it may stand in a block that waits for a list of updates."""
    if evaluator.waits is None:
        return reads
    with evaluator.collecting() as (waited, _):
        evaluator.value(evaluator.waits)
    return {**reads, **waited}


def scope_text(evaluator: Evaluator, opened: Sequence[ast.expr]) -> str | None:
    """The name of the first of the scopes that a statement opens; None where that is not known."""
    call = opened[0]
    given = call.args[0] if isinstance(call, ast.Call) and call.args else None
    return None if given is None else evaluator.value(given).text


def updates_of_averages(evaluator: Evaluator, node: ast.Call) -> Value:
    """`tf.get_collection(tf.GraphKeys.UPDATE_OPS)`: the updates of all layers so far, or of those below a scope."""
    words = {keyword.arg: keyword.value for keyword in node.keywords}
    scope = node.args[1] if len(node.args) > 1 else words.get("scope")
    text = evaluator.value(scope).text if scope is not None else ""
    if text is None and scope is not None and _is_of_object(evaluator, scope):
        # Others are not below the scope of this object, which all of its own are.
        text = ""
        evaluator.apart.append(node)
    if evaluator.active or evaluator.fetching or evaluator.frames or text is None:
        raise Refused(node, "the updates of moving averages are asked for inside another expression", _STEP)
    if text and not _PLAIN.fullmatch(text):
        raise Refused(node, f"which updates are below `{text}` is not known", _STEP)
    for unit, scopes in evaluator.averaged:
        if any(_may_be_below(node, known, text) for known in scopes):
            evaluator.note_statement(unit, node)
    evaluator.lists.append(Listing(node, UPDATES, text, evaluator.unit))
    return Value(Stage.UPDATES, node=node)


def _is_of_object(evaluator: Evaluator, scope: ast.expr) -> bool:
    """Whether a name, which every object of a class is given, is that of the scope which all of the object is in.

    TF1 looked for what begins with it: so it may begin no other object's, and no scope may be around an object.
    """
    module, function = evaluator.module, evaluator.module.function_of(scope)
    owner = evaluator.methods.get(function) if isinstance(function, ast.FunctionDef) else None
    if owner is None or function is not owner.constructor or not isinstance(scope, ast.Name):
        return False
    names = parameters(owner.constructor, bound=True)
    starred = any(isinstance(item, ast.Starred) for call in owner.calls for item in call.args)
    given = [dict(filled(call, names)).get(scope.id) for call in owner.calls if not starred]
    texts = [item.value for item in given if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    known = bool(texts) and len(texts) == len(given) and all(map(_PLAIN.fullmatch, texts))
    apart = not any(one.startswith(other) for one, other in permutations(texts, 2))
    within = any(isinstance(around, ast.With) for call in owner.calls for around in module.around(call))
    return known and apart and not within and _is_in_one(evaluator, scope, owner)


def _is_in_one(evaluator: Evaluator, name: ast.Name, owner: ObjectClass) -> bool:
    """Whether one block of a constructor, which opens a scope of that name, holds all that this is about."""
    module = evaluator.module
    outer = [item for item in owner.constructor.body if isinstance(item, ast.With) and item in module.around(name)]
    call = outer[0].items[0].context_expr if outer else None
    opens = isinstance(call, ast.Call) and evaluator.names.resolve(call.func) == "tf.variable_scope"
    plain = opens and isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords
    same = plain and isinstance(call, ast.Call) and ast.unparse(call.args[0]) == name.id
    scope = next(scope for scope in module.every_scope if scope.node is owner.constructor)
    return same and len(scope.bindings.get(name.id, [])) == 1


def _may_be_below(node: ast.Call, known: str | None, text: str) -> bool:
    """Whether TF1 found an update in a scope of that name: the scope may have got a number behind it."""
    if known is not None and text != known and text.startswith(known):
        raise Refused(node, f"`{text}` may be a number of the scope `{known}`", _STEP)
    return known is None or known.startswith(text)
