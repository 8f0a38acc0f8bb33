"""A graph in TensorFlow 2 has other operations than TensorFlow 1's where variables are read and updated, and where
loops, branches and gradients are made: `w/read` is missing, `AssignAddVariableOp` is there. A program that shows or
counts all of them, and chooses none, prints something else. It is told once a module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.texts import written

_MESSAGE = (
    "all operations of a graph are shown or counted: TensorFlow 2 makes others for variables, updates, loops and "
    "gradients than TensorFlow 1 did, so that the list is another one"
)
_STEP = "look up by name what the program needs, or list `compat.global_variables()` and the placeholders"
_PASSING = frozenset({"enumerate", "list", "reversed", "sorted", "tuple", "zip"})
_SHOWING = frozenset({"len", "print"})


def find(context: Context) -> Iterator[Change]:
    """Looks at what becomes of lists of operations."""
    if context.tf2 or not context.builds:
        return
    shown = {node for value, _ in written(context.module) for node in ast.walk(value)}
    words = ("get_operations", "node")
    for attribute in (each for word in words for each in context.module.attributes.get(word, ())):
        listed = _listed(context, attribute)
        if listed is not None and _is_shown(context, listed, shown) and not context.module.is_skipped(listed):
            yield Change(
                context.finding(listed, "TFM153", _MESSAGE, action="shimmed", severity="warning", next_step=_STEP)
            )
            return


def _listed(context: Context, node: ast.Attribute) -> ast.expr | None:
    """The list that an attribute gives: `graph.get_operations()`, `graph.as_graph_def().node`."""
    if node.attr == "get_operations":
        call = context.module.parents[node]
        return call if isinstance(call, ast.Call) and call.func is node else None
    owner = node.value.func if isinstance(node.value, ast.Call) else node.value
    of_graph = isinstance(owner, ast.Attribute) and owner.attr in ("as_graph_def", "graph_def")
    return node if of_graph else None


def _is_shown(context: Context, node: ast.expr, shown: set[ast.AST]) -> bool:
    outer = context.module.parents[node]
    while isinstance(outer, ast.Call) and isinstance(outer.func, ast.Name) and outer.func.id in _PASSING:
        node, outer = outer, context.module.parents[outer]
    if isinstance(outer, ast.Call):
        return isinstance(outer.func, ast.Name) and outer.func.id in _SHOWING
    if isinstance(outer, ast.For):
        inside = {each for statement in outer.body for each in ast.walk(statement)}
        chooses = any(isinstance(each, ast.If | ast.Compare) for each in inside)
        return not chooses and _shows(outer.target, inside & shown)
    if not isinstance(outer, ast.comprehension) or outer.ifs:
        return False
    made = context.module.parents[outer]
    parts = [getattr(made, name) for name in ("elt", "key", "value") if hasattr(made, name)]
    compares = any(isinstance(each, ast.Compare) for part in parts for each in ast.walk(part))
    return not compares and any(_shows(outer.target, set(ast.walk(part))) for part in parts)


def _shows(target: ast.expr, places: set[ast.AST]) -> bool:
    """Whether a name of a loop is among what is shown."""
    names = {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
    return any(isinstance(each, ast.Name) and each.id in names for each in places)


RULE = Rule(id="TFM153", name="operation-list", before="", after="", find=find)
