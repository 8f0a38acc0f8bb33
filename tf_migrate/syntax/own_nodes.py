"""What belongs to a function itself, and not to the functions and classes inside of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_NO_NODES = frozenset({"arg", "asname", "attr", "ctx", "id", "kind", "level", "type_comment"})
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}
"""By kinds of nodes: the fields in which others may stand."""


def own_nodes(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Iterator[ast.AST]:
    """The nodes of a function's body; of inner functions and classes only they themselves, in no order.

    >>> made = ast.parse("def f(x):\\n    def g():\\n        return 1\\n    return x").body[0]
    >>> sum(isinstance(node, ast.Return) for node in own_nodes(made))
    1
    """
    return own_nodes_of(function.body if isinstance(function.body, list) else [function.body])


def own_nodes_of(block: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The same of some statements or expressions of a function."""
    pending = list(block)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, _INNER):
            pending += children(node)


def returned(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.expr] | None:
    """What a function returns; None for a generator."""
    if isinstance(function, ast.Lambda):
        return [function.body]
    nodes = list(own_nodes(function))
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes):
        return None
    return [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]


def every_node(tree: ast.AST) -> Iterator[ast.AST]:
    """A node and all inside of it, in no order: what `ast.walk` gives without contexts, and faster."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending += children(node)


def walked(tree: ast.AST) -> list[ast.AST]:
    """A node and all inside of it in the order of `ast.walk`, without contexts, and faster."""
    found = [tree]
    for node in found:
        found += children(node)
    return found


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes that stand right in a node, in their order, but for whether a name is read or bound."""
    fields = _FIELDS.get(type(node))
    if fields is None:
        fields = _FIELDS[type(node)] = tuple(name for name in node._fields if name not in _NO_NODES)
    found: list[ast.AST] = []
    parts = node.__dict__
    for name in fields:
        part = parts.get(name)
        if type(part) is list:
            found += [each for each in part if isinstance(each, ast.AST)]
        elif part is not None and isinstance(part, ast.AST):
            found.append(part)
    return found
