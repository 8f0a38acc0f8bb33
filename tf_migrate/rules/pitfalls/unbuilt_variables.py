"""A Keras model without an input shape has no variables before it is first called or built: a list taken earlier is
empty in Keras 3, stays empty, and training with it changes nothing. Build the model first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.eager.flow import place
from tf_migrate.rules import Change, Context, Rule

_LISTS = ("trainable_variables", "trainable_weights", "variables", "weights")
_KNOWN_SHAPE = ("input_shape", "batch_input_shape", "input_dim", "batch_shape", None)


def find(context: Context) -> Iterator[Change]:
    """Looks at lists of variables that are kept."""
    for attribute in _LISTS:
        for node in context.module.attributes.get(attribute, ()):
            if isinstance(node.value, ast.Name) and _is_kept(context, node) and _is_unbuilt(context, node.value):
                held = node.value.id
                message = f"`{held}` is not built yet: this list is empty, and stays so"
                step = (
                    f"call `{held}.build((None, ...))` or the model itself before, or ask for the list where it is used"
                )
                yield from context.advise(node, "TFM415", message, step)


def _is_kept(context: Context, node: ast.Attribute) -> bool:
    parent = context.module.parents[node]
    return isinstance(parent, ast.Assign) and parent.value is node and isinstance(parent.targets[0], ast.Name)


def _is_unbuilt(context: Context, model: ast.Name) -> bool:
    flow = context.code.flow
    made = flow.reaching(model)
    if made is None or made.kind != "value" or made.value is None or not _has_no_shape(context, made.value):
        return False
    stores = flow.stores(model)
    if not stores or context.module.function_of(stores[-1]) is not context.module.function_of(model):
        return False
    # Any use in between may build it.
    start = place(made.value)
    return not any(
        start < place(load) < place(model) and context.module.scopes[load] is context.module.scopes[model]
        for load in context.module.loads.get(model.id, ())
    )


def _has_no_shape(context: Context, made: ast.expr) -> bool:
    if not isinstance(made, ast.Call) or any(word.arg in _KNOWN_SHAPE for word in made.keywords):
        return False
    name = context.code.called(made)
    if name in ("tf.keras.Sequential", "tf.keras.models.Sequential"):
        layers = made.args[0] if len(made.args) == 1 else None
        return isinstance(layers, ast.List) and bool(layers.elts) and all(_is_plain(context, e) for e in layers.elts)
    return _is_plain(context, made)


def _is_plain(context: Context, node: ast.expr) -> bool:
    name = context.code.called(node)
    layer = name.startswith("tf.keras.layers.") and not name.endswith((".Input", ".InputLayer"))
    return layer and isinstance(node, ast.Call) and not any(word.arg in _KNOWN_SHAPE for word in node.keywords)


RULE = Rule(
    id="TFM415",
    name="unbuilt-variables",
    before="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
weights = model.trainable_variables
""",
    after="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
model.build((None, 784))
weights = model.trainable_variables
""",
    find=find,
    advice=True,
)
