"""The type of a variable of TensorFlow 1 was a reference, `float32_ref`, also in text, and equal to no plain type: a
program that prints it prints another line in TensorFlow 2, and one that compares it goes another way. It is told once a
module of each.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.eager.imports import dotted
from tf_migrate.numpy1.shapes import Shapes
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.texts import written

_MAKING = frozenset({"tf.Variable", "tf.get_variable", "tf.contrib.framework.variable", "tf.contrib.slim.variable"})
_LISTING = frozenset(
    f"tf.{name}"
    for name in (
        *("global_variables", "local_variables", "model_variables", "moving_average_variables", "trainable_variables"),
        *("all_variables", "contrib.slim.get_variables", "contrib.framework.get_variables"),
    )
)
_WRITTEN = "the type of a variable is written `float32` in TensorFlow 2, and was `float32_ref`"
_COMPARED = (
    "the type of a variable is compared: TensorFlow 1's was a reference, `float32_ref`, and equal to no plain type; "
    "TensorFlow 2's is `float32`"
)
_STEP = "write or compare `dtype.base_dtype`, which is the same in both"


def find(context: Context) -> Iterator[Change]:
    """Looks at what is made to text, and at comparisons."""
    if context.tf2 or not context.builds:
        return
    types = _Types(context)
    shown = (node for node, _ in written(context.module))
    compared = (
        side
        for node in context.module.nodes
        if isinstance(node, ast.Compare)
        and all(isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for op in node.ops)
        for side in (node.left, *node.comparators)
    )
    for places, message in ((shown, _WRITTEN), (compared, _COMPARED)):
        found = next((node for node in places if types.is_reference(node)), None)
        if found is not None and not context.module.is_skipped(found):
            yield Change(
                context.finding(found, "TFM152", message, action="shimmed", severity="warning", next_step=_STEP)
            )


class _Types:
    """Whether an expression is the type of a variable, as far as the text tells for certain."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.shapes = Shapes(context.names)

    def is_reference(self, node: ast.expr) -> bool:
        """Whether a value is a variable's type, or the name of that."""
        if isinstance(node, ast.Attribute) and node.attr == "name":
            node = node.value
        return isinstance(node, ast.Attribute) and node.attr == "dtype" and self._is_variable(node.value)

    def _is_variable(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            resource = any(each.arg in ("use_resource", None) for each in node.keywords)
            return self._symbol(node) in _MAKING and not resource
        if isinstance(node, ast.Subscript):
            return self._is_list(node.value)
        if not isinstance(node, ast.Name | ast.Attribute):
            return False
        bound = self.shapes.bound(node)
        if bound:
            return all(place is None and self._is_variable(value) for value, place in bound)
        return isinstance(node, ast.Name) and self._is_turn(node)

    def _is_turn(self, node: ast.Name) -> bool:
        """Whether a name goes through a list of variables: `for v in tf.trainable_variables()`."""
        for outer in self.context.module.around(node):
            loops = [outer] if isinstance(outer, ast.For) else getattr(outer, "generators", [])
            for loop in loops:
                if isinstance(loop.target, ast.Name) and loop.target.id == node.id:
                    return self._is_list(loop.iter)
        return False

    def _is_list(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            return self._symbol(node) in _LISTING
        bound = self.shapes.bound(node) if isinstance(node, ast.Name | ast.Attribute) else []
        return bool(bound) and all(place is None and self._is_list(value) for value, place in bound)

    def _symbol(self, call: ast.Call) -> str:
        return dotted(self.context.module, self.context.names, call.func)


RULE = Rule(id="TFM152", name="reference-type", before="", after="", find=find)
