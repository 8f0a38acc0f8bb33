"""While a functional Keras model is put together its tensors have no values: `tf.print` shows the symbolic tensor once
and is no part of the model, so nothing is printed when the model runs. A layer that prints is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.rules import Change, Context, Rule

_INPUTS = ("tf.keras.Input", "tf.keras.layers.Input")


def find(context: Context) -> Iterator[Change]:
    """Looks at what `tf.print` is given."""
    for call in context.code.calls_of("tf.print"):
        for given in call.args:
            if isinstance(given, ast.Name) and _is_symbolic(context, given, 0):
                message = f"`{given.id}` is a symbolic tensor of a model under construction: nothing is printed later"
                step = "put a layer there: `tf.keras.layers.Lambda(print_tensor)(x)`, which prints x and returns it"
                yield from context.advise(call, "TFM432", message, step)
                break


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

def print_tensor(x):
    tf.print(x)
    return x

def build():
    image = tf.keras.layers.Input(shape=(8,))
    x = tf.keras.layers.Dense(4)(image)
    x = tf.keras.layers.Lambda(print_tensor)(x)
    return tf.keras.models.Model(image, x)
""",
    find=find,
    advice=True,
)
