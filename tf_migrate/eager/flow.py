"""Which value a name holds where it is read, when one assignment decides that."""

from __future__ import annotations

import ast
from functools import cached_property

from tf_migrate.syntax.local_flow import Definition, definition
from tf_migrate.syntax.module import Module

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def place(node: ast.expr | ast.stmt) -> tuple[int, int]:
    """Where a node begins, for comparing."""
    return node.lineno, node.col_offset


class Flow:
    """Reaching definitions of the local names of one module."""

    def __init__(self, module: Module) -> None:
        self.module = module

    @cached_property
    def _stores(self) -> dict[tuple[int, str], list[ast.Name]]:
        found: dict[tuple[int, str], list[ast.Name]] = {}
        for node, scope in self.module.scopes.items():
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                found.setdefault((id(scope), node.id), []).append(node)
        for nodes in found.values():
            nodes.sort(key=place)
        return found

    def stores(self, name: ast.Name) -> list[ast.Name]:
        """Where the name is bound by assignment in its own scope, in order of the text."""
        return self._stores.get((id(self.module.scopes[name]), name.id), [])

    def reaching(self, name: ast.Name) -> Definition | None:
        """The one assignment whose value a name holds here; None where several may, or none is known."""
        stores = self.stores(name)
        if not stores:
            return self._outer(name)
        here = self.module.statement_of(name)
        before = [store for store in stores if place(store) < place(name) and self._statement(store) is not here]
        if not before or not self.dominates(before[-1], name) or self._comes_back(stores, before[-1], name):
            return None
        return definition(self.module, before[-1])

    def value(self, node: ast.expr) -> ast.expr:
        """The expression that a name stands for, through plain assignments; the node itself otherwise."""
        for _ in range(8):
            if not isinstance(node, ast.Name) or node not in self.module.scopes:
                break
            found = self.reaching(node)
            if found is None or found.kind != "value" or found.value is None:
                break
            node = found.value
        return node

    def dominates(self, first: ast.AST, second: ast.AST) -> bool:
        """Whether the block that holds the first node's statement also holds the second's."""
        statement = self.module.statement_of(first)
        block = self.module.parents[statement]
        while isinstance(block, ast.With | ast.AsyncWith) and not self.inside(second, block):
            statement, block = block, self.module.parents[block]  # what stands in a `with` block is always run
        inner: ast.AST = second
        while (outer := self.module.parents.get(inner)) is not None and outer is not block:
            inner = outer
        return outer is block and _same_branch(block, statement, inner)

    def inside(self, node: ast.AST, outer: ast.AST) -> bool:
        """Whether a node lies within another."""
        current: ast.AST | None = node
        while current is not None and current is not outer:
            current = self.module.parents.get(current)
        return current is outer

    def loops_around(self, node: ast.AST) -> list[ast.For | ast.AsyncFor | ast.While]:
        """The loops of the same function around a node, innermost first."""
        found: list[ast.For | ast.AsyncFor | ast.While] = []
        current = self.module.parents.get(node)
        while current is not None and not isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            if isinstance(current, _LOOPS):
                found.append(current)
            current = self.module.parents.get(current)
        return found

    def _outer(self, name: ast.Name) -> Definition | None:
        """A name of the scope around that is bound once."""
        scope = self.module.scopes[name].parent
        if name.id in self.module.scopes[name].bindings:
            return None
        while scope is not None and name.id not in scope.bindings:
            scope = scope.parent
        if scope is None or scope.is_class or len(scope.bindings[name.id]) != 1:
            return None
        stores = self._stores.get((id(scope), name.id), [])
        return definition(self.module, stores[0]) if len(stores) == 1 else None

    def _comes_back(self, stores: list[ast.Name], last: ast.Name, name: ast.Name) -> bool:
        loops = [loop for loop in self.loops_around(name) if not self.inside(last, loop)]
        return any(self.inside(store, loop) for loop in loops for store in stores)

    def _statement(self, store: ast.Name) -> ast.stmt | None:
        statement = self.module.statement_of(store)
        return None if isinstance(statement, ast.For | ast.With | ast.AsyncFor | ast.AsyncWith) else statement


def _same_branch(block: ast.AST, first: ast.stmt, second: ast.AST) -> bool:
    for field in ("body", "orelse", "finalbody", "handlers"):
        held = getattr(block, field, None)
        if isinstance(held, list) and first in held:
            return second in held or second is first
    return True
