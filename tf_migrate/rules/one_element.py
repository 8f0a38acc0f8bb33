"""NumPy 2.4 makes no number of an array of one element, as `int(a)`, `float(a)` and `"%.5f" % a` did before. What a
session gives of a variable of shape `[1]` is such an array: where that shape can be told from the text, `.item()` asks
for the number. So it does for what NumPy reduces along an axis, `int(np.argmax(scores, axis=1))`, and for one choice of
`np.random.choice(n, 1)`, whose results have it in any case.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.imports import dotted
from tf_migrate.names.canonical import Names
from tf_migrate.numpy1.shapes import FollowedShapes, Shape, is_number_of_vector
from tf_migrate.rules import Change, Context, Rule

_NUMBERS = frozenset({"int", "float", "complex"})
_FIELD = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?[hlL]?(.)")
_NUMERIC = frozenset("diouxXeEfFgG")


def find(context: Context) -> Iterator[Change]:
    """Looks at everything that makes a number of a value."""
    if context.tf2 or not context.builds:
        return
    shapes = FollowedShapes.known(context.names)
    for node in (*_made_numbers(context), *_put_in_vectors(context.names)):
        one = shapes.is_reduced(node, 0) or (shapes.is_fetched(node, 0) and _is_one(shapes.of(node, 0)))
        if one and not context.module.is_skipped(node):
            message = "an array of one element is no number for NumPy 2.4"
            end = context.module.source.end(node)
            plain = isinstance(node, ast.Attribute | ast.Call | ast.Name | ast.Subscript)
            edits: tuple[Edit, ...] = (Edit(end, end, ".item()" if plain else ").item()", line=True),)
            if not plain:
                start = context.module.source.start(node)
                edits = (Edit(start, start, "("), *edits)
            yield Change(context.finding(node, "TFM132", message), edits)


def _is_one(shape: Shape | None) -> bool:
    """Whether an array that makes a number has one element, and is not the number itself."""
    return shape is not None and len(shape) > 0 and set(shape) <= {1, None}


def _made_numbers(context: Context) -> Iterator[ast.expr]:
    """The expressions of which Python makes a number."""
    module = context.module
    for call in module.calls:
        word = call.func.id if isinstance(call.func, ast.Name) else ""
        plain = word in _NUMBERS and not context.names.is_bound(word)
        if len(call.args) == 1 and (plain or dotted(module, context.names, call.func).startswith("math.")):
            yield call.args[0]
    for node in module.nodes if "%" in module.source.text else ():
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant):
            text = node.left.value if isinstance(node.left.value, str) else ""
            fields = [field for field in _FIELD.findall(text) if field != "%"]
            values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            if len(fields) == len(values):
                yield from (value for field, value in zip(fields, values, strict=True) if field in _NUMERIC)


def _put_in_vectors(names: Names) -> Iterator[ast.expr]:
    """What becomes one number of an array that NumPy made with one axis: `total = np.zeros(n)`, `total[i] = a`."""
    for node in names.module.nodes:
        if isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if len(targets) == 1 and is_number_of_vector(names, targets[0]):
                yield node.value


RULE = Rule(
    id="TFM132",
    name="one-element",
    before="""\
import tensorflow as tf

rate = tf.get_variable("rate", [1])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    value = sess.run(rate)
    print("%.5f" % value, float(sess.run(rate)))
""",
    after="""\
import tensorflow as tf
import compat

compat.open_graph()
rate = compat.get_variable("rate", [1])
with compat.Session() as sess:
    sess.run(compat.global_variables_initializer())
    value = sess.run(rate)
    print("%.5f" % value.item(), float(sess.run(rate).item()))
""",
    find=find,
)
