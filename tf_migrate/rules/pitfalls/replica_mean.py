"""Under a strategy the gradients of the replicas are summed. A loss averaged over the batch of one replica is therefore
too large by the number of replicas: average over the global batch, with `tf.nn.compute_average_loss`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.eager.tapes import Tape
from tf_migrate.rules import Change, Context, Rule

_MEANS = ("tf.reduce_mean", "tf.math.reduce_mean")
# Whoever mentions one of these has thought of the replicas.
_AWARE = ("num_replicas_in_sync", "all_reduce", "compute_average_loss", "global_batch_size", "reduce")


def find(context: Context) -> Iterator[Change]:
    """Looks at the losses of functions that a strategy runs in each replica."""
    if not context.code.tapes.all:
        return
    functions = context.code.replicated
    for tape in context.code.tapes.all:
        function = context.module.function_of(tape.block)
        if function not in functions or function is None or _is_aware(function):
            continue
        for call in tape.gradients:
            target = context.code.tapes.target(call)
            mean = None if target is None else context.code.flow.value(target)
            if mean is not None and context.code.called(mean) in _MEANS and _is_whole(mean) and _applies(function):
                yield from _told(context, mean, tape)


def _told(context: Context, mean: ast.expr, tape: Tape) -> Iterator[Change]:
    message = "the mean is over one replica's batch, and the gradients of all replicas are summed"
    step = "use `tf.nn.compute_average_loss(losses, global_batch_size=...)`, or divide by `num_replicas_in_sync`"
    yield from context.advise(mean, "TFM446", message, step)


def _is_whole(mean: ast.expr) -> bool:
    return isinstance(mean, ast.Call) and len(mean.args) == 1 and not mean.keywords


def _is_aware(function: ast.AST) -> bool:
    return any(
        (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")) in _AWARE
        for node in ast.walk(function)
    )


def _applies(function: ast.AST) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr == "apply_gradients" for node in ast.walk(function))


RULE = Rule(
    id="TFM446",
    name="replica-mean",
    before="""\
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()

def step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))

def train(model, optimizer, x, y):
    strategy.run(step, args=(model, optimizer, x, y))
""",
    after="""\
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()

def step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y)) / strategy.num_replicas_in_sync
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))

def train(model, optimizer, x, y):
    strategy.run(step, args=(model, optimizer, x, y))
""",
    find=find,
    advice=True,
)
