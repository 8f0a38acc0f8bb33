"""Runs that read variables and nothing else: TensorFlow 1 computed nothing for them, so they need no feeds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.names.canonical import Names
from tf_migrate.stages.user_tests.reach import Reach

_MAKING = frozenset({"tf.Variable", "tf.get_variable"})
_SHAPING = frozenset({"tf.expand_dims", "tf.identity", "tf.reshape", "tf.squeeze"})
_DEPTH = 5


class Reading:
    """Tells which expressions of a test are variables, or these in another shape.

    An attribute is known by its name: by all that code which building reaches stores under it, in whatever object.
    """

    def __init__(self, names: Names, test: ast.FunctionDef, reach: Reach) -> None:
        self.names = names
        self.reach = reach
        named = (node for node in ast.walk(test) if isinstance(node, ast.Name))
        self.stored = [name for name in named if not isinstance(name.ctx, ast.Load)]

    def is_of_variables(self, node: ast.expr) -> bool:
        """Whether an expression of the test is a variable, or a list of such."""
        if isinstance(node, ast.List | ast.Tuple):
            return all(map(self.is_of_variables, node.elts))
        if isinstance(node, ast.Name):
            stores = [name for name in self.stored if name.id == node.id]
            made = self.names.module.parents[stores[0]] if len(stores) == 1 else None
            return isinstance(made, ast.Assign) and made.lineno < node.lineno and self.is_of_variables(made.value)
        return self._is_variable(self.names, node)

    def _is_variable(self, home: Names, node: ast.expr, depth: int = 0) -> bool:
        if isinstance(node, ast.Attribute):
            found = list(self._made(node.attr))
            return bool(found) and depth < _DEPTH and all(self._gives(*each, depth + 1) for each in found)
        symbol = home.resolve(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and symbol in _SHAPING and node.args:
            return self._is_variable(home, node.args[0], depth)
        return symbol in _MAKING

    def _made(self, attribute: str) -> Iterator[tuple[Names, ast.AST]]:
        """The statements that bind an attribute of that name, and the methods that are called so."""
        for home in self.reach.names.values():
            parents = home.module.parents
            for node in self.reach.seen & parents.keys():
                method = isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == attribute
                stored = isinstance(node, ast.Attribute) and node.attr == attribute
                if method and isinstance(parents[node], ast.ClassDef):
                    yield home, node
                elif stored and isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                    yield home, parents[node]

    def _gives(self, home: Names, node: ast.AST, depth: int) -> bool:
        """Whether a statement, or a property, makes an attribute a variable."""
        if isinstance(node, ast.Assign):
            return self._is_variable(home, node.value, depth)
        if not isinstance(node, ast.FunctionDef) or [ast.unparse(item) for item in node.decorator_list] != ["property"]:
            return False
        values = [inner.value for inner in ast.walk(node) if isinstance(inner, ast.Return)]
        return bool(values) and all(value is not None and self._is_variable(home, value, depth) for value in values)
