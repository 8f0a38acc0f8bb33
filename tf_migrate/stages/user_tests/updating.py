"""Tests that build updates of variables, which each run made where what it fetched waited for them, and else did not.

Natively each run calls a function of its own, which makes what its results need.
"""

from __future__ import annotations

import ast

from tf_migrate.names.canonical import Names
from tf_migrate.stages.user_tests.allowed import METERS, UPDATING, Own, is_python, reach_of
from tf_migrate.stages.user_tests.fetching import Fetching
from tf_migrate.stages.user_tests.reach import Found, Reach
from tf_migrate.stages.values import Refused

_CONSTANTS = frozenset({"tf.constant", "tf.convert_to_tensor"})


def builds_updates(reach: Reach) -> bool:
    """Whether code that was followed may make updates of variables."""
    return reach.assigns or not UPDATING.isdisjoint(reach.symbols)


def require_plain_meters(test: ast.FunctionDef, reach: Reach, runs: Fetching) -> None:
    """Refuses metrics whose values a run fetches beside their updates, where TensorFlow 1 gave any of two values."""
    if METERS.isdisjoint(reach.symbols):
        return
    if len(runs.fetched) > 1 and "tf.metrics.auc" in reach.symbols:
        raise Refused(test, "each run would assert what `tf.metrics.auc` is given", "write a test for each run")
    together = (known.node for known in runs.fetched if isinstance(known.node, ast.List | ast.Tuple | ast.Dict))
    if any(len(list(ast.iter_child_nodes(node))) > 2 for node in together):
        raise Refused(test, "a run may fetch a metric beside its update", "fetch each in a run")


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
