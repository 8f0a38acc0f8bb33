"""A gradient tape watches trainable variables and nothing else: the gradient of a constant, a random tensor or an input
is None unless `tape.watch` was called on it inside the tape.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.flow import place
from tf_migrate.eager.tapes import Tape
from tf_migrate.rules import Change, Context, Rule

_TENSORS = [
    "constant",
    "convert_to_tensor",
    "zeros",
    "ones",
    "fill",
    "range",
    "linspace",
    "eye",
    "zeros_like",
    "ones_like",
    "expand_dims",
    "stack",
    "concat",
    "cast",
    "reshape",
    "transpose",
    "identity",
    "one_hot",
]


def find(context: Context) -> Iterator[Change]:
    """Looks at what each tape is asked to differentiate by."""
    tapes = context.code.tapes
    for tape in tapes.all:
        if tape.escapes or _watches_unknown(tape):
            continue
        watched = {part.id for given in tape.watched for part in ast.walk(given) if isinstance(part, ast.Name)}
        for call in tape.gradients:
            sources = tapes.sources(call)
            names = sources.elts if isinstance(sources, ast.List | ast.Tuple) else [sources]
            for source in names:
                if isinstance(source, ast.Name) and source.id not in watched and _is_tensor(context, source, tape):
                    yield from _told(context, source, tape)


def _watches_unknown(tape: Tape) -> bool:
    return any(not isinstance(given, ast.Name | ast.List | ast.Tuple) for given in tape.watched)


def _told(context: Context, source: ast.Name, tape: Tape) -> Iterator[Change]:
    message = f"`{source.id}` is a tensor that the tape does not watch: its gradient is None"
    step = f"call `{tape.name}.watch({source.id})` first thing inside the tape"
    edits: tuple[Edit, ...] = ()
    first = tape.block.body[0]
    store = context.code.flow.stores(source)[-1]
    if place(store) < place(tape.block) and first.lineno > tape.block.lineno:
        start = context.module.source.start(first)
        indent = " " * first.col_offset
        edits = (Edit(start, start, f"{tape.name}.watch({source.id})\n{indent}"),)
    yield from context.advise(source, "TFM411", message, step, edits)


def _is_tensor(context: Context, source: ast.Name, tape: Tape) -> bool:
    """Made by an operation before the tape opened, so that nothing on the tape leads to a variable."""
    flow = context.code.flow
    found = flow.reaching(source)
    if found is None or found.kind != "value" or found.value is None or not flow.stores(source):
        return False
    if place(flow.stores(source)[-1]) > place(tape.block) or _nests(context, tape):
        return False
    name = context.code.called(found.value)
    tail = name.removeprefix("tf.").removeprefix("compat.v1.")
    drawn = name.startswith("tf.random.") and "Generator" not in name
    return drawn or (name.startswith("tf.") and tail in _TENSORS)


def _nests(context: Context, tape: Tape) -> bool:
    """Whether another tape is open around, which may watch for itself."""
    return any(
        other is not tape and context.code.flow.inside(tape.block, other.block) for other in context.code.tapes.all
    )


RULE = Rule(
    id="TFM411",
    name="unwatched-tensor",
    before="""\
import tensorflow as tf

x = tf.constant(3.0)
with tf.GradientTape() as tape:
    y = x * x
slope = tape.gradient(y, x)
""",
    after="""\
import tensorflow as tf

x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
slope = tape.gradient(y, x)
""",
    find=find,
    advice=True,
)
