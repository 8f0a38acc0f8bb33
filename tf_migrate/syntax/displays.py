"""The words of displays that a name stands for: `fetches = [model.loss, model.summary]` before `sess.run(fetches)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.syntax.module import Module
from tf_migrate.syntax.own_nodes import every_node

_READING = frozenset(("enumerate", "len", "list", "print", "sorted", "tuple", "zip"))
_RUNNING = frozenset(("eval", "run"))


def displayed(module: Module, name: ast.Name) -> list[ast.expr]:
    """What a name of a function is given: displays, keys that are stored one by one, displays that it is updated by.

    Nothing where the name is used otherwise than so, read, and run: then there may be something else in it.
    """
    region = module.function_of(name) or module.tree
    found: list[ast.expr] = []
    for node in every_node(region):
        if isinstance(node, ast.Name) and node.id == name.id:
            given = list(_given(module, node))
            if not given:
                return []
            found += [each for each in given if each is not None]
    return found


def _given(module: Module, use: ast.Name) -> Iterator[ast.expr | None]:
    """What one use of a name gives it, None where that is nothing; no item where nobody knows."""
    outer = module.parents[use]
    around = module.parents.get(outer)
    if isinstance(outer, ast.keyword):
        outer, around = around or outer, None
    if isinstance(outer, ast.Assign) and use in outer.targets:
        if isinstance(outer.value, ast.List | ast.Tuple | ast.Dict):
            yield outer.value
    elif isinstance(outer, ast.Subscript) and outer.value is use:
        if isinstance(outer.ctx, ast.Load):
            yield None
        elif isinstance(around, ast.Assign):
            yield ast.Tuple([outer.slice, around.value], ast.Load())
    elif isinstance(outer, ast.Attribute) and outer.attr == "update" and isinstance(around, ast.Call):
        if len(around.args) == 1 and not around.keywords and isinstance(around.args[0], ast.Dict):
            yield around.args[0]
    elif isinstance(outer, ast.For) and outer.iter is use:
        yield None
    elif isinstance(outer, ast.Call) and use is not outer.func:
        function = outer.func
        runs = isinstance(function, ast.Attribute) and function.attr in _RUNNING
        if runs or (isinstance(function, ast.Name) and function.id in _READING):
            yield None
