"""A `tf.function` is traced anew for every value of a Python number that it is given: a counter from `range`,
`enumerate` or `step += 1` makes a new graph at each call, and the loop gets slower than without `tf.function`.
A tensor is traced once. `input_signature` or `tf.range` do as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import wrap
from tf_migrate.eager.traced import Traced
from tf_migrate.rules import Change, Context, Rule

_UNNOTICED = 4  # TensorFlow itself warns of retracing from the fifth trace on
_PYTHON = ("range", "int", "str")


def find(context: Context) -> Iterator[Change]:
    """Looks at calls of traced functions in loops."""
    code = context.code
    if not code.tracing.functions:
        return
    for call in context.module.calls:
        traced = code.tracing.callee(call) if code.flow.loops_around(call) else None
        if traced is None or traced.relaxed or code.tracing.is_traced(call):
            continue
        for index, given in enumerate(call.args):
            if isinstance(given, ast.Name) and _counts(context, given) and not _is_python(traced, index):
                yield from _told(context, given)


def _told(context: Context, given: ast.Name) -> Iterator[Change]:
    message = f"`{given.id}` is another Python number at each call: the traced function is traced again every time"
    tf = context.tf or context.new_tf
    edits = wrap(*context.module.source.span(given), f"{tf}.constant(", ")")
    yield from context.advise(
        given, "TFM401", message, f"pass `{tf}.constant({given.id})`", edits if context.tf else ()
    )


def _counts(context: Context, name: ast.Name) -> bool:
    """Whether a name holds a new Python number in each round of a loop around."""
    flow = context.code.flow
    stores = flow.stores(name)
    for loop in flow.loops_around(name):
        if isinstance(loop, ast.For) and any(flow.inside(store, loop.target) for store in stores):
            return len(stores) == 1 and _is_counter(context, loop, name.id)
        steps = [store for store in stores if flow.inside(store, loop)]
        if steps:
            return all(_is_step(context, store) for store in steps) and _starts_as_number(context, stores, loop)
    return False


def _is_counter(context: Context, loop: ast.For, name: str) -> bool:
    iterated = loop.iter
    if not isinstance(iterated, ast.Call) or not isinstance(iterated.func, ast.Name):
        return False
    if iterated.func.id == "range":
        short = len(iterated.args) == 1 and isinstance(iterated.args[0], ast.Constant)
        return isinstance(loop.target, ast.Name) and not (short and _rounds(iterated) <= _UNNOTICED)
    first = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) else None
    return iterated.func.id == "enumerate" and isinstance(first, ast.Name) and first.id == name


def _rounds(iterated: ast.Call) -> int:
    value = iterated.args[0]
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, int) else _UNNOTICED + 1


def _is_step(context: Context, store: ast.Name) -> bool:
    parent = context.module.parents[store]
    return isinstance(parent, ast.AugAssign) and _is_number(parent.value)


def _starts_as_number(context: Context, stores: list[ast.Name], loop: ast.AST) -> bool:
    outside = [store for store in stores if not context.code.flow.inside(store, loop)]
    starts = [context.module.parents[store] for store in outside]
    return bool(starts) and all(isinstance(start, ast.Assign) and _is_number(start.value) for start in starts)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _is_python(traced: Traced, index: int) -> bool:
    """Whether the function wants a Python number there: in `range`, in indices, in comparisons that build the graph."""
    if index >= len(traced.parameters):
        return True
    name = traced.parameters[index]
    for node in ast.walk(traced.node):
        if isinstance(node, ast.Subscript) and any(_reads(part, name) for part in ast.walk(node.slice)):
            return True
        python = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _PYTHON
        if python and any(_reads(argument, name) for argument in node.args):  # type: ignore[attr-defined]
            return True
    return False


def _reads(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


RULE = Rule(
    id="TFM401",
    name="number-argument",
    before="""\
import tensorflow as tf

@tf.function
def train_step(x, step):
    return x * tf.cast(step, tf.float32)

def train(batches):
    for step, batch in enumerate(batches):
        train_step(batch, step)
""",
    after="""\
import tensorflow as tf

@tf.function
def train_step(x, step):
    return x * tf.cast(step, tf.float32)

def train(batches):
    for step, batch in enumerate(batches):
        train_step(batch, tf.constant(step))
""",
    find=find,
    advice=True,
)
