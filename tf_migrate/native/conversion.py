"""From a module to its native edits, or to the reasons why it goes to the bridge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tf_migrate.names.eras import is_dataset
from tf_migrate.names.exports import Users
from tf_migrate.native.cases import converted_tests
from tf_migrate.native.frozen import imports_graph, with_frozen_graph
from tf_migrate.native.script import Script
from tf_migrate.native.sections import converted_sections
from tf_migrate.native.towers import with_towers
from tf_migrate.native.writing import reads_results, write
from tf_migrate.plan import Plan, forced
from tf_migrate.planning.elsewhere import require_own_graph
from tf_migrate.planning.planner import plan
from tf_migrate.report.model import Reason
from tf_migrate.rules import Change, Context
from tf_migrate.rules.patched_symbol import patches
from tf_migrate.stages.program import Program
from tf_migrate.stages.values import Refused

_GRAPH_RULES = frozenset({"TFM301"})


def plan_module(context: Context, *, native: bool, barred: Reason | None = None) -> Plan:
    """The plan of a module; one that does not stand alone, or that holds `skip` lines, is left to the bridge."""
    index, name = context.names.index, context.module.name
    users = _users(context)
    barred = barred or _barred(context, users)
    planned = plan(context.module, context.names, native=native, barred=barred, users=users)
    if planned.program is not None:
        try:
            require_own_graph(context.names, planned)
        except Refused as refused:
            planned = Plan(forced(context.module, planned.program.sites, refused, {}))
    if name not in index.apart or planned.program is not None or planned.tests or planned.sections:
        return planned
    message = f"the modules of its program do not become native together: {index.apart[name]}"
    step = "see that place, or keep what others import apart from what runs"
    reason = Reason("program", context.module.path, None, (), message, step)
    verdicts = tuple(replace(verdict, reasons=(reason,)) for verdict in planned.verdicts)
    return Plan(verdicts, handed=planned.handed)


def _users(context: Context) -> Users | None:
    """What other modules may use of a module, None where there are none, or where they are of TensorFlow as well."""
    return context.names.index.users(context.module.name) if context.imported else None


def _barred(context: Context, users: Users | None) -> Reason | None:
    """Why a module cannot be read alone, if so."""
    found = _why_barred(context, users)
    return None if found is None else Reason(found[0], context.module.path, None, (), *found[1:])


def _why_barred(context: Context, users: Users | None) -> tuple[str, str, str] | None:
    if context.imported and users is None:
        return "imported", "another module of the tree imports this one", "keep what others import apart from what runs"
    if context.module.root.stars:
        return "star-import", "a star import may bind any name", "import the names that are used"
    if context.tf2:
        return "tensorflow-2", "the module holds TensorFlow 2 code already", "port the rest of it by hand"
    if not context.tf:
        return (
            "tensorflow-name",
            "TensorFlow is not imported under a name of its own",
            "write `import tensorflow as tf`",
        )
    if any(patches(context)):
        return (
            "patched-name",
            "names of TensorFlow are replaced while the program runs",
            "give what differs as a parameter",
        )
    if context.module.source.cells is not None and context.module.source.cells.repeats:
        return "repeated-cell", "`%%timeit` runs a cell many times", "time a function that is called"
    if context.module.skipped_lines:
        return "skipped-lines", "some lines are to be skipped", "remove the comment that says so"
    return None


def converted(context: Context, planned: Plan, changes: Sequence[Change]) -> tuple[Plan, list[Change]]:
    """The changes of a module with its native edits among them, in place of those of the symbols that these replace.

    Where writing meets something that the plan did not see, the plan comes back with every site on the bridge, and the
    changes as they were.
    """
    if planned.tests:
        tests, own = converted_tests(context, planned, changes)
        return replace(tests, handed=planned.handed), own
    if planned.handed:
        return planned, list(changes)
    if planned.sections:
        return converted_sections(context, planned, changes)
    program = planned.program
    if program is None:
        if not any(verdict.reasons for verdict in planned.verdicts):
            return planned, list(changes)
        users = _users(context)
        if imports_graph(context) and _barred(context, users) is None:
            return with_frozen_graph(context, planned, changes, users)
        return (planned, list(changes)) if context.imported else with_towers(context, planned, changes)
    try:
        written = write(context, planned, program, [change for change in changes if not _opens_graph(change)])
        _require_evidence(planned, program, written.kept, written.script)
    except Refused as refused:
        return Plan(forced(program.module, program.sites, refused, {})), list(changes)
    return written.plan, [*written.kept, *written.made]


def _require_evidence(planned: Plan, program: Program, kept: Sequence[Change], script: Script) -> None:
    """Refuses a script of which nothing would show that it is TensorFlow 2's: it would be taken for TF1 again."""
    shown = planned.functions or script.uses_shims or any("compat" in change.needs for change in kept)
    datasets = (unit.value.iteration.dataset for unit in program.units if unit.value.iteration is not None)
    shown = shown or bool(program.batches)
    shown = shown or any(dataset is not None and is_dataset(program.names, dataset) for dataset in datasets)
    shown = shown or reads_results(planned, program.names)
    called = [change for change in kept if change.finding is not None and change.finding.rule == "TFM102"]
    if not shown and (program.variables or called):
        node = program.sites[0].node
        raise Refused(node, "without a function, nothing tells this script from a TensorFlow 1 script", "leave it so")


def _opens_graph(change: Change) -> bool:
    return change.finding is not None and change.finding.rule in _GRAPH_RULES
