"""TensorFlow 1 compiled what was put on `/device:XLA_GPU:0` or `/device:XLA_CPU:0`. TensorFlow 2 has none of these and
runs the operations on the CPU uncompiled, without a word. `compat.xla_device` compiles the operations of a `with`
block, on the device that its argument names, and their gradients too. A plain device inside of an XLA device was not
compiled and is not now. Where the name of the device stands elsewhere than in the call, it is left to a person.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard

from tf_migrate.changes.edits import Edit
from tf_migrate.facts import Fact
from tf_migrate.names.canonical import Use
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.local_flow import definitions

_ID = "TFM122"
_XLA = re.compile(r"XLA_(?=[CG]PU\b)")
_NAME = re.compile(r"(?:/\w+:[^/\s]+)*/?(?:device:)?XLA_[CG]PU(?::\S*)?")
_PLAIN = re.compile(r"(?:/\w+:[^/\s]+)*/(?:device:)?(?:cpu|gpu)(?::\S*)?", re.IGNORECASE)
_UNCOMPILED = "xla.experimental.jit_scope(compile_ops=False)"
_MESSAGE = "TensorFlow 2 has no XLA devices: what is put on one runs uncompiled, on the CPU"


def claims(context: Context, use: Use) -> bool:
    """Whether a use of `tf.device` names an XLA device, or another one inside of such."""
    text = context.module.source.text
    if "XLA_" not in text or use.call is None or not context.module.source.segment(use.node).endswith("device"):
        return False
    return _named(context, use.call) is not None or (not context.tf2 and _is_plain_inside(context, use.call))


def symbol(context: Context, use: Use, fact: Fact | None) -> Change:
    """Turns the device into a cluster that is compiled."""
    assert use.call is not None
    named = _named(context, use.call)
    if named is None:
        return _uncompiled(context, use, use.call)
    if context.tf2:
        return context.manual(use.root, _ID, _MESSAGE, "use `compat.xla_device` in a `tf.function`", use.symbol)
    source = context.module.source
    finding = context.finding(use.root, _ID, _MESSAGE, symbol=use.symbol, action="shimmed")
    edits = (Edit(*source.span(use.node), context.compat_path("compat.xla_device")), *_without_xla(context, named))
    return Change(finding, (*edits, *_keyword(context, use.call)), frozenset({"compat"}))


def find(context: Context) -> Iterator[Change]:
    """Looks at the names of XLA devices that stand anywhere else."""
    if "XLA_" not in context.module.source.text:
        return
    converted = {
        part
        for use in context.names.uses
        if use.symbol == "tf.device" and use.call is not None
        if (named := _named(context, use.call)) is not None
        for part in ast.walk(named)
    }
    for node in context.module.nodes:
        if not _is_name(node) or node in converted or context.module.is_skipped(node):
            continue
        if not isinstance(context.module.parents[node], ast.Expr):
            step = "put the operations under `with compat.xla_device(...)`, or name a device that there is"
            yield context.manual(_whole(context, node), _ID, _MESSAGE, step)


def _is_name(node: ast.AST | None) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and _NAME.fullmatch(node.value) is not None


def _whole(context: Context, node: ast.expr) -> ast.expr:
    """The f-string that a text is a part of, for parts have no position of their own in every Python."""
    parent = context.module.parents[node]
    return parent if isinstance(parent, ast.JoinedStr) else node


def _argument(call: ast.Call) -> ast.expr | None:
    given = [*call.args, *(item.value for item in call.keywords)]
    return given[0] if len(given) == 1 and not isinstance(given[0], ast.Starred) else None


def _named(context: Context, call: ast.Call) -> ast.expr | None:
    """The text in a call's argument that names an XLA device whatever the rest of it is, None where there is none."""
    node = _argument(call)
    if isinstance(node, ast.Name):
        node = _constant(context, node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.Add):
        node = node.left
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        node = node.func.value
    texts = node.values[:1] if isinstance(node, ast.JoinedStr) else [node]
    if node is None or not all(_is_name(text) for text in texts) or not texts:
        return None
    return node if len(_XLA.findall(context.module.source.segment(node))) == 1 else None


def _constant(context: Context, name: ast.Name) -> ast.expr | None:
    """The text that a name stands for, if the name is bound once and says nothing but where to put operations."""
    found = definitions(context.module, name)
    if len(found) != 1 or found[0].kind != "value" or context.imported:
        return None
    for load in context.module.loads[name.id]:
        call = context.module.parents[load]
        if not isinstance(call, ast.Call) or context.names.of(call.func) != "tf.device" or _argument(call) is not load:
            return None
    return found[0].value


def _without_xla(context: Context, named: ast.expr) -> Iterator[Edit]:
    start, end = context.module.source.span(named)
    for match in _XLA.finditer(context.module.source.text, start, end):
        yield Edit(match.start(), match.end(), "")


def _keyword(context: Context, call: ast.Call) -> Iterator[Edit]:
    """The name of the argument, where it is given by name, is another."""
    for item in call.keywords:
        start = context.module.source.start(item)
        yield Edit(start, start + len(item.arg or ""), "device")


def _is_plain_inside(context: Context, call: ast.Call) -> bool:
    """Whether a call gives another device to a `with` block inside of an XLA device's."""
    argument = _argument(call)
    if (
        call.keywords
        or not isinstance(argument, ast.Constant)
        or not isinstance(context.module.parents[call], ast.withitem)
    ):
        return False
    plain = argument.value is None or (isinstance(argument.value, str) and _PLAIN.fullmatch(argument.value) is not None)
    return plain and any(_named(context, around) is not None for around in _devices_around(context, call))


def _devices_around(context: Context, call: ast.Call) -> Iterator[ast.Call]:
    """The devices of the blocks around a device's, the nearest only, for each takes the place of those around it."""
    own = context.module.parents[call]
    node: ast.AST | None = own
    while node is not None and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        if isinstance(node, ast.With):
            before = node.items[: node.items.index(own)] if own in node.items else node.items
            for item in reversed(before):
                found = item.context_expr
                if isinstance(found, ast.Call) and context.names.of(found.func) == "tf.device":
                    yield found
                    return
        node = context.module.parents.get(node)


def _uncompiled(context: Context, use: Use, call: ast.Call) -> Change:
    item = context.module.parents[call]
    assert isinstance(item, ast.withitem)
    end = context.module.source.end(item.optional_vars or call)
    scope, needs = context.tf_path(use, _UNCOMPILED)
    message = "a device inside of an XLA device was not compiled"
    return Change(context.finding(use.root, _ID, message, symbol=use.symbol), (Edit(end, end, f", {scope}"),), needs)


RULE = Rule(
    id=_ID,
    name="xla-device",
    before="""\
import tensorflow as tf

def model(x, w):
    with tf.device("/gpu:0"):
        h = tf.matmul(x, w)
        with tf.device("/device:XLA_GPU:0"):
            h = tf.nn.relu(h) * 2.0
        return tf.sqrt(h)
""",
    after="""\
import tensorflow as tf
import compat

def model(x, w):
    with tf.device("/gpu:0"):
        h = tf.matmul(x, w)
        with compat.xla_device("/device:GPU:0"):
            h = tf.nn.relu(h) * 2.0
        return tf.sqrt(h)
""",
    handles=frozenset({"tf.device"}),
    claims=claims,
    symbol=symbol,
    find=find,
)
