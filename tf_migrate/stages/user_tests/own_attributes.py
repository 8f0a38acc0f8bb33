"""The attributes that a test's own methods bind: the function that calls such a method makes them too."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tf_migrate.stages.names_used import loads_of, stores_of
from tf_migrate.syntax.module import Module


class Stores:
    """Tells what statements bind: names, attributes of the test, and attributes that its methods bind for them."""

    def __init__(self, module: Module, test: ast.FunctionDef, methods: Iterable[ast.FunctionDef]) -> None:
        self.module = module
        self.methods: dict[str, list[ast.FunctionDef]] = {}
        for method in methods:
            self.methods.setdefault(f"self.{method.name}", []).append(method)
        self.read = {name for name in loads_of(test) if name.startswith("self.")} - set(self.methods)
        """The attributes that the test reads."""

    def of(self, item: ast.stmt) -> set[str]:
        """What a statement binds; where it hands the test on, any attribute that is read."""
        found = stores_of(self.module, item)
        pending: list[ast.AST] = [item]
        seen: set[ast.AST] = set()
        while pending:
            node = pending.pop()
            if node in seen:
                continue
            seen.add(node)
            if _hands_on(node):
                return found | self.read
            if node is not item:
                found |= set(_attributes(node))
            pending += [method for name in loads_of(node) for method in self.methods.get(name, [])]
        return found


def _attributes(method: ast.AST) -> Iterable[str]:
    for inner in ast.walk(method):
        plain = isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name) and inner.value.id == "self"
        if plain and isinstance(inner, ast.Attribute) and not isinstance(inner.ctx, ast.Load):
            yield f"self.{inner.attr}"


def _hands_on(node: ast.AST) -> bool:
    """Whether code gives the test itself to other code, which may bind attributes of it."""
    for call in (inner for inner in ast.walk(node) if isinstance(inner, ast.Call)):
        given = [*call.args, *(word.value for word in call.keywords)]
        above = isinstance(call.func, ast.Name) and call.func.id == "super"
        if not above and any(isinstance(value, ast.Name) and value.id == "self" for value in given):
            return True
    return False
