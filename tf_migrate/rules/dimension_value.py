"""An entry of a `TensorShape` was a `Dimension` with a `.value` in TensorFlow 1; in TensorFlow 2 it is the number
itself, or None where it is unknown. Where the expression is an entry of a shape for certain, `.value` goes; where it
only looks like one (a parameter called `shape` or `dim`, an item of a cell's `output_size`),
`tf.compat.dimension_value` takes either. As text an unknown entry was `?`; whether one is that becomes `is None`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit, wrap
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.local_flow import Definition, every

_SHAPE_METHODS = ("with_rank", "with_rank_at_least", "with_rank_at_most", "merge_with", "concatenate")
# A cell tells its sizes as shapes where a state is no vector.
_SHAPE_NAME = re.compile(r"\w*shape\w*|(?:\w*_)?(?:output|state)_size", re.IGNORECASE)
_DIMENSION_NAME = re.compile(r"(?:\w+_)?dim(?:ension)?\d*", re.IGNORECASE)
_MAX_DEPTH = 8


def find(context: Context) -> Iterator[Change]:
    """Looks at every ``.value`` that is read and not called, and at every ``str(…) == "?"``."""
    yield from _comparisons(context)
    for node in context.module.attributes.get("value", ()):
        parent = context.module.parents[node]
        called = isinstance(parent, ast.Call) and parent.func is node
        if called or not isinstance(node.ctx, ast.Load) or context.module.is_skipped(node):
            continue
        if is_entry(context, node.value):
            yield _dropped(context, node)
        elif _looks_like_dimension(context, node.value) or is_computed(context, node.value):
            yield _wrapped(context, node)


def _comparisons(context: Context) -> Iterator[Change]:
    for call in context.module.calls:
        test = context.module.parents[call]
        if not isinstance(call.func, ast.Name) or call.func.id != "str" or context.module.is_skipped(call):
            continue
        if isinstance(test, ast.Compare) and _asks_for_unknown(test, call) and is_entry(context, call.args[0]):
            yield _compared(context, test, call)


def _asks_for_unknown(test: ast.Compare, call: ast.Call) -> bool:
    right = test.comparators[0]
    alone = test.left is call and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq | ast.NotEq)
    return (
        alone and isinstance(right, ast.Constant) and right.value == "?" and len(call.args) == 1 and not call.keywords
    )


def _compared(context: Context, test: ast.Compare, call: ast.Call) -> Change:
    source = context.module.source
    start, end = source.span(call.args[0])
    word = "is" if isinstance(test.ops[0], ast.Eq) else "is not"
    finding = context.finding(test, "TFM120", "an unknown entry of a shape is None in TensorFlow 2")
    edits = (Edit(source.start(test), start, ""), Edit(end, source.end(test), f" {word} None"))
    return Change(finding, edits)


def _dropped(context: Context, node: ast.Attribute) -> Change:
    source = context.module.source
    end = source.end(node)
    dot = source.text.rindex(".", source.end(node.value), end)
    finding = context.finding(node, "TFM120", "an entry of a shape is the number itself in TensorFlow 2")
    return Change(finding, (Edit(dot, end, ""),))


def _wrapped(context: Context, node: ast.Attribute) -> Change:
    source = context.module.source
    start, end = source.span(node)
    dot = source.text.rindex(".", source.end(node.value), end)
    tf = context.tf or context.new_tf
    finding = context.finding(node, "TFM120", "what looks like an entry of a shape may be a number in TensorFlow 2")
    opening, closing = wrap(start, end, f"{tf}.compat.dimension_value(", ")")
    return Change(finding, (opening, Edit(dot, end, ""), closing), frozenset() if context.tf else frozenset({"tf"}))


def is_entry(context: Context, node: ast.expr) -> bool:
    """Whether an expression is an entry of a shape for certain, as far as its text tells."""
    return _is_dimension(context, node, 0)


def is_shape(context: Context, node: ast.expr) -> bool:
    """Whether an expression is a shape for certain, as far as its text tells."""
    return _is_shape(context, node, 0)


def is_computed(context: Context, node: ast.expr) -> bool:
    """Whether an expression is computed from entries of shapes, which gave a `Dimension` too."""
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        return any(is_entry(context, side) or is_computed(context, side) for side in sides)
    return isinstance(node, ast.Name) and every(
        context.module,
        node,
        lambda held: held.kind == "value" and isinstance(held.value, ast.BinOp) and is_computed(context, held.value),
    )


def _is_dimension(context: Context, node: ast.expr, depth: int) -> bool:
    if isinstance(node, ast.Subscript):
        return not isinstance(node.slice, ast.Slice) and _is_shape(context, node.value, depth)
    if not isinstance(node, ast.Name) or depth > _MAX_DEPTH:
        return False

    def holds_dimension(definition: Definition) -> bool:
        if definition.value is None:
            return False
        if definition.kind == "item":
            return _is_shape(context, definition.value, depth + 1)
        return _is_dimension(context, definition.value, depth + 1)

    return every(context.module, node, holds_dimension)


def _is_shape(context: Context, node: ast.expr, depth: int) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "shape"
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Slice) and _is_shape(context, node.value, depth)
    if isinstance(node, ast.Call):
        if context.names.of(node.func) == "tf.TensorShape":
            return True
        if not isinstance(node.func, ast.Attribute):
            return False
        own = node.func.attr == "get_shape"
        return own or (node.func.attr in _SHAPE_METHODS and _is_shape(context, node.func.value, depth))
    if not isinstance(node, ast.Name) or depth > _MAX_DEPTH:
        return False

    def holds_shape(definition: Definition) -> bool:
        value = definition.value
        return definition.kind == "value" and value is not None and _is_shape(context, value, depth + 1)

    return every(context.module, node, holds_shape)


def _looks_like_dimension(context: Context, node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript):
        return not isinstance(node.slice, ast.Slice) and _looks_like_shape(node.value)
    if not isinstance(node, ast.Name):
        return False
    if _DIMENSION_NAME.fullmatch(node.id):
        return True
    return every(
        context.module,
        node,
        lambda held: held.kind == "item" and held.value is not None and _looks_like_shape(held.value),
    )


def _looks_like_shape(node: ast.expr) -> bool:
    name = _last_name(node)
    return name is not None and _SHAPE_NAME.fullmatch(name) is not None


def _last_name(node: ast.expr) -> str | None:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


RULE = Rule(
    id="TFM120",
    name="dimension-value",
    before="""\
import tensorflow as tf

def flat(x, input_shape):
    size = x.get_shape()[1].value
    return tf.reshape(x, [size * input_shape[2].value])
""",
    after="""\
import tensorflow as tf

def flat(x, input_shape):
    size = x.get_shape()[1]
    return tf.reshape(x, [size * tf.compat.dimension_value(input_shape[2])])
""",
    find=find,
)
