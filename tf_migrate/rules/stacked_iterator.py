"""NumPy's functions that put arrays together took generators, `map`, `zip` and the values of dictionaries until 1.23,
and `np.sum` of a generator was Python's `sum`. NumPy 2 wants a list: it gets one, or the `sum` that it was.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit, wrap
from tf_migrate.eager.imports import dotted
from tf_migrate.numpy1.values import Values
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.own_nodes import returned

_STACKS = frozenset(f"numpy.{name}" for name in ("vstack", "hstack", "stack", "dstack", "column_stack"))
_SUM = "numpy.sum"
_LAZY = frozenset({"map", "zip", "filter", "enumerate", "reversed"})
_VIEWS = frozenset({"values", "keys", "items"})
_DEEPEST = 4


def find(context: Context) -> Iterator[Change]:
    """Looks at every call that puts arrays together."""
    module = context.module
    for call in module.calls:
        symbol = dotted(module, context.names, call.func) if call.args and not module.is_skipped(call) else ""
        if symbol in _STACKS and _is_lazy(Values(context.names), call.args[0], 0):
            yield _listed(context, call, call.args[0])
        elif symbol == _SUM and isinstance(call.args[0], ast.GeneratorExp) and len(call.args) + len(call.keywords) == 1:
            yield _summed(context, call)


def _is_lazy(values: Values, node: ast.expr, depth: int) -> bool:
    """Whether an expression gives its elements one by one, and is no list of them."""
    if isinstance(node, ast.GeneratorExp):
        return True
    if isinstance(node, ast.Name) and depth < _DEEPEST:
        sources = [source for _, source in values.sources(node)]
        made = [source.node for source in sources if source is not None and source.how == "value"]
        known = len(made) == len(sources) > 0
        return known and all(isinstance(each, ast.expr) and _is_lazy(values, each, depth + 1) for each in made)
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name) and node.func.id in _LAZY and not values.names.is_bound(node.func.id):
        return True
    if isinstance(node.func, ast.Attribute) and node.func.attr in _VIEWS and not node.args:
        return not dotted(values.module, values.names, node.func)
    return any(returned(function) is None for _, function in values.functions(node) or ())


def _listed(context: Context, call: ast.Call, rows: ast.expr) -> Change:
    source = context.module.source
    start, end = source.span(rows)
    if not isinstance(rows, ast.GeneratorExp):
        edits = wrap(start, end, "list(", ")")
    elif end == source.end(call):  # the brackets of the call are its own
        edits = Edit(start, start + 1, "(["), Edit(end - 1, end, "])")
    else:
        edits = Edit(start, start + 1, "["), Edit(end - 1, end, "]")
    message = "NumPy 2 puts the arrays of a list together, and none that come one by one"
    return Change(context.finding(rows, "TFM151", message), tuple(edits))


def _summed(context: Context, call: ast.Call) -> Change:
    if context.names.is_bound("sum"):
        step = "use Python's own `sum`, which the module has another meaning for"
        return context.manual(call, "TFM151", "NumPy 2 sums no generators", step, "numpy.sum")
    message = "`np.sum` of a generator was Python's `sum`"
    edit = Edit(*context.module.source.span(call.func), "sum")
    return Change(context.finding(call, "TFM151", message, symbol="numpy.sum"), (edit,))


RULE = Rule(
    id="TFM151",
    name="stacked-iterator",
    before="""\
import numpy as np
import tensorflow as tf

rows = np.vstack(map(np.ones, [2, 2]))
total = np.sum(row.sum() for row in rows)
y = tf.constant(np.hstack(row * 2 for row in rows) + total)
""",
    after="""\
import numpy as np
import tensorflow as tf

rows = np.vstack(list(map(np.ones, [2, 2])))
total = sum(row.sum() for row in rows)
y = tf.constant(np.hstack([row * 2 for row in rows]) + total)
""",
    find=find,
)
