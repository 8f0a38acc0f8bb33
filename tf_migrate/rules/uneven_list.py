"""NumPy 1.24 makes no array of a list in which numbers stand beside arrays of one element, as the targets of a network
do where an episode ends: `reward` here, `reward + gamma * q[i]` there, and `q` a matrix of one column. NumPy 1 made
objects of them, which a run took for numbers; `compat.numbers` makes these at once, and any other array as NumPy does.

Of rows that differ in shape it makes none either: pairs of a sentence and its label, which are shuffled and cut into
batches as an array of objects, or memories of an agent. `compat.rows` makes that array as NumPy 1 made it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.imports import dotted
from tf_migrate.numpy1.uneven import uneven_arguments
from tf_migrate.numpy1.values import Values
from tf_migrate.rules import Change, Context, Rule

_MAKERS = frozenset(f"numpy.{name}" for name in ("array", "asarray", "expand_dims", "reshape", "resize"))


def find(context: Context) -> Iterator[Change]:
    """Looks at everything that makes an array of a list."""
    for values in uneven_arguments(Values(context.names)):
        if not context.module.is_skipped(values):
            yield _as_rows(context, values) if context.of_tf1 else _told(context, values)
    if context.of_tf1:
        yield from _of_numbers(context)


def _of_numbers(context: Context) -> Iterator[Change]:
    rows = _gone_through(context)
    for call in context.module.calls:
        if call.args and dotted(context.module, context.names, call.func) in _MAKERS:
            elements = _elements(context, call.args[0])
            uneven = any(_adds_a_row(one, other, rows) for one in elements for other in elements)
            if uneven and not context.module.is_skipped(call):
                message = "numbers beside arrays of one element make no array since NumPy 1.24"
                yield _through(context, call.args[0], "compat.numbers", message)


def _as_rows(context: Context, values: ast.expr) -> Change:
    message = "rows that differ in shape make no array since NumPy 1.24: `compat.rows` makes one of objects"
    return _through(context, values, "compat.rows", message)


def _told(context: Context, values: ast.expr) -> Change:
    message = "an array of rows whose parts differ in shape (images and labels) raises since NumPy 1.24"
    step = "give `dtype=object` if they differ; leave it if they are numbers"
    return context.manual(values, "TFM150", message, step)


def _through(context: Context, values: ast.expr, shim: str, message: str) -> Change:
    """The values as a shim makes an array of them."""
    start, end = context.module.source.span(values)
    edits = (Edit(start, start, f"{context.compat_path(shim)}("), Edit(end, end, ")", line=True))
    return Change(context.finding(values, "TFM150", message), edits, frozenset({"compat"}))


def _elements(context: Context, values: ast.expr) -> list[ast.expr]:
    """The different things that a list holds: by a comprehension, or by what is appended to it."""
    if isinstance(values, ast.ListComp):
        return _arms(values.elt)
    scope = context.module.binding_scope(values) if isinstance(values, ast.Name) else None
    if not isinstance(values, ast.Name) or scope is None:
        return []
    found = [arm for bound in scope.bindings[values.id] if isinstance(bound, ast.ListComp) for arm in _arms(bound.elt)]
    for append in context.module.attributes.get("append", ()):
        call, held = context.module.parents[append], append.value
        alike = isinstance(held, ast.Name) and held.id == values.id and context.module.binding_scope(held) is scope
        if alike and isinstance(call, ast.Call) and call.func is append and len(call.args) == 1:
            found += _arms(call.args[0])
    return found


def _arms(value: ast.expr) -> list[ast.expr]:
    return [*_arms(value.body), *_arms(value.orelse)] if isinstance(value, ast.IfExp) else [value]


def _gone_through(context: Context) -> frozenset[str]:
    """The names of the targets of loops."""
    loops = (node for node in context.module.nodes if isinstance(node, ast.For | ast.comprehension))
    return frozenset(name.id for loop in loops for name in ast.walk(loop.target) if isinstance(name, ast.Name))


def _adds_a_row(plain: ast.expr, added: ast.expr, rows: frozenset[str]) -> bool:
    """Whether `added` is the sum of `plain` and something that is made of one row: `r[i]` and `r[i] + g * q[i]`."""
    if not isinstance(added, ast.BinOp) or not isinstance(added.op, ast.Add | ast.Sub):
        return False
    terms = (added.left, added.right)
    same = [ast.dump(term) == ast.dump(plain) for term in terms]
    return any(same) and any(_is_of_row(term, rows) for term, alike in zip(terms, same, strict=True) if not alike)


def _is_of_row(term: ast.expr, rows: frozenset[str]) -> bool:
    if isinstance(term, ast.BinOp):
        return _is_of_row(term.left, rows) or _is_of_row(term.right, rows)
    if isinstance(term, ast.Name):
        return term.id in rows
    return isinstance(term, ast.Subscript) and isinstance(term.slice, ast.Name)


RULE = Rule(
    id="TFM150",
    name="uneven-list",
    before="""\
import numpy as np
import tensorflow as tf

q = tf.placeholder(tf.float32, [None, 1])
target = []
for i in range(2):
    if ends[i]:
        target.append(reward[i])
    else:
        target.append(reward[i] + 0.9 * later[i])
with tf.Session() as sess:
    print(sess.run(q * 2.0, {q: np.reshape(target, [2, 1])}))
""",
    after="""\
import numpy as np
import tensorflow as tf
import compat

compat.open_graph()
q = compat.placeholder(tf.float32, [None, 1])
target = []
for i in range(2):
    if ends[i]:
        target.append(reward[i])
    else:
        target.append(reward[i] + 0.9 * later[i])
with compat.Session() as sess:
    print(sess.run(q * 2.0, {q: np.reshape(compat.numbers(target), [2, 1])}))
""",
    find=find,
    of_either=True,
)
