"""Tensors cannot be changed: `x[0] = 4` raises TypeError where `x` is a tensor (a NumPy array takes it). A new tensor,
bound to the same name, does what is meant; `compat.item_assigned` builds it with `tf.tensor_scatter_nd_update` for any
index or slice. A variable is changed by `x[0].assign(4)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.tapes import argument
from tf_migrate.rules import Change, Context, Rule

_MADE = """
    abs add add_n argmax argmin argsort boolean_mask broadcast_to cast clip_by_value concat constant
    convert_to_tensor cumsum divide eye exp expand_dims fill gather gather_nd identity linspace matmul maximum
    minimum multiply norm one_hot ones ones_like pad placeholder placeholder_with_default pow random_normal
    random_uniform range reduce_max reduce_mean reduce_min reduce_prod reduce_sum repeat reshape reverse round
    scatter_nd sequence_mask shape sigmoid sign slice sort sqrt square squeeze stack stop_gradient strided_slice
    subtract tanh tensor_scatter_nd_add tensor_scatter_nd_update tensordot tile transpose truncated_normal where
    zeros zeros_like math.add math.cumsum math.divide math.exp math.log math.multiply math.reduce_max
    math.reduce_mean math.reduce_sum math.sigmoid math.sqrt math.square math.subtract math.tanh nn.conv2d nn.elu
    nn.leaky_relu nn.log_softmax nn.relu nn.sigmoid nn.softmax nn.softplus nn.tanh linalg.diag linalg.inv
    linalg.matmul linalg.matrix_transpose random.normal random.shuffle random.truncated_normal random.uniform
    io.decode_raw io.decode_jpeg io.decode_png io.read_file image.convert_image_dtype image.resize
"""
_TENSORS = frozenset(f"tf.{name}" for name in _MADE.split())
_VARIABLES = ("tf.Variable", "tf.get_variable")


def find(context: Context) -> Iterator[Change]:
    """Looks at every assignment to an item of a name."""
    for target, statement in context.module.parents.items():
        if not isinstance(target, ast.Subscript) or not isinstance(statement, ast.Assign | ast.AugAssign):
            continue
        if isinstance(target.ctx, ast.Store) and isinstance(target.value, ast.Name):
            yield from _looked_at(context, statement, target, target.value)


def _looked_at(
    context: Context, statement: ast.Assign | ast.AugAssign, target: ast.Subscript, name: ast.Name
) -> Iterator[Change]:
    value = context.code.flow.value(name)
    if value is name and not _is_parameter(context, name):
        return
    kind = "variable" if context.code.called(value) in _VARIABLES else "tensor"
    if (kind == "tensor" and not _is_tensor(context, value, 0)) or context.module.is_skipped(statement):
        return
    single = isinstance(statement, ast.AugAssign) or len(statement.targets) == 1
    written = _item(context, statement, target, name, kind) if single else None
    message = f"`{name.id}` is a {kind}, which takes no item assignment (TypeError)"
    step = written or f"build a new tensor: `{name.id} = tf.tensor_scatter_nd_update(...)`"
    finding = context.finding(
        statement, "TFM425", message, action="manual", severity="warning", next_step=f"write `{step}`"
    )
    rebinds = kind == "variable" or value is name or bool(context.code.flow.stores(name))
    if written is None or not rebinds:
        yield Change(finding, offered=True)
        return
    needs = frozenset({"compat"}) if kind == "tensor" else frozenset()
    yield Change(finding, (Edit(*context.module.source.span(statement), written),), needs, offered=True)


def _item(
    context: Context, statement: ast.Assign | ast.AugAssign, target: ast.Subscript, name: ast.Name, kind: str
) -> str:
    """The statement that does what is meant."""
    source = context.module.source
    value = source.segment(statement.value)
    if isinstance(statement, ast.AugAssign):
        operator = source.text[source.end(target) : source.start(statement.value)].partition("=")[0].strip()
        value = f"{source.segment(target)} {operator} {_operand(statement.value, value)}"
    if kind == "variable":
        return f"{source.segment(target)}.assign({value})"
    path = context.compat_path("compat.item_assigned")
    return f"{name.id} = {path}({name.id}, {_key(context, target.slice)}, {value})"


def _operand(node: ast.expr, text: str) -> str:
    return text if isinstance(node, ast.Constant | ast.Name | ast.Call | ast.Attribute | ast.Subscript) else f"({text})"


def _key(context: Context, key: ast.expr) -> str:
    """What stands in the brackets, as an expression of its own."""
    if isinstance(key, ast.Slice):
        parts = [_text(context, part) for part in (key.lower, key.upper, *([key.step] if key.step else []))]
        return f"slice({', '.join(parts)})" if key.lower or key.upper or key.step else "slice(None)"
    if isinstance(key, ast.Tuple):
        parts = [_key(context, part) for part in key.elts]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    return _text(context, key)


def _text(context: Context, node: ast.expr | None) -> str:
    return "None" if node is None else context.module.source.segment(node)


def _is_tensor(context: Context, node: ast.expr, depth: int) -> bool:
    """Whether an expression is a tensor for certain."""
    node = context.code.flow.value(node)
    if depth > 8:
        return False
    if isinstance(node, ast.BinOp):
        return any(_is_tensor(context, side, depth + 1) for side in (node.left, node.right))
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not) and _is_tensor(context, node.operand, depth + 1)
    if isinstance(node, ast.Name):
        return _is_parameter(context, node)
    return context.code.called(node) in _TENSORS


def _is_parameter(context: Context, name: ast.Name) -> bool:
    """A parameter that the function's `input_signature` says is a tensor."""
    function = context.module.function_of(name)
    traced = None if function is None else context.code.tracing.functions.get(function)
    if traced is None or traced.options is None or context.code.flow.stores(name):
        return False
    signature = argument(traced.options, 1 if traced.options.args else 0, "input_signature")
    signature = None if signature is None else context.code.flow.value(signature)
    if not isinstance(signature, ast.List | ast.Tuple) or name.id not in traced.parameters:
        return False
    position = traced.parameters.index(name.id)
    return position < len(signature.elts) and context.code.called(signature.elts[position]) == "tf.TensorSpec"


RULE = Rule(
    id="TFM425",
    name="item-assignment",
    before="""\
import tensorflow as tf

def mark(count):
    x = tf.zeros([count, 3])
    x[0] = 4.0
    x[1:, ::2] += 1.0
    return x
""",
    after="""\
import tensorflow as tf
import compat

def mark(count):
    x = tf.zeros([count, 3])
    x = compat.item_assigned(x, 0, 4.0)
    x = compat.item_assigned(x, (slice(1, None), slice(None, None, 2)), x[1:, ::2] + 1.0)
    return x
""",
    find=find,
    advice=True,
)
