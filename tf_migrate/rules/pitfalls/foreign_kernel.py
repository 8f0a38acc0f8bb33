"""TensorFlow keeps a convolution's kernel as [height, width, in, out] and a dense one as [in, out]; PyTorch and Caffe
keep [out, in, height, width] and [out, in]. Taken over as they are they fit only by accident, and then compute
something else. Transpose: `(2, 3, 1, 0)` for convolutions, `(1, 0)` for dense layers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.rules import Change, Context, Rule

_LIBRARIES = ("torch", "caffe", "chainer")
_TURNS = ("T", "transpose", "permute", "moveaxis", "swapaxes", "einsum", "rollaxis", "mT")


def find(context: Context) -> Iterator[Change]:
    """Looks at weights that are set, in modules that import one of these libraries."""
    libraries = {
        alias.name.partition(".")[0]
        for node, _ in context.module.imports
        for alias in ([ast.alias(node.module or "")] if isinstance(node, ast.ImportFrom) else node.names)
    }
    if not libraries & set(_LIBRARIES):
        return
    for _, call in context.code.methods("set_weights", "assign"):
        given = call.args[0] if call.args else None
        parts = given.elts if isinstance(given, ast.List | ast.Tuple) else [given]
        kernel = parts[0] if parts else None
        if kernel is not None and _is_kernel(context, kernel) and not _is_turned(context, kernel, 0):
            message = "a kernel of another framework is taken over as it is: its axes are in another order"
            step = "transpose it: `(2, 3, 1, 0)` for a convolution, `(1, 0)` for a dense layer"
            yield from context.advise(kernel, "TFM445", message, step)


def _is_kernel(context: Context, node: ast.expr) -> bool:
    """``state["fc.weight"].numpy()``, ``layer.weight.detach().numpy()`` or ``net.params["conv"][0].data``."""
    node = context.code.flow.value(node)
    while isinstance(node, ast.Call | ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute) and node.attr == "weight":
            return True
        if isinstance(node, ast.Subscript):
            key = node.slice
            weight = isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.endswith(".weight")
            return weight or (isinstance(key, ast.Constant) and key.value == 0 and _is_parameters(node.value))
        node = node.func if isinstance(node, ast.Call) else context.code.flow.value(node.value)
    return False


def _is_parameters(node: ast.expr) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "params"


def _is_turned(context: Context, node: ast.expr, depth: int) -> bool:
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and part.attr in _TURNS:
            return True
        if isinstance(part, ast.Name) and depth < 8:
            value = context.code.flow.value(part)
            if value is not part and _is_turned(context, value, depth + 1):
                return True
    return False


RULE = Rule(
    id="TFM445",
    name="foreign-kernel",
    before="""\
import tensorflow as tf
import torch

def take_over(dense: tf.keras.layers.Dense, path):
    state = torch.load(path)
    dense.set_weights([state["fc.weight"].numpy(), state["fc.bias"].numpy()])
""",
    after="""\
import tensorflow as tf
import torch

def take_over(dense: tf.keras.layers.Dense, path):
    state = torch.load(path)
    dense.set_weights([state["fc.weight"].numpy().T, state["fc.bias"].numpy()])
""",
    find=find,
    advice=True,
)
