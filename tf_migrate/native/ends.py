"""What may end a loop over data beside the data: errors of its kind from elsewhere, and iterators that begin anew.

A `for` loop holds the iterator that it began with, and only the end of that ends it. A handler of `OutOfRangeError`
ends with an error of that kind wherever it came from: a `raise`, a function, a variable that counted to its limit.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from functools import cached_property

from tf_migrate.stages import purity
from tf_migrate.stages.program import Program
from tf_migrate.stages.scattering import Count

_CALLING = frozenset({"__import__", "compile", "eval", "exec", "filter", "getattr", "input", "iter", "map", "next"})
_ASKING = frozenset({"print_exc", "format_exc", "exc_info", "exception", "print_last"})
_WAITING = frozenset({"result", "send", "throw"})
_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Ends:
    """Answers for the code of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.runs = {run.site.node: run for run in program.runs}
        self.sites = {site.node for site in program.sites}

    @cached_property
    def _made(self) -> dict[str, list[ast.stmt]]:
        """The functions and classes of the module by their names."""
        found: dict[str, list[ast.stmt]] = {}
        for node in ast.walk(self.program.module.tree):
            if isinstance(node, _DEFINITIONS):
                found.setdefault(node.name, []).append(node)
        return found

    @cached_property
    def _kept(self) -> frozenset[str]:
        """The attributes that the module stores values in, which may be functions."""
        found = self.program.module.attributes.items()
        return frozenset(name for name, nodes in found if any(not isinstance(node.ctx, ast.Load) for node in nodes))

    def only_data(self, body: Iterable[ast.stmt], site: ast.Call) -> bool:
        """Whether nothing in statements ends a loop as the end of the data does, but the run that takes an element."""
        seen: set[ast.AST] = set()
        pending: list[ast.AST] = list(body)
        while pending:
            for inner in ast.walk(pending.pop()):
                if inner is not site and not self._is_plain(inner):
                    return False
                for made in self._meant(inner):
                    if made not in seen:
                        seen.add(made)
                        pending.append(made)
        return True

    def _meant(self, node: ast.AST) -> Iterator[ast.stmt]:
        """The functions and classes of the module that a name may mean."""
        word = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        yield from self._made.get(word, ())

    def _is_plain(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Raise):
            return self._is_of_python(node.exc)
        if isinstance(node, ast.Yield | ast.YieldFrom | ast.Await):
            return False
        return not isinstance(node, ast.Call) or self._is_plain_call(node)

    def _is_of_python(self, error: ast.expr | None) -> bool:
        """Whether an error that is raised is one of Python's own."""
        kind = error.func if isinstance(error, ast.Call) else error
        return isinstance(kind, ast.Name) and self._is_builtin(kind)

    def _is_builtin(self, name: ast.Name) -> bool:
        return hasattr(builtins, name.id) and self.program.module.binding_scope(name) is None

    def _is_plain_call(self, call: ast.Call) -> bool:
        if call in self.sites:
            run = self.runs.get(call)
            return run is not None and run.start is None and not any(isinstance(item, Count) for item in run.updates)
        symbol = self.program.names.resolve(call.func)
        if symbol is not None:
            return purity.is_plain_call(symbol) and not symbol.startswith("tf.errors")
        if isinstance(call.func, ast.Name):
            name = call.func
            known = name.id in self._made or self._is_imported(name)
            return known or (self._is_builtin(name) and name.id not in _CALLING)
        if not isinstance(call.func, ast.Attribute) or call.func.attr in _WAITING:
            return False
        root: ast.expr = call.func
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and self._is_of_tree(root):
            return False
        return call.func.attr in self._made or call.func.attr not in self._kept

    def _is_imported(self, name: ast.Name) -> bool:
        """Whether a name is imported from a library."""
        scope = self.program.module.binding_scope(name)
        bound = [] if scope is None else scope.bindings[name.id]
        return bool(bound) and all(isinstance(item, tuple) for item in bound) and not self._is_of_tree(name)

    def _is_of_tree(self, name: ast.Name) -> bool:
        """Whether a name is imported from another module of the tree."""
        names = self.program.names
        return name in names.module.scopes and (names.raw_origin(name) or "").startswith("@")


def asks_for_error(statements: Iterable[ast.stmt]) -> bool:
    """Whether statements of a handler need the error that is being handled."""
    for inner in (inner for statement in statements for inner in ast.walk(statement)):
        if isinstance(inner, ast.Raise) and inner.exc is None:
            return True
        if isinstance(inner, ast.Attribute | ast.Name):
            word = inner.attr if isinstance(inner, ast.Attribute) else inner.id
            if word in _ASKING:
                return True
    return False
