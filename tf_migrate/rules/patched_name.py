"""A test that puts something in the place of a function of TensorFlow names it in a string: `mock.patch`, and
`monkeypatch.setattr` of pytest. The string names the shim once the calls do, else nothing would be replaced.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate import facts
from tf_migrate.changes.edits import Edit
from tf_migrate.names.eras import is_missing
from tf_migrate.names.shims import shim_path
from tf_migrate.rules import Change, Context, Rule

_ID = "TFM139"
_BY_PATH, _BY_OBJECT = frozenset({"patch", "setattr"}), frozenset({"object", "setattr"})
_NEXT = "name what the migrated code calls there: its own text tells"


def find(context: Context) -> Iterator[Change]:
    """Looks at calls of functions named `patch`, `patch.object` and `setattr` for names of TensorFlow 1."""
    if context.tf2:
        return
    for call in context.module.calls:
        if context.module.is_skipped(call) or not isinstance(call.func, ast.Attribute | ast.Name) or not call.args:
            continue
        word = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id
        first, second = call.args[0], call.args[1] if len(call.args) > 1 else None
        if word in _BY_PATH and (path := _text(first)) is not None and path.startswith("tensorflow."):
            yield from _renamed(context, first, path.removeprefix("tensorflow."))
        elif word in _BY_OBJECT and _is_patch(call.func) and context.names.of(first) == "tf" and _text(second):
            yield from _moved(context, first, str(_text(second)))


def _is_patch(function: ast.expr) -> bool:
    """Whether `object` is that of `patch`: other functions of that name mean something else."""
    if not isinstance(function, ast.Attribute) or function.attr != "object":
        return isinstance(function, ast.Attribute)
    holder = function.value
    return (holder.attr if isinstance(holder, ast.Attribute) else getattr(holder, "id", "")) == "patch"


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _renamed(context: Context, node: ast.expr, name: str) -> Iterator[Change]:
    """The path of a name of TensorFlow 1 in a string."""
    target = _target(context, f"tf.{name}")
    if target == f"tf.{name}":
        return
    if target is None:
        yield _left(context, node, name)
        return
    package, _, rest = target.partition(".")
    path = f"{context.compat_module if package == 'compat' else 'tensorflow'}.{rest}"
    source = context.module.source
    start, end = source.span(node)
    text = source.text[start:end]
    if f"tensorflow.{name}" not in text:
        yield _left(context, node, name)
        return
    finding = context.finding(node, _ID, f"what is replaced here is `{path}` now", symbol=f"tf.{name}")
    yield Change(finding, (Edit(start, end, text.replace(f"tensorflow.{name}", path, 1)),))


def _moved(context: Context, node: ast.expr, name: str) -> Iterator[Change]:
    """TensorFlow itself, an attribute of which is replaced."""
    target = _target(context, f"tf.{name}")
    if target == f"tf.{name}":
        return
    if target != f"compat.{name}":
        yield _left(context, node, name)
        return
    finding = context.finding(node, _ID, f"what is replaced here is `{target}` now", symbol=f"tf.{name}")
    yield Change(finding, (Edit(*context.module.source.span(node), context.compat),), frozenset({"compat"}))


def _target(context: Context, symbol: str) -> str | None:
    """What the calls of a symbol, or of what it is an attribute of, become; None where that is not one thing."""
    owned = facts.owner(symbol)
    if owned is None:
        return symbol if not is_missing(symbol) else None
    fact, rest = owned
    tail = f".{rest}" if rest else ""
    if fact.action == "same":
        return symbol
    if fact.action == "rename":
        return f"{fact.target}{tail}"
    if fact.action == "shim" and context.shims.has(fact.target):
        return f"{fact.target}{tail}"
    if fact.action == "call" and fact.target == fact.symbol and not context.shims.has(shim_path(fact.symbol)):
        return symbol
    return None


def _left(context: Context, node: ast.expr, name: str) -> Change:
    message = f"what is replaced here, `tensorflow.{name}`, is several things in the migrated code, or none"
    return context.manual(node, _ID, message, _NEXT, f"tf.{name}")


RULE = Rule(
    id=_ID,
    name="patched-name",
    before="""\
import tensorflow as tf
from unittest import mock


def test_names(build, record):
    with mock.patch("tensorflow.get_variable", record), mock.patch.object(tf, "placeholder", record):
        build()
""",
    after="""\
import tensorflow as tf
import compat
from unittest import mock


def test_names(build, record):
    with mock.patch("compat.get_variable", record), mock.patch.object(compat, "placeholder", record):
        build()
""",
    find=find,
)
