"""Runs of sessions whose names nothing binds: the program raises a NameError there, before and after."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping

from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import find_sites
from tf_migrate.steps.facts import ProgramFacts
from tf_migrate.steps.part import reason_at
from tf_migrate.steps.plan import ModulePlan, Verdict
from tf_migrate.syntax.module import Module
from tf_migrate.syntax.run_texts import root_of


def leave_unbound(facts: ProgramFacts, plans: Mapping[str, ModulePlan], names: Mapping[str, Names]) -> None:
    """Leaves such runs as they are, and tells of them."""
    for name, known in names.items():
        module, plan = known.module, plans[name]
        for site in find_sites(module, known):
            if site.node not in facts.sites and _is_unbound(module, site.node.func):
                root = root_of(site.node.func)
                reason = reason_at(
                    module,
                    "session-unbound",
                    site.node,
                    f"nothing binds `{root}`: the program raises a NameError there",
                    "run the session that is meant, or take the code out",
                )
                plan.own_calls |= {site.node}
                plan.verdicts.append(Verdict(site.node, "manual", (reason,)))


def _is_unbound(module: Module, node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    if not isinstance(node, ast.Name) or hasattr(builtins, node.id) or module.binding_scope(node) is not None:
        return False
    stars = (each for each in module.nodes if isinstance(each, ast.ImportFrom))
    return not any(alias.name == "*" for each in stars for alias in each.names)
