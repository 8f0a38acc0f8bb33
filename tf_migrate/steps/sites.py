"""The runs of a module as the report tells them, once it is written in steps."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import RunSite, find_sites
from tf_migrate.report import model
from tf_migrate.steps.draft import Unwritable
from tf_migrate.steps.plan import ModulePlan, Removal, Verdict
from tf_migrate.syntax.module import Module

_KINDS: Mapping[str, model.SiteKind] = {"eval": "Tensor.eval", "make_callable": "make_callable"}
_RULES: Mapping[str, str] = {"native": "TFM205", "dynamic": "TFM206"}


def sites_of_plan(names: Names, plan: ModulePlan) -> tuple[model.Site, ...]:
    """The sites of a module's plan, in order of place; raises Unwritable where the plan leaves out a run."""
    module = names.module
    known = {site.node: site for site in find_sites(module, names)}
    planned = {verdict.node for verdict in plan.verdicts}
    removed = {run.node for run in plan.runs if isinstance(run, Removal)}
    for node in known:
        if node not in planned | plan.own_calls and not module.is_skipped(node):
            raise Unwritable(node, "the plan does not tell what becomes of this run")
    found = (_site(module, verdict, known.get(verdict.node), verdict.node in removed) for verdict in plan.verdicts)
    return tuple(sorted(found, key=lambda site: (site.line, site.column)))


def _site(module: Module, verdict: Verdict, known: RunSite | None, removed: bool) -> model.Site:
    line, column = module.position(verdict.node)
    return model.Site(
        path=module.path,
        line=line,
        column=column,
        kind=_kind(verdict.node) if known is None else known.kind,
        tier=verdict.tier,
        alone=verdict.tier,
        initializer_only=removed or (known is not None and known.initializer_only),
        function=verdict.step,
        rule=_RULES.get(verdict.tier, "TFM201"),
        reasons=verdict.reasons,
        form=None if verdict.tier == "bridge" else "steps",
    )


def _kind(node: ast.Call) -> model.SiteKind:
    word = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return _KINDS.get(word, "Session.run")
