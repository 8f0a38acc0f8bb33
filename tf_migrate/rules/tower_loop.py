"""Towers, a loop over devices that builds the model on each and averages the gradients, stay as they are: the bridge
builds each tower on its device and gives TensorFlow 1's numbers. TensorFlow 2's own form of it is `tf.function` under
`tf.distribute.MirroredStrategy`, where the body of the loop is what each replica runs and the optimizer sums the
gradients. docs/distribution.md shows it, with what is not the same: batch normalization keeps its moving averages for
each replica, and which tower's loss and summaries are meant has to be said.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.rules import Change, Context, Rule

_ID = "TFM203"
_MESSAGE = "a loop over devices that builds a tower on each: it runs as it did, on the devices that it names"
_STEP = (
    "for TensorFlow 2's own engine make the loop's body a function, run it by `tf.distribute.MirroredStrategy().run`, "
    "and divide the loss by the number of replicas (docs/distribution.md)"
)


def find(context: Context) -> Iterator[Change]:
    """Looks at loops around `with tf.device(...)` whose device changes from turn to turn and that take gradients."""
    told: set[ast.AST] = set()
    for call in context.module.calls:
        if context.names.of(call.func) != "tf.device" or not call.args:
            continue
        loop = _loop_of(context, call)
        if loop is None or loop in told or context.module.is_skipped(loop) or not _takes_gradients(context, loop):
            continue
        told.add(loop)
        finding = context.finding(loop, _ID, _MESSAGE, action="shimmed", next_step=_STEP)
        yield Change(finding)


def _loop_of(context: Context, call: ast.Call) -> ast.For | None:
    """The innermost loop whose variable the device is computed from."""
    names = {node.id for node in ast.walk(call.args[0]) if isinstance(node, ast.Name)}
    node: ast.AST | None = call
    while node is not None and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        if isinstance(node, ast.For):
            targets = {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
            if targets & names:
                return node
        node = context.module.parents.get(node)
    return None


def _takes_gradients(context: Context, loop: ast.For) -> bool:
    for node in ast.walk(loop):
        if isinstance(node, ast.Call):
            if context.names.of(node.func) == "tf.gradients":
                return True
            if isinstance(node.func, ast.Attribute) and node.func.attr == "compute_gradients":
                return True
    return False


RULE = Rule(
    id=_ID,
    name="tower-loop",
    before="""\
import tensorflow as tf


def build(model, optimizer, parts):
    towers = []
    for i, part in enumerate(parts):
        with tf.device("/gpu:%d" % i), tf.variable_scope("net", reuse=i > 0):
            towers.append(optimizer.compute_gradients(model(part)))
    return [(tf.reduce_mean([g for g, _ in pairs], axis=0), pairs[0][1]) for pairs in zip(*towers)]
""",
    after="""\
import tensorflow as tf
import compat


def build(model, optimizer, parts):
    towers = []
    for i, part in enumerate(parts):
        with tf.device("/gpu:%d" % i), compat.variable_scope("net", reuse=i > 0):
            towers.append(optimizer.compute_gradients(model(part)))
    return [(tf.reduce_mean([g for g, _ in pairs], axis=0), pairs[0][1]) for pairs in zip(*towers)]
""",
    find=find,
)
