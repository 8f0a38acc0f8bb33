"""An entry of a `TensorShape` was a `Dimension` in TensorFlow 1: never None, always true, and neither equal nor unequal
to anything where it was unknown. In TensorFlow 2 it is a number or None, so a test of it may choose another branch.
What the author meant is not written there: `… is None` was never true. It is told, and left to a person.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.names.eras import holds_tf1, is_result
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.rules.dimension_value import is_entry
from tf_migrate.syntax.local_flow import Definition, every

_MESSAGE = (
    "an entry of a shape is tested: TensorFlow 1's was never None and always true, TensorFlow 2's is a number or None"
)
_STEP = (
    "write what TensorFlow 1 did, or test the number itself before migrating: `.value is None` for an unknown entry, "
    "`.value == 0` for an empty one"
)


def find(context: Context) -> Iterator[Change]:
    """Looks at tests of entries of static shapes, in modules of TensorFlow 1."""
    if context.tf2 or not holds_tf1(context.names):
        return
    for node in _tested(context.module.tree):
        if is_entry(context, node) and _is_of_tensor(context, node) and not context.module.is_skipped(node):
            yield context.manual(node, "TFM130", _MESSAGE, _STEP)


def _tested(tree: ast.AST) -> Iterator[ast.expr]:
    """The expressions whose truth, or whether they are None or unequal to something, code asks for."""
    for node in ast.walk(tree):
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
            if isinstance(node.ops[0], ast.NotEq) or (none and isinstance(node.ops[0], ast.Is | ast.IsNot | ast.Eq)):
                yield node.left
                if not none:
                    yield right


def _is_of_tensor(context: Context, node: ast.expr) -> bool:
    """Whether the shape is that of a tensor for certain, not of an array."""
    if isinstance(node, ast.Name):
        return every(context.module, node, lambda held: _holds_tensor(context, held))
    return any(
        isinstance(inner, ast.Attribute)
        and (inner.attr == "get_shape" or (inner.attr == "shape" and is_result(context.names, inner.value)))
        for inner in ast.walk(node)
    )


def _holds_tensor(context: Context, held: Definition) -> bool:
    return held.value is not None and _is_of_tensor(context, held.value)


RULE = Rule(id="TFM130", name="dimension-test", before="", after="", find=find)
