"""NumPy 2.4 no longer takes an array of one element for a number: `int(b)`, `float(b)` and `"%.3f" % b` raise, where
TensorFlow 1's time had its value. A variable of the shape `[1]` gives such an array to each run that fetches it, and
what is computed of it is one as well: `.item()` is its number.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.imports import dotted
from tf_migrate.rules import Change, Context, Rule

_FILLED = frozenset({"tf.ones", "tf.random_normal", "tf.random_uniform", "tf.truncated_normal", "tf.zeros"})
_SHAPED = frozenset({"tf.get_variable", "tf.placeholder"})
_ELEMENTWISE = frozenset({"abs", "exp", "log", "sigmoid", "sqrt", "square", "tanh"})
_RUNS = frozenset({"run", "eval"})
_FIELD = re.compile(r"%(?:%|(?P<key>\([^)]*\))?[#0\- +]*(?P<width>\*|\d+)?(?:\.(?P<digits>\*|\d+))?[hlL]?(?P<kind>\w))")
_NUMBERS = frozenset("diufFeEgG")


def find(context: Context) -> Iterator[Change]:
    """Looks at what `int` and `float` are given, and at the numbers of formatted texts."""
    source = context.module.source
    for node in _numbers(context):
        if context.module.is_skipped(node) or not _is_array(context, node):
            continue
        start, end = source.span(node)
        edits: tuple[Edit, ...] = (Edit(end, end, ".item()"),)
        if isinstance(node, ast.Call) and list(_fetched(node)):
            # The run itself is replaced as a whole: what is behind it has to stay behind it.
            if source.text[end : end + 1] not in (")", ","):
                continue
            edits = (Edit(end, end, ".item()", line=True),)
        elif not isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            edits = (Edit(start, start, "("), Edit(end, end, ").item()"))
        what = f"`{ast.unparse(node)}` is an array of one element, which is no number for NumPy any more"
        yield Change(context.finding(node, "TFM136", what), edits)


def _numbers(context: Context) -> Iterator[ast.expr]:
    """The expressions that have to be numbers."""
    for call in context.module.calls:
        named = isinstance(call.func, ast.Name) and call.func.id in ("float", "int")
        if named and len(call.args) == 1 and not call.keywords and context.module.binding_scope(call.func) is None:  # type: ignore[arg-type]
            yield call.args[0]
    for node in ast.walk(context.module.tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant):
            yield from _formatted(node.left.value, node.right)


def _formatted(text: object, given: ast.expr) -> Iterator[ast.expr]:
    """What a text formats as numbers."""
    if not isinstance(text, str):
        return
    fields = [match for match in _FIELD.finditer(text) if match["kind"]]
    items = given.elts if isinstance(given, ast.Tuple) else [given]
    if len(fields) != len(items) or any(field["key"] or "*" in (field["width"], field["digits"]) for field in fields):
        return
    yield from (item for field, item in zip(fields, items, strict=True) if field["kind"] in _NUMBERS)


def _is_array(context: Context, node: ast.expr, seen: frozenset[str] = frozenset()) -> bool:
    """Whether an expression surely is an array of one element, of one dimension, that a run gave."""
    if isinstance(node, ast.BinOp):
        sides = [_is_array(context, side, seen) for side in (node.left, node.right)]
        plain = [isinstance(side, ast.Constant) for side in (node.left, node.right)]
        return any(sides) and all(side or number for side, number in zip(sides, plain, strict=True))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _is_array(context, node.operand, seen)
    if isinstance(node, ast.Call):
        name = dotted(context.module, context.names, node.func) or ""
        if name.startswith("numpy.") and name.removeprefix("numpy.") in _ELEMENTWISE and len(node.args) == 1:
            return _is_array(context, node.args[0], seen)
        return any(_is_tensor(context, fetched) for fetched in _fetched(node))
    if (key := ast.unparse(node)) in seen:
        return True
    bound = _bound(context, node)
    return bool(bound) and all(_is_result(context, target, value, seen | {key}) for target, value in bound)


def _is_result(context: Context, target: ast.expr, value: ast.expr, seen: frozenset[str]) -> bool:
    """Whether what a target is bound to is such an array: as a whole, or as one of the values that are unpacked."""
    around = context.module.parents[target]
    if not isinstance(around, ast.Tuple | ast.List):
        return _is_array(context, value, seen)
    listed = value.args[0] if isinstance(value, ast.Call) and _is_run(value) and value.args else None
    items = listed.elts if isinstance(listed, ast.Tuple | ast.List) else []
    if len(items) != len(around.elts) or any(isinstance(item, ast.Starred) for item in (*items, *around.elts)):
        return False
    return _is_tensor(context, items[around.elts.index(target)])


def _is_run(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "run"


def _fetched(call: ast.Call) -> Iterator[ast.expr]:
    """The one tensor that a run fetches by itself."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in _RUNS:
        if call.func.attr == "eval":
            yield call.func.value
        elif call.args and isinstance(call.args[0], ast.Name | ast.Attribute):
            yield call.args[0]


def _is_tensor(context: Context, node: ast.expr, seen: frozenset[str] = frozenset()) -> bool:
    """Whether an expression surely is a variable or a tensor of the shape `[1]`."""
    if isinstance(node, ast.Call):
        symbol = context.names.of(node.func) or ""
        words = {word.arg: word.value for word in node.keywords}
        if symbol == "tf.Variable":
            given = node.args[0] if node.args else words.get("initial_value")
            return _is_one(given) or (isinstance(given, ast.Call) and _is_filled(context, given))
        if symbol in _SHAPED:
            return _is_shape(node.args[1] if len(node.args) > 1 else words.get("shape"))
        computed = symbol.startswith("tf.") and symbol.rpartition(".")[2] in _ELEMENTWISE and bool(node.args)
        return computed and _is_tensor(context, node.args[0], seen)
    if (key := ast.unparse(node)) in seen:
        return False
    bound = _bound(context, node)
    plain = all(not isinstance(context.module.parents[target], ast.Tuple | ast.List) for target, _ in bound)
    return bool(bound) and plain and all(_is_tensor(context, value, seen | {key}) for _, value in bound)


def _is_filled(context: Context, call: ast.Call) -> bool:
    """Whether a call gives a tensor of the shape `[1]`, which is written out."""
    shape = call.args[0] if call.args else next((word.value for word in call.keywords if word.arg == "shape"), None)
    return context.names.of(call.func) in _FILLED and _is_shape(shape)


def _is_shape(node: ast.expr | None) -> bool:
    """Whether an expression is the shape `[1]`."""
    return isinstance(node, ast.List | ast.Tuple) and [getattr(item, "value", None) for item in node.elts] == [1]


def _is_one(node: ast.expr | None) -> bool:
    """Whether an expression is a list of one number."""
    items = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    return len(items) == 1 and isinstance(items[0], ast.Constant | ast.UnaryOp)


def _bound(context: Context, node: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """All that a name, or an attribute, is bound to, with the targets; nothing where some of that is not known."""
    module = context.module
    targets: list[ast.expr]
    if isinstance(node, ast.Name):
        scope = module.binding_scope(node)
        if scope is None or node.id in module.bound_globally:
            return []
        targets = [
            inner
            for inner in ast.walk(scope.node)
            if isinstance(inner, ast.Name)
            and inner.id == node.id
            and not isinstance(inner.ctx, ast.Load)
            and module.binding_scope(inner) is scope
        ]
        if len(targets) != len(scope.bindings[node.id]):
            return []
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
        targets = [known for known in module.attributes.get(node.attr, ()) if not isinstance(known.ctx, ast.Load)]
    else:
        return []
    found = []
    for target in targets:
        around = module.parents[target]
        statement = module.parents[around] if isinstance(around, ast.Tuple | ast.List) else around
        if not isinstance(statement, ast.Assign):
            return []
        found.append((target, statement.value))
    return found


RULE = Rule(
    id="TFM136",
    name="one-element",
    before="""\
import tensorflow as tf

rate = tf.placeholder(tf.float32, [1], "rate")

def show(sess, given):
    value = sess.run(rate, {rate: given})
    return "%.3f" % value
""",
    after="""\
import tensorflow as tf
import compat

compat.open_graph()
rate = compat.placeholder(tf.float32, [1], "rate")

def show(sess, given):
    value = sess.run(rate, {rate: given})
    return "%.3f" % value.item()
""",
    find=find,
)
