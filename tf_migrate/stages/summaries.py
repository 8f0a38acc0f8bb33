"""Summaries: operations that describe tensors for TensorBoard, and the writers that take what a run fetched of them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tf_migrate.stages.values import PYTHON, TENSOR, TENSORS, Refused, Stage, Value, flatten, moving, reading

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

SUMMARIES = frozenset(f"tf.summary.{name}" for name in ("audio", "histogram", "image", "scalar", "text"))
WRITERS = frozenset({"tf.summary.FileWriter", "tf.train.SummaryWriter"})
_TAKEN = frozenset({"name", "tensor", "values", "max_outputs", "sample_rate"})
_NOT_YET = "leave it to the bridge, or write it as a plain statement of the script"


@dataclass(frozen=True)
class Hidden:
    """A summary that a function or a block makes: only the function that is traced collects it.

    `name` is its name, None for one that is computed of the name of a variable.
    """

    call: ast.Call
    name: str | None


def summary(evaluator: Evaluator, node: ast.Call) -> Value:
    """`tf.summary.scalar("loss", loss)` and its kin: a tensor, and one more of those that `merge_all` merges."""
    inside = bool(evaluator.active or evaluator.frames)
    if evaluator.fetching or evaluator.is_abroad or any(item in evaluator.methods for item in evaluator.active):
        raise Refused(node, "a summary is made inside a function or a run", _NOT_YET)
    tag = node.args[0] if node.args else None
    literal = tag.value if isinstance(tag, ast.Constant) and isinstance(tag.value, str) else None
    if literal is None and not (inside and tag is not None and _names_variable(evaluator, tag)):
        raise Refused(node, "the name of a summary is known only at run time", "write it out, first in the call")
    if any(keyword.arg not in _TAKEN for keyword in node.keywords):
        raise Refused(node, "a summary with a collection or family of its own", _NOT_YET)
    described = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
    given = list(flatten(map(evaluator.value, described)))
    for value in given:
        if value.is_graph and value.stage not in TENSORS:
            raise Refused(node, "what a summary describes is no tensor", _NOT_YET)
    if inside and evaluator.opened:
        raise Refused(node, "a summary is made in a scope that a function or a block opens", _NOT_YET)
    if inside:
        evaluator.hidden.append(Hidden(node, literal))
    else:
        evaluator.summaries.append(node)
    return replace(TENSOR, loose=reading(given), moves=moving(given))


def _names_variable(evaluator: Evaluator, tag: ast.expr) -> bool:
    """Whether a name is that of a variable, or begins with it: TensorFlow 1 gave no other operation such a one."""
    begun = _beginning(tag)
    if begun is not None:
        return _names_variable(evaluator, begun)
    if not (isinstance(tag, ast.Attribute) and tag.attr == "name"):
        return False
    value = evaluator.value(tag.value)
    # A list has no name: this is one of the variables that it holds.
    return value.stage in (Stage.VARIABLE, Stage.VARIABLES) and value.parts is None


def _beginning(text: ast.expr) -> ast.expr | None:
    """What a text begins with that goes on as it is written: `v.name + "/x"`, `"{}/x".format(v.name)`, `"%s/x" % …`."""
    match text:
        case ast.BinOp(left=begun, op=ast.Add(), right=ast.Constant(value=str())):
            return begun
        case ast.BinOp(left=ast.Constant(value=str(form)), op=ast.Mod(), right=ast.Tuple(elts=[begun]) | begun):
            return begun if form.startswith("%s") and form.count("%") == 1 else None
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str(form)), attr="format"), args=[begun], keywords=[]
        ):
            return begun if form.startswith(("{}", "{0}")) and form.count("{") == form.count("}") == 1 else None
        case ast.JoinedStr(values=[ast.FormattedValue(value=begun, conversion=-1, format_spec=None), *rest]):
            return begun if all(isinstance(part, ast.Constant) for part in rest) else None
    return None


def describes(evaluator: Evaluator, node: ast.expr) -> bool:
    """Whether a statement of a function or a block makes a summary, itself or by a function that it calls."""
    if not isinstance(node, ast.Call):
        return False
    symbol, before = evaluator.names.resolve(node.func), len(evaluator.hidden)
    own = isinstance(node.func, ast.Name) and evaluator.lookup(node.func).function is not None
    if symbol in SUMMARIES or (symbol is None and own):
        evaluator.value(node)
    return len(evaluator.hidden) > before


def merge_all(evaluator: Evaluator, node: ast.Call) -> Value:
    """`tf.summary.merge_all()`: reads every summary that there is so far; gives None where the script makes none."""
    symbols = (evaluator.names.resolve(call.func) or "" for call in evaluator.module.calls)
    if not any(symbol in SUMMARIES for symbol in symbols) and not evaluator.fetching:
        evaluator.merged[node] = ()
        return Value(Stage.PYTHON, truth=False, is_none=True)
    if node.args or node.keywords or evaluator.active or evaluator.fetching or not evaluator.described:
        raise Refused(node, "which summaries are merged is not known", "merge them by name: tf.summary.merge([…])")
    evaluator.note_reads(dict(evaluator.described))
    evaluator.merged[node] = tuple(name for name, _ in evaluator.described)
    known = [binding.value for _, binding in evaluator.described]
    return replace(TENSOR, loose=reading(known), moves=moving(known))


def writer(evaluator: Evaluator, node: ast.Call) -> Value:
    """`tf.summary.FileWriter(folder, graph)`: a Python object; there is no graph to give it any more."""
    items: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
    for position, item in enumerate(items):
        value = item.value if isinstance(item, ast.keyword) else item
        if is_graph(evaluator, value) and position:
            evaluator.graphs.append(item)
        elif any(part.is_graph for part in flatten([evaluator.value(value)])):
            raise Refused(node, "a part of the graph is given to a summary writer", _NOT_YET)
    evaluator.note_impure(node)
    return PYTHON


def is_graph(evaluator: Evaluator, node: ast.expr) -> bool:
    """Whether an expression is the graph: by its name, `sess.graph` or the default graph."""
    if evaluator.graph is not None and node in evaluator.graph.uses:
        return True
    if isinstance(node, ast.Attribute) and node.attr == "graph" and evaluator.key_of(node.value) is not None:
        binding = evaluator.env.get(evaluator.key_of(node.value) or "")
        return binding is not None and evaluator.value(node.value).stage is Stage.SESSION
    return isinstance(node, ast.Call) and evaluator.names.resolve(node.func) == "tf.get_default_graph"


def shows_graph(evaluator: Evaluator, node: ast.expr) -> bool:
    """Whether a statement only writes the graph for TensorBoard: `writer.add_graph(sess.graph)`."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_graph"):
        return False
    return len(node.args) == 1 and not node.keywords and is_graph(evaluator, node.args[0])
