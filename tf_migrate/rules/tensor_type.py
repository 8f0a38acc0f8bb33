"""The tensors of a graph were of the very class `tf.Tensor` in TensorFlow 1; in TensorFlow 2 theirs is derived from it,
so that `type(x) is tf.Tensor` is never true and the program silently takes its other branch. `isinstance` asks what
was meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit, wrap
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.module import Module

_TENSORS = ("tf.Tensor", "tensorflow.python.framework.ops.Tensor")
_OPENING, _BETWEEN = re.compile(r"type\s*\(\s*"), re.compile(r"\s*\)\s*(?:is\s+not|is|==|!=)\s*")
_SAME, _OTHER = (ast.Is, ast.Eq), (ast.IsNot, ast.NotEq)


def find(context: Context) -> Iterator[Change]:
    """Looks at comparisons of a `type(…)` with the class of tensors, and with lists that hold it."""
    if context.tf2:
        return
    module = context.module
    for node in (*module.attributes.get("Tensor", ()), *module.loads.get("Tensor", ())):
        if context.names.of(node) not in _TENSORS or module.is_skipped(node):
            continue
        parent = module.parents[node]
        if isinstance(parent, ast.Compare):
            yield from _compared(context, parent, node)
        elif isinstance(parent, ast.List | ast.Tuple | ast.Set) and isinstance(module.parents[parent], ast.Compare):
            yield from _listed(context, parent, node)


def _compared(context: Context, compare: ast.Compare, tensor: ast.expr) -> Iterator[Change]:
    """``type(x) is tf.Tensor`` becomes ``isinstance(x, tf.Tensor)``."""
    asked = _asked(context.module, compare)
    if asked is None or compare.comparators[0] is not tensor or not isinstance(compare.ops[0], _SAME + _OTHER):
        return
    source = context.module.source
    negated = isinstance(compare.ops[0], _OTHER)
    opening = slice(source.start(compare), source.start(asked))
    between = slice(source.end(asked), source.start(tensor))
    # Brackets and comments between the parts are left alone, and so the comparison is.
    if not _OPENING.fullmatch(source.text[opening]) or not _BETWEEN.fullmatch(source.text[between]):
        return
    end = source.end(tensor)
    yield _change(
        context,
        compare,
        Edit(opening.start, opening.stop, "not isinstance(" if negated else "isinstance("),
        Edit(between.start, between.stop, ", "),
        Edit(end, end, ")"),
        bracketed=negated and isinstance(context.module.parents[compare], ast.Compare | ast.BinOp | ast.UnaryOp),
    )


def _listed(context: Context, group: ast.List | ast.Tuple | ast.Set, tensor: ast.expr) -> Iterator[Change]:
    """``type(x) in [tf.Tensor, list]`` becomes ``isinstance(x, tf.Tensor) or type(x) in [list]``."""
    compare = context.module.parents[group]
    if not isinstance(compare, ast.Compare) or compare.comparators[0] is not group or len(group.elts) < 2:
        return
    asked = _asked(context.module, compare)
    if asked is None or not _is_plain(asked) or not isinstance(compare.ops[0], ast.In | ast.NotIn):
        return
    source = context.module.source
    negated = isinstance(compare.ops[0], ast.NotIn)
    test = f"isinstance({source.segment(asked)}, {source.segment(tensor)})"
    shorter = _without(context, group, tensor)
    if shorter is None:
        return
    start = source.start(compare)
    yield _change(
        context,
        compare,
        Edit(start, start, f"not {test} and " if negated else f"{test} or "),
        shorter,
        bracketed=not _stands_alone(context.module, compare),
    )


def _change(context: Context, compare: ast.Compare, *edits: Edit, bracketed: bool) -> Change:
    text = context.module.source.text
    start, end = context.module.source.span(compare)
    has_brackets = text[start - 1 : start] == "(" and text[end : end + 1] == ")"
    brackets = wrap(start, end, "(", ")") if bracketed and not has_brackets else ()
    finding = context.finding(compare, "TFM125", "a tensor of TensorFlow 2 is of a class derived from `tf.Tensor`")
    return Change(finding, (*edits, *brackets))


def _asked(module: Module, compare: ast.Compare) -> ast.expr | None:
    """The ``x`` of ``type(x) <operator> …``."""
    call = compare.left
    if len(compare.ops) != 1 or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    if call.func.id != "type" or len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
        return None
    scope = module.scopes[call.func]
    while "type" not in scope.bindings:
        if scope.parent is None:
            return call.args[0]
        scope = scope.parent
    return None


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression may be evaluated twice."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _without(context: Context, group: ast.List | ast.Tuple | ast.Set, element: ast.expr) -> Edit | None:
    """Takes an element out of a list, with its comma; None where more than that stands between the elements."""
    source = context.module.source
    place = group.elts.index(element)
    if place + 1 < len(group.elts):
        start, end = source.start(element), source.start(group.elts[place + 1])
    else:
        start, end = source.end(group.elts[place - 1]), source.end(element)
    if source.text[start:end].replace(source.segment(element), "", 1).strip() != ",":
        return None
    # A tuple of one needs its comma.
    alone = isinstance(group, ast.Tuple) and place == 1 and len(group.elts) == 2
    return Edit(start, end, "," if alone and not source.text[end:].lstrip().startswith(",") else "")


def _stands_alone(module: Module, compare: ast.Compare) -> bool:
    """Whether ``a or b`` can stand in the comparison's place without brackets."""
    parent = module.parents[compare]
    return isinstance(parent, ast.If | ast.While | ast.Assert | ast.Return | ast.Assign) or (
        isinstance(parent, ast.BoolOp) and isinstance(parent.op, ast.Or)
    )


RULE = Rule(
    id="TFM125",
    name="tensor-type",
    before="""\
import tensorflow as tf

def weights(given):
    if type(given) in [tf.Tensor, list]:
        return given
    return [given] if type(given[0]) is tf.Tensor else tf.placeholder(tf.float32, given)
""",
    after="""\
import tensorflow as tf
import compat

def weights(given):
    if isinstance(given, tf.Tensor) or type(given) in [list]:
        return given
    return [given] if isinstance(given[0], tf.Tensor) else compat.placeholder(tf.float32, given)
""",
    find=find,
)
