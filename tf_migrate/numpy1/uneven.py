"""Lists whose rows may differ in shape: what NumPy 1.18 made an array of objects of, and NumPy 2 makes none of."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tf_migrate.eager.imports import dotted
from tf_migrate.numpy1.values import Term, Values
from tf_migrate.syntax.own_nodes import returned

_MAKERS = frozenset({"numpy.array", "numpy.asarray", "numpy.random.permutation"})
_KEEPING = frozenset({"list", "tuple", "sorted", "reversed"})
"""Python's functions that give the rows that they are given."""
_DRAWING = frozenset({"random.sample", "random.choices"})
_NUMBERS = frozenset({"python", "scalar"})
_DISPLAYS = ast.List | ast.Tuple
_COMPREHENSIONS = ast.ListComp | ast.GeneratorExp
_DEEPEST = 12


def uneven_arguments(values: Values) -> Iterator[ast.expr]:
    """What arrays of a type that is left open are made of in a module, where its rows may differ in shape."""
    for call in values.module.calls:
        alone = len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred)
        if alone and dotted(values.module, values.names, call.func) in _MAKERS and may_be_uneven(values, call.args[0]):
            yield call.args[0]


def may_be_uneven(values: Values, node: ast.expr) -> bool:
    """Whether the rows of a list may differ in shape."""
    return any(_is_uneven(rows) for rows in _lists(values, node, frozenset()))


def _is_uneven(rows: list[Term]) -> bool:
    shapes = {_written_shape(row) for _, row in rows}
    return len(shapes - {None}) > 1 or any(_differs_inside(where, row) for where, row in rows)


def _lists(values: Values, node: ast.expr, passed: frozenset[ast.expr]) -> Iterator[list[Term]]:
    """The lists that an expression may be, each by its different rows, as far as they are known."""
    if node in passed or len(passed) > _DEEPEST:
        return
    passed |= {node}
    if isinstance(node, _DISPLAYS):
        yield [(values, part) for part in node.elts if not isinstance(part, ast.Starred)]
    elif isinstance(node, _COMPREHENSIONS):
        yield [(values, node.elt)]
    elif isinstance(node, ast.Name | ast.Attribute):
        yield from _lists_of_name(values, node, passed)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield [row for side in (node.left, node.right) for rows in _lists(values, side, passed) for row in rows]
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        yield from _lists(values, node.value, passed)
    elif isinstance(node, ast.Call) and node.args and _keeps_rows(values, node):
        if _is_zip(node.args[0]):
            yield [(values, node.args[0])]
        else:
            yield from _lists(values, node.args[0], passed)
    elif isinstance(node, ast.Call):
        for where, function in values.functions(node) or ():
            for each in returned(function) or ():
                yield from _lists(where, each, passed)


def _lists_of_name(values: Values, node: ast.Name | ast.Attribute, passed: frozenset[ast.expr]) -> Iterator[list[Term]]:
    """What a name is made of, or is given by each call, together with what is added to it."""
    key = values.bindings.key(node)
    added: list[Term] = [(values, row) for row in (values.bindings.filled.get(key, ()) if key is not None else ())]
    yield added
    for where, source in values.sources(node):
        if source is None:
            continue
        if source.how == "value" and isinstance(source.node, ast.expr):
            yield from (rows + added for rows in _lists(where, source.node, passed))
        elif source.how == "parameter":
            given = (rows for other, each in where.given(source) or () for rows in _lists(other, each, passed))
            yield from (rows + added for rows in given)


def _keeps_rows(values: Values, call: ast.Call) -> bool:
    if isinstance(call.func, ast.Name) and call.func.id in _KEEPING:
        return values.bindings.scope(call.func) is None
    return dotted(values.module, values.names, call.func) in _DRAWING


def _is_zip(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "zip"


def _differs_inside(values: Values, row: ast.expr) -> bool:
    """Whether the parts of a row may differ in shape, or rows like it in their length."""
    if isinstance(row, ast.Call) and _is_zip(row):
        return len(row.args) > 1 and not _are_numbers(values.elements(part) for part in row.args)
    if isinstance(row, _DISPLAYS):
        parts = [part for part in row.elts if not isinstance(part, ast.Starred)]
        if all(_written_shape(part) is not None for part in parts):
            return may_be_uneven(values, row)
        plain = isinstance(row, ast.List) or len(parts) < 2 or _are_alike(parts)
        return not plain and not _are_numbers(values.of(part) for part in parts)
    return _has_own_length(values, row)


def _are_numbers(every: Iterable[Iterable[object]]) -> bool:
    """Whether values are single numbers for certain."""
    kinds = [kind for found in every for kind in (found or (None,))]
    return all(getattr(kind, "form", "") in _NUMBERS for kind in kinds)


def _are_alike(parts: list[ast.expr]) -> bool:
    """Whether parts are computed in one way from single things: `(box[0], box[1])`, `(x + w, y + h)`."""
    return all(isinstance(part, ast.Subscript | ast.BinOp) for part in parts)


def _has_own_length(values: Values, row: ast.expr) -> bool:
    """Whether a row is made of as many parts as something has that is another for each: the words of a line."""
    if isinstance(row, ast.ListComp):
        counted = row.generators[0].iter
        return bool(row.generators[0].ifs) or _is_split(counted) or _is_of_loop(values, row, counted)
    if isinstance(row, ast.Call) and isinstance(row.func, ast.Name) and row.func.id == "list" and row.args:
        inner = row.args[0]
        mapped = isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "map"
        return mapped and isinstance(inner, ast.Call) and len(inner.args) == 2 and _is_split(inner.args[1])
    return _is_split(row)


def _is_split(node: ast.expr) -> bool:
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return named and isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("split", "rsplit", "splitlines")


def _is_of_loop(values: Values, row: ast.ListComp, counted: ast.expr) -> bool:
    """Whether what a comprehension goes through is what another loop goes through: a sentence of sentences."""
    if not isinstance(counted, ast.Name):
        return False
    scope = values.bindings.scope(counted)
    sources = None if scope is None else values.bindings.of_name(scope, counted.id)
    return any(source.how == "each" for source in sources or ())


def _written_shape(node: ast.expr) -> tuple[int, ...] | None:
    """The shape of a number or of rows that are written out; None where it is not known."""
    if isinstance(node, ast.UnaryOp):
        return _written_shape(node.operand)
    if isinstance(node, ast.Constant):
        return ()
    if not isinstance(node, _DISPLAYS) or any(isinstance(part, ast.Starred) for part in node.elts):
        return None
    inner = {_written_shape(part) for part in node.elts}
    first = inner.pop() if len(inner) == 1 else None
    return (len(node.elts), *(first or ())) if first is not None or not node.elts else None
