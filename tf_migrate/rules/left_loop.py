"""`tf.control_dependencies(None)` left loops and branches in TensorFlow 1: what was built in it was computed once for
all rounds. In TensorFlow 2 the bodies of loops are functions of their own, which it does not leave. The shim does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.stages.arguments import argument
from tf_migrate.syntax.module import Module

_ID = "TFM129"
_SYMBOL = "tf.control_dependencies"


def find(context: Context) -> Iterator[Change]:
    """Looks at calls of `tf.control_dependencies` whose argument may be None."""
    if context.tf2:
        return
    for call in context.module.calls:
        given = argument(call, "control_inputs", 0) if context.names.of(call.func) == _SYMBOL else None
        if given is None or context.module.is_skipped(call) or not _may_be_none(context.module, given):
            continue
        edit = Edit(*context.module.source.span(call.func), context.compat_path("control_dependencies"))
        message = f"`{_SYMBOL}(None)` does not leave a loop of TensorFlow 2"
        yield Change(context.finding(call.func, _ID, message, symbol=_SYMBOL), (edit,), frozenset({"compat"}))


def _may_be_none(module: Module, node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return node.value is None
    if isinstance(node, ast.IfExp):
        return _may_be_none(module, node.body) or _may_be_none(module, node.orelse)
    if isinstance(node, ast.BoolOp):
        return any(_may_be_none(module, value) for value in node.values)
    if not isinstance(node, ast.Name):
        return False
    home = module.function_of(node) or module.tree
    stores = [inner for inner in ast.walk(home) if isinstance(inner, ast.Name) and inner.id == node.id]
    made = [module.parents[store] for store in stores if not isinstance(store.ctx, ast.Load)]
    values = [item.value for item in made if isinstance(item, ast.Assign)]
    return any(not isinstance(value, ast.Name) and _may_be_none(module, value) for value in values) or any(
        _may_be_none(module, value) for value in _defaults(home, node.id)
    )


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
    find=find,
)
