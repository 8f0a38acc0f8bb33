"""`tf.control_dependencies(None)` left loops and branches in TensorFlow 1: what was built in it was computed once for
all rounds. In TensorFlow 2 the bodies of loops are functions of their own, which it does not leave. The shim does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.facts import Fact
from tf_migrate.names.canonical import Use
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.arguments import argument
from tf_migrate.syntax.module import Module

_ID = "TFM129"
_SYMBOLS = frozenset({"tf.control_dependencies", "tensorflow.python.framework.ops.control_dependencies"})


def claims(context: Context, use: Use) -> bool:
    """Whether `tf.control_dependencies` is called, and its argument may be None."""
    given = None if context.tf2 or use.call is None else argument(use.call, "control_inputs", 0)
    return given is not None and _may_be_none(context.module, given)


def symbol(context: Context, use: Use, _fact: Fact | None) -> Change:
    """Takes the shim for one use."""
    edit = Edit(*context.module.source.span(use.node), context.compat_path("control_dependencies"))
    message = "`tf.control_dependencies(None)` does not leave a loop of TensorFlow 2"
    return Change(context.finding(use.node, _ID, message, symbol=use.symbol), (edit,), frozenset({"compat"}))


def _may_be_none(module: Module, node: ast.expr, asked: frozenset[str] = frozenset()) -> bool:
    """Whether an expression may be None, as far as its function shows; names in `asked` are being looked at already."""
    if isinstance(node, ast.Constant):
        return node.value is None
    if isinstance(node, ast.IfExp):
        return any(_may_be_none(module, value, asked) for value in (node.body, node.orelse))
    if isinstance(node, ast.BoolOp):
        return any(_may_be_none(module, value, asked) for value in node.values)
    if not isinstance(node, ast.Name) or node.id in asked:
        return False
    home = module.function_of(node) or module.tree
    stores = [inner for inner in ast.walk(home) if isinstance(inner, ast.Name) and inner.id == node.id]
    made = [module.parents[store] for store in stores if not isinstance(store.ctx, ast.Load)]
    values = [item.value for item in made if isinstance(item, ast.Assign)]
    return any(_may_be_none(module, value, asked | {node.id}) for value in (*values, *_defaults(home, node.id)))


def _defaults(home: ast.AST, name: str) -> Iterator[ast.expr]:
    """The default of a parameter of a function."""
    if not isinstance(home, ast.FunctionDef):
        return
    given = [*home.args.posonlyargs, *home.args.args]
    placed = zip(reversed(given), reversed(home.args.defaults), strict=False)
    named = zip(home.args.kwonlyargs, home.args.kw_defaults, strict=True)
    yield from (value for parameter, value in (*placed, *named) if parameter.arg == name and value is not None)


RULE = Rule(
    id=_ID,
    name="left-loop",
    before="""\
import tensorflow as tf


def walked(shape, once=True):
    def step(x):
        with tf.control_dependencies(None if once else []):
            noise = tf.random_normal(shape)
        return x + noise

    return tf.foldl(lambda x, _: step(x), tf.range(3), tf.zeros(shape))
""",
    after="""\
import tensorflow as tf
import compat


def walked(shape, once=True):
    def step(x):
        with compat.control_dependencies(None if once else []):
            noise = tf.random.normal(shape)
        return x + noise

    return tf.foldl(lambda x, _: step(x), tf.range(3), tf.zeros(shape))
""",
    handles=_SYMBOLS,
    claims=claims,
    symbol=symbol,
)
