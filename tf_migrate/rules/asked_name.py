"""`hasattr(tf, "…")` asks which TensorFlow there is, and TensorFlow 2 answers otherwise where it lacks the name or has
one that TensorFlow 1.15 had not. The program would take a path that the original never took, so TensorFlow 1.15's
answer is written out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate import facts
from tf_migrate.changes.edits import Edit
from tf_migrate.names.eras import exists_in_tf2
from tf_migrate.names.homes import home
from tf_migrate.rules import Change, Context, Rule


def find(context: Context) -> Iterator[Change]:
    """Looks at ``hasattr`` on TensorFlow's modules with a name that is spelled out."""
    for name in context.module.loads.get("hasattr", ()):
        call = context.module.parents[name]
        if not isinstance(call, ast.Call) or call.func is not name or len(call.args) != 2:
            continue
        asked = call.args[1]
        if context.tf2 or context.module.is_skipped(call) or not isinstance(asked, ast.Constant):
            continue
        module = context.names.of(call.args[0]) or ""
        if isinstance(asked.value, str) and _is_module(module) and "hasattr" not in context.module.root.bindings:
            yield from _answered(context, call, module, asked.value)


def _is_module(symbol: str) -> bool:
    fact = facts.lookup(symbol)
    return symbol == "tf" or (symbol.startswith("tf.") and fact is not None and fact.kind == "module")


def _answered(context: Context, call: ast.Call, module: str, name: str) -> Iterator[Change]:
    asked = f"{module}.{name}"
    had = facts.is_recorded(asked)
    if had == _will_have(context, module, asked):
        return
    edit = Edit(*context.module.source.span(call), str(had), encloses=True)
    message = f"TensorFlow 1.15 {'had' if had else 'had no'} `{asked}`, TensorFlow 2 {'has not' if had else 'has'}"
    yield Change(context.finding(call, "TFM114", message), (edit,))


def _will_have(context: Context, module: str, asked: str) -> bool | None:
    """What the question would be answered after the migration; None where it could not even be asked."""
    where = home(context.shims, module) if module != "tf" else None
    if module != "tf" and where is None:
        return None
    if where is not None and where.place == "compat":
        return context.shims.has(f"{where.path}.{asked.rpartition('.')[2]}")
    fact = facts.lookup(asked)
    return facts.is_newer(asked) or (fact is not None and exists_in_tf2(fact))


RULE = Rule(
    id="TFM114",
    name="asked-name",
    before="""\
import tensorflow as tf

def fed(x):
    if hasattr(tf, "placeholder"):
        return tf.placeholder(tf.float32)
    return x if hasattr(tf, "reduce_sum") else None
""",
    after="""\
import tensorflow as tf
import compat

def fed(x):
    if True:
        return compat.placeholder(tf.float32)
    return x if hasattr(tf, "reduce_sum") else None
""",
    find=find,
)
