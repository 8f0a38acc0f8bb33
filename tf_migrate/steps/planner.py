"""The plan of a tree in the form of steps: its programs are executed, and each is taken as a whole or not at all."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass

from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Index
from tf_migrate.options import Options
from tf_migrate.report.model import Reason
from tf_migrate.steps.binding import Binding
from tf_migrate.steps.bridged_tests import NO_TESTS, BridgedTests, KeptTests, beside_bridged, unseen_runs
from tf_migrate.steps.building import Building
from tf_migrate.steps.contexts import Contexts
from tf_migrate.steps.eager_questions import EagerQuestions
from tf_migrate.steps.executions import Executions, entries
from tf_migrate.steps.facts import ProgramFacts
from tf_migrate.steps.graphs import GraphObjects
from tf_migrate.steps.initializers import UnreadInitializers
from tf_migrate.steps.lifetimes import SessionLives
from tf_migrate.steps.monitored import Monitoring
from tf_migrate.steps.part import reason_at
from tf_migrate.steps.plan import ModulePlan, ProgramPlan
from tf_migrate.steps.races import Race, races
from tf_migrate.steps.seeds import SeedNumbers
from tf_migrate.steps.session_calls import SessionCalls
from tf_migrate.steps.session_getters import SessionGetters
from tf_migrate.steps.sessions import SessionRemoval
from tf_migrate.steps.sharing import apart, beside_others, of_one_entry, only_builds
from tf_migrate.steps.supervision import Supervision
from tf_migrate.steps.test_classes import TestClasses
from tf_migrate.steps.unbound_runs import leave_unbound
from tf_migrate.steps.unknown_calls import unknown_builders
from tf_migrate.syntax.module import is_of_tests


@dataclass(frozen=True)
class TreePlan:
    """The programs that become steps, and for the modules of others all that stands in the way."""

    programs: tuple[ProgramPlan, ...]
    refused: Mapping[str, tuple[Reason, ...]]
    races: tuple[Race, ...] = ()
    """Runs of which TensorFlow 1 left open what comes first."""
    parts: Callable[[ProgramPlan], list[ProgramPlan]] = lambda whole: []
    """What stands by itself of a program that cannot be written as a whole."""
    idle: frozenset[str] = frozenset()
    """The scripts without TensorFlow of their own that were executed and do nothing with a graph."""


def plan_tree(modules: Mapping[str, Names], options: Options) -> TreePlan:
    """Plans the programs of a tree; `modules` are those that may change."""
    if not modules:
        return TreePlan((), {})
    index = next(iter(modules.values())).index
    executions = Executions(modules, options).of_all()
    recorder = executions.recorder
    programs: list[ProgramPlan] = []
    refused: dict[str, tuple[Reason, ...]] = {}
    touched = _touched(executions.reached, recorder, index)
    for names in _components(executions.reached, touched, recorder, index):
        known = {name: modules[name] for name in sorted(names)}
        verdicts = [(frozenset(names), _program(known, recorder))]
        if not isinstance(verdicts[0][1], ProgramPlan):
            verdicts += _parts(known, recorder)
        for part, found in verdicts:
            made = found
            if len(verdicts) == 1 or part != names:
                made = _with_bridged_tests({name: modules[name] for name in sorted(part)}, found, recorder, options)
            if isinstance(made, ProgramPlan):
                programs.append(made)
            refused.update(dict.fromkeys(part, () if isinstance(made, ProgramPlan) else made))
        for plan in _alone(known, {name for name in known if refused[name]}, recorder, options):
            programs.append(plan)
            refused.update(dict.fromkeys(plan.modules, ()))

    def parts_of(whole: ProgramPlan) -> list[ProgramPlan]:
        found = _parts({name: modules[name] for name in whole.modules}, recorder, least=1)
        return [part for _, part in found if isinstance(part, ProgramPlan)]

    return TreePlan(tuple(programs), refused, tuple(races(recorder)), parts_of, _idle(modules, touched, recorder))


def races_of_tree(modules: Mapping[str, Names], options: Options) -> tuple[Race, ...]:
    """The runs of a tree of which TensorFlow 1 left open what comes first."""
    return tuple(races(Executions(modules, options).of_all().recorder)) if modules else ()


def _with_bridged_tests(
    known: Mapping[str, Names], found: ProgramPlan | tuple[Reason, ...], recorder: Recorder, options: Options
) -> ProgramPlan | tuple[Reason, ...]:
    """The plan of a program; where something stands in the way of some of its tests only, these stay on the bridge."""
    if isinstance(found, ProgramPlan):
        return found

    def again(bridged: BridgedTests) -> tuple[Recorder, ProgramPlan | tuple[Reason, ...]]:
        anew = Executions(known, options, bridged).of_all().recorder
        return anew, _program(known, anew, bridged)

    made = beside_bridged(found, recorder, {name: each.module for name, each in known.items()}, again)
    return made if isinstance(made, ProgramPlan) else found


def _parts(
    known: Mapping[str, Names], recorder: Recorder, least: int = 2
) -> list[tuple[frozenset[str], ProgramPlan | tuple[Reason, ...]]]:
    """The programs in one that stand or fall each by itself, with their verdicts."""
    index = next(iter(known.values())).index
    modules = {name: each.module for name, each in known.items()}
    found: list[tuple[frozenset[str], ProgramPlan | tuple[Reason, ...]]] = []
    for part in apart(modules, recorder, index, least):
        plan = _program({name: known[name] for name in sorted(part)}, recorder, others=known)
        beside = beside_others(plan, modules, recorder, index) if isinstance(plan, ProgramPlan) else plan
        if isinstance(beside, ast.AST):
            module = next(each for each in modules.values() if beside in each.parents or beside is each.tree)
            why, step = "it has steps in what other programs build with", "run it in the program that builds it"
            beside = (reason_at(module, "shared-module", beside, why, step),)
        found.append((part, beside))
    return found


def _alone(
    known: Mapping[str, Names], refused: Set[str], recorder: Recorder, options: Options
) -> Iterator[ProgramPlan]:
    """The programs of single scripts in one that is refused: what others do with the modules that they share is theirs.

    Each is executed by itself, and builds with what it shares. Not where something stood in the way in its own modules:
    it would again.
    """
    modules = {name: each.module for name, each in known.items()}
    index = next(iter(known.values())).index
    running = {module.name for module in recorder.sites.values()}
    hindered = {problem.module.name for problem in recorder.problems}
    for entry in entries(known):
        own = of_one_entry(entry, modules.keys(), index)
        if own.isdisjoint(running) or not own <= refused - hindered or own == modules.keys():
            continue
        executions = Executions(known, options)
        for name in entries({name: known[name] for name in sorted(own)}):
            executions.of_entry(name)
        executions.of_uncalled(own)
        reached = frozenset[str]().union(*executions.reached)
        if all(only_builds(modules[name], executions.recorder) for name in reached - own):
            plan = _program({name: known[name] for name in sorted(own)}, executions.recorder, others=known)
            if isinstance(plan, ProgramPlan):
                yield plan


def _own_calls(names: Names, facts: ProgramFacts) -> frozenset[ast.Call]:
    """The calls of a module that may read as runs, and are calls of the program's functions alone."""
    calls = (call for call in names.module.calls if getattr(call.func, "attr", "") in ("eval", "run"))
    return frozenset(call for call in calls if facts.callees(call) and call not in facts.sites)


def _touched(reached: list[frozenset[str]], recorder: Recorder, index: Index) -> set[str]:
    """The modules in which something of TensorFlow was seen."""
    touched = {
        module.name for node, module in recorder.owner.items() if node in recorder.made or node in recorder.symbols
    }
    touched |= {module.name for module in recorder.sites.values()}
    touched |= _with_sessions(reached, recorder, index)
    touched |= {recorder.owner[node].name for extent in (recorder.built, recorder.ran) for nodes in extent.values()
                for node in nodes if node in recorder.owner}  # fmt: skip
    return touched


def _idle(modules: Mapping[str, Names], touched: Set[str], recorder: Recorder) -> frozenset[str]:
    """The scripts without TensorFlow of their own that do nothing with a graph, as far as they were followed."""
    index = next(iter(modules.values())).index
    found = {name for name in entries(modules) if not index.holds_tf1(name) and not is_of_tests(name)}
    return frozenset(found - touched - {problem.module.name for problem in recorder.problems})


def _components(reached: list[frozenset[str]], touched: set[str], recorder: Recorder, index: Index) -> list[set[str]]:
    """The modules with something of TensorFlow, those together that scripts share with one another."""
    naming = {module.name for module in recorder.unnamed.values()}
    found: list[set[str]] = []
    for names in reached:
        # What a text names may be anything of the program.
        of_tensorflow = {name for name in names if index.holds_tf1(name)} | naming if names & naming else set[str]()
        mine = set(names & (touched | of_tensorflow))
        if not mine:
            continue
        for other in [row for row in found if row & mine]:
            found.remove(other)
            mine |= other
        found.append(mine)
    return found


def _with_sessions(reached: list[frozenset[str]], recorder: Recorder, index: Index) -> set[str]:
    """The modules in which something was a session, whether or not they use TensorFlow."""
    sessions = {node for node, kinds in recorder.sessions.items() if "session" in kinds}
    modules = {name: index.tree(name) for name in frozenset[str]().union(*reached)}
    return {name for name, found in modules.items() if found is not None and not sessions.isdisjoint(found.parents)}


def _program(
    names: Mapping[str, Names],
    recorder: Recorder,
    bridged: BridgedTests = NO_TESTS,
    others: Mapping[str, Names] | None = None,
) -> ProgramPlan | tuple[Reason, ...]:
    """The plan of some modules; `others` are all that they may call, where these are more."""
    modules = {name: known.module for name, known in names.items()}
    facts = ProgramFacts(recorder, modules)
    plans = {name: ModulePlan(own_calls=_own_calls(known, facts)) for name, known in names.items()}
    reasons = [
        reason_at(each.module, each.code, each.node, each.message, each.next_step)
        for each in recorder.problems
        if each.module.name in modules
    ]
    leave_unbound(facts, plans, names)
    reasons += unknown_builders(facts, names if others is None else others)
    reasons += KeptTests(facts, plans, bridged).plan(names)
    reasons += unseen_runs(facts, names, bridged)
    if not facts.sites:
        return tuple(reasons) or (Reason("no-runs", "", None, (), "nothing of it was seen to run", "name its script"),)
    reasons += SessionRemoval(facts, plans).plan()
    reasons += SessionGetters(facts, plans).plan()
    imported = next(iter(names.values())).index.imported_modules
    reasons += UnreadInitializers(facts, plans, imported).plan()
    reasons += Monitoring(facts, plans).plan()
    reasons += Supervision(facts, plans).plan()
    reasons += TestClasses(facts, plans).plan()
    reasons += SessionLives(facts, plans).plan()
    reasons += SessionCalls(facts, plans).plan()
    reasons += GraphObjects(facts, plans).plan()
    reasons += SeedNumbers(facts, plans).plan()
    reasons += EagerQuestions(facts, plans).plan()
    reasons += Contexts(facts, plans).plan()
    building = Building(facts, plans)
    reasons += building.plan()
    if not reasons:
        reasons += Binding(facts, plans, building).plan()
    return tuple(reasons) if reasons else ProgramPlan(plans)
