"""The plan of a tree in the form of steps: its programs are executed, and each is taken as a whole or not at all."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.names.building import main_guard
from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Index
from tf_migrate.names.run_sites import find_sites
from tf_migrate.options import Options
from tf_migrate.report.model import Reason
from tf_migrate.steps.binding import Binding
from tf_migrate.steps.bridged_tests import NO_TESTS, BridgedTests, KeptTests, beside_bridged, unseen_runs
from tf_migrate.steps.building import Building
from tf_migrate.steps.contexts import Contexts
from tf_migrate.steps.facts import ProgramFacts
from tf_migrate.steps.graphs import GraphObjects
from tf_migrate.steps.initializers import UnreadInitializers
from tf_migrate.steps.lifetimes import SESSIONS, SessionLives
from tf_migrate.steps.monitored import Monitoring
from tf_migrate.steps.part import reason_at
from tf_migrate.steps.plan import ModulePlan, ProgramPlan
from tf_migrate.steps.races import Race, races
from tf_migrate.steps.seeds import SeedNumbers
from tf_migrate.steps.session_getters import SessionGetters
from tf_migrate.steps.sessions import SessionRemoval
from tf_migrate.steps.sharing import apart, beside_others
from tf_migrate.steps.supervision import Supervision
from tf_migrate.steps.test_classes import TestClasses
from tf_migrate.steps.unbound_runs import leave_unbound
from tf_migrate.steps.unknown_calls import unknown_builders
from tf_migrate.syntax.module import Module
from tf_migrate.syntax.run_texts import reads_as_run
from tf_migrate.trace.execution import Machine


@dataclass(frozen=True)
class TreePlan:
    """The programs that become steps, and for the modules of others all that stands in the way."""

    programs: tuple[ProgramPlan, ...]
    refused: Mapping[str, tuple[Reason, ...]]
    races: tuple[Race, ...] = ()
    """Runs of which TensorFlow 1 left open what comes first."""
    parts: Callable[[ProgramPlan], list[ProgramPlan]] = lambda whole: []
    """What stands by itself of a program that cannot be written as a whole."""


def plan_tree(modules: Mapping[str, Names], options: Options) -> TreePlan:
    """Plans the programs of a tree; `modules` are those that may change."""
    if not modules:
        return TreePlan((), {})
    index = next(iter(modules.values())).index
    recorder, reached = _executed(modules, options)
    programs: list[ProgramPlan] = []
    refused: dict[str, tuple[Reason, ...]] = {}
    for names in _components(reached, recorder, index):
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

    def parts_of(whole: ProgramPlan) -> list[ProgramPlan]:
        found = _parts({name: modules[name] for name in whole.modules}, recorder, least=1)
        return [part for _, part in found if isinstance(part, ProgramPlan)]

    return TreePlan(tuple(programs), refused, tuple(races(recorder)), parts_of)


def races_of_tree(modules: Mapping[str, Names], options: Options) -> tuple[Race, ...]:
    """The runs of a tree of which TensorFlow 1 left open what comes first."""
    return tuple(races(_executed(modules, options)[0])) if modules else ()


def _executed(
    modules: Mapping[str, Names], options: Options, bridged: BridgedTests = NO_TESTS
) -> tuple[Recorder, list[frozenset[str]]]:
    """What the executions of scripts, tests, and of what they do not call showed, and the modules of each entry."""
    index = next(iter(modules.values())).index
    recorder = Recorder()
    reached: list[frozenset[str]] = []
    machines: dict[str, Machine] = {}
    entries = [name for name in sorted(modules) if index.began_with_tf1(name) and is_entry(modules[name].module, index)]
    # Of modules that no script leads to, such as those that import each other, the first leads to the others.
    others = [name for name in sorted(modules) if name not in entries and any(True for _ in _runs_of(modules[name]))]
    for name in (*entries, *others):
        if name in others and any(name in names for names in reached):
            continue
        machine = Machine(index, recorder, options.compat_module)
        machine.run_script(name)
        machine.run_tests(name, bridged.reasons.keys())
        reached.append(frozenset(machine.modules) & frozenset(modules))
        for module in machine.modules:
            machines.setdefault(module, machine)
    for uncalled in (_uncalled, _uncalled_with_session):
        for name in sorted(modules):
            for path, is_unseen in uncalled(modules[name], recorder, bridged.functions):
                machine = machines.setdefault(name, Machine(index, recorder, options.compat_module))
                machine.run_function(name, path, is_unseen)
    for name in sorted(machines):
        for node, is_unseen in _uncalled_inside(modules[name], recorder, bridged.functions) if name in modules else ():
            machines[name].run_closure(name, node, is_unseen)
    return recorder, reached


def _with_bridged_tests(
    known: Mapping[str, Names], found: ProgramPlan | tuple[Reason, ...], recorder: Recorder, options: Options
) -> ProgramPlan | tuple[Reason, ...]:
    """The plan of a program; where something stands in the way of some of its tests only, these stay on the bridge."""
    if isinstance(found, ProgramPlan):
        return found

    def again(bridged: BridgedTests) -> tuple[Recorder, ProgramPlan | tuple[Reason, ...]]:
        anew, _ = _executed(known, options, bridged)
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


Uncalled = tuple[list[str], Callable[[], bool]]
"""A function or method by its names, and whether there is still something in it that nothing reached."""


def _uncalled(names: Names, recorder: Recorder, left_out: Set[ast.AST]) -> list[Uncalled]:
    """The functions and methods with runs that no script reached; those that build come with them."""
    module = names.module
    runs: set[ast.Call] = {node for node in _runs_of(names) if node not in recorder.runs}
    made = {call for call in module.calls if names.of(call.func) in SESSIONS and call not in recorder.symbols}
    runs |= made

    def is_unseen(node: ast.AST) -> bool:
        if node in made:
            return node not in recorder.symbols
        if node in runs:
            return node not in recorder.runs
        return recorder.visits.keys().isdisjoint(module.around(node))

    calls = (call for call in module.calls if (names.of(call.func) or "").startswith("tf.")) if runs else ()
    wanted = (node for node in (*runs, *filter(is_unseen, calls)) if left_out.isdisjoint(module.around(node)))
    in_order = sorted(wanted, key=module.source.start)
    return [found for found in _functions_of(module, in_order, is_unseen) if found[0][-1] != "__init__"]


def _uncalled_inside(
    names: Names, recorder: Recorder, left_out: Set[ast.AST]
) -> Iterator[tuple[ast.AST, Callable[[], bool]]]:
    """The lambdas, and the functions within others, with runs that nothing reached."""
    module = names.module
    found: dict[ast.AST, list[ast.AST]] = {}
    for node in [node for node in _runs_of(names) if node not in recorder.runs]:
        inner = module.function_of(node)
        if inner is not None and inner not in recorder.visits and left_out.isdisjoint(module.around(node)):
            found.setdefault(inner, []).append(node)
    for function, nodes in found.items():
        yield function, functools.partial(_any, lambda node: node not in recorder.runs, nodes)


def _runs_of(names: Names) -> Iterator[ast.Call]:
    """The runs of a module, and the calls that read as some."""
    yield from (site.node for site in find_sites(names.module, names))
    yield from (call for call in names.module.calls if reads_as_run(call, names.tf_roots))


def _own_calls(names: Names, facts: ProgramFacts) -> frozenset[ast.Call]:
    """The calls of a module that may read as runs, and are calls of the program's functions alone."""
    calls = (call for call in names.module.calls if getattr(call.func, "attr", "") in ("eval", "run"))
    return frozenset(call for call in calls if facts.callees(call) and call not in facts.sites)


def _uncalled_with_session(names: Names, recorder: Recorder, left_out: Set[ast.AST]) -> list[Uncalled]:
    """The methods that read a session of their object, and that no script reached."""
    module = names.module
    known = set(recorder.session_attributes)
    loads = [node for name in known for node in module.attributes.get(name, ()) if node not in recorder.sessions]
    read = [node for node in loads if isinstance(node.ctx, ast.Load) and left_out.isdisjoint(module.around(node))]
    return _functions_of(module, read, lambda node: node not in recorder.sessions)


def _functions_of(module: Module, nodes: Sequence[ast.AST], is_unseen: Callable[[ast.AST], bool]) -> list[Uncalled]:
    """The functions and methods that some nodes stand in."""
    found: dict[tuple[str, ...], list[ast.AST]] = {}
    for node in nodes:
        outer = [each for each in module.around(node) if isinstance(each, ast.FunctionDef | ast.ClassDef)]
        while len(outer) > 1 and isinstance(outer[1], ast.FunctionDef):
            outer = outer[1:]
        if outer and isinstance(outer[0], ast.FunctionDef):
            found.setdefault(tuple(each.name for each in reversed(outer)), []).append(node)
    return [(list(path), functools.partial(_any, is_unseen, inside)) for path, inside in found.items()]


def _any(is_unseen: Callable[[ast.AST], bool], nodes: Sequence[ast.AST]) -> bool:
    return any(map(is_unseen, nodes))


def is_entry(module: Module, index: Index) -> bool:
    """Whether a module is run as a script: nothing imports it, or it asks for `__main__`."""
    guarded = any(main_guard(node) is not None for node in module.tree.body)
    return guarded or module.name not in index.imported_modules


def _components(reached: list[frozenset[str]], recorder: Recorder, index: Index) -> list[set[str]]:
    """The modules with something of TensorFlow, those together that scripts share with one another."""
    touched = {
        module.name for node, module in recorder.owner.items() if node in recorder.made or node in recorder.symbols
    }
    touched |= {module.name for module in recorder.sites.values()}
    touched |= _with_sessions(reached, recorder, index)
    touched |= {recorder.owner[node].name for extent in (recorder.built, recorder.ran) for nodes in extent.values()
                for node in nodes if node in recorder.owner}  # fmt: skip
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
    reasons += GraphObjects(facts, plans).plan()
    reasons += SeedNumbers(facts, plans).plan()
    reasons += Contexts(facts, plans).plan()
    building = Building(facts, plans)
    reasons += building.plan()
    if not reasons:
        reasons += Binding(facts, plans, building).plan()
    return tuple(reasons) if reasons else ProgramPlan(plans)
