"""What elements of datasets a value, or the gradients of a value, surely need: a run of TF1 took those, and no others.

Whatever an operation computes needs all that it takes. Its gradient may need less: that of a sum needs no term of it,
that of a product needs the other factor. `Slope` says which elements are needed for the gradients by all variables that
a value depends on, and which are needed for each of these alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from tf_migrate.stages import effects
from tf_migrate.stages.values import FREE, OPEN, Slope, Stage, Value, flatten, moving

if TYPE_CHECKING:
    from tf_migrate.names.canonical import Names

_LINEAR = """
accumulate_n add add_n concat expand_dims identity negative nn.avg_pool nn.avg_pool2d nn.bias_add nn.dropout pad
reduce_mean reduce_sum reshape reverse slice split squeeze stack strided_slice subtract tile to_float transpose unstack
"""
_PRODUCTS = """
einsum gather linalg.matmul linalg.matvec matmul multiply nn.atrous_conv2d nn.conv1d nn.conv2d nn.conv2d_transpose
nn.conv3d nn.convolution nn.depthwise_conv2d nn.embedding_lookup nn.separable_conv2d nn.xw_plus_b scalar_mul tensordot
"""
_CURVED = """
abs clip_by_value cos div divide exp expm1 log log1p log_sigmoid maximum minimum nn.elu nn.fused_batch_norm
nn.l2_loss nn.l2_normalize nn.leaky_relu nn.log_softmax nn.lrn nn.max_pool nn.max_pool2d nn.nce_loss nn.relu nn.relu6
nn.sampled_softmax_loss nn.selu nn.sigmoid_cross_entropy_with_logits nn.softmax nn.softmax_cross_entropy_with_logits
nn.softmax_cross_entropy_with_logits_v2 nn.softplus nn.sparse_softmax_cross_entropy_with_logits
nn.weighted_cross_entropy_with_logits norm pow reciprocal reduce_logsumexp reduce_max reduce_min reduce_prod rsqrt
sigmoid sin softplus sqrt square squared_difference tanh truediv
"""


def _named(words: str) -> frozenset[str]:
    """Symbols by their names below `tf`, and those that have the same under `tf.math` or `tf.nn`."""
    names = words.split()
    bare = [name for name in names if "." not in name]
    return frozenset(f"tf.{name}" for name in (*names, *(f"{room}.{n}" for room in ("math", "nn") for n in bare)))


LINEAR, PRODUCT, CURVED, LAYER = "linear", "product", "curved", "layer"
_KINDS = {
    **dict.fromkeys(_named(_LINEAR), LINEAR),
    **dict.fromkeys(_named(_PRODUCTS), PRODUCT),
    **dict.fromkeys(_named(_CURVED), CURVED),
    **dict.fromkeys(effects.COLLECTED | {"tf.contrib.seq2seq.sequence_loss"}, CURVED),
}
_FLOATS = frozenset({"tf.float16", "tf.float32", "tf.float64"})
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: LINEAR,
    ast.Sub: LINEAR,
    ast.Mult: PRODUCT,
    ast.MatMult: PRODUCT,
    ast.Div: CURVED,
    ast.Pow: CURVED,
}


def kind_of_call(names: Names, node: ast.Call, symbol: str) -> str | None:
    """How the result of an operation depends on what it takes; None where that is not known."""
    if symbol in ("tf.cast", "tf.dtypes.cast"):
        given = [*node.args[1:], *(word.value for word in node.keywords if word.arg == "dtype")]
        return LINEAR if any(names.resolve(item) in _FLOATS for item in given) else None
    if symbol in effects.LAYERS | effects.RANDOM_LAYERS:
        if symbol not in effects.WITHOUT_VARIABLES:
            return LAYER
        return CURVED if "max_pool" in symbol else LINEAR
    return _KINDS.get(symbol)


def kind_of_operator(node: ast.expr) -> str | None:
    """The same for an operator of Python."""
    if isinstance(node, ast.BinOp):
        return _OPERATORS.get(type(node.op))
    return LINEAR if isinstance(node, ast.Subscript | ast.UnaryOp) else None


def slope_of(value: Value) -> Slope:
    """What is known of the gradients of one value."""
    if value.stage is Stage.VARIABLE:
        trained = {variable.trainable for variable in value.variables}
        return Slope(depends=True) if trained == {True} else FREE if trained == {False} else OPEN
    if value.stage is Stage.TENSOR:
        return value.slope
    known = (Stage.PYTHON, Stage.CONSTANT, Stage.STATIC, Stage.PLACEHOLDER)
    return FREE if value.stage in known else OPEN


def slope(kind: str | None, values: Iterable[Value]) -> Slope:
    """What is known of the gradients of what an operation of a kind makes of values."""
    parts = [part for part in flatten(values) if part.is_graph]
    on = [(part, known) for part in parts if (known := slope_of(part)).depends is not False]
    if kind == LAYER:
        taken = moving(parts)
        return Slope(True, taken.union(*(known.every for _, known in on)), frozenset())
    if not on:
        return FREE
    if kind is None:
        return OPEN
    depends = True if any(known.depends for _, known in on) else None
    every, each = [], []
    for part, known in on:
        beside = parts if kind == CURVED else [other for other in parts if other is not part and kind == PRODUCT]
        needed = moving(beside)
        every.append(known.every | needed if known.depends else known.every)
        each.append(known.each | needed)
    return Slope(depends, frozenset().union(*every), frozenset.intersection(*each))


def with_slope(value: Value, given: Iterable[Value], kind: str | None) -> Value:
    """Each of the tensors that an operation gives, which needs all that it takes."""
    given = tuple(given)
    if value.parts is not None:
        return replace(value, parts=tuple(with_slope(part, given, kind) for part in value.parts))
    return replace(value, moves=value.moves | moving(given), slope=slope(kind, given))


def step_needs(loss: Value, *, whole: bool) -> Slope:
    """What a training step needs of a loss: of all variables, or of some that are not known here."""
    known = slope_of(loss) if loss.parts is None else OPEN
    return known if whole else replace(known, every=known.each)
