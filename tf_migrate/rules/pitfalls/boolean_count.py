"""`Dataset.repeat(True)` does not repeat for ever: True is the number 1, and False is 0. `repeat(True)` goes through
the data once and `repeat(False)` gives nothing at all, without a word; `shuffle(True)` has a buffer of one element
and so does not shuffle. Numbers are what these methods take.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.tapes import argument
from tf_migrate.rules import Change, Context, Rule

# Method -> name of the count, what True is there, what to write.
_COUNTS = {
    "repeat": (
        "count",
        "goes through the data {n} time(s)",
        "write `repeat()` to repeat for ever, or the number of times",
    ),
    "shuffle": ("buffer_size", "is a buffer of {n} element(s): nothing is shuffled", "write the size of the buffer"),
    "batch": ("batch_size", "makes batches of {n}", "write the size of a batch"),
    "take": ("count", "takes {n} element(s)", "write how many elements to take"),
    "skip": ("count", "skips {n} element(s)", "write how many elements to skip"),
    "prefetch": ("buffer_size", "prefetches {n} element(s)", "write `prefetch(tf.data.AUTOTUNE)`"),
}


def find(context: Context) -> Iterator[Change]:
    """Looks at the methods of datasets that take a number."""
    for node, call in context.code.methods(*_COUNTS):
        name, effect, step = _COUNTS[node.attr]
        given = argument(call, 0, name)
        if isinstance(given, ast.Constant) and isinstance(given.value, bool) and context.code.is_dataset(node.value):
            message = f"`{node.attr}({given.value})` " + effect.format(n=int(given.value))
            yield from context.advise(given, "TFM421", message, step, _edits(context, node, call, given))


def _edits(context: Context, node: ast.Attribute, call: ast.Call, given: ast.Constant) -> tuple[Edit, ...]:
    """Only one of them has one meaning: to repeat, yes."""
    if node.attr != "repeat" or given.value is not True or len(call.args) + len(call.keywords) != 1:
        return ()
    source = context.module.source
    opening = source.text.index("(", source.end(node)) + 1
    return (Edit(opening, source.end(call) - 1, ""),)


RULE = Rule(
    id="TFM421",
    name="boolean-count",
    before="""\
import tensorflow as tf

data = tf.data.Dataset.range(3).shuffle(3).repeat(True)
""",
    after="""\
import tensorflow as tf

data = tf.data.Dataset.range(3).shuffle(3).repeat()
""",
    find=find,
    advice=True,
)
