"""A test runner calls plain test functions one by one. In TensorFlow 1 each found the program's default graph open;
after the migration each opens it for as long as it runs, and so does what runs around the tests of a
`unittest.TestCase`. The cases of `tf.test.TestCase` open a graph themselves.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes import statements
from tf_migrate.names.building import Building
from tf_migrate.names.case_classes import graph_entered, is_case_without_graph
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.rules.open_graph import is_eager
from tf_migrate.syntax.module import is_of_tests

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_SHIM = "with_open_graph"
_AROUND = frozenset({"setUp", "setUpClass", "tearDown", "tearDownClass"})


def find(context: Context) -> Iterator[Change]:
    """Looks at what a test runner calls of a module."""
    if context.tf2 or not context.builds or is_eager(context):
        return
    building = Building(context.module, context.names)
    for node in _tests(context.module.tree.body) if is_of_tests(context.module.name) else ():
        if building.reaches(node) and not _is_opened(context, node):
            finding = context.finding(node, "TFM303", f"`{node.name}` opens the graph that it builds")
            # Below the other decorators of a method: a class method, for one, is no function any more.
            decorated = isinstance(context.module.parents[node], ast.ClassDef) and node.decorator_list
            put = statements.insert_above if decorated else statements.insert_before
            edit = put(context.module, node, f"@{context.compat}.{_SHIM}")
            yield Change(finding, (edit,), frozenset({"compat"}))
    for method in _methods(context):
        if _builds_outside(context, building, method.body) and not _is_opened(context, method):
            finding = context.finding(method, "TFM303", f"`{method.name}` opens the graph that it builds")
            edit = statements.insert_above(context.module, method, f"@{context.compat}.{_SHIM}")
            yield Change(finding, (edit,), frozenset({"compat"}))


def _methods(context: Context) -> Iterator[_Function]:
    """What a test runner calls of the classes of tests that have no graph of their own."""
    for node in context.module.tree.body:
        if isinstance(node, ast.ClassDef) and is_case_without_graph(context.names, node):
            methods = (item for item in node.body if isinstance(item, _Function))
            yield from (item for item in methods if item.name.startswith("test") or item.name in _AROUND)


def _builds_outside(context: Context, building: Building, body: list[ast.stmt]) -> bool:
    """Whether statements may build, but for those in a graph that they make themselves."""
    return any(building.reaches(node) and graph_entered(context.names, node) is None for node in body)


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
