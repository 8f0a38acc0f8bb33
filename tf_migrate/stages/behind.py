"""What is built in a block that waits for updates: TF1 made these for the operations alone that the block itself made.

`tf.cast(loss, tf.float32)` gave a float as it was, `w.value()` what had been made with the variable: neither waited.
What the block computes of a variable itself saw it as the updates left it, ref variables and resources alike.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages import effects
from tf_migrate.stages.values import TENSORS, Reads, Refused, Stage

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_SURE = """
abs add argmax argmin clip_by_value concat div divide equal exp expand_dims floor gather greater greater_equal identity
less less_equal log logical_and logical_not logical_or matmul maximum minimum mod multiply negative not_equal one_hot
ones_like pow rank reduce_all reduce_any reduce_max reduce_mean reduce_min reduce_prod reduce_sum reshape shape sigmoid
sign size sqrt square stack stop_gradient subtract tanh tile truediv zeros_like nn.l2_loss nn.relu nn.sigmoid nn.softmax
"""
_MAKING = frozenset(
    f"{prefix}.{word}" for prefix in ("tf", "tf.math") for word in _SURE.split() if f"{prefix}.{word}" in effects.PURE
)
"""Functions that made an operation in TF 1.15, whatever they were given."""
_ORDERED = ast.Lt | ast.LtE | ast.Gt | ast.GtE


def require_waits(evaluator: Evaluator, node: ast.expr) -> None:
    """Refuses an expression that may be a tensor which was there before the block."""
    if not _makes(evaluator, node):
        what = f"`{ast.unparse(node)}` may make no operation that waits for the updates of its block"
        raise Refused(node, what, "put `tf.identity` around it")


def require_seen_anew(evaluator: Evaluator, node: ast.expr, reads: Reads) -> None:
    """Refuses an expression of which it is not sure that it reads variables as the updates of its block leave them."""
    read = [name for name, binding in reads.items() if binding.value.variables]
    plain = all(_is_plain(evaluator, inner) for inner in ast.walk(node) if isinstance(inner, ast.Call | ast.Lambda))
    for name in read:
        if not plain or reads[name].value.stage is not Stage.VARIABLE:
            what = f"`{name}` is read where updates come first, which may change it"
            raise Refused(node, what, "compute with it outside of the block")


def _makes(evaluator: Evaluator, node: ast.expr) -> bool:
    """Whether an expression, which is a tensor, surely makes an operation."""
    if isinstance(node, ast.BinOp):
        return _is_tensor(evaluator, node.left) or _is_tensor(evaluator, node.right)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _is_tensor(evaluator, node.operand)
    if isinstance(node, ast.Compare):
        return all(isinstance(operator, _ORDERED) for operator in node.ops)
    if isinstance(node, ast.Subscript):
        return _is_tensor(evaluator, node.value)
    if not isinstance(node, ast.Call):
        return False
    return evaluator.names.resolve(node.func) in _MAKING or _is_read(evaluator, node)


def _is_tensor(evaluator: Evaluator, node: ast.expr) -> bool:
    with evaluator.aside():
        value = evaluator.value(node)
    return value.stage in TENSORS and value.parts is None and not value.several


def _is_plain(evaluator: Evaluator, node: ast.Call | ast.Lambda) -> bool:
    """Whether a call inside the block computes there, and runs no function of the program's."""
    if isinstance(node, ast.Lambda):
        return False
    return evaluator.names.resolve(node.func) in effects.PURE or _is_read(evaluator, node)


def _is_read(evaluator: Evaluator, node: ast.Call) -> bool:
    method = node.func
    return isinstance(method, ast.Attribute) and method.attr == "read_value" and _is_tensor(evaluator, method.value)
