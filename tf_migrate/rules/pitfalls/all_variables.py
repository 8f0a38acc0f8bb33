"""`model.variables` holds the statistics of batch normalization and other state beside the weights that are trained:
they have no gradient, the optimizer warns at every step or raises. `model.trainable_variables` is what is meant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.tapes import Tape
from tf_migrate.rules import Change, Context, Rule

_ALL = ("variables", "weights")
_STATEFUL = tuple(
    f"tf.keras.layers.{name}" for name in ("BatchNorm", "SyncBatch", "Dropout", "GaussianNoise", "Random")
)


def find(context: Context) -> Iterator[Change]:
    """Looks at what each tape is asked to differentiate by."""
    code = context.code
    for tape in code.tapes.all:
        for call in tape.gradients:
            sources = code.tapes.sources(call)
            if not isinstance(sources, ast.Attribute) or sources.attr not in _ALL:
                continue
            if _holds_state(context, sources.value, tape):
                yield from _told(context, sources)


def _told(context: Context, sources: ast.Attribute) -> Iterator[Change]:
    held = ast.unparse(sources.value)
    message = f"`{held}.{sources.attr}` may hold state that has no gradient: statistics, random seeds, metrics"
    function = context.module.function_of(sources)
    edits = []
    for node in context.module.attributes.get(sources.attr, ()):
        if context.module.function_of(node) is function and ast.unparse(node.value) == held:
            end = context.module.source.end(node)
            edits.append(Edit(end - len(node.attr), end, "trainable_variables"))
    step = f"use `{held}.trainable_variables`, also where the gradients are applied"
    yield from context.advise(sources, "TFM414", message, step, tuple(edits))


def _holds_state(context: Context, held: ast.expr, tape: Tape) -> bool:
    """Whether a model has more than weights: a layer that shows, or that it is called with ``training``."""
    made = context.code.flow.value(held)
    if isinstance(made, ast.Call) and _has_stateful_layer(context, made):
        return True
    text = ast.unparse(held)
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name | ast.Attribute)
        and ast.unparse(node.func) == text
        and any(word.arg == "training" for word in node.keywords)
        for statement in tape.block.body
        for node in ast.walk(statement)
    )


def _has_stateful_layer(context: Context, made: ast.Call) -> bool:
    """In the list of a `Sequential`, or anywhere in the class of this module that makes the model."""
    built: ast.AST | None = made
    if isinstance(made.func, ast.Name) and not context.code.name(made.func):
        classes = (node for node in context.module.nodes if isinstance(node, ast.ClassDef))
        built = next((node for node in classes if node.name == made.func.id), None)
    calls = [node for node in ast.walk(built) if isinstance(node, ast.Call)] if built is not None else []
    return any(context.code.name(call.func).startswith(_STATEFUL) for call in calls)


RULE = Rule(
    id="TFM414",
    name="all-variables",
    before="""\
import tensorflow as tf

def step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.variables)
    optimizer.apply_gradients(zip(gradients, model.variables))
""",
    after="""\
import tensorflow as tf

def step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
""",
    find=find,
    advice=True,
)
