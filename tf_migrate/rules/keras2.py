"""A program that uses Keras in a graph, or what only Keras 2 has, keeps Keras 2: `compat.keras2` has TF 1.15's,
`compat.keras2.standalone` the package `keras` of that time. Keras 3 has neither sessions nor what programs did with
them, and differs from them in silence: moving averages that stay 0, an `acc` that callbacks wait for. Keras 2 is the
package `tf_keras`, of TensorFlow's own version: install it too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tf_migrate.changes import keras2
from tf_migrate.changes.edits import Edit
from tf_migrate.names.keras import is_standalone
from tf_migrate.rules import Change, Context, Rule

_FROM = re.compile(r"from\s+")
_NAME = "keras"
_BY_TEXT = frozenset({"sgd", "rmsprop", "adagrad", "adadelta", "adam", "adamax", "nadam"})


def find(context: Context) -> Iterator[Change]:
    """Looks at every import of the stand-alone package, and at the optimizers that its models name by a text."""
    if not context.names.keeps_keras2:
        return
    imports = [node for node, _ in context.module.imports if is_standalone(node)]
    for node in imports:
        if not context.module.is_skipped(node):
            yield from _imported(context, node)
    for call in context.module.calls if imports else ():
        optimizer = _compiled_by(call)
        if optimizer is not None and not context.module.is_skipped(call):
            yield Change(
                context.finding(
                    call,
                    keras2.RULE_ID,
                    keras2.OPEN_ORDER,
                    symbol=f"tf.keras.optimizers.{optimizer}",
                    action="shimmed",
                    severity="warning",
                    next_step=keras2.RUN_TWICE,
                )
            )


def _compiled_by(call: ast.Call) -> str | None:
    """The text by which `model.compile('adam', ...)` names its optimizer; None for any other call."""
    if not (isinstance(call.func, ast.Attribute) and call.func.attr == "compile"):
        return None
    named = [keyword.value for keyword in call.keywords if keyword.arg == "optimizer"]
    for value in (*call.args[:1], *named):
        if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value.lower() in _BY_TEXT:
            return value.value
    return None


def _imported(context: Context, node: ast.Import | ast.ImportFrom) -> Iterator[Change]:
    source = context.module.source
    if isinstance(node, ast.ImportFrom):
        start, end = source.span(node)
        match = _FROM.match(source.text, start, end)
        if match is None or not _is_foreign(context, node, ast.alias("*")):
            return
        yield _moved(context, node, str(node.module), Edit(match.end(), match.end() + len(_NAME), _home(context)))
        for alias in node.names:
            symbol = f"tf.{node.module}" if alias.name == "*" else f"tf.{node.module}.{alias.name}"
            if keras2.target(symbol) is None:
                yield keras2.missing(context, alias, symbol)
        return
    for alias in node.names:
        package, _, path = alias.name.partition(".")
        if package != _NAME or not _is_foreign(context, node, alias):
            continue
        start = source.start(alias)
        if alias.asname is None:
            edit = Edit(start, start + len(alias.name), f"{_home(context)} as {_NAME}")
        else:
            edit = Edit(start, start + len(_NAME), _home(context))
        yield _moved(context, alias, alias.name, edit)
        if keras2.target(f"tf.{alias.name}") is None:
            yield keras2.missing(context, alias, f"tf.keras.{path}")


def _is_foreign(context: Context, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
    """Whether an import is of the package that is installed, not of a module of the tree with its name."""
    return not (context.names.import_origin(node, alias) or "").startswith("@")


def _home(context: Context) -> str:
    return f"{context.compat_module}.keras2.standalone"


def _moved(context: Context, node: ast.ImportFrom | ast.alias, name: str, edit: Edit) -> Change:
    became = name.replace(_NAME, "compat.keras2.standalone", 1)
    message = f"the import of `{name}` becomes `{became}`: Keras 2, which is the package tf_keras"
    is_open = name == "keras.optimizers"
    finding = context.finding(
        node,
        keras2.RULE_ID,
        f"{message}. {keras2.OPEN_ORDER}" if is_open else message,
        symbol=f"tf.{name}",
        action="shimmed",
        severity="warning" if is_open else "info",
        next_step=keras2.RUN_TWICE if is_open else None,
    )
    return Change(finding, (edit,))


RULE = Rule(
    id=keras2.RULE_ID,
    name="keras-2",
    before="""\
import tensorflow as tf
from keras.layers import Dense


def model():
    x = tf.placeholder(tf.float32, [None, 2])
    return tf.keras.layers.Dense(3)(Dense(2)(x))
""",
    after="""\
import tensorflow as tf
import compat
from compat.keras2.standalone.layers import Dense


def model():
    x = compat.placeholder(tf.float32, [None, 2])
    return compat.keras2.layers.Dense(3)(Dense(2)(x))
""",
    find=find,
)
