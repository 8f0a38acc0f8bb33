"""Functions that run the session and are defined above what they run: they are read where the script first names them.

Until then nothing can have called them, and by then the script has bound the session and the tensors that they mean.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tf_migrate.names.building import main_guard
from tf_migrate.stages.entering import Entering

if TYPE_CHECKING:
    from tf_migrate.stages.contexts import Kind
    from tf_migrate.stages.evaluation import Evaluator

_BY_TEXT = frozenset({"eval", "exec", "globals", "locals", "vars"})
"""What may call a function that no name calls."""
_READ_THROUGH = ("session", "graph", "scope", "device")


class Ahead(Entering):
    """Reads such functions; `ahead` are those that were not named so far."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.ahead: dict[ast.FunctionDef, ast.Call] = {}

    @abstractmethod
    def kind_of(self, item: ast.withitem) -> Kind | None:
        """What one context is."""

    def takes_ahead(self, node: ast.FunctionDef, site: ast.Call) -> bool:
        """Leaves a function for later if it means something that the script binds further down."""
        outside = node not in self.module.tree.body or node in self.object_takers
        hidden = bool(_BY_TEXT & self.module.loads.keys())
        bound = {
            inner.id
            for inner in ast.walk(self.module.tree)
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store) and inner.lineno > node.lineno
            if self.module.function_of(inner) is None
        }
        loads = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        later = (loads & bound) - self.evaluator.env.keys()
        if outside or hidden or not later or self.home is not None or self.depth:
            return False
        self.ahead[node] = site
        return True

    def reads_ahead(self, statement: ast.stmt) -> None:
        """Reads the functions that a statement of the script names, or may call by calling another function."""
        if self.depth or self.home is not None or not self.ahead or self._is_read_through(statement):
            return
        parts: list[ast.AST] = [statement]
        if isinstance(statement, ast.FunctionDef):
            given = statement.args
            parts = [*statement.decorator_list, *given.defaults, *(item for item in given.kw_defaults if item)]
        nodes = self._reached(parts)
        enters = any(node in self.entrances for node in nodes if isinstance(node, ast.Call))
        named = {node.id for node in nodes if isinstance(node, ast.Name)}
        for function in [function for function in self.ahead if enters or function.name in named]:
            self.read_function(function, self.ahead.pop(function))

    def _reached(self, parts: Iterable[ast.AST]) -> list[ast.AST]:
        """The nodes of some code, and of all functions and classes of the module that it names, and these name."""
        defined = {
            node.name: node for node in self.module.tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        nodes: list[ast.AST] = []
        waiting = list(parts)
        while waiting:
            inside = list(ast.walk(waiting.pop()))
            nodes += inside
            names = {node.id for node in inside if isinstance(node, ast.Name)}
            waiting += [defined.pop(name) for name in names & defined.keys()]
        return nodes

    def reads_unnamed(self) -> None:
        """Reads the functions that nothing named."""
        for function in list(self.ahead):
            self.read_function(function, self.ahead.pop(function))

    def _is_read_through(self, statement: ast.stmt) -> bool:
        """Whether a block's own statements are read one by one, as those of the script."""
        if isinstance(statement, ast.With):
            return all(self.kind_of(item) in _READ_THROUGH for item in statement.items)
        return main_guard(statement) is not None
