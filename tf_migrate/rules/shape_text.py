"""TensorFlow 1 wrote `?` for a size of a shape that only a run knows, TensorFlow 2 writes `None`: a program that prints
the shape of such a tensor, or the tensor itself, prints another line. It is told once a module.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

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
_LAYERS = re.compile(r"tf\.(layers|contrib\.layers)\.\w+|tf\.nn\.(conv2d|max_pool|avg_pool|bias_add|xw_plus_b)")
"""What is given a batch, whoever gives it."""
_BESIDE_ROWS = frozenset(
    f"tf.{name}"
    for name in ("argmax", "argmin", "expand_dims", *(f"reduce_{kind}" for kind in ("max", "mean", "min", "sum")))
)
"""What keeps the rows where its second argument is another axis than the first."""
_LOOKING_UP = frozenset({"tf.gather", "tf.nn.embedding_lookup"})
"""What gives as many rows as its second argument has."""
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

    def are_unknown(self, node: ast.expr, depth: int = 0, is_batch: bool = False) -> bool:
        """Whether a value is a tensor with such rows; `is_batch` where a layer is given it."""
        if depth > _DEPTH:
            return False
        if isinstance(node, ast.Call):
            return self._are_of_call(node, depth + 1, is_batch)
        if isinstance(node, ast.BinOp):
            return any(self.are_unknown(side, depth + 1, is_batch) for side in (node.left, node.right))
        if not isinstance(node, ast.Name | ast.Attribute):
            return False
        bound = self.shapes.bound(node)
        if not bound:
            return is_batch and isinstance(node, ast.Name) and self._is_parameter(node)
        return all(
            self._gives_open_parts(value) if place is not None else self.are_unknown(value, depth + 1, is_batch)
            for value, place in bound
        )

    def _are_of_call(self, call: ast.Call, depth: int, is_batch: bool) -> bool:
        symbol = dotted(self.context.module, self.context.names, call.func)
        if symbol == "tf.placeholder":
            return self._is_open(call)
        if self._gives_open_parts(call):
            return True
        if not call.args:
            return False
        first, second = call.args[0], call.args[1] if len(call.args) > 1 else None
        if _KEEPING.fullmatch(symbol) is not None:
            return self.are_unknown(first, depth, is_batch or _LAYERS.fullmatch(symbol) is not None)
        if symbol in _LOOKING_UP:
            return second is not None and self.are_unknown(second, depth, is_batch)
        if symbol == "tf.reshape":
            inferred = isinstance(second, ast.List | ast.Tuple) and bool(second.elts) and _number(second.elts[0]) == -1
            return inferred and self.are_unknown(first, depth, is_batch)
        axes = [keyword.value for keyword in call.keywords if keyword.arg in ("axis", "dimension")]
        axis = _number(axes[0] if axes else second)
        if symbol in _BESIDE_ROWS or symbol == "tf.concat":
            parts = first.elts if symbol == "tf.concat" and isinstance(first, ast.List | ast.Tuple) else [first]
            return axis is not None and axis > 0 and any(self.are_unknown(part, depth, is_batch) for part in parts)
        return False

    def _gives_open_parts(self, node: ast.expr) -> bool:
        """Whether a call gives tensors of which some size is open: a loop's, or a batch that may be a smaller one."""
        if not isinstance(node, ast.Call):
            return False
        if dotted(self.context.module, self.context.names, node.func) == "tf.while_loop":
            given = [*node.args[3:4], *(each.value for each in node.keywords if each.arg == "shape_invariants")]
            return any(
                isinstance(part, ast.Constant) and part.value is None for each in given for part in ast.walk(each)
            )
        return isinstance(node.func, ast.Attribute) and node.func.attr == "get_next" and self._has_open_batches

    @cached_property
    def _has_open_batches(self) -> bool:
        """Whether all batches of the module may end with a smaller one, and at least one is made."""
        calls = [call for call in self.context.module.calls if isinstance(call.func, ast.Attribute)]
        batches = [call for call in calls if call.func.attr in ("batch", "padded_batch")]  # type: ignore[attr-defined]
        return bool(batches) and not any(each.arg == "drop_remainder" for call in batches for each in call.keywords)

    def _is_parameter(self, node: ast.Name) -> bool:
        function = self.context.module.function_of(node)
        arguments = [] if function is None else [*function.args.posonlyargs, *function.args.args]
        return any(each.arg == node.id for each in arguments)

    def _is_open(self, call: ast.Call) -> bool:
        """Whether the first size of a placeholder is None; one without any shape was written `<unknown>` in both."""
        named = [keyword.value for keyword in call.keywords if keyword.arg == "shape"]
        shape = next(iter(named or call.args[1:2]), None)
        first = shape.elts[0] if isinstance(shape, ast.List | ast.Tuple) and shape.elts else None
        return isinstance(first, ast.Constant) and first.value is None


def _number(node: ast.expr | None) -> int | None:
    try:
        value = None if node is None else ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, int) else None


RULE = Rule(id="TFM145", name="shape-text", before="", after="", find=find)
