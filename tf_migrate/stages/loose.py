"""Reads of variables that no training step waits for: TensorFlow 1 left open whether they saw its updates.

A step waits for what its gradients are computed of. The gradient of a sum needs none of its terms, and that of
`tf.nn.l2_loss(w)` needs `w`, but not its loss: in a run of both, that loss was computed before or after the update of
`w`. In 1.15.5 it came after it in 112 of 120 runs of a small network, and in 8 of 120 of a wide one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tf_migrate.stages import effects
from tf_migrate.stages.shared_memory import sharing
from tf_migrate.stages.values import TENSORS, Loose, Stage, Value, flatten, reading, required

if TYPE_CHECKING:
    from tf_migrate.names.canonical import Names


_OPERATORS: dict[type[ast.operator] | type[ast.unaryop], str] = {
    ast.Add: "tf.add",
    ast.Div: "tf.divide",
    ast.MatMult: "tf.matmul",
    ast.Mult: "tf.multiply",
    ast.Pow: "tf.pow",
    ast.Sub: "tf.subtract",
    ast.USub: "tf.negative",
}
_LINEAR = """
accumulate_n add add_n cast concat expand_dims identity negative reduce_mean reduce_sum reshape squeeze stack
stop_gradient subtract to_double to_float transpose
"""
_PRODUCTS = "div divide multiply scalar_mul truediv"
_OTHERS = """
abs matmul pow square squared_difference nn.conv1d nn.conv2d nn.conv2d_transpose nn.conv3d nn.l2_loss nn.xw_plus_b
"""
_SAME = "cast expand_dims identity reshape squeeze stop_gradient"


def _symbols(words: str) -> frozenset[str]:
    return frozenset(f"{prefix}.{word}" for prefix in ("tf", "tf.math", "tf.dtypes") for word in words.split())


_PASSING = _symbols(_LINEAR) | {"tf.nn.bias_add"}
"""Operations whose gradients need nothing of what they are given."""
_MULTIPLYING = _symbols(_PRODUCTS)
"""Those whose gradients need the other factor."""
_READING = _PASSING | _MULTIPLYING | _symbols(_OTHERS)
"""Operations whose results no gradient of theirs needs."""
_MEMORY = _symbols(_SAME)
"""Those that may give the memory of what they are given: nothing is read so far."""
_PLAIN = ("tf.contrib.layers.linear", "tf.contrib.slim.linear")
_ACTIVE = frozenset(f"{prefix}{word}" for prefix in effects.CONTRIB for word in ("fully_connected", "conv2d"))
"""Layers with an activation where none is asked for."""
_SUMMING = effects.LAYERS & {"tf.layers.dense", "tf.layers.conv2d", "tf.layers.conv1d", *_ACTIVE, *_PLAIN}


def loose_in(node: ast.expr, symbol: str | None, values: Iterable[Value]) -> frozenset[Loose]:
    """What an operation, of this symbol, computes of reads of its own, and of those that it is given."""
    parts = [part for part in flatten(values) if part.stage in TENSORS]
    varying = [part for part in parts if part.stage in (Stage.TENSOR, Stage.VARIABLE)]
    passing = symbol in _PASSING or (symbol in _MULTIPLYING and len(varying) == 1)
    found = reading(parts) if passing else required(parts)
    shared = sharing(parts)
    if not shared or symbol not in _READING - _MEMORY:
        return found
    alone = all(part.variables or part.stage is Stage.CONSTANT for part in parts)
    return found | {Loose(node, shared, alone)}


def loose_in_operator(node: ast.expr, values: Iterable[Value]) -> frozenset[Loose]:
    """The same for an operator, a sum, or a regularizer that is called."""
    if isinstance(node, ast.BinOp | ast.UnaryOp):
        return loose_in(node, _OPERATORS.get(type(node.op)), values)
    summed = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sum"
    return loose_in(node, "tf.add_n" if summed else "tf.nn.l2_loss", values)


def loose_in_layer(names: Names, node: ast.Call, symbol: str, given: Iterable[Value]) -> frozenset[Loose]:
    """The same for a layer: one without an activation adds its bias, which no gradient needs."""
    found = required(given)
    words = {keyword.arg: keyword.value for keyword in node.keywords}
    activation = words.get("activation", words.get("activation_fn"))
    none = isinstance(activation, ast.Constant) and activation.value is None
    plain = none if symbol in _ACTIVE else (activation is None or none)
    normalized = "normalizer_fn" in words
    return found | {Loose(node, (), alone=False)} if symbol in _SUMMING and plain and not normalized else found
