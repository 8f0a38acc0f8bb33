"""In traced code a dimension that is not known before it runs is None in `x.shape` and in `x.get_shape()`: arithmetic
with it, or a list with it handed to TensorFlow, raises. `tf.shape(x)` is the shape that the tensor really has.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.tapes import argument
from tf_migrate.rules import Change, Context, Rule

# What TensorFlow cannot know the size of; the last axis is known where `channels` is given.
_DECODERS = tuple(f"tf.{room}.decode_{kind}" for room in ("io", "image") for kind in ("jpeg", "png"))
_CHANNELS_LAST = 2
# Reading a static shape is all that these do with it.
_STATIC = ("tf.TensorShape", "tf.ensure_shape", "tf.TensorSpec", "tf.keras.", "tf.debugging.", "tf.compat.")


def find(context: Context) -> Iterator[Change]:
    """Looks at single entries of static shapes."""
    for attribute in ("shape", "get_shape"):
        for node in context.module.attributes.get(attribute, ()):
            entry = _entry(context, node)
            if entry is None or not isinstance(node.value, ast.Name):
                continue
            if _is_unknown(context, node.value, entry) and _is_computed_with(context, entry):
                yield from _told(context, entry, node.value)


def _told(context: Context, entry: ast.Subscript, tensor: ast.Name) -> Iterator[Change]:
    index = ast.unparse(entry.slice)
    message = f"dimension {index} of `{tensor.id}` is None while it is traced"
    tf = context.tf
    edits = (Edit(*context.module.source.span(entry), f"{tf}.shape({tensor.id})[{index}]"),) if tf else ()
    yield from context.advise(entry, "TFM423", message, f"use `tf.shape({tensor.id})[{index}]`", edits)


def _entry(context: Context, node: ast.Attribute) -> ast.Subscript | None:
    """``x.shape[0]``, ``x.get_shape()[0]`` or ``x.shape.as_list()[0]``."""
    parents = context.module.parents
    current: ast.AST = node
    if node.attr == "get_shape":
        current = parents[node]
    parent = parents[current]
    if isinstance(parent, ast.Attribute) and parent.attr == "as_list":
        current = parents[parent]
        parent = parents[current]
    if not isinstance(parent, ast.Subscript) or parent.value is not current:
        return None
    return parent if _index(parent) is not None else None


def _index(entry: ast.Subscript) -> int | None:
    """The index, where it is a number that is spelled out: ``0`` or ``-1``."""
    index, sign = entry.slice, 1
    if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub):
        index, sign = index.operand, -1
    return sign * index.value if isinstance(index, ast.Constant) and type(index.value) is int else None


def _is_unknown(context: Context, tensor: ast.Name, entry: ast.Subscript) -> bool:
    """Whether that dimension is None for certain."""
    function = context.module.function_of(tensor)
    index = _index(entry)
    if function is None or index is None:
        return False
    value = context.code.flow.value(tensor)
    if value is not tensor:
        return _is_decoded(context, value, index) and _is_mapped(context, function)
    traced = context.code.tracing.functions.get(function)
    if traced is None or context.code.flow.stores(tensor) or tensor.id not in traced.parameters:
        return False
    return _dimension(context, traced.options, traced.parameters.index(tensor.id), index)


def _is_decoded(context: Context, value: ast.expr, index: int) -> bool:
    name = context.code.called(value)
    return name in _DECODERS and isinstance(value, ast.Call) and 0 <= index < _CHANNELS_LAST


def _is_mapped(context: Context, function: ast.AST) -> bool:
    code = context.code
    if function in code.tracing.functions:
        return True
    return any(
        code.tracing.function_of(call.args[0]) is function and code.is_dataset(node.value)
        for node, call in code.methods("map")
        if call.args
    )


def _dimension(context: Context, options: ast.Call | None, position: int, index: int) -> bool:
    """Whether an ``input_signature`` says None there."""
    signature = None if options is None else argument(options, 1 if options.args else 0, "input_signature")
    signature = None if signature is None else context.code.flow.value(signature)
    if not isinstance(signature, ast.List | ast.Tuple) or position >= len(signature.elts):
        return False
    spec = signature.elts[position]
    shape = argument(spec, 0, "shape") if isinstance(spec, ast.Call) else None
    if context.code.called(spec) != "tf.TensorSpec" or not isinstance(shape, ast.List | ast.Tuple):
        return False
    if not -len(shape.elts) <= index < len(shape.elts):
        return False
    entry = shape.elts[index]
    return isinstance(entry, ast.Constant) and entry.value is None


def _is_computed_with(context: Context, entry: ast.Subscript) -> bool:
    """An operand of arithmetic, or in a list that is handed to TensorFlow; a test for None is neither."""
    if _is_tested(context, entry):
        return False
    parent = context.module.parents[entry]
    if isinstance(parent, ast.BinOp):
        return not isinstance(parent.op, ast.Mod) or parent.left is entry
    if isinstance(parent, ast.List | ast.Tuple):
        holder = context.module.parents[parent]
        name = context.code.called(holder) if isinstance(holder, ast.Call) else ""
        return name.startswith("tf.") and not name.startswith(_STATIC)
    return False


def _is_tested(context: Context, entry: ast.Subscript) -> bool:
    current: ast.AST | None = entry
    while current is not None and not isinstance(current, ast.FunctionDef | ast.Lambda):
        if isinstance(current, ast.If | ast.IfExp | ast.BoolOp | ast.Compare):
            return True
        current = context.module.parents.get(current)
    return False


RULE = Rule(
    id="TFM423",
    name="static-shape",
    before="""\
import tensorflow as tf

@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
def pad(x):
    return tf.concat([x, tf.zeros([x.shape[0], 1])], axis=1)
""",
    after="""\
import tensorflow as tf

@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
def pad(x):
    return tf.concat([x, tf.zeros([tf.shape(x)[0], 1])], axis=1)
""",
    find=find,
    advice=True,
)
