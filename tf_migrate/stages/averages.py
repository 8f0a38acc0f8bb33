"""Moving averages of batch normalization, and the updates of them that training steps wait for.

A layer that normalizes puts its updates into a collection, where a training step may ask for them: TF1 made them in the
runs of that step and in no others. So a function that takes the step computes all layers whose updates it asks for.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tf_migrate.stages import effects
from tf_migrate.stages.lists import UPDATES, Listing
from tf_migrate.stages.values import LAYER, Binding, Refused, Stage, Value

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_PLACE = "moving averages of statement "
_POSITIONAL = 6
_UNREAD = frozenset({"adjustment", "renorm", "renorm_clipping", "renorm_momentum", "virtual_batch_size"})
_PLAIN = re.compile(r"[A-Za-z]\w*")
_STEP = "ask for all updates by `tf.get_collection(tf.GraphKeys.UPDATE_OPS)`, in a statement of its own"


def is_place(name: str) -> bool:
    """Whether what is read under a name is no value, but that a statement moves averages."""
    return name.startswith(_PLACE)


def note_averages(evaluator: Evaluator, node: ast.Call, symbol: str) -> None:
    """Notes a layer that puts updates of its averages into the collection, below the outermost scope around it."""
    if symbol not in effects.AVERAGING:
        return
    if len(node.args) > _POSITIONAL or any(keyword.arg in _UNREAD for keyword in node.keywords):
        raise Refused(node, f"this form of `{symbol}` is not understood by the native tier", "leave it to the bridge")
    evaluator.moving.append(evaluator.opened[0] if evaluator.opened else None)


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
    if evaluator.active or evaluator.fetching or evaluator.frames or text is None:
        raise Refused(node, "the updates of moving averages are asked for inside another expression", _STEP)
    if text and not _PLAIN.fullmatch(text):
        raise Refused(node, f"which updates are below `{text}` is not known", _STEP)
    for unit, scopes in evaluator.averaged:
        if any(_may_be_below(node, known, text) for known in scopes):
            evaluator.note_reads({f"{_PLACE}{unit}": Binding(LAYER, unit, 0, node)})
    evaluator.lists.append(Listing(node, UPDATES, text, evaluator.unit))
    return Value(Stage.UPDATES, node=node)


def _may_be_below(node: ast.Call, known: str | None, text: str) -> bool:
    """Whether TF1 found an update in a scope of that name: the scope may have got a number behind it."""
    if known is not None and text != known and text.startswith(known):
        raise Refused(node, f"`{text}` may be a number of the scope `{known}`", _STEP)
    return known is None or known.startswith(text)
