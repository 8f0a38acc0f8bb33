"""`getattr(tf.train, name)` looks a name up while the program runs, among names that are not TensorFlow 1's any more.
Which one it will be cannot be told from the text, so it is left to a person, who knows the names that occur.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate import facts
from tf_migrate.facts.shims import shim_path
from tf_migrate.names.homes import home
from tf_migrate.rules import Change, Context, Rule


def find(context: Context) -> Iterator[Change]:
    """Looks at ``getattr`` on a namespace that TensorFlow 2 has too; others are moved as a whole."""
    for name in context.module.loads.get("getattr", ()):
        call = context.module.parents[name]
        if not isinstance(call, ast.Call) or call.func is not name or len(call.args) < 2:
            continue
        symbol = context.names.of(call.args[0]) or ""
        if context.tf2 or context.module.is_skipped(call) or not _is_mixed(context, symbol):
            continue
        if not _is_same(symbol, call.args[1]):
            yield _left(context, call, symbol)


def _is_mixed(context: Context, symbol: str) -> bool:
    """Whether a namespace kept some of TensorFlow 1's names and lost others."""
    if symbol == "tf":
        return True
    if not symbol.startswith("tf.") or symbol.startswith("tf.keras"):
        return False
    fact = facts.lookup(symbol)
    where = home(context.shims, symbol)
    return fact is not None and fact.kind == "module" and where is not None and where.place == "tf"


def _is_same(symbol: str, name: ast.expr) -> bool:
    if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
        return False
    fact = facts.lookup(f"{symbol}.{name.value}")
    return fact is not None and fact.action == "same"


def _left(context: Context, call: ast.Call, symbol: str) -> Change:
    shims = shim_path(symbol) if symbol != "tf" else "compat"
    also = f" or `{shims}`" if symbol == "tf" or context.shims.has_module(shims) else ""
    return context.manual(
        call,
        "TFM106",
        f"which name of `{symbol}` is meant shows only when the program runs",
        f"look the names that occur up in `{symbol}`{also} by hand",
        symbol,
    )


RULE = Rule(id="TFM106", name="dynamic-symbol", before="", after="", find=find)
