"""The way through one section of a script, as if it were a script of its own.

What stands before it is read as far as it is Python's. Names that parts of other graphs are bound to may not be used
by the section, and what the section builds may not be used behind it: each graph has its own tier.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.names.building import INITIALIZER_CLASSES
from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import RunSite
from tf_migrate.stages.functions import mentions_graph
from tf_migrate.stages.left_names import LeftNames
from tf_migrate.stages.sections import Section
from tf_migrate.stages.values import PYTHON, Refused
from tf_migrate.stages.walk import Walk
from tf_migrate.syntax.module import Module

_DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class SectionWalk(Walk):
    """Reads one section of a script; what the others build is left out."""

    def __init__(self, module: Module, names: Names, sites: tuple[RunSite, ...], section: Section) -> None:
        self.section = section
        super().__init__(module, names, sites, None)

    def calls(self) -> list[ast.Call]:
        """The calls that concern the section's graph."""
        return [
            call for node in self.section.reached(self.module) for call in ast.walk(node) if isinstance(call, ast.Call)
        ]

    def read(self) -> None:
        """Reads the section behind what stands before it, and looks at what follows."""
        body = self.module.tree.body
        first = body.index(self.section.statements[0])
        behind = first + len(self.section.statements)
        for node in body[:first]:
            self._beside(node)
        begun = len(self.units)
        self.block(body[first:behind], ())
        left = LeftNames(self.module, self._own_names(begun))
        for node, name in left.read_by(body[behind:]):
            raise Refused(node, f"`{name}` is of a graph that was thrown away", "build it anew")

    def begins_graph(self, node: ast.Expr, scopes: tuple[ast.With, ...]) -> bool:
        """Takes what throws the default graph away; a function that does it for several sections stays as it is."""
        begun = super().begins_graph(node, scopes)
        self.dropped = [item for item in self.dropped if self.section.holds(item)]
        return begun

    def _own_names(self, begun: int) -> Iterator[str]:
        """The names that mean parts of the section's graph at its end, or objects that hold some."""
        for name, binding in self.evaluator.env.items():
            if binding.unit >= begun and (binding.value.is_graph or binding.value.owner is not None):
                yield name

    def _beside(self, node: ast.stmt) -> None:
        """A statement of another section: Python code counts, what builds or runs its graph does not."""
        if not self._concerns_others(node):
            self.block([node], ())
            return
        step = "build it behind the last `tf.reset_default_graph()`"
        fetched = self._fetched_in(node)
        for name in sorted(fetched):
            self.bind(name, PYTHON, node)
        for name in sorted(self.bound_by(node) - fetched):
            place = ast.copy_location(ast.Pass(), node)
            self.evaluator.unread[place] = Refused(node, f"`{name}` is a part of another graph, or runs it", step)
            self.bind(name, PYTHON, place)

    def _fetched_in(self, node: ast.stmt) -> set[str]:
        """The names that a statement binds to what runs gave, and to nothing else: Python's values."""
        runs = [item for item in ast.walk(node) if isinstance(item, ast.Assign) and item.value in self.sites]
        given = {inner for item in runs for target in item.targets for inner in ast.walk(target)}
        others = {name.id for name in _names_in(node, ast.Store) if name not in given}
        return {name.id for name in _names_in(node, ast.Store)} - others

    def _concerns_others(self, node: ast.stmt) -> bool:
        """Whether a statement builds, or runs, a part of another graph, or takes one that does."""
        if isinstance(node, ast.Import | ast.ImportFrom) or self._makes_initializer(node):
            return False
        if isinstance(node, _DEFINITION):
            runs = any(inner in self.sites for inner in ast.walk(node) if isinstance(inner, ast.Call))
            return runs or (not isinstance(node, ast.FunctionDef) and mentions_graph(self.evaluator, node))
        changed = _names_in(node, ast.Store) if isinstance(node, ast.AugAssign) else []
        bindings = (self.evaluator.env.get(name.id) for name in (*_names_in(node, ast.Load), *changed))
        unread = any(binding is not None and binding.node in self.evaluator.unread for binding in bindings)
        return unread or mentions_graph(self.evaluator, node)

    def _makes_initializer(self, node: ast.stmt) -> bool:
        """Whether a statement makes an object that says how variables of any graph may begin."""
        call = node.value if isinstance(node, ast.Assign) else None
        return isinstance(call, ast.Call) and self.names.resolve(call.func) in INITIALIZER_CLASSES


def _names_in(node: ast.stmt, context: type[ast.expr_context]) -> list[ast.Name]:
    return [inner for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, context)]
