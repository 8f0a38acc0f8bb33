"""What the parts of the planner have in common: the facts of a program, its plans, and what stands in the way."""

from __future__ import annotations

import ast

from tf_migrate.report.model import Reason
from tf_migrate.steps.facts import ProgramFacts
from tf_migrate.steps.plan import ModulePlan
from tf_migrate.syntax.module import Module


class Part:
    """One part of the planner: it fills the plans of a program's modules."""

    def __init__(self, facts: ProgramFacts, plans: dict[str, ModulePlan]) -> None:
        self.facts = facts
        self.plans = plans
        self.reasons: list[Reason] = []

    def plan_of(self, node: ast.AST) -> ModulePlan:
        """The plan of the module that a node stands in."""
        return self.plans[self.facts.owners[node].name]

    def reason(self, code: str, node: ast.AST, message: str, next_step: str) -> Reason:
        """A reason that stands at a node of the program."""
        return reason_at(self.facts.owners[node], code, node, message, next_step)

    def refuse(self, code: str, node: ast.AST, message: str, next_step: str) -> None:
        """Notes what keeps the program from steps."""
        self.reasons.append(self.reason(code, node, message, next_step))


def reason_at(module: Module, code: str, node: ast.AST, message: str, next_step: str) -> Reason:
    """A reason that stands at a node of a module."""
    line, _ = module.source.place(getattr(node, "lineno", 1))
    return Reason(code, module.path, line, (), message, next_step)
