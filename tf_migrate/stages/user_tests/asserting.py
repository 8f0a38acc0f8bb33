"""Assertions of values inside of a function: TensorFlow 2 makes operations of them, where TensorFlow 1 ran the session.

The operation asserts when the function runs. So nothing may have changed by then what TensorFlow 1 looked at before.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tf_migrate.stages.names_used import loads_of
from tf_migrate.stages.stillness import FILLED, calls_in, kin_of, stored_into
from tf_migrate.stages.user_tests.state import State
from tf_migrate.stages.values import Refused

EVALUATING = tuple(
    f"self.{word}" for word in ("assertAll", "assertNotAll", "assertNear", "assertArrayNear", "assertND", "evaluate")
)
"""Methods of tests that take the values of tensors."""
_AS_OPERATION = "self.assertAllEqual"


def asserts_as_operation(state: State, item: ast.stmt, later: Sequence[ast.stmt], made: set[str]) -> bool:
    """Whether a statement that moves into a function asserts values; refuses where it would do so in another way.

    `later` are the statements that follow, `made` the names that hold what the function makes.
    """
    asserting = {call.func: call for call in calls_in(item) if ast.unparse(call.func) == _AS_OPERATION}
    blocks = (inner for inner in ast.walk(item) if isinstance(inner, ast.With | ast.Try))
    guarded = {inner for block in blocks for inner in ast.walk(block)}
    found = False
    for node in ast.walk(item):
        asked = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
        if not asked.startswith(EVALUATING):
            continue
        call = asserting.get(node) if isinstance(node, ast.Attribute) else None
        if call is None or call in guarded or call.keywords or not _is_settled(state, call, later, made):
            raise Refused(item, f"a part of the graph is given to `{asked}`", "fetch it in a run")
        found = True
    return found


def _is_settled(state: State, call: ast.Call, later: Sequence[ast.stmt], made: set[str]) -> bool:
    """Whether what is asserted will still be the same when the function runs."""
    names = set().union(*map(loads_of, call.args))
    if any(isinstance(value, FILLED) for name in names for value in state.bound(name)):
        return False
    own = {name for name in names if name.startswith("self.") or name not in made}
    values = kin_of(own, state.test, state.module, made)
    values.update(*map(state.reached_by, call.args))
    return not any(state.changed_by(item, made) & values or stored_into(item) & names for item in later)
