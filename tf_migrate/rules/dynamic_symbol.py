"""`getattr(tf.train, name)` looks a name up while the program runs, among names that are not TensorFlow 1's any more.
`compat.tf1` has TensorFlow 1's namespaces as they were, so that the same name gives what it gave. What a text names as
a whole (`eval("tf.train." + name)`) is left to a person.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tf_migrate import facts
from tf_migrate.changes.edits import Edit
from tf_migrate.names.homes import home
from tf_migrate.rules import Change, Context, Rule

_ASKING = ("getattr", "hasattr", "dir", "vars")
_PATH = re.compile(r"(?:tf|tensorflow)\.[\w.]+$")
_MESSAGE = "which name of TensorFlow 1 is meant shows only when the program runs"
_STEP = "look it up as `getattr(tf.train, name)`, which is rewritten"
_NAMESPACE = re.compile(r"\b(?:tf|tensorflow)\.(?:\w+\.)*$")


def find(context: Context) -> Iterator[Change]:
    """Looks at lookups in a namespace that TensorFlow 2 has too; others are moved as a whole."""
    if context.tf2:
        return
    for asked, name in _lookups(context):
        symbol = (context.names.of(asked) or "") if isinstance(asked, ast.Name | ast.Attribute) else ""
        if not context.module.is_skipped(asked) and _is_mixed(context, symbol) and not _is_same(symbol, name):
            yield _looked_up(context, asked, symbol)
    for call in context.module.calls:
        if isinstance(call.func, ast.Name) and call.func.id == "eval" and len(call.args) == 1:
            first = _first_text(call.args[0])
            named = _NAMESPACE.findall(first) if first else _named_in(context, call.args[0])
            if named and not context.module.is_skipped(call):
                yield context.manual(call, "TFM106", _MESSAGE, _STEP, named[-1].rstrip("."))


def _named_in(context: Context, evaluated: ast.expr) -> list[str]:
    """What the texts of a module name of TensorFlow 1 that TensorFlow 2 has not, where a text is evaluated."""
    if isinstance(evaluated, ast.Constant):
        return []
    texts = (node.value for node in context.module.nodes if isinstance(node, ast.Constant))
    paths = (text.replace("tensorflow.", "tf.", 1) for text in texts if isinstance(text, str) and _PATH.match(text))
    return [path for path in paths if (fact := facts.lookup(path)) is not None and fact.action != "same"]


def _lookups(context: Context) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """The namespaces in which names are looked up, and the names where they are told."""
    for word in _ASKING:
        for name in context.module.loads.get(word, ()):
            call = context.module.parents[name]
            if isinstance(call, ast.Call) and call.func is name and call.args and not context.names.is_bound(word):
                told = call.args[1] if len(call.args) > 1 else None
                if word != "hasattr" or not isinstance(told, ast.Constant):  # TFM114 answers these
                    yield call.args[0], told
    for node in context.module.attributes.get("__dict__", ()):
        around = context.module.parents[node]
        yield node.value, around.slice if isinstance(around, ast.Subscript) else None


def _first_text(node: ast.expr) -> str:
    """The text with which a text begins that the program puts together."""
    while isinstance(node, ast.BinOp):
        node = node.left
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        node = node.func.value
    if isinstance(node, ast.JoinedStr):
        node = node.values[0] if node.values else node
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    return re.split(r"[{%]", text)[0]


def _is_mixed(context: Context, symbol: str) -> bool:
    """Whether a namespace kept some of TensorFlow 1's names and lost others."""
    if symbol == "tf":
        return True
    if not symbol.startswith("tf.") or symbol.startswith(("tf.keras", "tf.raw_ops")):
        return False
    fact = facts.lookup(symbol)
    where = home(context.shims, symbol)
    return fact is not None and fact.kind == "module" and where is not None and where.place == "tf"


def _is_same(symbol: str, name: ast.expr | None) -> bool:
    if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
        return False
    fact = facts.lookup(f"{symbol}.{name.value}")
    return fact is not None and fact.action == "same"


def _looked_up(context: Context, asked: ast.expr, symbol: str) -> Change:
    path = context.compat_path("tf1" if symbol == "tf" else f"tf1.{symbol.removeprefix('tf.')}")
    if symbol == "tf":
        path += ".Namespace()"
    edit = Edit(*context.module.source.span(asked), path, encloses=True)
    message = f"the name is looked up among those that `{symbol}` had in TensorFlow 1"
    finding = context.finding(asked, "TFM106", message, symbol=symbol, action="shimmed")
    return Change(finding, (edit,), frozenset({"compat"}))


RULE = Rule(
    id="TFM106",
    name="dynamic-symbol",
    before="""\
import tensorflow as tf

def optimizer(name, rate):
    return getattr(tf.train, name + "Optimizer")(rate)
""",
    after="""\
import tensorflow as tf
import compat

def optimizer(name, rate):
    return getattr(compat.tf1.train, name + "Optimizer")(rate)
""",
    find=find,
)
