"""Tests of classes: each becomes native by itself, beside others that build graphs.

A class all of whose tests are native is TensorFlow 2's own `tf.test.TestCase`. In every other, the shim's class opens a
graph for each test but those that say that they need none.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tf_migrate.changes.edits import Edit
from tf_migrate.native.layout import line_start
from tf_migrate.native.traced import Writer, repeated_edits
from tf_migrate.native.updating import Computing
from tf_migrate.native.writing import reads_results, settled, write
from tf_migrate.plan import Became, Plan, TestPlan, forced
from tf_migrate.rules import Change, Context
from tf_migrate.stages.user_tests.allowed import Own, needs_store
from tf_migrate.stages.user_tests.cases import Case
from tf_migrate.stages.values import Refused


@dataclass(frozen=True)
class _Native:
    """A test as native code: the changes of its symbols, what is made in their place, and what became of its runs."""

    kept: list[Change]
    made: list[Change]
    became: Mapping[ast.Call, Became]
    shown: bool
    """Whether it shows by itself that it is TensorFlow 2's."""


_MARK = "test.without_graph"
_DONE = "TFM202"
_OPENING = "TFM303"


def converted_tests(context: Context, planned: Plan, changes: Sequence[Change]) -> tuple[Plan, list[Change]]:
    """The changes of a module with the native edits of its tests among them."""
    written: dict[ast.FunctionDef, _Native] = {}
    guarded = {test.case for test in planned.tests if test.traced is not None and test.traced.guarded}
    verdicts = {verdict.site: verdict for verdict in planned.verdicts}
    for test in planned.tests:
        try:
            own = _written(context, test, changes)
            if own is not None and test.traced is None and test.case in guarded:
                raise Refused(test.test, "`setUp` builds in a graph only", "write a class for each kind of tests")
        except Refused as refused:
            sites = tuple(verdict.site for verdict in test.plan.verdicts)
            verdicts.update({verdict.site: verdict for verdict in forced(context.module, sites, refused, {})})
            continue
        if own is not None:
            written[test.test] = own
    if not any(verdict.tier == "native" for verdict in verdicts.values()):
        return replace(planned, verdicts=tuple(verdicts.values())), list(changes)
    inside = [change for test in written for change in changes if _is_inside(context, test, change)]
    inside += [change for test in written for change in changes if _opens_graph(test, change)]
    others = [change for change in changes if not any(change is known for known in inside)]
    made = [change for known in written.values() for change in (*known.kept, *known.made)]
    free = _native_cases(context, planned, written)
    dissolved = [_without_base(context, free, change) for change in others]
    if not _is_shown(context, written, [*dissolved, *made]):
        free, dissolved = [], others
    opening = [test for test in planned.tests if test.test in written and test.case.apart]
    marked = [test.test for test in opening if test.case not in free]
    made += _repeated(context, planned, written)
    became = {call: known for test in written.values() for call, known in test.became.items()}
    result = Plan(tuple(verdicts.values()), became=became, tests=planned.tests)
    return result, [*dissolved, *(_mark(context, test) for test in marked), *made]


def _is_shown(context: Context, written: Mapping[ast.FunctionDef, _Native], changes: Sequence[Change]) -> bool:
    """Whether something shows that the module is TensorFlow 2's now."""
    return any(known.shown for known in written.values()) or any("compat" in change.needs for change in changes)


def _written(context: Context, test: TestPlan, changes: Sequence[Change]) -> _Native | None:
    """A test as native code; None where it stays as it is. Raises Refused where its edits do not stay inside it."""
    inside = [change for change in changes if _is_inside(context, test.test, change)]
    if test.traced is not None:
        writer = (Computing if test.traced.updating else Writer)(context, test.traced, inside)
        edit, name = writer.written()
        made = Change(None, (edit,), frozenset({"compat"} if test.traced.stored else ()))
        kept = [change if _still_stands(test, change) else settled(context, change) for change in inside]
        became = {item.site.node: Became(name, None) for item in test.traced.fetched}
        became |= {change.site.node: Became(None, None) for change in test.traced.changes}
        return _Native(kept, [made], became, shown=True)
    program = test.plan.program
    if program is None or not program.sites:
        return None
    native = write(context, test.plan, program, inside, test.test)
    source = context.module.source
    start, end = line_start(source, test.test.lineno), line_start(source, (test.test.end_lineno or 0) + 1)
    if not all(start <= edit.start and edit.end <= end for change in native.made for edit in change.edits):
        what = f"what `{test.test.name}` needs changes code that other tests use"
        raise Refused(test.test, what, "pass tensors to functions as arguments")
    shown = bool(native.plan.functions) or reads_results(native.plan, context.names)
    return _Native(native.kept, native.made, native.plan.became, shown)


def _still_stands(test: TestPlan, change: Change) -> bool:
    """Whether what a change concerns is a part of the native test too."""
    assert test.traced is not None
    traced, finding = test.traced, change.finding
    standing: list[ast.stmt | ast.expr] = [*traced.staying, *traced.inside, *traced.late, *traced.behind]
    standing += [item.node for item in traced.fetched]
    standing += [change.statement for change in traced.changes]
    return finding is None or any(item.lineno <= finding.line <= (item.end_lineno or 0) for item in standing)


def _repeated(context: Context, planned: Plan, written: Mapping[ast.FunctionDef, _Native]) -> list[Change]:
    """The methods made of what tests build before they begin, each once."""
    traced = [test.traced for test in planned.tests if test.traced is not None and test.test in written]
    found = dict.fromkeys(edit for known in traced for edit in repeated_edits(context, known))
    return [Change(None, (edit,)) for edit in found]


def _is_inside(context: Context, test: ast.FunctionDef, change: Change) -> bool:
    """Whether a change concerns a test and nothing else."""
    if change.edits:
        start, end = context.module.source.span(test)
        return all(start <= edit.start and edit.end <= end for edit in change.edits)
    return change.finding is not None and test.lineno <= change.finding.line <= (test.end_lineno or 0)


def _opens_graph(test: ast.FunctionDef, change: Change) -> bool:
    """Whether a change has a test find the program's default graph open."""
    return change.finding is not None and change.finding.rule == _OPENING and change.finding.line == test.lineno


def _native_cases(context: Context, planned: Plan, written: Mapping[ast.FunctionDef, _Native]) -> list[Case]:
    """The classes that need no graph at all: each test that runs is native, and no other builds anything to be run."""
    found = []
    for case in dict.fromkeys(test.case for test in planned.tests):
        tests = [test for test in planned.tests if test.case is case]
        guarded = any(test.traced is not None and test.traced.guarded for test in tests)
        native = all(test.test in written or (not guarded and _is_eager(context, test)) for test in tests)
        if native and any(test.test in written for test in tests) and _is_plain(context, case):
            found.append(case)
    return found


def _is_eager(context: Context, test: TestPlan) -> bool:
    """Whether a test that runs nothing does the same without a graph: all that it builds are constants."""
    program = test.plan.program
    if program is None or program.sites or any(unit.moves for unit in program.units):
        return False
    helpers = tuple((context.names, method) for method in test.case.helpers)
    return not needs_store(context.names, [test.test], Own(helpers, ((context.names, test.case.node),)))


def _is_plain(context: Context, case: Case) -> bool:
    return ast.unparse(case.base) == f"{context.tf}.test.TestCase"


def _mark(context: Context, test: ast.FunctionDef) -> Change:
    """The decorator of a native test in a class that opens graphs."""
    start = line_start(context.module.source, test.lineno)
    newline = context.module.source.newline
    text = f"{' ' * test.col_offset}@{context.compat_path(_MARK)}{newline}"
    return Change(None, (Edit(start, start, text, line=True),), frozenset({"compat"}))


def _without_base(context: Context, cases: Sequence[Case], change: Change) -> Change:
    """The change of the class that native classes of tests derive from: TensorFlow 2's own does."""
    finding = change.finding
    places = [context.module.position(case.base) for case in cases]
    if finding is None or (finding.line, finding.column) not in places:
        return change
    message = "each test of this class runs its operations at once"
    return Change(replace(finding, rule=_DONE, action="rewritten", severity="info", message=message, next_step=None))
