"""Initializers that nobody runs any more: the names that they were given go with their runs."""

from __future__ import annotations

import ast
from collections.abc import Collection

from tf_migrate.report.model import Reason
from tf_migrate.semantics.effects import effect
from tf_migrate.steps.facts import ProgramFacts
from tf_migrate.steps.part import Part
from tf_migrate.steps.plan import ModulePlan


class UnreadInitializers(Part):
    """Drops `init = tf.global_variables_initializer()` where only runs that go read the name.

    Not in a program with a seed: there the operation counts for the numbers that are drawn behind it. `imported` are
    modules whose names others may read.
    """

    def __init__(self, facts: ProgramFacts, plans: dict[str, ModulePlan], imported: Collection[str]) -> None:
        super().__init__(facts, plans)
        self._imported = imported

    def plan(self) -> list[Reason]:
        """Fills the plans; nothing of it stands in the way of steps."""
        if not self.facts.is_seeded:
            for run in self.facts.removed:
                statement = self.facts.statement(run)
                for node in ast.walk(statement):
                    if isinstance(node, ast.Name) and (made := self._only_for(node, statement)) is not None:
                        self.plan_of(made).dropped.add(made)
        return self.reasons

    def _only_for(self, node: ast.Name, statement: ast.stmt) -> ast.Assign | None:
        """The assignment of an initializer to a name that nothing else reads."""
        module = self.facts.owners[statement]
        scope = module.binding_scope(node)
        if (
            scope is None
            or len(scope.bindings[node.id]) != 1
            or (scope is module.root and module.name in self._imported)
        ):
            return None
        loads = [load for load in module.loads.get(node.id, ()) if module.binding_scope(load) is scope]
        dropped = self.plan_of(statement).dropped
        if not all(self.facts.statement(load) in dropped for load in loads):
            return None
        return next(
            (
                made
                for made in module.nodes
                if isinstance(made, ast.Assign) and len(made.targets) == 1 and isinstance(made.targets[0], ast.Name)
                and made.targets[0].id == node.id and module.scopes.get(made.targets[0]) is scope
                and self._only_initializes(made.value)
            ),
            None,
        )  # fmt: skip

    def _only_initializes(self, value: ast.expr) -> bool:
        if not isinstance(value, ast.Call) or value.keywords:
            return False
        called = self.facts.recorder.symbols.get(value, set())
        if called == {"tf.group"}:
            return all(map(self._only_initializes, value.args))
        return bool(called) and not value.args and all(effect(symbol).name == "initializer" for symbol in called)
