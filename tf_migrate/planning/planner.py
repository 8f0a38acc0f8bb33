"""From a module to its plan: each run's slice and effects, and one tier for the graph."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from contextlib import suppress
from dataclasses import replace

from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Users
from tf_migrate.names.run_sites import RunSite, find_sites
from tf_migrate.plan import Call, Function, Plan, SectionPlan, TestPlan, Verdict, forced
from tf_migrate.planning.assertions import with_assertions
from tf_migrate.planning.back_doors import require_no_back_door
from tf_migrate.planning.batches import parsers_of, require_queues
from tf_migrate.planning.beneath import beneath_of, own, whole
from tf_migrate.planning.demand import require_demanded
from tf_migrate.planning.drawing import require_one_drawer
from tf_migrate.planning.failing import require_failures_unseen
from tf_migrate.planning.freezing import require_names
from tf_migrate.planning.homes import TwoHomes
from tf_migrate.planning.names import require_known_names, require_own
from tf_migrate.planning.needed import moved_in_place, require_needed
from tf_migrate.planning.order import ordered, require_one_update_each
from tf_migrate.planning.results import kept_targets, results_of, watched_beside, with_watched
from tf_migrate.planning.sparse_gradients import require_dense
from tf_migrate.planning.unordered import is_unordered
from tf_migrate.report.model import Reason
from tf_migrate.stages.analysis import analyse, analyse_section, analyse_test
from tf_migrate.stages.cuts import crossing
from tf_migrate.stages.elements import require_in_reach, whole_element
from tf_migrate.stages.handed_runs import HandedRun, find_handed, refused_of
from tf_migrate.stages.pairs import AssignEach
from tf_migrate.stages.program import Program
from tf_migrate.stages.restarts import Restart
from tf_migrate.stages.runs import Leaf, Run
from tf_migrate.stages.sections import Section, sections_of
from tf_migrate.stages.slices import Slice, can_be_kept, require_listed, require_unchanged, slice_of, variables_seen
from tf_migrate.stages.updates import Apply, Assign, Minimize
from tf_migrate.stages.user_tests.cases import Case, cases, derived_cases
from tf_migrate.stages.user_tests.traced import trace_of
from tf_migrate.stages.values import Binding, Refused, Stage, flatten
from tf_migrate.syntax.module import Module

_HELD = frozenset({Stage.CONSTANT, Stage.VARIABLE})


def plan(
    module: Module,
    names: Names,
    *,
    native: bool = True,
    barred: Reason | None = None,
    users: Users | None = None,
) -> Plan:
    """Plans one module; `native` is False where only the bridge is wanted, `barred` tells why it is not read alone.

    `users` tells what other modules may use of it, None where there are none.
    """
    sites, handed = find_sites(module, names), find_handed(module, names)
    if not sites or not native:
        return Plan(tuple(Verdict(site, "bridge", "bridge") for site in sites), handed=handed)
    if barred is not None:
        return Plan(tuple(Verdict(site, "bridge", "bridge", None, (barred,)) for site in sites), handed=handed)
    found = (*cases(module, names), *derived_cases(module, names))
    known = [case for case in found if users is None or case.node.name not in users.bases]
    if known and module.source.cells is None:
        return replace(_plan_tests(module, names, sites, known, handed), handed=handed)
    if handed:
        return Plan(forced(module, sites, refused_of(handed[0]), {}), handed=handed)
    try:
        require_no_back_door(names)
        planned = _plan_whole(module, names, users)
    except Refused as refused:
        planned = Plan(forced(module, sites, refused, {}))
    by_section = _plan_sections(module, names, sites) if planned.program is None and users is None else None
    return by_section or planned


def _plan_whole(module: Module, names: Names, users: Users | None) -> Plan:
    """Plans a module as one program: functions make all its variables where some of them have to."""
    try:
        return _plan_program(_known_program(module, names, users))
    except TwoHomes as refused:
        with suppress(Refused):
            planned = _plan_program(_known_program(module, names, users, stored=True))
            if planned.program is not None:
                return planned
        raise refused from None


def _known_program(module: Module, names: Names, users: Users | None, *, stored: bool = False) -> Program:
    program = analyse(module, names, users, stored=stored)
    if users is not None:
        require_own(program, users)
    require_known_names(program)
    return program


def _plan_sections(module: Module, names: Names, sites: tuple[RunSite, ...]) -> Plan | None:
    """Plans each section of a script by itself; None where none of them is native."""
    found = []
    for section in sections_of(module, names):
        own = tuple(site for site in sites if section.holds(site.node))
        found.append(SectionPlan(section, _plan_section(module, names, section, own) if own else Plan(())))
    if not any(known.plan.program for known in found):
        return None
    return Plan(tuple(verdict for known in found for verdict in known.plan.verdicts), sections=tuple(found))


def _plan_section(module: Module, names: Names, section: Section, own: tuple[RunSite, ...]) -> Plan:
    try:
        require_no_back_door(names)
        program = analyse_section(module, names, section)
        require_known_names(program)
        return _plan_program(program)
    except Refused as refused:
        return Plan(forced(module, own, refused, {}))


def _plan_tests(
    module: Module, names: Names, sites: tuple[RunSite, ...], known: list[Case], handed: tuple[HandedRun, ...]
) -> Plan:
    """Plans each test of the classes by itself; whatever else runs the session is left to the bridge."""
    tests = [_plan_test(module, names, sites, case, test, handed) for case in known for test in case.tests]
    planned_sites = {verdict.site for test in tests for verdict in test.plan.verdicts}
    beside = Refused(
        module.tree, "the session runs beside tests, or in a method that they share", "run it in the tests"
    )
    rest = forced(module, tuple(site for site in sites if site not in planned_sites), beside, {})
    verdicts = [*rest, *(verdict for test in tests for verdict in test.plan.verdicts)]
    return Plan(tuple(sorted(verdicts, key=lambda verdict: sites.index(verdict.site))), tests=tuple(tests))


def _plan_test(
    module: Module,
    names: Names,
    sites: tuple[RunSite, ...],
    case: Case,
    test: ast.FunctionDef,
    handed: tuple[HandedRun, ...],
) -> TestPlan:
    """Plans one test: by its parts, else as one function; where neither can be, the first tells why."""
    inside = set(ast.walk(test))
    own = tuple(site for site in sites if site.node in inside)
    run = next((run for run in handed if run.node in inside), None)
    if run is not None:
        return TestPlan(case, test, Plan(forced(module, own, refused_of(run), {})))
    first: Plan | None = None
    if not case.lineage:
        first = _plan_parts(module, names, sites, case, test)
        if all(verdict.tier == "native" for verdict in first.verdicts):
            return TestPlan(case, test, first)
    try:
        traced = trace_of(module, names, sites, case, test)
    except Refused as refused:
        return TestPlan(case, test, first or Plan(forced(module, own, refused, {})))
    return TestPlan(case, test, Plan(tuple(Verdict(site, "native", "native", form="sliced") for site in own)), traced)


def _plan_parts(module: Module, names: Names, sites: tuple[RunSite, ...], case: Case, test: ast.FunctionDef) -> Plan:
    """Plans one test as a script of its own."""
    try:
        program = analyse_test(module, names, sites, case, test)
        require_known_names(program)
        return _plan_program(program)
    except Refused as refused:
        inside = set(ast.walk(test))
        return Plan(forced(module, tuple(site for site in sites if site.node in inside), refused, {}))


def _plan_program(program: Program) -> Plan:
    """One tier for all runs; raises Refused for what concerns no single run."""
    renamed: set[Binding] = set()
    restarts = {restart for restart in program.restarts if restart.seen or program.saves}
    attributes: set[Binding] = set()
    require_listed(program, renamed)
    parsers = parsers_of(program, renamed)
    refusals = dict(program.refusals)
    calls = []
    for run in program.runs:
        try:
            became = _call(program, run, renamed, attributes, restarts)
            needed = () if became.function is None else became.function.parameters
            require_queues(program, run, needed if became.element is None else (became.element,), parsers)
            calls.append(became)
        except Refused as refused:
            refusals[run.site.node] = refused
    if refusals:
        first = min(refusals.values(), key=lambda refused: getattr(refused.node, "lineno", 0))
        return Plan(forced(program.module, program.sites, first, refusals))
    program = _starting_anew(program, restarts)
    checked = with_assertions(program, _share(calls))
    require_one_drawer(program, checked, parsers.values())
    verdicts = tuple(Verdict(site, "native", "native", form="sliced") for site in program.sites)
    unordered = tuple(run.site for run in program.runs if is_unordered(program, run))
    return Plan(verdicts, program, tuple(checked), unordered, tuple(renamed), tuple(attributes), parsers=parsers)


def _starting_anew(program: Program, restarts: Container[Restart]) -> Program:
    """The program with those further runs of the initializer that some run sees the effect of: they do not go."""
    needed = tuple(restart for restart in program.restarts if restart in restarts)
    stay = {restart.statement for restart in needed}
    dropped = tuple(statement for statement in program.dropped if statement not in stay)
    return replace(program, restarts=needed, dropped=dropped)


def _call(program: Program, run: Run, renamed: set[Binding], attributes: set[Binding], restarts: set[Restart]) -> Call:
    found = slice_of(program, run)
    run = replace(run, crossed=crossing(program, run, found.units))
    found = slice_of(program, run) if run.crossed else found
    require_needed(program, run, found)
    require_demanded(run, found)
    if run.freezes:
        require_names(program, run, found)
    seen = set(variables_seen(program, run, found))
    restarts.update(restart for restart in run.restarts if seen.intersection(restart.variables))
    require_one_update_each(program, run, found)
    require_failures_unseen(program, run)
    alone = isinstance(run.statement, ast.Expr) and run.statement.value is run.site.node
    dropped = alone and (bool(run.updates) or run.monitored) and not program.module.source.shows(run.statement)
    if any(isinstance(update, AssignEach) for update in run.updates) and not (dropped and len(run.leaves) == 1):
        what = "lists of variables are assigned to beside something else, or the new values are used"
        raise Refused(run.site.node, what, "run the assignments by themselves")
    kept = kept_targets(program, run)
    watched = watched_beside(program, run, kept, dropped)
    for unit in found.parameters:
        if unit.value.iteration is not None:
            require_in_reach(program, run, unit)
    element = None if watched else whole_element(program, run, found)
    if element is not None:
        return Call(run, None, None, dropped=False, element=element)
    if run.start is not None:
        require_unchanged(program, run, found, renamed)
        return Call(run, _function(program, run, found, None, False, attributes), None, dropped=False)
    inline = all(update.inline for update in run.updates)
    if not found.units and not found.parameters and inline and not _minimizes(run) and not watched:
        _require_eager(run)
        # An assignment is made where its result is unpacked, whether the program reads that or not.
        every = kept is not None and bool(run.updates)
        return Call(run, None, tuple(range(len(run.leaves))) if every else kept, dropped)
    require_unchanged(program, run, found, renamed)
    function = _function(program, run, found, kept, dropped, attributes, watched)
    return Call(run, function, kept, dropped, watched=watched)


def _minimizes(run: Run) -> bool:
    return any(isinstance(update, Minimize | Apply) for update in run.updates)


def _require_eager(run: Run) -> None:
    """Checks that eager code in the place of the run does the same."""
    for feed in run.feeds:
        if any(isinstance(inner, ast.Call) for inner in ast.walk(feed.value)):
            raise Refused(feed.value, "a value is computed for a tensor that the run does not need", "drop it")
    for leaf in run.leaves:
        if leaf.value.parts is not None and any(part.stage not in _HELD for part in flatten([leaf.value])):
            raise Refused(leaf.node, "a container is fetched as a whole", "fetch its parts")
        if leaf.value.random and not isinstance(leaf.node, ast.Call):
            raise Refused(leaf.node, "a random tensor that other tensors share is fetched", "fetch them together")
    if run.updates and len(run.leaves) > 1:
        _require_assignments_apart(run)


def _require_assignments_apart(run: Run) -> None:
    """Checks that a run is nothing but assignments, which may be made in any order."""
    known = all(leaf.value.stage is Stage.EFFECT and leaf.value.parts is None for leaf in run.leaves)
    assigned = [update for update in run.updates if type(update) is Assign]
    if not known or len(assigned) < len(run.updates):
        raise Refused(run.site.node, "an update is built in the run itself, beside other fetches", "run it by itself")
    for update in assigned:
        read = {variable for binding in update.reads.values() for variable in binding.value.variables}
        if any(read.intersection(other.updated.variables) for other in assigned if other is not update):
            what = f"one run updates what `{ast.unparse(update.value)}` is computed of, in no order"
            raise Refused(run.site.node, what, "run the updates in turn")


def _function(
    program: Program,
    run: Run,
    found: Slice,
    targets: tuple[int, ...] | None,
    dropped: bool,
    kept: set[Binding],
    watched: tuple[Leaf, ...] = (),
) -> Function:
    taped, rest = ordered(program, run, found)
    results, form = with_watched(*results_of(run, targets, dropped), watched)
    require_dense(program, run, results)
    anchors = [unit.index for unit in (*found.units, *found.parameters, *found.unfed)]
    anchors += [update.unit for update in run.updates if not update.inline]
    anchors = [place for anchor in anchors for place in _places(program, anchor)]
    if not anchors:
        raise Refused(run.site.node, "several updates are built in the run itself", "run them by themselves")
    crossed = tuple(program.units[binding.unit] for binding in run.crossed)
    beneath = beneath_of(program, run, found, max(anchors))
    if beneath is not None and any(unit.sees_updates for unit in found.units):
        raise Refused(run.site.node, "what waits for updates is of another object", "run it in a method of the object")
    if beneath is not None and found.unfed:
        name = found.unfed[0].binds[0]
        raise Refused(run.site.node, f"the placeholder `{name}` of another object is not fed", f"feed `{name}`")
    beside = program.owner_of(program.home_of(max(anchors))) is None
    if beneath is not None and run.cut and beside:
        raise Refused(run.site.node, "a tensor of another object is fed", "feed it in a method of the object")
    if beneath is None or not beside:
        kept.update(
            _kept_by_objects(program, run, found if beneath is None else own(run, found, beneath), max(anchors))
        )
    if beneath is not None:
        taped, rest = whole(run, beneath, taped, rest)
    reads = tuple(run.reads.values())
    once = run.site.node if _sees_values(run) else None
    # What is fed is computed before the run takes an element.
    parameters = tuple(sorted((*found.parameters, *crossed), key=lambda unit: unit.value.iteration is not None))
    made = Function(
        parameters, taped, rest, run.updates, results, run.fetches, form, max(anchors), reads, once, beneath
    )
    return replace(made, unfed=found.unfed, crossed=crossed)


def _places(program: Program, unit: int) -> Iterator[int]:
    """Where a function that needs a statement may stand: for one of a method that runs, behind the constructor."""
    home = program.home_of(unit)
    owner = program.owner_of(home)
    if owner is None or home in program.ends:
        yield unit
        return
    made = [known.index for known in program.units if program.module.parents[known.node] is owner.constructor]
    for inner in (inner for method in owner.methods.values() if method in program.ends for inner in ast.walk(method)):
        called = owner.method_of(inner) if isinstance(inner, ast.Call) else None
        if called is not None and called not in program.ends:
            what = f"the constructor may run `{called.name}` before what it needs is made"
            raise Refused(inner, what, "run it behind the constructor")
    yield from made[-1:]


def _kept_by_objects(program: Program, run: Run, found: Slice, anchor: int) -> set[Binding]:
    """Local names that a function reads and another method binds: they become attributes of the object.

    Refuses where they cannot, and where the function would read attributes of another object.
    """
    home = program.home_of(anchor)
    owner = program.owner_of(home)
    own = owner or program.case
    kept = set()
    returned = set(program.inputs.values())
    given = (unit for unit in (*found.parameters, *found.unfed) if unit.value.stage is not Stage.TENSOR)
    shapes = (unit.reads.items() for unit in given if unit.value.iteration not in returned)
    for name, binding in (*found.captured, *(item for items in shapes for item in items)):
        foreign = "." in name and (own is None or not name.startswith(own.key("")))
        apart = binding.home not in (None, home) and binding.value.stage is not Stage.SESSION
        if apart and owner is not None and can_be_kept(program, owner, name, binding):
            kept.add(binding)
        elif foreign or apart:
            where = f" of `{binding.home.name}`" if binding.home is not None else ""
            step = "build what the run needs in one method, or pass the value on as an attribute"
            raise Refused(run.site.node, f"the run needs `{name}`{where} and parts that are built elsewhere", step)
    return kept


def _sees_values(run: Run) -> bool:
    """Whether the fetches read Python values themselves: another run with the same text may see others."""
    return any(binding.value.stage is Stage.PYTHON for binding in run.reads.values())


def _share(calls: list[Call]) -> list[Call]:
    """Lets a run that only updates call the function of one that also returns something of the same computation."""
    shared = []
    for call in calls:
        function = call.function
        if function is not None and function.form == "none" and call.dropped:
            richer = [other.function for other in calls if _covers(other.function, function)]
            if richer and richer[0] is not None:
                call = replace(call, function=richer[0])
        shared.append(call)
    return shared


def _covers(wide: Function | None, narrow: Function) -> bool:
    return (
        wide is not None
        and wide.form != "none"
        and wide.updates == narrow.updates
        and wide.parameters == narrow.parameters
        and wide.anchor == narrow.anchor
        and moved_in_place((*wide.taped, *wide.rest)) == moved_in_place((*narrow.taped, *narrow.rest))
    )
