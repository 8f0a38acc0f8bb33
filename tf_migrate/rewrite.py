"""One module from its source to its rewritten text, with everything that is to be told about it."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from tf_migrate.changes.application import Rewritten, changes_of, context_of, shims_of, text_of
from tf_migrate.files.source import Source
from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Index
from tf_migrate.names.stars import spelled
from tf_migrate.native.conversion import converted, plan_module
from tf_migrate.options import Options
from tf_migrate.plan import Plan, Verdict, forced
from tf_migrate.programs.inlining import with_inlined
from tf_migrate.programs.passing import with_passed
from tf_migrate.report.model import Reason, Site
from tf_migrate.rules import Context
from tf_migrate.stages.handed_runs import HandedRun, refused_of
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module, load
from tf_migrate.syntax.unbound import lost_names, newly_unbound
from tf_migrate.verify import told_once

_FORMS = 6
_KERAS_2 = (
    "the program uses Keras as only Keras 2 can be used, which works in a graph and a session",
    "keep it so, or write the models for Keras 3 (https://keras.io/guides/migrating_to_keras_3/)",
)
_SESSION = re.compile(rb"sess\w*\.(?:run|partial_run|make_callable)\(|\.eval\(")


def is_relevant(raw: bytes, name: str, index: Index) -> bool:
    """Whether a file can hold anything to migrate: it goes with TensorFlow by imports, and its bytes may name some."""
    if not index.goes_with_tensorflow(name):
        return False
    return index.reaches_tensorflow(name) or _SESSION.search(raw) is not None or b"numpy" in raw


def rewrite(source: Source, index: Index, options: Options, barred: Reason | None = None) -> Rewritten:
    """Rewrites one module; `barred` tells why it stays on the bridge. Raises SourceError where it does not parse."""
    rewritten = _rewritten(source, index, options, barred)
    if barred is None and options.tier == "native" and not _is_native(rewritten):
        return _in_another_form(source, index, options, rewritten) or rewritten
    return rewritten


def _in_another_form(source: Source, index: Index, options: Options, rewritten: Rewritten) -> Rewritten | None:
    """The module as it is rewritten where it is the same program in another form, if that makes all of it native.

    The functions that refusals concern are written where they are called.
    """
    passed = with_passed(source, index, options.compat_module)
    other = None if passed is None else _rewritten(passed, index, options, None)
    told: frozenset[str] = frozenset()
    for _ in range(_FORMS):
        if other is not None and _is_native(other):
            return other
        inlined = with_inlined(source, index, options.compat_module, told)
        other = None if inlined is None else _rewritten(inlined, index, options, None)
        known, last = told, rewritten if other is None else other
        told |= last.concerned
        if told == known:
            break
    return other if other is not None and _is_native(other) else None


def _is_native(rewritten: Rewritten) -> bool:
    return all(site.tier == "native" for site in rewritten.sites)


def _rewritten(source: Source, index: Index, options: Options, barred: Reason | None) -> Rewritten:
    """A module rewritten in the form that its source has."""
    module = load(source)
    context = context_of(Names(module, index, options.compat_module))
    found, unchanged = changes_of(context, options)
    read = context_of(spelled(context.names)) if module.root.stars else context
    if barred is None and context.names.keeps_keras2:
        message, next_step = _KERAS_2
        barred = Reason("keras", module.path, None, (), message, next_step)
    planned, changes = converted(read, plan_module(read, native=options.tier == "native", barred=barred), found)
    text = text_of(context, changes)
    if any(verdict.tier == "native" for verdict in planned.verdicts):
        if lost := newly_unbound(module, text):
            place: ast.AST = module.loads[min(lost)][0] if min(lost) in module.loads else module.tree
            what, step = f"`{min(lost)}` would be needed where it is not known", "make it known in the whole module"
            planned, changes = _on_the_bridge(read, planned, Refused(place, what, step)), found
        elif not context.imported and index.only_gives(module.name) and (lost := lost_names(module, text)):
            what = f"nothing of the tree runs the module, which would lose `{min(lost)}`"
            place = module.tree
            planned, changes = _on_the_bridge(read, planned, Refused(place, what, "import it where it is run")), found
        text = text_of(context, changes)
    sites = sites_of(read.module, planned)
    findings = tuple(change.finding for change in changes if change.finding is not None)
    told_once(findings, sites)
    concerned = frozenset(name for verdict in planned.verdicts for name in verdict.functions)
    return Rewritten(text, findings, sites, unchanged, shims_of(context), concerned)


def _on_the_bridge(context: Context, planned: Plan, refused: Refused) -> Plan:
    """The plan of a module whose native code would not be the same program."""
    sites = tuple(verdict.site for verdict in planned.verdicts)
    return Plan(forced(context.module, sites, refused, {}), handed=planned.handed)


def sites_of(module: Module, planned: Plan) -> tuple[Site, ...]:
    """The runs of a module as the report tells them."""
    found = (verdict for verdict in planned.verdicts if not module.is_skipped(verdict.site.node))
    handed = (run for run in planned.handed if not module.is_skipped(run.node))
    sites = [*(_site(module, planned, verdict) for verdict in found), *(_handed(module, run) for run in handed)]
    return tuple(sorted(sites, key=lambda site: (site.line, site.column)))


def _handed(module: Module, run: HandedRun) -> Site:
    refused = refused_of(run)
    reason = Reason("handed-run", module.path, run.line, (), refused.reason, refused.next_step)
    site = Site(module.path, run.line, run.column, run.kind, "bridge", "bridge", function=run.function, rule="TFM201")
    return replace(site, reasons=(reason,))


def _site(module: Module, planned: Plan, verdict: Verdict) -> Site:
    site = verdict.site
    became = planned.became.get(site.node)
    return Site(
        path=module.path,
        line=site.line,
        column=site.column,
        kind=site.kind,
        tier=verdict.tier,
        alone=verdict.alone,
        forced_by=verdict.forced_by,
        initializer_only=site.initializer_only,
        function=site.function if became is None else became.function,
        rule="TFM202" if verdict.tier in ("native", "dynamic") else "TFM201",
        reasons=verdict.reasons,
        form=verdict.form,
        fetched=None if became is None else became.fetched,
        elements=() if became is None else became.elements,
    )
