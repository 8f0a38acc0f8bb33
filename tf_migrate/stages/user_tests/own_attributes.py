"""The attributes that a test's own methods bind: the function that calls such a method makes them too."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tf_migrate.stages.names_used import loads_of, stores_of
from tf_migrate.stages.user_tests.allowed import Own
from tf_migrate.syntax.module import Module

_WORDS = "assert cached_session evaluate fail get_temp_dir id session skipTest subTest test_session"
_PLAIN = tuple(f"self.{word}" for word in _WORDS.split())
"""Methods of TensorFlow's tests that change nothing of the test's own."""


class Stores:
    """Tells what statements bind: names, attributes of the test, and attributes that its methods bind for them."""

    def __init__(self, module: Module, test: ast.FunctionDef, own: Own) -> None:
        self.module = module
        self.methods: dict[str, list[ast.FunctionDef]] = {}
        for _, method in own.methods:
            self.methods.setdefault(f"self.{method.name}", []).append(method)
        members = [member for node in own.classes for member in node.body]
        self.held = set().union(*(stores_of(module, item) for item in members if isinstance(item, ast.Assign)))
        self.held = {f"self.{name}" for name in self.held}.union(*map(_attributes, own.classes))
        """The attributes that the classes bind, which are no methods."""
        self.read = {name for name in loads_of(test) if name.startswith("self.")} - set(self.methods)
        """The attributes that the test reads."""

    @property
    def every(self) -> list[ast.FunctionDef]:
        """The methods of the test's object."""
        return [method for methods in self.methods.values() for method in methods]

    def of(self, item: ast.stmt) -> set[str]:
        """What a statement binds; where it hands the test on, any attribute that is read."""
        found = stores_of(self.module, item)
        if self.hands_on(item):
            return found | self.read
        return found.union(*map(_attributes, self.called_by(item)))

    def hands_on(self, node: ast.AST) -> bool:
        """Whether code, or a method that it calls, gives the test itself to other code."""
        return any(map(self._hands_on, (node, *self.called_by(node))))

    def called_by(self, node: ast.AST) -> list[ast.FunctionDef]:
        """The methods of the test that code names, those that these name included."""
        found: list[ast.FunctionDef] = []
        pending: list[ast.AST] = [node]
        while pending:
            known = pending.pop()
            methods = [method for name in loads_of(known) for method in self.methods.get(name, [])]
            pending += [method for method in methods if method not in found and method is not node]
            found += dict.fromkeys(method for method in methods if method not in found)
        return found

    def _hands_on(self, node: ast.AST) -> bool:
        for call in (inner for inner in ast.walk(node) if isinstance(inner, ast.Call)):
            given = [*call.args, *(word.value for word in call.keywords)]
            above = isinstance(call.func, ast.Name) and call.func.id == "super"
            if not above and any(isinstance(value, ast.Name) and value.id == "self" for value in given):
                return True
            method = ast.unparse(call.func) if isinstance(call.func, ast.Attribute) else ""
            plain = method.startswith(_PLAIN) or method in self.methods or method in self.held
            if method.startswith("self.") and method.count(".") == 1 and not plain:
                return True
        return False


def _attributes(method: ast.AST) -> Iterable[str]:
    for inner in ast.walk(method):
        plain = isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name) and inner.value.id == "self"
        if plain and isinstance(inner, ast.Attribute) and not isinstance(inner.ctx, ast.Load):
            yield f"self.{inner.attr}"
