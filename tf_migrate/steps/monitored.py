"""Monitored sessions become blocks in which hooks are called around steps."""

from __future__ import annotations

import ast

from tf_migrate.report.model import Reason
from tf_migrate.semantics.effects import effect
from tf_migrate.semantics.monitored import CODE
from tf_migrate.steps.part import Part

_WORDS = {
    "training": "compat.train.MonitoredTrainingSteps",
    "single": "compat.train.MonitoredSteps",
    "plain": "compat.train.MonitoredSteps",
}
_DROPPED = ("master", "is_chief")
"""Arguments that say which of several processes it is."""
_POSITIONS = {"training": _DROPPED, "single": (), "plain": ()}


class Monitoring(Part):
    """Puts what monitors steps where monitored sessions were made."""

    def plan(self) -> list[Reason]:
        """Fills the plans; gives what stands in the way."""
        for call, symbols in list(self.facts.recorder.symbols.items()):
            if isinstance(call, ast.Call) and call in self.facts.owners:
                rows = [effect(symbol) for symbol in symbols if symbol.startswith("tf.")]
                kinds = {row.detail for row in rows if row.name == "monitored"}
                if kinds and all(row.name == "monitored" for row in rows):
                    self._replace(call, kinds)
                elif kinds:
                    self.refuse(CODE, call, "it makes a monitored session or something else", "keep them apart")
        return self.reasons

    def _replace(self, call: ast.Call, kinds: set[str]) -> None:
        if len(kinds) > 1:
            self.refuse(CODE, call, "it makes one of several monitored sessions", "write each where it is made")
            return
        (kind,) = kinds
        plan = self.plan_of(call)
        plan.replaced[call.func] = _WORDS[kind]
        plan.dropped_arguments.update(value for _, value in zip(_POSITIONS[kind], call.args, strict=False))
        plan.dropped_arguments.update(keyword.value for keyword in call.keywords if keyword.arg in _DROPPED)
        statement = self.facts.parent(self.facts.parent(call) or call)
        if isinstance(statement, ast.With):
            plan.dropped_elements.update(
                item.optional_vars
                for item in statement.items
                if item.context_expr is call and isinstance(item.optional_vars, ast.Name) and self._goes(item)
            )

    def _goes(self, item: ast.withitem) -> bool:
        """Whether all that a program does with a monitored session by its name is to run it."""
        name = item.optional_vars
        assert isinstance(name, ast.Name)
        loads = self.facts.owners[item].loads.get(name.id, ())
        return all(self._runs(load) for load in loads)

    def _runs(self, load: ast.AST) -> bool:
        method = self.facts.parent(load)
        call = None if method is None else self.facts.parent(method)
        return isinstance(call, ast.Call) and call.func is method and call in self.facts.sites
