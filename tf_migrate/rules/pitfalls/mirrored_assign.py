"""Under a distribution strategy every replica has its own copy of a variable. Assigned inside `strategy.run`, one
without `aggregation` takes each replica's own value in each copy: the copies are no longer the same, without a word
(older releases raise). The weights of Keras layers have none. Say `aggregation=`, or assign outside of
`strategy.run`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.rules import Change, Context, Rule

_ASSIGNS = ("assign", "assign_add", "assign_sub")
_KERAS_WEIGHTS = ("kernel", "bias", "gamma", "beta", "embeddings")
_KERAS_LISTS = ("weights", "trainable_weights", "trainable_variables", "variables")
_DECIDED = ("aggregation", "synchronization", None)


def find(context: Context) -> Iterator[Change]:
    """Looks at assignments in the functions that replicas run."""
    code = context.code
    for function in code.replicated:
        for node, call in code.methods(*_ASSIGNS):
            if context.module.function_of(call) is not function:
                continue
            made = code.flow.value(node.value)
            if code.called(made) == "tf.Variable" and isinstance(made, ast.Call) and _is_bare(context, made):
                message = "each replica assigns its copy of a variable without `aggregation`: they drift apart"
                step = "say how to bring the values together, such as `aggregation=tf.VariableAggregation.MEAN`"
                yield from context.advise(call, "TFM433", message, step)
            elif _is_keras_weight(context, node.value):
                message = "the weights of a Keras layer have no `aggregation`: the replicas' copies drift apart"
                step = "assign it outside of `strategy.run`, or make a `tf.Variable` with `aggregation`"
                yield from context.advise(call, "TFM433", message, step)


def _is_bare(context: Context, made: ast.Call) -> bool:
    """Made under a strategy, with nothing said on aggregation."""
    if any(word.arg in _DECIDED for word in made.keywords):
        return False
    current = context.module.parents.get(made)
    while current is not None:
        if isinstance(current, ast.With):
            for item in current.items:
                opened = item.context_expr
                scope = isinstance(opened, ast.Call) and isinstance(opened.func, ast.Attribute)
                if scope and opened.func.attr == "scope" and context.code.is_strategy(opened.func.value):  # type: ignore[attr-defined]
                    return True
        current = context.module.parents.get(current)
    return False


def _is_keras_weight(context: Context, node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript):
        held = node.value
        return isinstance(held, ast.Attribute) and held.attr in _KERAS_LISTS and context.code.is_model(held.value)
    if not isinstance(node, ast.Attribute) or node.attr not in _KERAS_WEIGHTS:
        return False
    return context.code.called(context.code.flow.value(node.value)).startswith("tf.keras.layers.")


RULE = Rule(
    id="TFM433",
    name="mirrored-assign",
    before="""\
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    seen = tf.Variable(0.0)

def step(x):
    seen.assign_add(tf.reduce_sum(x))

@tf.function
def train(x):
    strategy.run(step, args=(x,))
""",
    after="""\
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    seen = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)

def step(x):
    seen.assign_add(tf.reduce_sum(x))

@tf.function
def train(x):
    strategy.run(step, args=(x,))
""",
    find=find,
    advice=True,
)
