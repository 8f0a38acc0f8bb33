"""TensorFlow 1 wrote `?` for a size of a shape that only a run knows, TensorFlow 2 writes `None`: a program that prints
the shape of such a tensor, or the tensor itself, prints another line. It is told once a module.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tf_migrate.eager.imports import dotted
from tf_migrate.numpy1.shapes import Shapes
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.texts import written

_KEEPING = re.compile(
    r"tf\.(?:layers\.(?!Input)\w+|contrib\.layers\.(?:fully_connected|conv2d|max_pool2d|flatten|batch_norm|dropout)"
    r"|nn\.(?:relu\w*|elu|selu|tanh|sigmoid|softmax|bias_add|dropout|conv2d|max_pool|avg_pool|xw_plus_b)"
    r"|abs|cast|exp|identity|log|matmul|negative|sigmoid|sqrt|square|stop_gradient|tanh|to_float|to_int32)"
)
"""What gives a tensor as many rows as its first argument has."""
_MESSAGE = "a size that only a run knows is written `None` in TensorFlow 2, and was `?`: this line shows a shape"
_STEP = "compare `shape.as_list()`, which is the same in both"
_DEPTH = 12


def find(context: Context) -> Iterator[Change]:
    """Looks at what is printed, logged or made to text."""
    if context.tf2 or not context.builds:
        return
    rows = _Rows(context)
    for node, _ in written(context.module):
        if rows.are_unknown(_described(node)) and not context.module.is_skipped(node):
            finding = context.finding(node, "TFM145", _MESSAGE, action="shimmed", severity="warning", next_step=_STEP)
            yield Change(finding)
            return


def _described(node: ast.expr) -> ast.expr:
    """The tensor whose shape, or that itself, is shown."""
    asked = node.func if isinstance(node, ast.Call) and not node.args else node
    if isinstance(asked, ast.Attribute) and asked.attr == ("shape" if asked is node else "get_shape"):
        return asked.value
    return node


class _Rows:
    """Whether only a run knows how many rows a tensor has, as far as the text tells for certain."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.shapes = Shapes(context.names)

    def are_unknown(self, node: ast.expr, depth: int = 0) -> bool:
        """Whether a value is a tensor with such rows."""
        if depth > _DEPTH:
            return False
        if isinstance(node, ast.Call):
            symbol = dotted(self.context.module, self.context.names, node.func)
            if symbol == "tf.placeholder":
                return self._is_open(node)
            return (
                bool(node.args) and _KEEPING.fullmatch(symbol) is not None and self.are_unknown(node.args[0], depth + 1)
            )
        if isinstance(node, ast.BinOp):
            return self.are_unknown(node.left, depth + 1)
        bound = self.shapes.bound(node) if isinstance(node, ast.Name | ast.Attribute) else []
        return bool(bound) and all(place is None and self.are_unknown(value, depth + 1) for value, place in bound)

    def _is_open(self, call: ast.Call) -> bool:
        """Whether the first size of a placeholder is None; one without any shape was written `<unknown>` in both."""
        named = [keyword.value for keyword in call.keywords if keyword.arg == "shape"]
        shape = next(iter(named or call.args[1:2]), None)
        first = shape.elts[0] if isinstance(shape, ast.List | ast.Tuple) and shape.elts else None
        return isinstance(first, ast.Constant) and first.value is None


RULE = Rule(id="TFM145", name="shape-text", before="", after="", find=find)
