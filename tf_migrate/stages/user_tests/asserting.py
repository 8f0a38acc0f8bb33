"""Assertions of values inside of a function: TensorFlow 2 makes operations of them, where TensorFlow 1 ran the session.

The operation asserts when the function runs. So nothing may have changed by then what TensorFlow 1 looked at before.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Sequence

from tf_migrate.stages.names_used import loads_of
from tf_migrate.stages.stillness import FILLED, changed_by, stored_into
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module

EVALUATING = tuple(
    f"self.{word}" for word in ("assertAll", "assertNotAll", "assertNear", "assertArrayNear", "assertND", "evaluate")
)
"""Methods of tests that take the values of tensors."""
_AS_OPERATION = "self.assertAllEqual"


def asserts_as_operation(
    module: Module,
    item: ast.stmt,
    later: Sequence[ast.stmt],
    made: Container[str],
    bound: Callable[[str], Sequence[ast.expr]],
) -> bool:
    """Whether a statement that moves into a function asserts values; refuses where it would do so in another way.

    `later` are the statements that follow, `made` the names that hold what the function makes, and `bound` gives the
    values that are bound to a name.
    """
    calls = [inner for inner in ast.walk(item) if isinstance(inner, ast.Call)]
    asserting = {call.func: call for call in calls if ast.unparse(call.func) == _AS_OPERATION}
    blocks = (inner for inner in ast.walk(item) if isinstance(inner, ast.With | ast.Try))
    guarded = {inner for block in blocks for inner in ast.walk(block)}
    found = False
    for node in ast.walk(item):
        asked = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
        if not asked.startswith(EVALUATING):
            continue
        call = asserting.get(node) if isinstance(node, ast.Attribute) else None
        if call is None or call in guarded or call.keywords or not _is_settled(module, call, later, made, bound):
            raise Refused(item, f"a part of the graph is given to `{asked}`", "fetch it in a run")
        found = True
    return found


def _is_settled(
    module: Module,
    call: ast.Call,
    later: Sequence[ast.stmt],
    made: Container[str],
    bound: Callable[[str], Sequence[ast.expr]],
) -> bool:
    """Whether what is asserted will still be the same when the function runs."""
    names = set().union(*map(loads_of, call.args))
    if any(isinstance(value, FILLED) for name in names for value in bound(name)):
        return False
    values = {name for name in names if name not in made}
    if any(name.startswith("self.") for name in values) and any(map(_calls_own_methods, later)):
        return False
    # The same array may have another name.
    values |= {name for value in values for known in bound(value) for name in loads_of(known)}
    for item in later:
        changed = changed_by(item, module)
        changed |= {name for other in changed for known in bound(other) for name in loads_of(known)}
        if changed & values or stored_into(item) & names:
            return False
    return True


def _calls_own_methods(item: ast.stmt) -> bool:
    """Whether a statement calls methods of the test that may change its attributes, or hands the test on."""
    for call in (inner for inner in ast.walk(item) if isinstance(inner, ast.Call)):
        method = ast.unparse(call.func)
        given = [*call.args, *(word.value for word in call.keywords)]
        if method.startswith("self.") and not method.startswith("self.assert"):
            return True
        if any(isinstance(value, ast.Name) and value.id == "self" for value in given):
            return True
    return False
