"""Metrics that add up: `tf.metrics.accuracy(labels, predictions)[1]` moves local variables in the runs that fetch it.

Natively the call itself moves them, and gives their value behind that. So only the update is understood: nothing
gives what the first of the pair was in TF1, the value without this update.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from tf_migrate.stages.values import TENSOR, TENSORS, Refused, Stage, Value, container, flatten, moving

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_OWN = """
accuracy mean mean_absolute_error mean_squared_error precision recall root_mean_squared_error
"""
METRICS = frozenset(f"tf.metrics.{word}" for word in _OWN.split())
"""Those that are understood: each keeps its variables in a scope of its own name."""
LOCAL_INITIALIZERS = frozenset({"tf.local_variables_initializer", "tf.initialize_local_variables"})
_SUMMARIES = "tf.summary."
_VALUES = 2
_NAMED = frozenset({"labels", "predictions", "values", "weights", "name"})
_TAKEN = TENSORS | {Stage.PYTHON, Stage.STATIC}


def metric(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """The pair that a metric gives: its value and its update."""
    home = evaluator.module.function_of(node)
    if evaluator.active or evaluator.frames or evaluator.fetching or home in evaluator.methods:
        raise Refused(node, f"`{symbol}` is called inside a function, a class or a run", "call it in the script")
    if len(node.args) > _VALUES or any(word.arg not in _NAMED for word in node.keywords):
        step = "give it labels, predictions, weights and a name"
        raise Refused(node, f"this form of `{symbol}` is not understood by the native tier", step)
    given = evaluator.arguments(node)
    if any(value.stage not in _TAKEN for value in flatten(given)):
        raise Refused(node, f"`{symbol}` is given something of the graph that is no tensor", "give it tensors")
    _require_own_scope(evaluator, node, symbol)
    evaluator.metrics.append(node)
    return container((TENSOR, replace(TENSOR, moves=moving(given))))


def _require_own_scope(evaluator: Evaluator, node: ast.Call, symbol: str) -> None:
    """Refuses metrics whose variables may have the names of others: functions find them by these."""
    module, names = evaluator.module, evaluator.names
    calls = {call: names.resolve(call.func) or "" for call in module.calls}
    metrics = [call for call, known in calls.items() if known in METRICS]
    own, scopes = _scope(names.resolve(node.func) or symbol, node), [_scope(calls[call], call) for call in metrics]
    others = (call for call, known in calls.items() if call not in metrics and not known.startswith(_SUMMARIES))
    given = (part for call in others for part in (*call.args, *(word.value for word in call.keywords)))
    taken = any(isinstance(part, ast.Constant) and part.value == own for part in given)
    if own is None or None in scopes or scopes.count(own) > 1 or taken:
        what = f"the variables of `{symbol}` may have the names of others"
        raise Refused(node, what, "give the metric a name that nothing else has")


def _scope(symbol: str, node: ast.Call) -> str | None:
    """The scope that a metric opens; None where it is computed."""
    given = next((word.value for word in node.keywords if word.arg == "name"), None)
    if given is None:
        return symbol.rpartition(".")[2]
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else None


def require_update(node: ast.stmt, calls: list[ast.Call], scopes: tuple[ast.With, ...]) -> None:
    """Refuses a statement that does more than to give the update of one metric a name."""
    if scopes:
        raise Refused(calls[0], "a metric is made inside a scope", "give it a name, outside of scopes")
    value = node.value if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    part = value.value if isinstance(value, ast.Subscript) and _is_one(value.slice) else None
    named = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    if len(calls) > 1 or part is not calls[0] or not named:
        step = "give its update alone a name: `update = tf.metrics.mean(loss)[1]`"
        raise Refused(calls[0], "a metric is called inside another expression, or its value is asked for", step)


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1
