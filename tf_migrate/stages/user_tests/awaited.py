"""Assertions that are operations of the graph: whether others wait for them; a run did no others."""

from __future__ import annotations

import ast
from itertools import takewhile

from tf_migrate.names.canonical import Names

_CHECKS = """
Assert assert_equal assert_greater assert_greater_equal assert_less assert_less_equal assert_near assert_negative
assert_non_negative assert_non_positive assert_none_equal assert_positive assert_rank
"""
CHECKED = frozenset(f"{prefix}.{name}" for prefix in ("tf", "tf.debugging") for name in _CHECKS.split())
"""Assertions that are operations of the graph."""


def is_waited_for(home: Names, call: ast.Call) -> bool:
    """Whether other operations wait for an assertion: it stands in `tf.control_dependencies`, itself or by a name."""
    module, name = home.module, _name_of_list(home.module.statement_of(call))
    inside = module.function_of(call)
    loads = [load for load in module.loads.get(name or "", []) if module.function_of(load) is inside]
    return any(_is_awaited(home, node) for node in (call, *loads))


def _name_of_list(statement: ast.stmt) -> str | None:
    """The name that a statement binds, or appends to."""
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    call = statement.value if isinstance(statement, ast.Expr) else None
    method = call.func if isinstance(call, ast.Call) else None
    if isinstance(method, ast.Attribute) and method.attr in ("append", "extend") and isinstance(method.value, ast.Name):
        return method.value.id
    return None


def _is_awaited(home: Names, node: ast.expr) -> bool:
    """Whether an expression stands in `tf.control_dependencies`."""
    inside = takewhile(lambda place: not isinstance(place, ast.stmt), home.module.around(node))
    calls = (place for place in inside if isinstance(place, ast.Call))
    return any(home.resolve(call.func) == "tf.control_dependencies" for call in calls)
