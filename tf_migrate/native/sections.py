"""Sections of a script: native where their graph is, beside others that stay on the bridge.

Before a section on the bridge the default graph is opened, and behind it closed, so that native code runs at once.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from tf_migrate.changes.edits import Edit
from tf_migrate.native.layout import line_start
from tf_migrate.native.writing import Written, reads_results, write
from tf_migrate.plan import Plan, SectionPlan, Verdict, forced
from tf_migrate.rules import Change, Context
from tf_migrate.rules.open_graph import RULE, opening
from tf_migrate.stages.program import Program
from tf_migrate.stages.sections import Section
from tf_migrate.stages.values import Refused

_IMPORTING = "tf.train.import_meta_graph"


def converted_sections(context: Context, planned: Plan, changes: Sequence[Change]) -> tuple[Plan, list[Change]]:
    """The changes of a module with the native edits of its sections among them."""
    written: dict[Section, Written] = {}
    verdicts: list[Verdict] = []
    for known in planned.sections:
        own = known.plan.verdicts
        try:
            if known.plan.program is not None:
                written[known.section] = _written(context, known, known.plan.program, changes)
        except Refused as refused:
            own = forced(context.module, tuple(verdict.site for verdict in own), refused, {})
        verdicts += own
    if not written:
        return replace(planned, verdicts=tuple(verdicts)), list(changes)
    opened = [change for group in _bridged(planned, written) for change in opening(context, group)]
    if not opened and not any(_is_shown(context, native) for native in written.values()):
        return _unshown(context, planned), list(changes)
    others = [change for change in changes if not _opens_graph(change)]
    kept = [change for change in others if not any(_is_inside(context, section, change) for section in written)]
    made = [change for native in written.values() for change in (*native.kept, *native.made)]
    became = {call: known for native in written.values() for call, known in native.plan.became.items()}
    return replace(planned, verdicts=tuple(verdicts), became=became), [*kept, *opened, *made]


def _bridged(planned: Plan, written: Container[Section]) -> Iterator[list[ast.stmt]]:
    """The statements of sections that are not native, with those of the sections that follow one another together."""
    for native, group in groupby((known.section for known in planned.sections), written.__contains__):
        if not native:
            yield [statement for section in group for statement in section.statements]


def _written(context: Context, known: SectionPlan, program: Program, changes: Sequence[Change]) -> Written:
    """A section as native code; raises Refused where that reaches beyond the section."""
    section, place = known.section, known.section.statements[0]
    if program.options or program.said:
        what = "the options of a session are set behind the graphs of others"
        raise Refused(program.sites[0].node, what, "set them at the top of the script, for all")
    importing = next((use.node for use in context.names.uses if use.symbol == _IMPORTING), None)
    if program.saves and importing is not None:
        what = "the graph of a checkpoint is read here, and native code saves none"
        raise Refused(importing, what, "build the graph, and restore its variables")
    inside = [change for change in changes if _is_inside(context, section, change) and not _opens_graph(change)]
    native = write(context, known.plan, program, inside, ast.Module(list(section.statements), []))
    edits = {edit for change in (*native.kept, *native.made) for edit in change.edits}
    if not all(_is_within(context, section, edit) for edit in edits):
        raise Refused(place, "what this graph needs changes code of another graph", "pass tensors as arguments")
    others = {edit for change in inside for edit in change.edits}
    for definition, name in section.definitions:
        start, end = context.module.source.span(definition)
        different = any(start <= edit.start and edit.end <= end for edit in edits ^ others)
        used = [load for load in context.module.loads.get(name, ()) if not section.holds(load)]
        if different and used:
            what = f"`{name}`, which the graph of another section calls too, becomes native"
            raise Refused(used[0], what, "define it once for each graph")
    return native


def _is_within(context: Context, section: Section, edit: Edit) -> bool:
    """Whether an edit concerns nothing but a section, from the line behind the statement before it on."""
    body, source = context.module.tree.body, context.module.source
    first = body.index(section.statements[0])
    start = line_start(source, (body[first - 1].end_lineno or 0) + 1) if first else 0
    return start <= edit.start and edit.end <= line_start(source, (section.statements[-1].end_lineno or 0) + 1)


def _is_inside(context: Context, section: Section, change: Change) -> bool:
    if change.edits:
        return all(_is_within(context, section, edit) for edit in change.edits)
    return change.finding is not None and section.has_line(change.finding.line)


def _opens_graph(change: Change) -> bool:
    return change.finding is not None and change.finding.rule == RULE.id


def _is_shown(context: Context, native: Written) -> bool:
    """Whether a section shows by itself that it is TensorFlow 2's."""
    shimmed = any("compat" in change.needs for change in (*native.kept, *native.made))
    return shimmed or bool(native.plan.functions) or reads_results(native.plan, context.names)


def _unshown(context: Context, planned: Plan) -> Plan:
    """The plan of a script that would be taken for TensorFlow 1's again."""
    sites = tuple(verdict.site for verdict in planned.verdicts)
    what = "without a function, nothing tells this script from a TensorFlow 1 script"
    return Plan(forced(context.module, sites, Refused(sites[0].node, what, "leave it so"), {}))
