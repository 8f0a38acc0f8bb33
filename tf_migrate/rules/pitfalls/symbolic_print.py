"""While a functional Keras model is put together its tensors have no values: `tf.print` shows the symbolic tensor once
and is no part of the model, so nothing is printed when the model runs. A layer that prints is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.rules import Change, Context, Rule

_INPUTS = ("tf.keras.Input", "tf.keras.layers.Input")


def find(context: Context) -> Iterator[Change]:
    """Looks at what `tf.print` is given."""
    for call in context.code.calls_of("tf.print"):
        for given in call.args:
            if isinstance(given, ast.Name) and _is_symbolic(context, given, 0):
                yield from _told(context, call, given)
                break


def _told(context: Context, call: ast.Call, given: ast.Name) -> Iterator[Change]:
    if context.module.is_skipped(call):
        return
    printing = f"{context.compat_path('compat.keras.print_tensor')}({given.id})"
    finding = context.finding(
        call,
        "TFM432",
        f"`{given.id}` is a symbolic tensor of a model under construction: nothing is printed later",
        action="manual",
        severity="warning",
        next_step=f"put a layer there that prints and hands on: `{given.id} = {printing}`",
    )
    written = _written(context, call, given)
    edits = () if written is None else (Edit(*context.module.source.span(call), written),)
    yield Change(finding, edits, frozenset({"compat"}) if edits else frozenset(), offered=True)


def _written(context: Context, call: ast.Call, given: ast.Name) -> str | None:
    """The statement that prints at each run; None where it would take more than that."""
    text = context.module.source.segment
    words = [word for word in call.args if word is not given]
    alone = isinstance(context.module.parents[call], ast.Expr) and bool(context.code.flow.stores(given))
    said = len(words) <= 1 and all(isinstance(word, ast.Constant) and isinstance(word.value, str) for word in words)
    kept = all(keyword.arg == "summarize" for keyword in call.keywords)
    is_input = context.code.called(context.code.flow.value(given)) in _INPUTS  # a model begins with it: it stays bound
    if not alone or not said or not kept or is_input or (words and words[0] is not call.args[0]):
        return None
    arguments = ", ".join([given.id, *map(text, words), *(f"summarize={text(word.value)}" for word in call.keywords)])
    return f"{given.id} = {context.compat_path('compat.keras.print_tensor')}({arguments})"


def _is_symbolic(context: Context, node: ast.expr, depth: int) -> bool:
    """An `Input`, or what a Keras layer makes of one."""
    if depth > 20:
        return False
    value = context.code.flow.value(node)
    if not isinstance(value, ast.Call):
        return False
    if context.code.called(value) in _INPUTS:
        return True
    layer = context.code.flow.value(value.func)
    if not context.code.called(layer).startswith("tf.keras.layers.") or not value.args:
        return False
    return _is_symbolic(context, value.args[0], depth + 1)


RULE = Rule(
    id="TFM432",
    name="symbolic-print",
    before="""\
import tensorflow as tf

def build():
    image = tf.keras.layers.Input(shape=(8,))
    x = tf.keras.layers.Dense(4)(image)
    tf.print(x)
    return tf.keras.models.Model(image, x)
""",
    after="""\
import tensorflow as tf
import compat

def build():
    image = tf.keras.layers.Input(shape=(8,))
    x = tf.keras.layers.Dense(4)(image)
    x = compat.keras.print_tensor(x)
    return tf.keras.models.Model(image, x)
""",
    find=find,
    advice=True,
)
