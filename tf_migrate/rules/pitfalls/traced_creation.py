"""A variable or an optimizer made inside a `tf.function` would be a new one at each trace; TensorFlow raises
"tf.function only supports singleton tf.Variables". Make it outside, or once, behind `if self.v is None`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.rules import Change, Context, Rule

_BASES = ("tf.keras.optimizers.Optimizer", "tf.optimizers.Optimizer")


def find(context: Context) -> Iterator[Change]:
    """Looks at constructor calls directly in traced functions."""
    code = context.code
    if not code.tracing.functions:
        return
    for call in context.module.calls:
        name = code.name(call.func)
        if not _creates(name) or not code.tracing.is_traced(call) or _is_once(context, call):
            continue
        what = "a variable" if name == "tf.Variable" else "an optimizer"
        message = f"`{name}` makes {what} at each trace of the function; calling the function raises"
        yield from context.advise(call, "TFM404", message, "make it outside the function and use it inside")


def _creates(name: str) -> bool:
    if name == "tf.Variable":
        return True
    made = name.startswith(("tf.keras.optimizers.", "tf.optimizers.")) and "schedules" not in name
    return made and name not in _BASES and name.rpartition(".")[2][:1].isupper()


def _is_once(context: Context, call: ast.Call) -> bool:
    """Under a condition or with a lazy initial value: made once, by its author's care."""
    current: ast.AST = call
    function = context.module.function_of(call)
    while current is not function:
        current = context.module.parents[current]
        if isinstance(current, ast.If | ast.IfExp | ast.Try | ast.BoolOp):
            return True
    return False


RULE = Rule(
    id="TFM404",
    name="traced-creation",
    before="""\
import tensorflow as tf

@tf.function
def count(x):
    total = tf.Variable(0.0)
    total.assign_add(tf.reduce_sum(x))
    return total
""",
    after="""\
import tensorflow as tf

total = tf.Variable(0.0)

@tf.function
def count(x):
    total.assign_add(tf.reduce_sum(x))
    return total
""",
    find=find,
    advice=True,
)
