"""What the contexts of `with` statements at the top of a script are: sessions, graphs and scopes."""

from __future__ import annotations

import ast
from typing import Literal, TypeAlias

from tf_migrate.names.sessions import MONITORED_CLASSES
from tf_migrate.stages.arg_scopes import ARG_SCOPES
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.scopes import is_plain_device, is_plain_scope
from tf_migrate.stages.values import Stage
from tf_migrate.stages.waiting import waited_for

Kind: TypeAlias = Literal["session", "monitored", "graph", "scope", "device", "waiting", "arguments"]


def context_of(item: ast.withitem, evaluator: Evaluator) -> Kind | None:
    """What one context is, None for all others."""
    call = item.context_expr
    if not isinstance(call, ast.Call):
        return "session" if _is_session(call, evaluator) else None
    symbol = evaluator.names.resolve(call.func)
    if symbol == "tf.Session":
        return "session"
    if symbol in MONITORED_CLASSES:
        return "monitored"
    if symbol in ("tf.name_scope", "tf.variable_scope") and is_plain_scope(item, evaluator.module):
        return "scope"
    if symbol == "tf.control_dependencies" and item.optional_vars is None and waited_for(evaluator, call) is not None:
        return "waiting"
    if symbol in ARG_SCOPES and item.optional_vars is None:
        return "arguments"
    if symbol == "tf.device" and item.optional_vars is None:
        with evaluator.aside():
            return "device" if is_plain_device(evaluator, call) else None
    if isinstance(call.func, ast.Attribute) and call.func.attr == "as_default":
        inner = call.func.value
        made = isinstance(inner, ast.Call) and evaluator.names.resolve(inner.func) == "tf.Graph" and not inner.args
        if made or (evaluator.graph is not None and inner in evaluator.graph.uses):
            return "graph"
        return "session" if _is_session(inner, evaluator) else None
    return None


def _is_session(node: ast.expr, evaluator: Evaluator) -> bool:
    binding = evaluator.env.get(evaluator.key_of(node) or "")
    return binding is not None and binding.value.stage is Stage.SESSION
