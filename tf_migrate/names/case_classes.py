"""Classes of tests: what they derive from in the end, and the graph that a block of theirs enters."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.names.canonical import Names
from tf_migrate.syntax.callee import callee

CASE = "tf.test.TestCase"
PLAIN_CASE = "unittest.TestCase"
DEPTH = 10
"""How many classes deep a base is looked for."""
_GRAPHS = ("tf.Graph", "compat.Graph")


def is_case_without_graph(names: Names, node: ast.ClassDef) -> bool:
    """Whether a class of tests derives from `unittest.TestCase`, and not from TensorFlow's."""
    return PLAIN_CASE in (found := set(_roots(names, node))) and CASE not in found


def has_graph_of_its_own(names: Names, node: ast.ClassDef) -> bool:
    """Whether a class of tests derives from TensorFlow's, which begins a seeded graph for each test."""
    return CASE in _roots(names, node)


def _roots(names: Names, node: ast.ClassDef, depth: int = 0) -> Iterator[str]:
    """What a class derives from in the end, through the classes of the tree."""
    for base in node.bases if depth < DEPTH else ():
        found = definition(names, base)
        if found is None:
            yield names.resolve(base) or callee(base, names.module) or ""
        else:
            yield from _roots(*found, depth + 1)


def graph_entered(names: Names, node: ast.stmt) -> ast.Call | None:
    """The call that makes the graph which a block enters first, as in `with tf.Graph().as_default():`."""
    first = node.items[0].context_expr if isinstance(node, ast.With) else None
    entered = first.func if isinstance(first, ast.Call) else None
    made = entered.value if isinstance(entered, ast.Attribute) and entered.attr == "as_default" else None
    return made if isinstance(made, ast.Call) and names.of(made.func) in _GRAPHS else None


def definition(names: Names, base: ast.expr) -> tuple[Names, ast.ClassDef] | None:
    """The one class of the tree that a base is, and the names of its module; None where it is not known."""
    made = names.definition(base)
    home, name = names, base.id if isinstance(base, ast.Name) else ""
    if made is not None:
        module = names.index.tree(made[0])
        if module is None:
            return None
        home, name = Names(module, names.index, names.compat_module), made[1]
    found = [item for item in home.module.tree.body if isinstance(item, ast.ClassDef) and item.name == name]
    return (home, found[0]) if len(found) == 1 and len(home.module.root.bindings.get(name, [])) == 1 else None
