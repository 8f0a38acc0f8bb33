"""A cross-entropy takes either logits or probabilities. Given probabilities as logits it applies softmax a second time,
given logits as probabilities it takes the logarithm of numbers that may be negative: both run, and learn badly or not
at all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.eager.tapes import argument
from tf_migrate.rules import Change, Context, Rule

_OPERATIONS = (
    "tf.nn.softmax_cross_entropy_with_logits",
    "tf.nn.softmax_cross_entropy_with_logits_v2",
    "tf.nn.sparse_softmax_cross_entropy_with_logits",
    "tf.nn.sigmoid_cross_entropy_with_logits",
    "tf.nn.weighted_cross_entropy_with_logits",
)
_PROBABILITIES = ("tf.nn.softmax", "tf.nn.sigmoid", "tf.sigmoid", "tf.math.sigmoid", "tf.math.softmax")
_LOSSES = ("categoricalcrossentropy", "sparsecategoricalcrossentropy", "binarycrossentropy")
_ACTIVATIONS = ("softmax", "sigmoid")


def find(context: Context) -> Iterator[Change]:
    """Looks at cross-entropies on logits, and at losses that models are compiled with."""
    code = context.code
    for call in code.calls_of(*_OPERATIONS):
        logits = argument(call, 1, "logits")
        if logits is not None and code.called(code.flow.value(logits)) in _PROBABILITIES:
            message = "these are probabilities already: the cross-entropy applies its activation a second time"
            yield from context.advise(logits, "TFM441", message, "give it what went into the activation")
    for node, call in code.methods("compile"):
        loss = argument(call, 1, "loss")
        if loss is not None and (told := _mistake(context, node.value, loss)):
            yield from context.advise(loss, "TFM441", *told)


def _mistake(context: Context, model: ast.expr, loss: ast.expr) -> tuple[str, str] | None:
    from_logits = _from_logits(context, loss)
    activated = _last_is_activated(context, model) if from_logits is not None else None
    if from_logits is None or activated is None or from_logits is not activated:
        return None
    if activated:
        return "the model ends in probabilities, and the loss takes them for logits", "say `from_logits=False`"
    return "the model ends in logits, and the loss takes them for probabilities", "say `from_logits=True` in the loss"


def _from_logits(context: Context, loss: ast.expr) -> bool | None:
    """What a loss takes its input for; None where it is no cross-entropy that says."""
    loss = context.code.flow.value(loss)
    if isinstance(loss, ast.Constant) and isinstance(loss.value, str):
        return False if loss.value.replace("_", "").lower() in _LOSSES else None
    name = context.code.called(loss)
    if not name.startswith("tf.keras.losses.") or name.rpartition(".")[2].lower() not in _LOSSES:
        return None
    given = argument(loss, 0, "from_logits") if isinstance(loss, ast.Call) else None
    if given is None:
        return False if isinstance(loss, ast.Call) and all(word.arg for word in loss.keywords) else None
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, bool) else None


def _last_is_activated(context: Context, model: ast.expr) -> bool | None:
    """Whether a model ends in softmax or sigmoid; None where that does not show."""
    made = context.code.flow.value(model)
    name = context.code.called(made)
    if not isinstance(made, ast.Call):
        return None
    if name in ("tf.keras.Sequential", "tf.keras.models.Sequential"):
        layers = argument(made, 0, "layers")
        if not isinstance(layers, ast.List) or not layers.elts or _grows(context, model):
            return None
        return _is_activated(context, layers.elts[-1])
    if name in ("tf.keras.Model", "tf.keras.models.Model"):
        outputs = argument(made, 1, "outputs")
        output = None if outputs is None else context.code.flow.value(outputs)
        return _is_activated(context, output.func) if isinstance(output, ast.Call) else None
    return None


def _grows(context: Context, model: ast.expr) -> bool:
    """Whether layers are added to a model, or taken away, later."""
    text = ast.unparse(model)
    return any(ast.unparse(node.value) == text for node, _ in context.code.methods("add", "pop"))


def _is_activated(context: Context, layer: ast.expr) -> bool | None:
    layer = context.code.flow.value(layer)
    name = context.code.called(layer)
    if not isinstance(layer, ast.Call):
        return None
    if name == "tf.keras.layers.Softmax":
        return True
    given = argument(layer, 1, "activation") if name == "tf.keras.layers.Dense" else argument(layer, 0, "activation")
    if name not in ("tf.keras.layers.Dense", "tf.keras.layers.Activation") or not all(w.arg for w in layer.keywords):
        return None
    if given is None or (isinstance(given, ast.Constant) and given.value in (None, "linear")):
        return False if name == "tf.keras.layers.Dense" else None
    if isinstance(given, ast.Constant):
        return True if given.value in _ACTIVATIONS else None
    return True if context.code.name(given).rpartition(".")[2] in _ACTIVATIONS else None


RULE = Rule(
    id="TFM441",
    name="logits-twice",
    before="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10, activation="softmax")])
model.compile("adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
""",
    after="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10, activation="softmax")])
model.compile("adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=False))
""",
    find=find,
    advice=True,
)
