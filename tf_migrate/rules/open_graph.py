"""A TensorFlow 1 program has one default graph, there from the start; TensorFlow 2 runs operations at once. A program
that is run as a script therefore opens the graph before its first statement that builds, and a module that builds
while it is imported opens it and closes it again, so that nothing else of the program is caught in it.

`tf.test.main` needs no such line: each test opens a graph of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tf_migrate.changes.statements import append_after, insert_before
from tf_migrate.names.building import Building, main_guard
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.module import is_of_tests

_EAGER = ("tf.enable_eager_execution", "tf.enable_v2_behavior", "tf.contrib.eager.")


def find(context: Context) -> Iterator[Change]:
    """Looks at the module's top level."""
    builds = context.builds or _makes_variables(context)
    if context.tf2 or not builds or is_eager(context) or _is_open(context):
        return
    building = Building(context.module, context.names)
    if building.is_of_keras_alone and not context.names.keeps_keras2:
        return
    body = context.module.tree.body
    first = next((node for node in body if main_guard(node) is None and building.possibly(node)), None)
    if first is not None:
        closes = (
            context.imported or is_of_tests(context.module.name) or any(main_guard(node) is not None for node in body)
        )
        yield _opened(context, first, body[-1] if closes else None)
        return
    for node in body:
        guard = main_guard(node)
        if guard is not None and any(building.possibly(statement) for statement in guard.body):
            yield _opened(context, guard.body[0])


def opening(context: Context, statements: Sequence[ast.stmt]) -> Iterator[Change]:
    """Opens the graph for some statements of the top level that follow one another, and closes it behind them."""
    building = Building(context.module, context.names)
    first = next((node for node in statements if building.possibly(node)), None)
    if first is not None:
        closes = is_of_tests(context.module.name) or statements[-1] is not context.module.tree.body[-1]
        yield _opened(context, first, statements[-1] if closes else None)


def _opened(context: Context, node: ast.stmt, last: ast.stmt | None = None) -> Change:
    """Opens the graph before a statement, and closes it behind the `last` one."""
    finding = context.finding(node, "TFM301", "the graph is opened before the first statement that builds it")
    edits = [insert_before(context.module, node, f"{context.compat}.open_graph()")]
    if last is not None:
        edits.append(append_after(context.module, last, f"{context.compat}.close_graph()"))
    return Change(finding, tuple(edits), frozenset({"compat"}))


def is_eager(context: Context) -> bool:
    """Whether the module runs operations at once and builds no graph."""
    return any(use.symbol.startswith(_EAGER) for use in context.names.uses)


def _makes_variables(context: Context) -> bool:
    """Whether the module makes variables of TensorFlow 1, which are of a graph, and no models of Keras beside them."""
    symbols = {use.symbol for use in context.names.uses}
    return "tf.Variable" in symbols and not any(symbol.startswith("tf.keras") for symbol in symbols)


def _is_open(context: Context) -> bool:
    return any(
        (context.names.of(node) or "") == "compat.open_graph"
        for node in context.module.attributes.get("open_graph", ())
    )


RULE = Rule(
    id="TFM301",
    name="open-graph",
    before="""\
import tensorflow as tf

x = tf.placeholder(tf.float32)
""",
    after="""\
import tensorflow as tf
import compat

compat.open_graph()
x = compat.placeholder(tf.float32)
""",
    find=find,
)
