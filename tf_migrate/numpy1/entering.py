"""Which expressions make what becomes a value of the graph with the type that it has: a variable's first value, say."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.eager.imports import dotted
from tf_migrate.numpy1.values import Term, Values
from tf_migrate.syntax.own_nodes import returned

_TAKING = {
    **dict.fromkeys(("tf.Variable", "tf.constant", "tf.convert_to_tensor", "tf.constant_initializer"), 0),
    **dict.fromkeys(("tf.train.input_producer", "tf.train.slice_input_producer", "tf.stack", "tf.identity"), 0),
    **dict.fromkeys((f"tf.data.Dataset.from_{name}" for name in ("tensors", "tensor_slices")), 0),
    "tf.get_variable": 3,
}
_WORDS = ("initial_value", "value", "initializer", "tensors", "tensor_list", "input_tensor")
_MENTIONS = ("Variable", "constant", "get_variable", "from_tensor", "convert_to_tensor")
_ELEMENTWISE = frozenset(
    f"numpy.{name}" for name in ("array", "asarray", "abs", "clip", "stack", "concatenate", "where")
)
_MOST = 2_000


def entering(values: Values) -> set[ast.expr]:
    """The expressions of a module, and of those that use it, of which values of the graph are made as they are."""
    others = {each for word in _MENTIONS for each in values.tree.mentioning(word, values.module.name)}
    pending: list[Term] = [term for each in (values, *others) for term in _taken(each)]
    found: set[ast.expr] = set()
    while pending and len(found) < _MOST:
        where, node = pending.pop()
        if node not in found:
            found.add(node)
            pending += _made_of(where, node)
    return found


def _taken(values: Values) -> Iterator[Term]:
    for call in values.module.calls:
        place = _TAKING.get(dotted(values.module, values.names, call.func))
        if place is None or any(keyword.arg == "dtype" for keyword in call.keywords):
            continue
        yield from ((values, keyword.value) for keyword in call.keywords if keyword.arg in _WORDS)
        yield from ((values, value) for value in call.args[place : place + 1])


def _made_of(values: Values, node: ast.expr) -> Iterator[Term]:
    """What gives an expression its value and its type."""
    if isinstance(node, ast.Name | ast.Attribute):
        for where, source in values.sources(node):
            if source is not None and isinstance(source.node, ast.expr):
                yield where, source.node
            elif source is not None and source.how == "parameter":
                yield from where.given(source) or ()
    elif isinstance(node, ast.Call):
        for where, function in values.functions(node) or ():
            yield from ((where, each) for each in returned(function) or ())
        if dotted(values.module, values.names, node.func) in _ELEMENTWISE:
            yield from ((values, each) for each in node.args)
    elif isinstance(node, ast.BinOp):
        yield from ((values, each) for each in (node.left, node.right))
    elif isinstance(node, ast.UnaryOp):
        yield values, node.operand
    elif isinstance(node, ast.IfExp):
        yield from ((values, each) for each in (node.body, node.orelse))
    elif isinstance(node, ast.List | ast.Tuple):
        yield from ((values, each) for each in node.elts)
    elif isinstance(node, ast.ListComp | ast.GeneratorExp):
        yield values, node.elt
    elif isinstance(node, ast.Dict):
        yield from ((values, each) for each in node.values)
    elif isinstance(node, ast.Subscript):
        yield values, node.value
