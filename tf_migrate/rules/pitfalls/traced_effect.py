"""The Python code of a `tf.function` runs when it is traced, not when it is called: a `print` shows a symbolic tensor
once, a clock stands still, a random number of NumPy is the same for ever, and a tensor appended to a list outside is
of a graph that is gone. `tf.print`, `tf.timestamp`, `tf.random` and returned values do what was meant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.traced import Traced
from tf_migrate.rules import Change, Context, Rule

_CLOCKS = ("time.time", "time.perf_counter", "time.monotonic", "datetime.datetime.now")
_RANDOM = ("numpy.random.", "random.")
# These make a generator or set a seed; what is drawn from them is another matter.
_NO_DRAW = ("seed", "RandomState", "default_rng", "Random", "get_state", "set_state", "getstate", "setstate")
_STATIC = ("shape", "dtype", "name", "ndim", "graph", "device", "op")


def find(context: Context) -> Iterator[Change]:
    """Looks at calls directly in traced functions."""
    if not context.code.tracing.functions:
        return
    for call in context.module.calls:
        function = context.module.function_of(call)
        traced = context.code.tracing.functions.get(function) if function is not None else None
        if traced is not None and context.code.tracing.is_traced(call):
            yield from _effect(context, call, traced)


def _effect(context: Context, call: ast.Call, traced: Traced) -> Iterator[Change]:
    name = context.code.name(call.func)
    if isinstance(call.func, ast.Name) and call.func.id == "print" and not name:
        yield from _print(context, call, traced)
    elif name in _CLOCKS:
        message = f"`{name}` is asked when the function is traced, and never again"
        yield from context.advise(call, "TFM402", message, "call `tf.timestamp()`, or measure outside the function")
    elif name.startswith(_RANDOM) and name.rpartition(".")[2] not in _NO_DRAW and not _is_constant(context, call):
        message = f"`{name}` draws when the function is traced: every call gets the same number"
        yield from context.advise(call, "TFM402", message, "draw with `tf.random`, or pass the number in as a tensor")
    elif isinstance(call.func, ast.Attribute) and call.func.attr == "append":
        yield from _append(context, call, call.func.value, traced)


def _is_constant(context: Context, call: ast.Call) -> bool:
    """``tf.constant(np.random.rand(3))`` says that it is meant to stay the same."""
    holder = context.module.parents[call]
    return isinstance(holder, ast.Call) and context.code.name(holder.func) == "tf.constant"


def _print(context: Context, call: ast.Call, traced: Traced) -> Iterator[Change]:
    if _says_that_it_traces(call) or not any(_is_tensor(context, argument, traced) for argument in call.args):
        return
    message = "`print` shows the symbolic tensor when the function is traced, and nothing when it is called"
    tf = context.tf
    source = context.module.source
    plain = not any(word.arg in ("file", "flush", None) for word in call.keywords)
    edits = (Edit(*source.span(call.func), f"{tf}.print"),) if tf and plain and not _formats(call) else ()
    yield from context.advise(call, "TFM402", message, f"use `{tf or 'tensorflow'}.print`", edits)


def _says_that_it_traces(call: ast.Call) -> bool:
    """``print("Tracing with", x)`` is there to show when the function is traced."""
    texts = (node.value for node in ast.walk(call) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return any("trac" in text.lower() for text in texts)


def _formats(call: ast.Call) -> bool:
    return any(not isinstance(argument, ast.Name | ast.Constant) for argument in call.args)


def _append(context: Context, call: ast.Call, held: ast.expr, traced: Traced) -> Iterator[Change]:
    if not call.args or not _is_tensor(context, call.args[0], traced) or not _is_outer_list(context, held, traced):
        return
    message = "what is appended here is a symbolic tensor of the trace: it cannot be used once the trace has ended"
    yield from context.advise(call, "TFM402", message, "return the value and append it where the function is called")


def _is_outer_list(context: Context, held: ast.expr, traced: Traced) -> bool:
    if not isinstance(held, ast.Name):
        return False
    scope = context.module.scopes[held]
    if scope.node is not traced.node or held.id in scope.bindings:
        return False
    value = context.code.flow.value(held)
    return isinstance(value, ast.List) or (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "list"
    )


def _is_tensor(context: Context, node: ast.expr, traced: Traced) -> bool:
    """A parameter without a Python default, or what an operation of TensorFlow gives; also within an f-string."""
    if isinstance(node, ast.JoinedStr):
        return any(
            _is_tensor(context, part.value, traced) for part in node.values if isinstance(part, ast.FormattedValue)
        )
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return any(_is_tensor(context, argument, traced) for argument in node.args)
    if isinstance(node, ast.Name) and node.id in _differentiable(traced):
        return not context.code.flow.stores(node)
    value = context.code.flow.value(node)
    name = context.code.called(value)
    return name.startswith(("tf.reduce_", "tf.math.", "tf.nn.", "tf.matmul", "tf.linalg.", "tf.random.", "tf.cast"))


def _differentiable(traced: Traced) -> list[str]:
    """Parameters that an operation of the function computes with: those are no Python values."""
    used = {
        part.id
        for node in ast.walk(traced.node)
        if isinstance(node, ast.BinOp)
        for part in (node.left, node.right)
        if isinstance(part, ast.Name)
    }
    fixed = len(traced.node.args.defaults)
    parameters = traced.parameters
    return [name for name in parameters[: len(parameters) - fixed] if name in used]


RULE = Rule(
    id="TFM402",
    name="traced-effect",
    before="""\
import tensorflow as tf

@tf.function
def step(x):
    y = tf.reduce_sum(x)
    print("sum", y)
    return y
""",
    after="""\
import tensorflow as tf

@tf.function
def step(x):
    y = tf.reduce_sum(x)
    tf.print("sum", y)
    return y
""",
    find=find,
    advice=True,
)
