"""An entry of a `TensorShape` was a `Dimension` in TensorFlow 1: never None, always true, and neither equal nor unequal
to anything where it was unknown. In TensorFlow 2 it is a number or None, so a test of it may choose another branch.
Where it is tested it becomes a `Dimension` again, which answers as TensorFlow 1's did. A shape with unknown entries was
equal to no other one, and is equal to one that has them too: a block projects its input no more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import wrap
from tf_migrate.names.eras import holds_tf1, is_result
from tf_migrate.numpy1.shapes import FollowedShapes
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.rules.dimension_value import is_entry, is_shape
from tf_migrate.syntax.local_flow import Definition, every
from tf_migrate.syntax.module import Module

_MESSAGE = (
    "an entry of a shape is tested: TensorFlow 1's was never None and always true, TensorFlow 2's is a number or None; "
    "its answer stays TensorFlow 1's, test the number itself for another one"
)
_COMPARED = (
    "shapes are compared: with an entry that only a run knows TensorFlow 1's were never equal, TensorFlow 2's are "
    "where both have it; the answer stays TensorFlow 1's, compare `shape.as_list()` for another"
)
_COMPUTED = (
    "an entry of a shape that only a run knows is None in TensorFlow 2, and a `Dimension` in TensorFlow 1, with which "
    "one could compute; what comes out is one that is not known either"
)
_ARITHMETIC = ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod
_ASKING = ast.If | ast.While | ast.IfExp | ast.Assert | ast.BoolOp | ast.UnaryOp | ast.comprehension


def find(context: Context) -> Iterator[Change]:
    """Looks at tests of entries of static shapes, in modules of TensorFlow 1."""
    if context.tf2 or not holds_tf1(context.names):
        return
    for node in (*_tested(context.module), *_equal_entries(context)):
        if is_entry(context, node) and _is_of_tensor(context, node) and not context.module.is_skipped(node):
            start, end = context.module.source.span(node)
            edits = wrap(start, end, f"{context.compat_path('Dimension')}(", ")")
            yield Change(context.finding(node, "TFM130", _MESSAGE), edits, frozenset({"compat"}))
    for node in _compared(context):
        edits = wrap(*context.module.source.span(node), f"{context.compat_path('TensorShape')}(", ")")
        yield Change(context.finding(node, "TFM130", _COMPARED), edits, frozenset({"compat"}))
    shapes = FollowedShapes.known(context.names)
    for node in (each for each in context.module.nodes if isinstance(each, ast.BinOp)):
        for side in (node.left, node.right) if isinstance(node.op, _ARITHMETIC) else ():
            if is_entry(context, side) and _is_unknown(context, shapes, side) and not context.module.is_skipped(node):
                edits = wrap(*context.module.source.span(side), f"{context.compat_path('Dimension')}(", ")")
                yield Change(context.finding(side, "TFM130", _COMPUTED), edits, frozenset({"compat"}))
                break


def _equal_entries(context: Context) -> Iterator[ast.expr]:
    """The entries of shapes of which only the truth counts whether they are equal to others: None is equal to None."""
    for node in context.module.nodes:
        if isinstance(node, ast.Compare) and _is_of_equality(node) and isinstance(node.ops[0], ast.Eq):
            asked = isinstance(context.module.parents[node], _ASKING)
            if asked and is_entry(context, node.left) and is_entry(context, node.comparators[0]):
                yield node.left


def _compared(context: Context) -> Iterator[ast.expr]:
    """The shapes of tensors that are compared with others."""
    for node in context.module.nodes:
        if not isinstance(node, ast.Compare) or not _is_of_equality(node) or context.module.is_skipped(node):
            continue
        for side, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            if is_shape(context, side) and _is_of_tensor(context, side) and not _is_known(other):
                yield side
                break


def _is_of_equality(node: ast.Compare) -> bool:
    return len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq)


def _is_known(node: ast.expr) -> bool:
    """Whether what a shape is compared with is written out, without an unknown entry: the answer is the same."""
    if isinstance(node, ast.List | ast.Tuple):
        return not any(isinstance(each, ast.Constant) and each.value is None for each in node.elts)
    return isinstance(node, ast.Constant)


def _is_unknown(context: Context, shapes: FollowedShapes, node: ast.expr) -> bool:
    """Whether an entry of a shape is None for certain: TensorFlow 1 computed with it all the same."""
    if isinstance(node, ast.Name):
        return every(
            context.module,
            node,
            lambda held: held.kind == "value" and held.value is not None and _is_unknown(context, shapes, held.value),
        )
    if not isinstance(node, ast.Subscript):
        return False
    of, place = node.value, node.slice.value if isinstance(node.slice, ast.Constant) else None
    if isinstance(of, ast.Call) and isinstance(of.func, ast.Attribute) and of.func.attr == "get_shape":
        of = of.func.value
    elif isinstance(of, ast.Attribute) and of.attr == "shape":
        of = of.value
    else:
        return False
    shape = shapes.of(of, 0)
    return isinstance(place, int) and shape is not None and -len(shape) <= place < len(shape) and shape[place] is None


def _tested(module: Module) -> Iterator[ast.expr]:
    """The expressions whose truth, or whether they are None, equal or unequal to something, code asks for.

    Where only the truth of the answer counts, "equal" is as true of numbers as it was of dimensions.
    """
    for node in module.nodes:
        if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
            yield node.test
        elif isinstance(node, ast.BoolOp):
            yield from node.values[:-1]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node.operand
        elif isinstance(node, ast.comprehension):
            yield from node.ifs
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            (right,) = node.comparators
            none = isinstance(right, ast.Constant) and right.value is None
            shown = isinstance(node.ops[0], ast.Eq) and not isinstance(module.parents[node], _ASKING)
            tests_none = none and isinstance(node.ops[0], ast.Is | ast.IsNot | ast.Eq)
            if isinstance(node.ops[0], ast.NotEq) or tests_none or shown:
                yield node.left
                if not none:
                    yield right


def _is_of_tensor(context: Context, node: ast.expr) -> bool:
    """Whether the shape is that of a tensor for certain, not of an array."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        return every(context.module, node, lambda held: _holds_tensor(context, held))
    return any(
        isinstance(inner, ast.Attribute)
        and (inner.attr == "get_shape" or (inner.attr == "shape" and is_result(context.names, inner.value)))
        for inner in ast.walk(node)
    )


def _holds_tensor(context: Context, held: Definition) -> bool:
    return held.value is not None and _is_of_tensor(context, held.value)


RULE = Rule(
    id="TFM130",
    name="dimension-test",
    before="""\
import tensorflow as tf

def scaled(x, w=tf.AUTO_REUSE):
    if x.get_shape()[0] is None:
        x = x * 2.0
    return x
""",
    after="""\
import tensorflow as tf
import compat

def scaled(x, w=compat.AUTO_REUSE):
    if compat.Dimension(x.get_shape()[0]) is None:
        x = x * 2.0
    return x
""",
    find=find,
)
