"""`"hard_sigmoid"` names another function in Keras 3 than in TensorFlow 1: its slope is 1/6, not 1/5. A layer that is
given the name is given TensorFlow 1's function, so that trained weights keep their outputs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.rules import Change, Context, Rule

_NAME = "hard_sigmoid"
_TAKES = ("tf.keras.layers.", "tf.keras.activations.get", "tf.keras.activations.deserialize")


def find(context: Context) -> Iterator[Change]:
    """Looks at every argument of a layer of Keras that is the name."""
    if context.tf2:
        return
    for call in context.module.calls:
        given = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg != "name")]
        for value in given:
            if isinstance(value, ast.Constant) and value.value == _NAME and not context.module.is_skipped(call):
                yield from _replaced(context, call, value)


def _replaced(context: Context, call: ast.Call, value: ast.Constant) -> Iterator[Change]:
    symbol = context.names.of(call.func) or ""
    # The recurrent layers of compat know the name themselves.
    if symbol.startswith(_TAKES):
        edit = Edit(*context.module.source.span(value), context.compat_path(f"keras.activations.{_NAME}"))
        message = f'`"{_NAME}"` is another function in Keras 3'
        yield Change(context.finding(value, "TFM127", message, symbol=symbol), (edit,), frozenset({"compat"}))


RULE = Rule(
    id="TFM127",
    name="keras-activation",
    before="""\
import tensorflow as tf

def head(x, units):
    return tf.keras.layers.Dense(units, activation="hard_sigmoid")(x)
""",
    after="""\
import tensorflow as tf
import compat

def head(x, units):
    return tf.keras.layers.Dense(units, activation=compat.keras.activations.hard_sigmoid)(x)
""",
    find=find,
)
