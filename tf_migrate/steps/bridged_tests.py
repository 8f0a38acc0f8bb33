"""Tests that stay on the bridge beside others of their program which become steps: each test has its own verdict.

What stands in the way is laid to tests where it stands in them, or in what only they call. The program is then executed
without these, and planned again; they stay as the bridge has them, in the graph of their store.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tf_migrate.interpreter.recorder import FunctionNode, Recorder
from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import find_sites
from tf_migrate.report.model import Reason
from tf_migrate.semantics.test_cases import has_graph
from tf_migrate.steps.facts import RESETS, ProgramFacts
from tf_migrate.steps.part import Part, reason_at
from tf_migrate.steps.plan import ModulePlan, Verdict
from tf_migrate.syntax.module import Module

_DECORATOR = "compat.test.with_sessions"
_MOST_ROUNDS = 5


@dataclass(frozen=True)
class BridgedTests:
    """Tests that stay on the bridge, each with its reasons, and the functions that only they have run something."""

    reasons: Mapping[FunctionNode, tuple[Reason, ...]] = field(default_factory=dict)
    helpers: frozenset[FunctionNode] = frozenset()

    @property
    def functions(self) -> frozenset[FunctionNode]:
        """All functions that are not executed for the plan."""
        return self.helpers.union(self.reasons)


NO_TESTS = BridgedTests()


class KeptTests(Part):
    """Has tests run sessions over the graph of their store, and tells of their runs that they stay."""

    def __init__(self, facts: ProgramFacts, plans: dict[str, ModulePlan], bridged: BridgedTests) -> None:
        super().__init__(facts, plans)
        self.bridged = bridged

    def plan(self, names: Mapping[str, Names]) -> list[Reason]:
        """Fills the plans; gives what stands in the way."""
        for test in self.bridged.reasons:
            if isinstance(test, ast.FunctionDef) and test in self.facts.owners:
                self.plan_of(test).decorated[test] = _DECORATOR
        for known in names.values():
            for site in find_sites(known.module, known):
                function = self._kept_around(site.node)
                if function is not None:
                    plan = self.plan_of(site.node)
                    plan.verdicts.append(Verdict(site.node, "bridge", self._reasons_of(function)))
                    plan.bridged.add(function)
        for function in self.bridged.helpers & self.facts.running:
            self.refuse("bridged-tests", function, "tests on the bridge share it with others", "split it")
        return self.reasons

    def _kept_around(self, node: ast.AST) -> FunctionNode | None:
        around = set(self.facts.around(node))
        return next((each for each in self.bridged.functions if each in around), None)

    def _reasons_of(self, function: FunctionNode) -> tuple[Reason, ...]:
        own = self.bridged.reasons.get(function)
        if own is not None:
            return own
        return tuple(dict.fromkeys(each for found in self.bridged.reasons.values() for each in found))


def unseen_runs(facts: ProgramFacts, names: Mapping[str, Names], bridged: BridgedTests) -> Iterator[Reason]:
    """The runs in tests that were seen nowhere: what becomes of them is not known."""
    tests = _tests(facts.recorder) - bridged.functions
    for known in names.values():
        for site in find_sites(known.module, known) if tests else ():
            inside = not tests.isdisjoint(known.module.around(site.node))
            if inside and site.node not in facts.sites and not facts.callees(site.node):
                message = f"`{ast.unparse(site.node)}` was not seen to run"
                yield reason_at(known.module, "unseen-run", site.node, message, "write it without what is not followed")


def _tests(recorder: Recorder) -> set[ast.AST]:
    """The methods of classes with graphs that a test runner calls."""
    nodes = {one.node for cls in recorder.tests.cases if has_graph(cls) for one in cls.mro if one.node is not None}
    methods = (item for node in nodes for item in node.body if isinstance(item, ast.FunctionDef))
    return {item for item in methods if item.name.startswith("test")}


def beside_bridged(
    reasons: tuple[Reason, ...],
    recorder: Recorder,
    modules: Mapping[str, Module],
    again: Callable[[BridgedTests], tuple[Recorder, object]],
) -> object:
    """The plan of a program without the tests that something stands in the way of; None where it is all in the way.

    ``again`` executes and plans it once more, without some tests.
    """
    first, bridged = recorder, NO_TESTS
    for _ in range(_MOST_ROUNDS):
        more = _blamed(reasons, recorder, modules, bridged)
        if more is None or not more.keys() - bridged.reasons.keys():
            return None
        found = {**bridged.reasons, **more}
        if any(not _may_stay(test, first) for test in more) or not _tests(first) - found.keys():
            return None
        helpers = set[FunctionNode]().union(*(first.tests.ran_by[test] for test in found)) - found.keys()
        bridged = BridgedTests(found, frozenset(helpers))
        recorder, made = again(bridged)
        if not isinstance(made, tuple):
            return made
        reasons = made
    return None


def _may_stay(test: FunctionNode, recorder: Recorder) -> bool:
    """Whether a test finds on the bridge what it needs: its sessions are its own, its graph is that of its store."""
    resets = any(RESETS & recorder.symbols.get(node, set()) for node in ast.walk(test))
    return test in _tests(recorder) and test not in recorder.tests.with_outer_sessions and not resets


def _blamed(
    reasons: Iterable[Reason], recorder: Recorder, modules: Mapping[str, Module], bridged: BridgedTests
) -> dict[FunctionNode, tuple[Reason, ...]] | None:
    """The tests that reasons are laid to; None where one of them is laid to something else."""
    problems: defaultdict[tuple[str, str, int | None], set[FunctionNode | None]] = defaultdict(set)
    for each in recorder.problems:
        known = reason_at(each.module, each.code, each.node, each.message, each.next_step)
        problems[known.code, known.path, known.line] |= recorder.tests.found_by[each.code, each.node]
    found: defaultdict[FunctionNode, list[Reason]] = defaultdict(list)
    for reason in reasons:
        tests = problems.get((reason.code, reason.path, reason.line)) or _around(reason, recorder, modules, bridged)
        if not tests:
            return None
        for test in tests:
            if test is None:
                return None
            found[test].append(reason)
    return {test: tuple(dict.fromkeys(each)) for test, each in found.items()}


def _around(
    reason: Reason, recorder: Recorder, modules: Mapping[str, Module], bridged: BridgedTests
) -> set[FunctionNode | None]:
    """The tests that called the function around the place of a reason."""
    module = next((each for each in modules.values() if each.path == reason.path), None)
    if module is None or reason.line is None:
        return set()
    line = reason.line
    around = [
        node
        for node in module.functions
        if module.source.place(node.lineno)[0] <= line <= module.source.place(node.end_lineno or node.lineno)[0]
    ]
    for node in sorted(around, key=lambda each: -each.lineno):
        if node in recorder.tests.visited_by:
            return set(recorder.tests.visited_by[node])
        if node in bridged.reasons:
            return {node}
    tests = _tests(recorder)
    return {node for node in around if node in tests}
