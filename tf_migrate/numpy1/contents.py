"""What lists and arrays hold, and what is made of the values that they hold."""

from __future__ import annotations

import ast
from functools import reduce

from tf_migrate.numpy1.functions import Kinds
from tf_migrate.numpy1.kinds import BOOL, FLOAT, INT, OTHER, TENSOR, UNKNOWN, Kind, promoted

DISPLAYS = ast.List | ast.Tuple | ast.Set
_UNKNOWN: Kinds = frozenset({UNKNOWN})


def collected(elements: Kinds) -> Kinds:
    """A list of values: a `list` of Python's numbers, a `row` of NumPy's or of arrays."""
    if not elements or any(not kind.dtype for kind in elements):
        return frozenset({TENSOR if elements and all(kind == TENSOR for kind in elements) else UNKNOWN})
    if len({kind.form for kind in elements} & {"array", "list", "row"}) and len(elements) > 1:
        return _UNKNOWN
    plain = all(kind.form in ("python", "list") for kind in elements)
    return frozenset({Kind("list" if plain else "row", reduce(promoted, (kind.dtype for kind in elements)))})


def parts(kinds: Kinds) -> Kinds:
    """The elements of arrays and lists."""
    found: set[Kind] = set()
    for kind in kinds:
        if kind.form == "array":
            found |= {kind._replace(deep=False)} if kind.deep else {Kind("scalar", kind.dtype), kind}
        else:
            found.add(Kind("python", kind.dtype) if kind.form == "list" else TENSOR if kind == TENSOR else UNKNOWN)
    return frozenset(found)


def of_shape(kinds: Kinds, shape: ast.expr | None) -> Kinds:
    """What is made of a shape: an array of several axes where that has several sizes."""
    several = isinstance(shape, ast.List | ast.Tuple) and len(shape.elts) > 1
    return frozenset(kind._replace(deep=True) if several and kind.form == "array" else kind for kind in kinds)


def keeps_axes(index: ast.expr) -> bool:
    """Whether what an index takes out of an array is an array for certain."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return any(isinstance(part, ast.Slice | ast.List | ast.Compare) for part in parts)


def is_display(*nodes: ast.expr) -> bool:
    """Whether one of the expressions is a list that is written out, or several of them together."""
    return any(
        isinstance(node, DISPLAYS) or (isinstance(node, ast.BinOp) and is_display(node.left, node.right))
        for node in nodes
    )


def constant(value: object) -> Kind:
    """What a constant that is written out is."""
    if isinstance(value, bool):
        return BOOL
    return INT if isinstance(value, int) else FLOAT if isinstance(value, float) else OTHER
