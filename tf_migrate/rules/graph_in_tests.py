"""A test runner calls plain test functions one by one. In TensorFlow 1 each found the program's default graph open;
after the migration each opens it for as long as it runs. The cases of `tf.test.TestCase` do so themselves.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes import statements
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.rules.open_graph import is_eager, is_test
from tf_migrate.syntax.building import Building

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_SHIM = "with_open_graph"


def find(context: Context) -> Iterator[Change]:
    """Looks at the test functions of a module that a test runner imports."""
    if context.tf2 or not context.builds or is_eager(context) or not is_test(context):
        return
    building = Building(context.module, context.names)
    for node in _tests(context.module.tree.body):
        if building.reaches(node) and not _is_opened(context, node):
            finding = context.finding(node, "TFM303", f"`{node.name}` opens the graph that it builds")
            edit = statements.insert_before(context.module, node, f"@{context.compat}.{_SHIM}")
            yield Change(finding, (edit,), frozenset({"compat"}))


def _tests(body: list[ast.stmt]) -> Iterator[_Function]:
    for node in body:
        if isinstance(node, _Function) and node.name.startswith("test"):
            yield node
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test") and not _is_case(node):
            yield from _tests(node.body)


def _is_case(node: ast.ClassDef) -> bool:
    """Whether a class is a `TestCase`, or may be one."""
    return any(not (isinstance(base, ast.Name) and base.id == "object") for base in node.bases)


def _is_opened(context: Context, node: _Function) -> bool:
    return any(context.names.of(item) == f"compat.{_SHIM}" for item in node.decorator_list)


RULE = Rule(
    id="TFM303",
    name="graph-in-tests",
    before="",
    after="",
    find=find,
)
