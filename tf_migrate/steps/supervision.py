"""Supervisors become what saves and summarizes beside steps."""

from __future__ import annotations

import ast

from tf_migrate.report.model import Reason
from tf_migrate.semantics.effects import effect
from tf_migrate.semantics.monitored import CODE
from tf_migrate.semantics.supervisors import MANAGED, PREPARED
from tf_migrate.steps.part import Part

_SUPERVISOR = "compat.train.SupervisedSteps"
_METHODS = {MANAGED: "managed_steps", PREPARED: "prepare_steps"}


class Supervision(Part):
    """Puts what supervises steps where supervisors were made, and its methods where they made sessions."""

    def plan(self) -> list[Reason]:
        """Fills the plans; gives what stands in the way."""
        for call, symbols in list(self.facts.recorder.symbols.items()):
            if not isinstance(call, ast.Call) or call not in self.facts.owners:
                continue
            rows = [effect(symbol).name == "supervisor" for symbol in symbols if symbol.startswith("tf.")]
            if any(rows) and not isinstance(call.func, ast.Name | ast.Attribute):
                self.refuse(CODE, call, "it makes a supervisor or something else", "keep them apart")
            elif any(rows):
                self._supervise(call, symbols)
            for mark in symbols & _METHODS.keys():
                self._managed(call, mark)
        return self.reasons

    def _supervise(self, call: ast.Call, symbols: set[str]) -> None:
        made = {symbol for symbol in symbols if effect(symbol).name == "supervisor"}
        if made != {symbol for symbol in symbols if symbol.startswith("tf.")}:
            self.refuse(CODE, call, "it makes a supervisor or something else", "keep them apart")
            return
        self.plan_of(call).replaced[call.func] = _SUPERVISOR

    def _managed(self, call: ast.Call, mark: str) -> None:
        """A call that makes a session of a supervisor."""
        plan, parent = self.plan_of(call), self.facts.parent(call)
        if not isinstance(call.func, ast.Attribute):
            self.refuse(CODE, call, "a method of a supervisor has a name of its own", "call it on the supervisor")
            return
        plan.renamed[call.func] = _METHODS[mark]
        plan.dropped_arguments.update(call.args[:1])
        plan.dropped_arguments.update(keyword.value for keyword in call.keywords if keyword.arg == "master")
        if mark == MANAGED and isinstance(parent, ast.withitem):
            name = parent.optional_vars
            if isinstance(name, ast.Name | ast.Attribute):
                plan.dropped_elements.add(name)
            elif name is not None:
                self.refuse(CODE, call, "a session of a supervisor is unpacked", "give it a name")
        elif mark == PREPARED and isinstance(parent, ast.Assign) and self._has_plain_targets(parent):
            plan.bare.add(parent)
        elif mark == MANAGED or not isinstance(parent, ast.Expr):
            self.refuse(CODE, call, "a session of a supervisor is handed on where it is made", "give it a name first")

    @staticmethod
    def _has_plain_targets(node: ast.Assign) -> bool:
        return all(isinstance(target, ast.Name | ast.Attribute) for target in node.targets)
