"""`n.device` of a graph's node is the device that was asked for, and mostly empty. Where an operation runs shows when
it runs: one that has no kernel for the device asked for runs on the CPU, and a check of `n.device` does not see it.
`compat.assert_placement` runs the program once and lists what really ran where it should not. That is a stricter check,
and fails where the old one could not, so it takes its place only where this rule is selected by name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tf_migrate.changes import statements
from tf_migrate.changes.edits import Edit
from tf_migrate.names.run_sites import find_sites
from tf_migrate.rules import Change, Context, Rule

_ID = "TFM123"
_DEVICE = re.compile(r"\b(?:cpu|gpu)(?::\d+)?\b", re.IGNORECASE)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_MESSAGE = "`{}.device` is the device that was asked for, not the one that the operation runs on"


@dataclass(frozen=True)
class _Check:
    """A search of a graph's nodes for those on a device: ``device`` is the part of its name that is looked for."""

    node: ast.expr | ast.stmt
    variable: str
    device: str


def find(context: Context) -> Iterator[Change]:
    """Looks at every `.device` of what a loop takes from a graph's nodes."""
    told: set[ast.AST] = set()
    for attribute in context.module.attributes.get("device", ()):
        check = _check(context, attribute)
        if check is None or check.node in told or context.module.is_skipped(check.node):
            continue
        told.add(check.node)
        step = f'check a run: `compat.assert_placement(lambda: sess.run(...), no="{check.device}")`'
        message = _MESSAGE.format(check.variable)
        finding = context.finding(check.node, _ID, message, severity="warning", next_step=step)
        edits = tuple(_of_a_run(context, check))
        yield Change(finding, edits, frozenset({"compat"}) if edits else frozenset(), offered=True)


def _check(context: Context, attribute: ast.Attribute) -> _Check | None:
    device = _compared(context, attribute)
    variable = attribute.value
    if device is None or not isinstance(variable, ast.Name):
        return None
    for node in context.module.around(attribute):
        sources = node.generators if isinstance(node, _COMPREHENSIONS) else [node] if isinstance(node, ast.For) else []
        for source in sources:
            if isinstance(source.target, ast.Name) and source.target.id == variable.id:
                assert isinstance(node, ast.expr | ast.stmt)
                return _Check(node, variable.id, device) if _are_nodes(context, source.iter) else None
    return None


def _compared(context: Context, attribute: ast.Attribute) -> str | None:
    """The device that a node's device is searched for, None where it is not."""
    node: ast.AST = context.module.parents[attribute]
    while isinstance(node, ast.Attribute) or (isinstance(node, ast.Call) and not isinstance(node.func, ast.Name)):
        if isinstance(node, ast.Call) and (found := _device_in(node)) is not None:
            return found  # n.device.startswith("/device:CPU")
        node = context.module.parents[node]
    return _device_in(node) if isinstance(node, ast.Compare) else None


def _device_in(node: ast.AST) -> str | None:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            match = _DEVICE.search(part.value)
            if match is not None:
                return match.group().upper()
    return None


def _are_nodes(context: Context, node: ast.expr) -> bool:
    """Whether an expression is the nodes of a graph or of its definition."""
    node = context.code.flow.value(node)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "get_operations"
    if not isinstance(node, ast.Attribute) or node.attr != "node":
        return False
    graph = context.code.flow.value(node.value)
    if isinstance(graph, ast.Call):
        return isinstance(graph.func, ast.Attribute) and graph.func.attr == "as_graph_def"
    return isinstance(graph, ast.Attribute | ast.Name) and ast.unparse(graph).endswith("graph_def")


def _of_a_run(context: Context, check: _Check) -> Iterator[Edit]:
    """Edits that put the check of a run in the place of this one, where one run follows it for certain."""
    gone = _assertion(context, check)
    run = _run_after(context, gone[-1]) if gone else None
    if run is None:
        return
    for statement in gone:
        yield statements.remove(context.module, statement)
    source = context.module.source
    start, end = source.span(run.func)
    opening = source.text.index("(", end)
    arguments: list[ast.expr | ast.keyword] = [*run.args, *run.keywords]
    last = max(source.end(argument) for argument in arguments)
    yield Edit(start, start, f"{context.compat_path('compat.assert_placement')}(")
    yield Edit(end, opening + 1, "," if source.text[opening + 1].isspace() else ", ")
    yield Edit(last, last, f', no="{check.device}"')


def _assertion(context: Context, check: _Check) -> list[ast.stmt]:
    """The statements that are this check and nothing else: an assertion that the list is empty."""
    if not isinstance(check.node, ast.expr):
        return []
    statement = context.module.parents[check.node]
    if isinstance(statement, ast.UnaryOp):
        outer = context.module.parents[statement]
        return [outer] if isinstance(outer, ast.Assert) and _is_empty(outer.test, check.node) else []
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if not isinstance(target, ast.Name) or not isinstance(statement, ast.Assign):
        return []
    uses = [load for load in context.module.loads.get(target.id, ()) if context.code.flow.value(load) is check.node]
    tests = {context.module.statement_of(load) for load in context.module.loads.get(target.id, ())}
    if len(tests) != 1 or not uses:
        return []
    (test,) = tests
    if isinstance(test, ast.Assert) and any(_is_empty(test.test, load) for load in uses):
        return [statement, test]
    return []


def _is_empty(test: ast.expr, nodes: ast.expr) -> bool:
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and test.operand is nodes


def _run_after(context: Context, statement: ast.stmt) -> ast.Call | None:
    """The one run of a session that is not its initializer's, if it follows a statement in its own block."""
    sites = [site for site in find_sites(context.module, context.names) if not site.initializer_only]
    if len(sites) != 1 or sites[0].kind != "Session.run":
        return None
    run = sites[0].node
    flow = context.code.flow
    repeated = any(isinstance(around, _LOOPS) for around in flow.loops_around(run))
    starred = any(isinstance(argument, ast.Starred) for argument in run.args) or any(not k.arg for k in run.keywords)
    if (
        repeated
        or starred
        or not (run.args or run.keywords)
        or run.lineno < statement.lineno
        or not flow.dominates(statement, run)
    ):
        return None
    return run if context.module.function_of(run) is context.module.function_of(statement) else None


RULE = Rule(
    id=_ID,
    name="placement-check",
    before="""\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
y = tf.nn.relu(x)
graph = tf.get_default_graph()
sess = tf.Session(graph=graph)
on_cpu = [n for n in graph.as_graph_def().node if "CPU" in n.device]
assert not on_cpu, "on the CPU: {}".format(on_cpu)
print(sess.run(y, {x: [-1.0, 1.0]}))
""",
    after="""\
import tensorflow as tf
import compat

compat.open_graph()
x = compat.placeholder(tf.float32, [None])
y = tf.nn.relu(x)
graph = compat.get_default_graph()
sess = compat.Session(graph=graph)
print(compat.assert_placement(sess.run, y, {x: [-1.0, 1.0]}, no="CPU"))
""",
    asked=True,
    find=find,
)
