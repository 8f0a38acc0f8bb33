"""`tensor._shape` was the tensor's `TensorShape` in TensorFlow 1, as what `tensor.shape` gives. In TensorFlow 2.21 it
is a pair, so that its length, say, is always two. A `_shape` that the program itself binds stays.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.names.eras import holds_tf1
from tf_migrate.rules import Change, Context, Rule

_PRIVATE = ("_shape", "_shape_val")
_OWN = ("self", "cls")


def find(context: Context) -> Iterator[Change]:
    """Looks at reads of the private shapes of what is no object of the module's own classes."""
    if context.tf2 or not holds_tf1(context.names):
        return
    module = context.module
    for name in _PRIVATE:
        nodes = module.attributes.get(name, ())
        bound = any(name in scope.bindings for scope in module.every_scope)
        if bound or any(not isinstance(node.ctx, ast.Load) for node in nodes):
            continue
        for node in nodes:
            if not (isinstance(node.value, ast.Name) and node.value.id in _OWN) and not module.is_skipped(node):
                start, end = module.source.end(node.value), module.source.end(node)
                dot = module.source.text.rindex(".", start, end)
                finding = context.finding(node, "TFM134", f"`{name}` of a tensor is no shape in TensorFlow 2")
                yield Change(finding, (Edit(dot, end, ".shape"),))


RULE = Rule(
    id="TFM134",
    name="private-shape",
    before="""\
import tensorflow as tf

def is_scalar(x=tf.placeholder(tf.float32)):
    return len(x._shape) == 0
""",
    after="""\
import tensorflow as tf
import compat

compat.open_graph()
def is_scalar(x=compat.placeholder(tf.float32)):
    return len(x.shape) == 0
""",
    find=find,
)
