"""A Keras model goes from its inputs to its outputs. Where the name of the `Input` is given to what a layer made of it,
`Model(inputs=name)` begins behind that layer: Keras 2 says "graph disconnected", Keras 3 quietly leaves the layer out
and expects another shape.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.eager.flow import place
from tf_migrate.eager.tapes import argument
from tf_migrate.rules import Change, Context, Rule

_MODELS = ("tf.keras.Model", "tf.keras.models.Model")
_INPUTS = ("tf.keras.Input", "tf.keras.layers.Input")


def find(context: Context) -> Iterator[Change]:
    """Looks at the inputs of models."""
    for call in context.code.calls_of(*_MODELS):
        inputs = argument(call, 0, "inputs")
        names = inputs.elts if isinstance(inputs, ast.List | ast.Tuple) else [inputs]
        for name in names:
            if isinstance(name, ast.Name) and _is_rebound(context, name):
                message = (
                    f"`{name.id}` is no longer the `Input` here, but what a layer made of it: the layer is left out"
                )
                step = (
                    f"keep the `Input` under a name of its own, and give that to `{context.code.name(call.func)[3:]}`"
                )
                yield from context.advise(name, "TFM431", message, step)


def _is_rebound(context: Context, name: ast.Name) -> bool:
    before = [store for store in context.code.flow.stores(name) if place(store) < place(name)]
    values = [_value(context, store) for store in before]
    if len(values) < 2 or not any(context.code.called(value) in _INPUTS for value in values[:-1] if value):
        return False
    last = values[-1]
    if last is None or not context.code.flow.dominates(before[-1], name) or context.code.called(last) in _INPUTS:
        return False
    return isinstance(last, ast.Call) and any(
        isinstance(given, ast.Name) and given.id == name.id for given in last.args
    )


def _value(context: Context, store: ast.Name) -> ast.expr | None:
    parent = context.module.parents[store]
    return parent.value if isinstance(parent, ast.Assign) else None


RULE = Rule(
    id="TFM431",
    name="rebound-input",
    before="""\
import tensorflow as tf

def build(pool, head):
    x = tf.keras.layers.Input(shape=(8, 8, 3))
    x = pool(x)
    y = head(x)
    return tf.keras.models.Model(inputs=[x], outputs=[y])
""",
    after="""\
import tensorflow as tf

def build(pool, head):
    image = tf.keras.layers.Input(shape=(8, 8, 3))
    x = pool(image)
    y = head(x)
    return tf.keras.models.Model(inputs=[image], outputs=[y])
""",
    find=find,
    advice=True,
)
