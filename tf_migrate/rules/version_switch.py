"""Code that asks for TensorFlow's version, to go one way or another, went TensorFlow 1.15's way, and that is the way
that is migrated. Under TensorFlow 2 the same question would be answered otherwise, and the program would take a path
that the original never took. So where a version decides, it is the one whose behaviour the migrated code has; where it
is only shown, it is the installed one.
"""

from __future__ import annotations

import ast
import re

from tf_migrate.changes.edits import Edit
from tf_migrate.facts import Fact
from tf_migrate.names.canonical import Use
from tf_migrate.rules import Change, Context, Rule

_SHIM = "compat.VERSION"
_TEXT_METHODS = ("startswith", "endswith", "split", "rsplit", "partition", "rpartition", "find", "index", "replace")
_VERSIONS = ("tf.__version__", "tf.VERSION", "tf.version.VERSION")
_HANDLED = frozenset([*_VERSIONS, *(f"{version}.{method}" for version in _VERSIONS for method in _TEXT_METHODS)])
_READS_VERSIONS = re.compile(r"(?i)\w*version\w*|parse|int|float|V")


def claims(context: Context, use: Use) -> bool:
    """Whether something depends on the version here."""
    return not context.tf2 and _is_spelled_out(context, use) and _decides(context, _version(use))


def symbol(context: Context, use: Use, fact: Fact | None) -> Change:
    """Puts the version of TensorFlow 1 in."""
    edit = Edit(*context.module.source.span(_version(use)), context.compat_path(_SHIM))
    message = f"`{use.symbol}` decides here, as it did: with TensorFlow 1.15's version"
    finding = context.finding(use.root, "TFM113", message, symbol=use.symbol, action="shimmed")
    return Change(finding, (edit,), frozenset({"compat"}))


def _version(use: Use) -> ast.expr:
    """The version itself, without the method of it that is called."""
    return use.node.value if isinstance(use.node, ast.Attribute) and use.node.attr in _TEXT_METHODS else use.node


def _is_spelled_out(context: Context, use: Use) -> bool:
    """Whether this is the place that asks TensorFlow; another name of the version was bound at one."""
    imported = {alias.asname or alias.name for node, _ in context.module.imports for alias in node.names}
    return isinstance(_version(use), ast.Attribute) or use.root.id in imported


def _decides(context: Context, node: ast.expr) -> bool:
    parent = context.module.parents[node]
    if isinstance(parent, ast.Compare):
        return True
    if isinstance(parent, ast.Subscript):
        return parent.value is node
    if isinstance(parent, ast.Attribute):
        return parent.attr in _TEXT_METHODS
    if isinstance(parent, ast.Call):
        name = parent.func.attr if isinstance(parent.func, ast.Attribute) else getattr(parent.func, "id", "")
        return node in parent.args and (_READS_VERSIONS.fullmatch(name) is not None or _is_text(context, parent, name))
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
        read = context.module.loads.get(parent.targets[0].id, ())
        return any(_decides(context, name) for name in read if context.module.parents[name] is not parent)
    return False


def _is_text(context: Context, call: ast.Call, name: str) -> bool:
    return name == "str" and _decides(context, call)


RULE = Rule(
    id="TFM113",
    name="version-switch",
    before="""\
import tensorflow as tf
print(tf.__version__)

def joined(x, y):
    if tf.__version__.startswith("1."):
        return tf.concat([x, y], 0)
    return tf.concat(0, [x, y])
""",
    after="""\
import tensorflow as tf
import compat
print(tf.__version__)

def joined(x, y):
    if compat.VERSION.startswith("1."):
        return tf.concat([x, y], 0)
    return tf.concat(0, [x, y])
""",
    handles=_HANDLED,
    claims=claims,
    symbol=symbol,
)
