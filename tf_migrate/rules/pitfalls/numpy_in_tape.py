"""`model.predict` and `.numpy()` give NumPy arrays, and a tape records nothing of NumPy: a loss made of them has no
gradient. Call the model itself, and compute with TensorFlow's operations.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.tapes import Tape
from tf_migrate.rules import Change, Context, Rule

_PREDICTING = ("predict", "predict_on_batch")


def find(context: Context) -> Iterator[Change]:
    """Follows what each tape differentiates back through its block."""
    for tape in context.code.tapes.all:
        told: set[ast.AST] = set()
        for call in tape.gradients:
            target = context.code.tapes.target(call)
            cut = None if target is None else _cut(context, target, tape, 0)
            if cut is not None and cut not in told:
                told.add(cut)
                yield from _told(context, cut)


def _told(context: Context, cut: ast.Call) -> Iterator[Change]:
    message = "the result is a NumPy array, of which the tape records nothing: the gradient is lost here"
    edits: tuple[Edit, ...] = ()
    if isinstance(cut.func, ast.Attribute) and cut.func.attr in _PREDICTING:
        if len(cut.args) == 1 and not cut.keywords:
            start, end = context.module.source.end(cut.func.value), context.module.source.end(cut.func)
            edits = (Edit(start, end, ""),)
        yield from context.advise(cut, "TFM413", message, "call the model itself: `model(x)`", edits)
    else:
        yield from context.advise(cut, "TFM413", message, "compute with the operations of TensorFlow instead")


def _cut(context: Context, node: ast.expr, tape: Tape, depth: int) -> ast.Call | None:
    """The call that ends the recording on every way into an expression."""
    if depth > 12:
        return None
    if isinstance(node, ast.Name):
        found = context.code.flow.reaching(node)
        inside = found is not None and found.kind == "value" and found.value is not None
        if not inside or not context.code.flow.inside(found.value, tape.block):  # type: ignore[union-attr,arg-type]
            return None
        return _cut(context, found.value, tape, depth + 1)  # type: ignore[union-attr,arg-type]
    if isinstance(node, ast.Subscript):
        return _cut(context, node.value, tape, depth + 1)
    if isinstance(node, ast.BinOp):
        sides = [side for side in (node.left, node.right) if not isinstance(side, ast.Constant)]
        cuts = [_cut(context, side, tape, depth + 1) for side in sides]
        return cuts[0] if cuts and all(cut is not None for cut in cuts) else None
    if not isinstance(node, ast.Call):
        return None
    return node if _leaves(context, node) else _through(context, node, tape, depth)


def _leaves(context: Context, call: ast.Call) -> bool:
    """Whether a call gives NumPy whatever goes in."""
    if context.code.name(call.func).startswith("numpy."):
        return True
    if not isinstance(call.func, ast.Attribute) or context.code.name(call.func):
        return False
    if call.func.attr == "numpy" and not call.args:
        return True
    return call.func.attr in _PREDICTING and context.code.is_model(call.func.value)


def _through(context: Context, call: ast.Call, tape: Tape, depth: int) -> ast.Call | None:
    """An operation of TensorFlow all of whose inputs are cut off."""
    if not context.code.name(call.func).startswith(("tf.reduce_", "tf.math.", "tf.square", "tf.abs", "tf.convert_to_")):
        return None
    return _cut(context, call.args[0], tape, depth + 1) if call.args else None


RULE = Rule(
    id="TFM413",
    name="numpy-in-tape",
    before="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(2)])

def saliency(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        score = model.predict(x)[:, 1]
    return tape.gradient(score, x)
""",
    after="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(2)])

def saliency(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        score = model(x)[:, 1]
    return tape.gradient(score, x)
""",
    find=find,
    advice=True,
)
