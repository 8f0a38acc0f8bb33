"""Losses take the truth first and the prediction second, `f(y_true, y_pred)`, and TensorFlow 2's cross-entropies
`(labels, logits)`. Swapped they still give a number: cross-entropy is not symmetric, and the gradient is of the
wrong thing or None.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.rules import Change, Context, Rule

_CLASSES = [
    "BinaryCrossentropy",
    "BinaryFocalCrossentropy",
    "CategoricalCrossentropy",
    "SparseCategoricalCrossentropy",
    "KLDivergence",
    "Poisson",
    "Hinge",
    "SquaredHinge",
    "CategoricalHinge",
    "MeanAbsolutePercentageError",
    "MeanSquaredLogarithmicError",
]
_FUNCTIONS = [
    "binary_crossentropy",
    "categorical_crossentropy",
    "sparse_categorical_crossentropy",
    "kl_divergence",
    "poisson",
    "hinge",
    "squared_hinge",
]
_OPERATIONS = (
    "tf.nn.softmax_cross_entropy_with_logits",
    "tf.nn.sparse_softmax_cross_entropy_with_logits",
    "tf.nn.sigmoid_cross_entropy_with_logits",
)
_LABELS = ("tf.one_hot", "tf.keras.utils.to_categorical")
_PREDICTIONS = ("tf.nn.softmax", "tf.nn.sigmoid", "tf.sigmoid", "tf.matmul", "tf.keras.activations.")


def find(context: Context) -> Iterator[Change]:
    """Looks at calls of losses with both arguments by position."""
    for call in _losses(context):
        if len(call.args) < 2 or any(isinstance(given, ast.Starred) for given in call.args[:2]):
            continue
        first, second = call.args[:2]
        if _is_predicted(context, first) and not _is_predicted(context, second) and _is_truth(context, second):
            source = context.module.source
            edits = tuple(
                Edit(*source.span(place), source.text[slice(*source.span(other))])
                for place, other in ((first, second), (second, first))
            )
            message = "the prediction is given first, where the loss takes the truth"
            yield from context.advise(call, "TFM442", message, "swap the two arguments", edits)


def _losses(context: Context) -> Iterator[ast.Call]:
    code = context.code
    yield from code.calls_of(*_OPERATIONS, *(f"tf.keras.losses.{name}" for name in _FUNCTIONS))
    for call in context.module.calls:
        if len(call.args) >= 2 and isinstance(call.func, ast.Name | ast.Call):
            name = code.called(code.flow.value(call.func))
            if name.startswith("tf.keras.losses.") and name.rpartition(".")[2] in _CLASSES:
                yield call


def _is_predicted(context: Context, node: ast.expr) -> bool:
    """What a model or layer gave, or an activation."""
    value = context.code.flow.value(node)
    if not isinstance(value, ast.Call):
        return False
    if context.code.called(value).startswith(_PREDICTIONS):
        return True
    made = context.code.flow.value(value.func)
    return (
        any(word.arg == "training" for word in value.keywords)
        or context.code.is_model(value.func)
        or context.code.called(made).startswith("tf.keras.layers.")
    )


def _is_truth(context: Context, node: ast.expr) -> bool:
    """A parameter as it was given, one item of what is looped over, or labels made one-hot."""
    if context.code.called(context.code.flow.value(node)) in _LABELS:
        return True
    if not isinstance(node, ast.Name):
        return False
    stores = context.code.flow.stores(node)
    if not stores:
        function = context.module.scopes[node].node
        return isinstance(function, ast.FunctionDef) and node.id in [a.arg for a in function.args.args]
    parent = context.module.parents[stores[0]]
    unpacked = isinstance(parent, ast.Tuple) and isinstance(context.module.parents[parent], ast.For)
    return len(stores) == 1 and unpacked


RULE = Rule(
    id="TFM442",
    name="swapped-loss-arguments",
    before="""\
import tensorflow as tf

entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

def loss(model, images, labels):
    predictions = model(images, training=True)
    return entropy(predictions, labels)
""",
    after="""\
import tensorflow as tf

entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

def loss(model, images, labels):
    predictions = model(images, training=True)
    return entropy(labels, predictions)
""",
    find=find,
    advice=True,
)
