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


def find(context: Context) -> Iterator[Change]:
    """Looks at what each tape is asked to differentiate by."""
    code = context.code
    for tape in code.tapes.all:
        for call in tape.gradients:
            sources = code.tapes.sources(call)
            if not isinstance(sources, ast.Attribute) or sources.attr not in _ALL:
                continue
            if _is_trained(context, sources.value, tape):
                yield from _told(context, sources)


def _told(context: Context, sources: ast.Attribute) -> Iterator[Change]:
    held = ast.unparse(sources.value)
    message = f"`{held}.{sources.attr}` has state in it that has no gradient"
    function = context.module.function_of(sources)
    edits = []
    for node in context.module.attributes.get(sources.attr, ()):
        if context.module.function_of(node) is function and ast.unparse(node.value) == held:
            end = context.module.source.end(node)
            edits.append(Edit(end - len(node.attr), end, "trainable_variables"))
    step = f"use `{held}.trainable_variables`, also where the gradients are applied"
    yield from context.advise(sources, "TFM414", message, step, tuple(edits))


def _is_trained(context: Context, held: ast.expr, tape: Tape) -> bool:
    """A Keras model, or something that the tape's block calls: a layer or module by its `variables`."""
    if context.code.is_model(held):
        return True
    text = ast.unparse(held)
    return text != "self" and any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name | ast.Attribute)
        and ast.unparse(node.func) == text
        for statement in tape.block.body
        for node in ast.walk(statement)
    )


RULE = Rule(
    id="TFM414",
    name="all-variables",
    before="""\
import tensorflow as tf

def step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.variables)
    optimizer.apply_gradients(zip(gradients, model.variables))
""",
    after="""\
import tensorflow as tf

def step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
""",
    find=find,
    advice=True,
)
