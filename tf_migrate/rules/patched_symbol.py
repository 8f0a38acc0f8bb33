"""`mock.patch("tensorflow.get_variable", f)` replaces a name of TensorFlow's for a while, and finds it by a text. The
text has to name what the code calls after the migration, or nothing is replaced.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tf_migrate import facts
from tf_migrate.changes.edits import Edit
from tf_migrate.facts import Fact
from tf_migrate.names.homes import Home, home
from tf_migrate.names.origins import canonical, join
from tf_migrate.rules import Change, Context, Rule, handlers

_BY_TEXT = frozenset({"patch", "setattr", "delattr"})
_PACKAGE = "tensorflow."
_FLAGS = frozenset({"tf.app.flags.FLAGS", "tf.flags.FLAGS", "tf.compat.v1.flags.FLAGS"})
"""They have names of the program's own, which it may set."""


@dataclass(frozen=True)
class Patch:
    """A call that replaces `symbol`; `owner` is the module given beside the name, None where a text has both."""

    call: ast.Call
    symbol: str
    owner: ast.expr | None


def patches(context: Context) -> Iterator[Patch]:
    """The calls of a module that replace names of TensorFlow's."""
    for call in context.module.calls:
        word, first = _word(call.func), call.args[0] if call.args else None
        by_owner = word in ("setattr", "delattr") or (
            word == "object" and _word(getattr(call.func, "value", None)) == "patch"
        )
        text = _text(first)
        symbol = _symbol(context, text) if word in _BY_TEXT and text is not None else None
        if symbol is not None:
            yield Patch(call, symbol, None)
        elif by_owner and first is not None and len(call.args) > 1 and (name := _text(call.args[1])) is not None:
            owner = context.names.of(first)
            if owner is not None and owner.startswith("tf") and owner not in _FLAGS:
                yield Patch(call, f"{owner}.{name}", first)


def _symbol(context: Context, text: str) -> str | None:
    """What a dotted text names in TensorFlow, also through a module of the tree: `model.tf.get_variable`."""
    if text.startswith(_PACKAGE):
        return canonical(join("tf", text.removeprefix(_PACKAGE)))
    index, words = context.names.index, text.split(".")
    for length in range(len(words) - 2, 0, -1):
        found = index.find(context.module.package, ".".join(words[:length]))
        if found is not None and found in index.modules:
            owner = index.resolve(f"@{found}|{'.'.join(words[length:-1])}") or ""
            return canonical(f"{owner}.{words[-1]}") if owner.partition(".")[0] == "tf" else None
    return None


def find(context: Context) -> Iterator[Change]:
    """Looks at every call that replaces a name."""
    for patch in () if context.tf2 else patches(context):
        fact = facts.lookup(patch.symbol)
        if fact is None or _keeps_name(fact) or context.module.is_skipped(patch.call):
            continue
        where = home(context.shims, patch.symbol)
        edit = None if where is None or not _keeps_calls(patch.symbol, fact.action) else _edit(context, patch, where)
        if edit is None or where is None:
            what = f"`{patch.symbol}` is replaced by name, and the code calls something else now"
            yield context.manual(patch.call, "TFM107", what, "replace what the code calls", patch.symbol)
            continue
        shimmed = where.place == "compat"
        finding = context.finding(
            patch.call,
            "TFM107",
            f"what replaces `{patch.symbol}` replaces `{where.path}`",
            symbol=patch.symbol,
            action="shimmed" if shimmed else "rewritten",
        )
        yield Change(finding, (edit,), frozenset({"compat"} if shimmed and patch.owner is not None else ()))


def _keeps_name(fact: Fact) -> bool:
    """Whether uses of a symbol keep its name, with whatever arguments."""
    return fact.action == "same" or (fact.action == "call" and fact.target == fact.symbol)


def _keeps_calls(symbol: str, action: str) -> bool:
    """Whether each use of a symbol becomes one of its new name, with the arguments that it had."""
    return action in ("rename", "shim") and symbol not in handlers()


def _edit(context: Context, patch: Patch, where: Home) -> Edit | None:
    source, (module, _, name) = context.module.source, where.path.rpartition(".")
    if patch.owner is None:
        node = patch.call.args[0]
        start, end = source.span(node)
        root = context.compat_module if where.place == "compat" else "tensorflow"
        plain = source.text[start + 1 : end - 1] == _text(node)
        return Edit(start + 1, end - 1, f"{root}.{where.path.partition('.')[2]}") if plain else None
    if name != patch.symbol.rpartition(".")[2] or where.place != "compat":
        return None
    return Edit(*source.span(patch.owner), context.compat + module.removeprefix("compat"))


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _word(node: object) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


RULE = Rule(
    id="TFM107",
    name="patched-symbol",
    before="""\
from unittest import mock
import tensorflow as tf

made = []
real = tf.get_variable

def recording(name, *args, **kwargs):
    made.append(name)
    return real(name, *args, **kwargs)

with mock.patch("tensorflow.get_variable", recording):
    w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
""",
    after="""\
from unittest import mock
import tensorflow as tf
import compat

made = []
real = compat.get_variable

def recording(name, *args, **kwargs):
    made.append(name)
    return real(name, *args, **kwargs)

compat.open_graph()
with mock.patch("compat.get_variable", recording):
    w = compat.get_variable("w", [2], initializer=compat.ones_initializer())
""",
    find=find,
)
