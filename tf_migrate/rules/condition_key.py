"""A tensor is no key of a dictionary in TensorFlow 2, where it is compared by its values. The conditions that `tf.case`
is given as a dictionary become references to the tensors, `condition.ref()`, which are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit, wrap
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.arguments import argument
from tf_migrate.syntax.dictionaries import written_dictionaries

_SYMBOLS = frozenset({"tf.case", "tensorflow.python.ops.control_flow_ops.case"})
_ID = "TFM128"
_MESSAGE = "a tensor of TensorFlow 2 is no key of a dictionary; a reference to it is"
_ATOMS = ast.Name | ast.Attribute | ast.Subscript | ast.Call


def find(context: Context) -> Iterator[Change]:
    """Looks at the dictionaries that calls of `tf.case` are given."""
    if context.tf2:
        return
    for call in context.module.calls:
        given = argument(call, "pred_fn_pairs", 0) if context.names.of(call.func) in _SYMBOLS else None
        for made in (
            () if given is None or context.module.is_skipped(call) else written_dictionaries(context.module, given)
        ):
            edits = tuple(edit for key in made.keys if key is not None for edit in _referred(context, key))
            if edits:
                yield Change(context.finding(made, _ID, _MESSAGE), edits)


def _referred(context: Context, key: ast.expr) -> Iterator[Edit]:
    """Takes the reference of a key, where it is none yet."""
    called = key.func if isinstance(key, ast.Call) else None
    if isinstance(called, ast.Attribute) and called.attr == "ref":
        return
    start, end = context.module.source.span(key)
    if isinstance(key, _ATOMS):
        yield Edit(end, end, ".ref()")
    else:
        yield from wrap(start, end, "(", ").ref()")


RULE = Rule(
    id=_ID,
    name="condition-key",
    before="""\
import tensorflow as tf


def chosen(x):
    low, high = x < 0.0, x > 1.0
    cases = {low: lambda: 0.0 * x, high: lambda: x / x}
    return tf.case(cases, default=lambda: x, exclusive=True)
""",
    after="""\
import tensorflow as tf
import compat


def chosen(x):
    low, high = x < 0.0, x > 1.0
    cases = {low.ref(): lambda: 0.0 * x, high.ref(): lambda: x / x}
    return compat.case(cases, default=lambda: x, exclusive=True)
""",
    find=find,
)
