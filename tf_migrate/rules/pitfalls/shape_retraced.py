"""A `tf.function` is traced anew for every shape that it meets: batches padded to their own length, or ever longer
slices, make a graph each. `reduce_retracing=True` or an `input_signature` with None dimensions stops that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.traced import Traced
from tf_migrate.rules import Change, Context, Rule


def find(context: Context) -> Iterator[Change]:
    """Looks at calls of traced functions in loops."""
    code = context.code
    told: set[ast.AST] = set()
    if not code.tracing.functions:
        return
    for call in context.module.calls:
        traced = code.tracing.callee(call) if code.flow.loops_around(call) else None
        if traced is None or traced.relaxed or code.tracing.is_traced(call) or traced.node in told:
            continue
        if any(_changes_shape(context, given) for given in call.args):
            told.add(traced.node)
            message = "the shape of what is passed changes from call to call, and each shape is traced again"
            step = "say `@tf.function(reduce_retracing=True)`, or give an `input_signature` with None there"
            yield from context.advise(call, "TFM403", message, step, _relaxed(context, traced))


def _relaxed(context: Context, traced: Traced) -> tuple[Edit, ...]:
    if traced.options is not None or isinstance(traced.node, ast.Lambda):
        return ()
    names = [node for node in traced.node.decorator_list if context.code.name(node) == "tf.function"]
    end = context.module.source.end(names[0]) if names else 0
    return (Edit(end, end, "(reduce_retracing=True)"),) if names else ()


def _changes_shape(context: Context, given: ast.expr) -> bool:
    flow = context.code.flow
    if isinstance(given, ast.Subscript) and isinstance(given.slice, ast.Slice):
        ends = [end for end in (given.slice.lower, given.slice.upper) if end is not None]
        return len(ends) == 1 and isinstance(ends[0], ast.Name) and _is_loop_counter(context, ends[0])
    if not isinstance(given, ast.Name):
        return False
    stores = flow.stores(given)
    return len(stores) == 1 and any(
        isinstance(loop, ast.For) and flow.inside(stores[0], loop.target) and _is_ragged(context, loop.iter)
        for loop in flow.loops_around(given)
    )


def _is_loop_counter(context: Context, name: ast.Name) -> bool:
    flow = context.code.flow
    return any(
        isinstance(loop, ast.For)
        and isinstance(loop.target, ast.Name)
        and loop.target.id == name.id
        and isinstance(loop.iter, ast.Call)
        and isinstance(loop.iter.func, ast.Name)
        and loop.iter.func.id == "range"
        for loop in flow.loops_around(name)
    )


def _is_ragged(context: Context, iterated: ast.expr) -> bool:
    """Whether a dataset's batches are padded to the longest of each."""
    node = context.code.flow.value(iterated)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "enumerate" and node.args:
        node = context.code.flow.value(node.args[0])
    if not context.code.is_dataset(node):
        return False
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr == "padded_batch":
            shapes = [word.value for word in node.keywords if word.arg == "padded_shapes"] or node.args[1:2]
            return not shapes or any(isinstance(p, ast.Constant) and p.value is None for p in ast.walk(shapes[0]))
        if node.func.attr in ("map", "rebatch", "unbatch", "bucket_by_sequence_length"):
            return False
        node = context.code.flow.value(node.func.value)
    return False


RULE = Rule(
    id="TFM403",
    name="shape-retraced",
    before="""\
import tensorflow as tf

@tf.function
def step(words):
    return tf.reduce_sum(words)

def train(sentences):
    data = tf.data.Dataset.from_generator(sentences, tf.int32, [None]).padded_batch(8, [None])
    for words in data:
        step(words)
""",
    after="""\
import tensorflow as tf

@tf.function(reduce_retracing=True)
def step(words):
    return tf.reduce_sum(words)

def train(sentences):
    data = tf.data.Dataset.from_generator(sentences, tf.int32, [None]).padded_batch(8, [None])
    for words in data:
        step(words)
""",
    find=find,
    advice=True,
)
