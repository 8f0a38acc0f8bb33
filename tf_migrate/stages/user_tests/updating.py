"""Tests that build updates of variables, which each run made where what it fetched waited for them, and else did not.

Natively each run calls a function of its own, which makes what its results need.
"""

from __future__ import annotations

import ast

from tf_migrate.names.canonical import Names
from tf_migrate.stages.user_tests.allowed import METERS, UPDATING, Own, is_python, reach_of
from tf_migrate.stages.user_tests.fetching import Fetching, leaves_of
from tf_migrate.stages.user_tests.reach import Found, Reach
from tf_migrate.stages.values import Refused

_DEPTH = 8
_CONSTANTS = frozenset({"tf.constant", "tf.convert_to_tensor"})


def builds_updates(reach: Reach) -> bool:
    """Whether code that was followed may make updates of variables."""
    return reach.assigns or not UPDATING.isdisjoint(reach.symbols)


def require_plain_meters(names: Names, test: ast.FunctionDef, reach: Reach, runs: Fetching) -> None:
    """Refuses metrics whose values a run fetches beside their updates, where TensorFlow 1 gave any of two values."""
    if METERS.isdisjoint(reach.symbols):
        return
    if len(runs.fetched) > 1 and "tf.metrics.auc" in reach.symbols:
        raise Refused(test, "each run would assert what `tf.metrics.auc` is given", "write a test for each run")
    together = (known.node for known in runs.fetched if isinstance(known.node, ast.List | ast.Tuple | ast.Dict))
    if any(len(list(ast.iter_child_nodes(node))) > 2 for node in together):
        raise Refused(test, "a run may fetch a metric beside its update", "fetch each in a run")
    for known in runs.fetched:
        if not all(_is_single(names, test, leaf) for leaf in leaves_of(known.node)):
            raise Refused(known.node, "a run may fetch a metric beside its update", "fetch each in a run")


def _is_single(names: Names, test: ast.FunctionDef, node: ast.expr, depth: int = 0) -> bool:
    """Whether an expression is one tensor for certain: no metric with its update, nor what holds one."""
    if isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare):
        return True
    if isinstance(node, ast.Call):
        symbol = names.resolve(node.func)
        return symbol is not None and symbol not in METERS
    if isinstance(node, ast.Subscript):
        pairs = _bound(test, node.value.id) if isinstance(node.value, ast.Name) else [node.value]
        one = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)
        meters = [isinstance(pair, ast.Call) and names.resolve(pair.func) in METERS for pair in pairs]
        return one and bool(meters) and all(meters)
    if not isinstance(node, ast.Name) or depth > _DEPTH:
        return False
    bound = _bound(test, node.id)
    return bool(bound) and all(value is None or _is_single(names, test, value, depth + 1) for value in bound)


def _bound(test: ast.FunctionDef, name: str) -> list[ast.expr | None]:
    """The values that a name of a test is bound to; None for a part of a value that is unpacked."""
    found: list[ast.expr | None] = []
    statements = (node for node in ast.walk(test) if isinstance(node, ast.Assign))
    for node in statements:
        for target in node.targets:
            if isinstance(target, ast.Name) and target.id == name:
                found.append(node.value)
            elif isinstance(target, ast.Tuple | ast.List) and any(
                isinstance(item, ast.Name) and item.id == name for item in target.elts
            ):
                found.append(None if isinstance(node.value, ast.Call) else node.value)
    return found


class _Builds(Exception):
    """Something other than a constant is reached."""


def makes_constants(names: Names, own: Own, item: ast.stmt) -> bool:
    """Whether a statement binds constants beside values, and makes nothing else of a graph: they need none."""

    def stop(found: Found) -> None:
        if found.symbol not in _CONSTANTS and not is_python(found.symbol):
            raise _Builds

    reach = reach_of(own, Reach(on_symbol=stop))
    try:
        reach.follow(names, [item])
    except (_Builds, Refused):
        return False
    if _CONSTANTS.isdisjoint(reach.symbols):
        return False
    several = isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Tuple)
    return several and not (reach.does_more or reach.remembers)
