"""NumPy 1.24 took away its names of Python's own types (`np.float`), and NumPy 2 its second names (`np.NaN`,
`np.product`) and `newshape=`. TensorFlow 2.16 and later need NumPy 1.26 at least, where a program of TensorFlow 1's
time would end at the first of them. Each becomes what it stood for, in modules without TensorFlow too; what has no
exact successor is told.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.imports import dotted
from tf_migrate.rules import Change, Context, Rule

_TYPES = {"bool": "bool", "int": "int", "float": "float", "complex": "complex", "object": "object", "str": "str"} | {
    "long": "int",
    "unicode": "str",
}
_SECOND_NAMES = {
    **dict.fromkeys(("NaN", "NAN"), "nan"),
    **dict.fromkeys(("Inf", "Infinity", "infty", "PINF"), "inf"),
    **dict.fromkeys(("unicode_", "str0"), "str_"),
    **dict.fromkeys(("string_", "bytes0"), "bytes_"),
    **dict.fromkeys(("complex_", "cfloat"), "complex128"),
    "float_": "float64",
    "singlecomplex": "complex64",
    "longfloat": "longdouble",
    "bool8": "bool_",
    "object0": "object_",
    "product": "prod",
    "cumproduct": "cumprod",
    "sometrue": "any",
    "alltrue": "all",
    "round_": "round",
    "row_stack": "vstack",
    "mat": "asmatrix",
    "rank": "ndim",
}
_GONE = {
    "asfarray": "use `np.asarray` with a floating dtype",
    "in1d": "use `np.isin`, whose result has the shape of its first argument",
    "trapz": "use `np.trapezoid` (NumPy 2) or `scipy.integrate.trapezoid`",
    "msort": "use `np.sort(a, axis=0)`",
    "NINF": "write `-np.inf`",
    "alen": "use `len`",
}
_MENTIONED = (*_TYPES, *_SECOND_NAMES, *_GONE, "asscalar", "fromstring", "lib")
_MENTION = re.compile(rf"\.\s*(?:{'|'.join(_MENTIONED)})\b|\bnewshape\s*=".encode())


def is_mentioned(raw: bytes) -> bool:
    """Whether a file may use any of the names; told by its bytes."""
    return b"numpy" in raw and _MENTION.search(raw) is not None


def find(context: Context) -> Iterator[Change]:
    """Looks at every attribute of NumPy that has one of the names, and at the calls of two functions."""
    for name in (*_TYPES, *_SECOND_NAMES, *_GONE):
        for node in context.module.attributes.get(name, ()):
            if isinstance(node.ctx, ast.Load) and _is(context, node, name) and not context.module.is_skipped(node):
                yield _changed(context, node, name)
    for call in context.module.calls:
        if not context.module.is_skipped(call):
            yield from _called(context, call)
    for node in context.module.attributes.get("pad", ()):
        if _is(context, node, "lib.pad") and isinstance(node.value, ast.Attribute):
            edit = Edit(context.module.source.end(node.value.value), context.module.source.end(node), ".pad")
            finding = context.finding(node, "TFM126", "`np.lib.pad` is `np.pad`", symbol="numpy.lib.pad")
            yield Change(finding, (edit,))
    if context.names.uses:
        yield from _compared(context)


def _is(context: Context, node: ast.expr, name: str) -> bool:
    return dotted(context.module, context.names, node) == f"numpy.{name}"


def _changed(context: Context, node: ast.Attribute, name: str) -> Change:
    symbol, source = f"numpy.{name}", context.module.source
    if name in _GONE:
        return context.manual(node, "TFM126", f"NumPy has no `{name}` any more", _GONE[name], symbol)
    if name in _SECOND_NAMES:
        edit = Edit(source.end(node) - len(name), source.end(node), _SECOND_NAMES[name])
        instead = f"np.{_SECOND_NAMES[name]}"
    else:
        instead = _TYPES[name]
        if context.names.is_bound(instead):
            step = f"use Python's own `{instead}`, which the module has another meaning for"
            return context.manual(node, "TFM126", f"NumPy has no `{name}` any more", step, symbol)
        edit = Edit(*source.span(node), instead)
    return Change(context.finding(node, "TFM126", f"`np.{name}` stood for `{instead}`", symbol=symbol), (edit,))


def _called(context: Context, call: ast.Call) -> Iterator[Change]:
    keywords = [keyword.arg for keyword in call.keywords]
    if len(call.args) == 1 and not keywords and _is(context, call.func, "asscalar"):
        yield _number(context, call)
    elif "newshape" in keywords and _is(context, call.func, "reshape"):
        yield _reshaped(context, call)
    elif "sep" not in keywords and len(call.args) < 4 and _is(context, call.func, "fromstring"):
        step = "use `np.frombuffer`, which takes bytes; its result cannot be written to"
        yield context.manual(call, "TFM126", "`np.fromstring` takes text alone in NumPy 2.3", step)


def _number(context: Context, call: ast.Call) -> Change:
    """`np.asscalar(a)`, which was `a.item()`."""
    source, given = context.module.source, call.args[0]
    plain = isinstance(given, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    before, after = ("", ".item()") if plain else ("(", ").item()")
    edits = (Edit(source.start(call), source.start(given), before), Edit(source.end(given), source.end(call), after))
    finding = context.finding(call, "TFM126", "`np.asscalar` was `.item()`", symbol="numpy.asscalar")
    return Change(finding, edits)


def _compared(context: Context) -> Iterator[Change]:
    """Parameters and attributes that are asked whether they are an empty list: an array never was."""
    for node in ast.walk(context.module.tree):
        if not isinstance(node, ast.Compare) or not _is_asked(context, node) or context.module.is_skipped(node):
            continue
        given, listed = node.left, node.comparators[0]
        empty = isinstance(node.ops[0], ast.Eq) and isinstance(listed, ast.List) and not listed.elts
        if empty and _may_be_array(context, given):
            word = context.module.source.segment(given)
            text = f"(isinstance({word}, list) and not {word})"
            edit = Edit(*context.module.source.span(node), text)
            what = f"`{word}` may be an array, which NumPy compares with an empty list no more"
            yield Change(context.finding(node, "TFM126", what), (edit,))


def _is_asked(context: Context, node: ast.Compare) -> bool:
    """Whether a comparison of two values stands where only its truth counts."""
    place: ast.AST = node
    parent = context.module.parents[place]
    while isinstance(parent, ast.BoolOp) or (isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)):
        place, parent = parent, context.module.parents[parent]
    tested = isinstance(parent, ast.If | ast.IfExp | ast.While | ast.Assert) and parent.test is place
    bound = any(context.names.is_bound(word) for word in ("isinstance", "list"))
    return tested and len(node.ops) == 1 and not bound


def _may_be_array(context: Context, node: ast.expr) -> bool:
    """Whether an expression is a parameter, or an attribute: whoever calls decides what that is."""
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and context.names.of(node) is None
    scope = context.module.binding_scope(node) if isinstance(node, ast.Name) else None
    function = None if scope is None else scope.node
    if not isinstance(function, ast.FunctionDef) or not isinstance(node, ast.Name):
        return False
    return any(isinstance(inner, ast.arg) and inner.arg == node.id for inner in ast.walk(function.args))


def _reshaped(context: Context, call: ast.Call) -> Change:
    first, source = call.keywords[0], context.module.source
    if first.arg != "newshape" or len(call.args) != 1 or isinstance(call.args[0], ast.Starred):
        step = "give the shape as the second argument"
        return context.manual(call, "TFM126", "`np.reshape` has no `newshape` any more", step)
    edit = Edit(source.start(first), source.start(first.value), "")
    return Change(context.finding(call, "TFM126", "`np.reshape` takes the shape by its place"), (edit,))


RULE = Rule(
    id="TFM126",
    name="numpy-alias",
    before="""\
import numpy as np
import tensorflow as tf

def mask(sizes):
    found = np.zeros(sizes, np.bool)
    return np.reshape(found, newshape=[-1]) if np.product(sizes) < np.Inf else tf.constant(found)
""",
    after="""\
import numpy as np
import tensorflow as tf

def mask(sizes):
    found = np.zeros(sizes, bool)
    return np.reshape(found, [-1]) if np.prod(sizes) < np.inf else tf.constant(found)
""",
    find=find,
)
