"""Keras in a program that keeps Keras 2: `tf.keras`, and the stand-alone `keras`, are read from `compat.keras2`."""

from __future__ import annotations

import ast

from tf_migrate.changes.edits import Edit
from tf_migrate.facts import keras2, keras_name
from tf_migrate.names.canonical import Use
from tf_migrate.names.origins import is_standalone_keras
from tf_migrate.rules import Change, Context

RULE_ID = "TFM115"
OPEN_ORDER = (
    "Its optimizers left open whether a layer's gradient sees the update of the layer behind it, and whether a step is "
    "counted before it is taken; TF 1.15 gave now the one, now the other. Here a gradient sees none, and a step counts "
    "itself"
)
RUN_TWICE = "run the original several times before its losses are compared"
_KERAS = "tf.keras"
_ROOTS = (_KERAS, "tensorflow.python.keras")
_TF = "compat.keras2"
_STANDALONE = "compat.keras2.standalone"
_OPTIMIZERS = f"{_KERAS}.optimizers."
_OWN_NAME = "__name__"
_TENSORFLOW = ("tf", "tf.compat.v1", "tf.compat")


def path_of(symbol: str) -> str | None:
    """What a symbol is called below `keras`, empty for `keras` itself; None where it is none of Keras."""
    symbol = keras_name(symbol)
    for root in _ROOTS:
        if symbol == root or symbol.startswith(f"{root}."):
            return symbol[len(root) + 1 :]
    return None


def is_kept(context: Context, symbol: str) -> bool:
    """Whether a symbol is Keras's, in a module whose Keras stays Keras 2."""
    return context.names.keeps_keras2 and path_of(symbol) is not None


def target(symbol: str, *, standalone: bool = False) -> str | None:
    """The path among the shims of what a name of Keras meant; None where Keras 2 has it no more."""
    path = path_of(symbol)
    if path is None or not keras2.offers(path):
        return None
    root = _STANDALONE if standalone else _TF
    return f"{root}.{path}" if path else root


def missing(context: Context, node: ast.expr | ast.alias, symbol: str) -> Change:
    """A name that Keras 2 has no more, left to a person where it stands."""
    path = path_of(symbol) or ""
    return context.manual(node, RULE_ID, f"Keras 2 has no `keras.{path}`", keras2.next_step(path), symbol)


def _named(context: Context, use: Use) -> Change:
    """What the stand-alone package, or a module of it, was called: `keras.__name__`."""
    text = repr(use.symbol[len("tf.") : -len(f".{_OWN_NAME}")]).replace("'", '"')
    message = f"`{use.symbol[3:]}` is written out: the module that stands for it has another name"
    finding = context.finding(use.root, RULE_ID, message, symbol=use.symbol, action="rewritten")
    return Change(finding, (Edit(*context.module.source.span(use.node), text),))


def change(context: Context, use: Use) -> Change | None:
    """What becomes of one use of Keras."""
    path = path_of(use.symbol) or ""
    if path.endswith(_OWN_NAME) and is_standalone_keras(use.origin):
        return _named(context, use)
    if not keras2.offers(path):
        return missing(context, use.root, use.symbol)
    if use.symbol.startswith(_OPTIMIZERS) and is_standalone_keras(use.origin) and use.origin != use.symbol[3:]:
        return Change(
            context.finding(
                use.root,
                RULE_ID,
                OPEN_ORDER,
                symbol=use.symbol,
                action="shimmed",
                severity="warning",
                next_step=RUN_TWICE,
            )
        )
    if use.origin not in _TENSORFLOW:
        return None  # through a name that an import binds, or an alias that is changed itself
    node: ast.expr = use.node
    while path_of(context.names.of(node) or "") != "":
        if not isinstance(node, ast.Attribute):
            return None
        node = node.value
    edit = Edit(*context.module.source.span(node), context.compat_path(_TF))
    finding = context.finding(
        use.root, RULE_ID, f"`{use.symbol}` is `{_TF}.{path}`: Keras 2", symbol=use.symbol, action="shimmed"
    )
    return Change(finding, (edit,), frozenset({"compat"}))
