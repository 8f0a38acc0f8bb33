"""What is built in a block that waits for updates: TF1 made these for the operations alone that the block itself made.

`tf.cast(loss, tf.float32)` gave a float as it was, `w.value()` what had been made with the variable: neither waited.
What the block computes of a variable itself saw it as the updates left it, ref variables and resources alike.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages import effects
from tf_migrate.stages.values import TENSORS, Reads, Refused, Stage
from tf_migrate.syntax.walk import Binding

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_SURE = """
abs add argmax argmin boolean_mask ceil clip_by_norm clip_by_value concat confusion_matrix cos count_nonzero cumprod
cumsum diag div div_no_nan divide equal erf exp expand_dims expm1 floor floordiv floormod gather gather_nd greater
greater_equal identity is_finite is_inf is_nan less less_equal log log1p log_sigmoid logical_and logical_not logical_or
matmul matrix_band_part matrix_diag maximum minimum mod multiply negative norm not_equal one_hot ones_like pad pow rank
reciprocal reduce_all reduce_any reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod reduce_sum reshape
reverse rint rsqrt scalar_mul segment_sum sequence_mask shape sigmoid sign sin size slice sqrt square
squared_difference squeeze stop_gradient strided_slice subtract tan tanh tensordot tile transpose truediv
unsorted_segment_sum where where_v2 zeros_like nn.avg_pool nn.batch_normalization nn.bias_add nn.conv2d
nn.conv2d_transpose nn.elu nn.embedding_lookup nn.in_top_k nn.l2_loss nn.l2_normalize nn.leaky_relu nn.log_softmax
nn.max_pool nn.relu nn.relu6 nn.selu nn.sigmoid nn.sigmoid_cross_entropy_with_logits nn.softmax
nn.softmax_cross_entropy_with_logits nn.softmax_cross_entropy_with_logits_v2 nn.softplus nn.softsign
nn.sparse_softmax_cross_entropy_with_logits nn.tanh nn.xw_plus_b nn.zero_fraction
"""
_MAKING = frozenset(
    f"{prefix}.{word}" for prefix in ("tf", "tf.math") for word in _SURE.split() if f"{prefix}.{word}" in effects.PURE
)
"""Functions that made an operation in TF 1.15, whatever they were given."""
_RETURNING = ast.FunctionDef | ast.Lambda | ast.Return
_CALLS = 9
"""How many functions deep what they make is looked for."""
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
    known = evaluator.names.resolve(node.func) in _MAKING or _is_read(evaluator, node)
    return known or _is_made_by(evaluator, node.func)


def _is_made_by(evaluator: Evaluator, called: ast.expr, depth: int = 0) -> bool:
    """Whether a function of the script, of a name of its own, makes an operation for the tensor that it returns."""
    module = evaluator.module
    if not isinstance(called, ast.Name) or module.binding_scope(called) is not module.root or depth > _CALLS:
        return False
    with evaluator.aside():
        function = evaluator.lookup(called).function
    match [] if function is None else [inner for inner in ast.walk(function) if isinstance(inner, _RETURNING)]:
        case [_, ast.Return(value=ast.expr() as value)]:
            return _is_anew(evaluator, value, depth)
    return False


def _is_anew(evaluator: Evaluator, node: Binding, depth: int) -> bool:
    """Whether the tensor that a function returns is one of an operation that it makes."""
    if isinstance(node, ast.Name):
        # A name that is bound once holds what the function returns, or it holds nothing.
        scope = evaluator.module.binding_scope(node)
        bound = [] if scope is None or scope is evaluator.module.root else scope.bindings[node.id]
        return len(bound) == 1 and not isinstance(bound[0], ast.Name) and _is_anew(evaluator, bound[0], depth)
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.BinOp)
    return evaluator.names.resolve(node.func) in _MAKING or _is_made_by(evaluator, node.func, depth + 1)


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
