"""NumPy 1 said False, with a warning, where an array was compared with an empty list (`if table == []`, for a parameter
that has one as its default); NumPy 2 raises ValueError. Where only the truth of it counts, the comparison is asked of
lists alone, which says the same of arrays as NumPy 1 did.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import wrap
from tf_migrate.eager.imports import dotted
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.module import Module
from tf_migrate.syntax.parameters import defaults


def find(context: Context) -> Iterator[Change]:
    """Looks at every comparison of a name that may hold an array with `[]`."""
    module = context.module
    if "[]" not in module.source.text:
        return
    for node in module.nodes:
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and not module.is_skipped(node):
            array = _compared(node)
            if array is not None and _may_be_array(context, array) and not _is_asked_of_lists(module, node, array):
                yield _changed(context, node, array)


def _compared(node: ast.Compare) -> ast.expr | None:
    """What is compared with an empty list."""
    sides = (node.left, node.comparators[0])
    if not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return None
    for one, other in (sides, sides[::-1]):
        if isinstance(other, ast.List) and not other.elts and isinstance(one, ast.Attribute | ast.Name):
            return one
    return None


def _may_be_array(context: Context, node: ast.expr) -> bool:
    """Whether a name is a parameter whose default is a list or None, or is bound to what NumPy gives."""
    module = context.module
    if isinstance(node, ast.Name):
        scope = module.binding_scope(node)
        if scope is None:
            return False
        if isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            default = dict(defaults(scope.node.args)).get(node.id)
            if isinstance(default, ast.List) or (isinstance(default, ast.Constant) and default.value is None):
                return True
        values = [value for value in scope.bindings[node.id] if isinstance(value, ast.expr)]
    else:
        text = ast.unparse(node)
        values = [
            assigned.value
            for assigned in module.assignments
            if isinstance(assigned, ast.Assign) and any(ast.unparse(target) == text for target in assigned.targets)
        ]
    calls = (value for value in values if isinstance(value, ast.Call))
    return any(dotted(module, context.names, call.func).startswith("numpy.") for call in calls)


def _is_asked_of_lists(module: Module, node: ast.Compare, array: ast.expr) -> bool:
    """Whether `isinstance(array, list) and` stands before the comparison."""
    around = module.parents[node]
    if not isinstance(around, ast.BoolOp) or not isinstance(around.op, ast.And):
        return False
    asked = f"isinstance({ast.unparse(array)}, list)"
    return any(ast.unparse(value) == asked for value in around.values[: around.values.index(node)])


def _changed(context: Context, node: ast.Compare, array: ast.expr) -> Change:
    message = "NumPy 2 raises where an array is compared with an empty list"
    if isinstance(node.ops[0], ast.NotEq) or not _only_truth(context.module, node):
        step = "ask for what is meant: `len(a) == 0`, `a is None`"
        return context.manual(node, "TFM131", message, step)
    source = context.module.source
    plain = isinstance(context.module.parents[node], ast.If | ast.While)
    before, after = ("", "") if plain else ("(", ")")
    edits = wrap(*source.span(node), f"{before}isinstance({source.segment(array)}, list) and ", after)
    return Change(context.finding(node, "TFM131", message), edits if after else edits[:1])


def _only_truth(module: Module, node: ast.expr) -> bool:
    """Whether nothing but the truth of an expression counts."""
    around = module.parents[node]
    if isinstance(around, ast.If | ast.While | ast.IfExp | ast.Assert):
        return around.test is node
    if isinstance(around, ast.UnaryOp):
        return isinstance(around.op, ast.Not)
    return isinstance(around, ast.BoolOp) and _only_truth(module, around)


RULE = Rule(
    id="TFM131",
    name="empty-comparison",
    before="""\
import numpy as np
import tensorflow as tf

def embedding(table=[]):
    if table == []:
        table = np.ones([3, 2], np.float32)
    return tf.constant(table)
""",
    after="""\
import numpy as np
import tensorflow as tf

def embedding(table=[]):
    if isinstance(table, list) and table == []:
        table = np.ones([3, 2], np.float32)
    return tf.constant(table)
""",
    find=find,
)
