"""What becomes of each run of a module: one tier for the graph, and for native the functions that replace the runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from tf_migrate.names.run_sites import RunSite
from tf_migrate.report.model import NativeForm, Reason, Tier
from tf_migrate.stages.handed_runs import HandedRun
from tf_migrate.stages.objects import ObjectClass
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.runs import Fetch, Leaf, Run
from tf_migrate.stages.sections import Section
from tf_migrate.stages.updates import Apply, Minimize, Update
from tf_migrate.stages.user_tests.case_function import Traced
from tf_migrate.stages.user_tests.cases import Case
from tf_migrate.stages.values import Binding, Iteration, Refused
from tf_migrate.syntax.module import Module

Form = Literal["none", "single", "tuple", "dict", "nested"]


_SMALL = ast.expr | ast.keyword | ast.Assign | ast.AugAssign | ast.Expr | ast.Return


@dataclass(frozen=True)
class Verdict:
    """The tier of one site; `alone` is its own, `forced_by` ("path:line") what decided otherwise.

    `reasons` are all that keep it from a higher tier, the one that decided first; `form` is that of native code.
    """

    site: RunSite
    tier: Tier
    alone: Tier
    forced_by: str | None = None
    reasons: tuple[Reason, ...] = ()
    form: NativeForm | None = None
    functions: frozenset[str] = frozenset()
    """The names of the functions that the reasons concern."""


@dataclass(frozen=True, eq=False)
class Beneath:
    """What an object computes for a function that is made beside it: its statements, and those that others read."""

    owner: ObjectClass
    units: tuple[Unit, ...]
    outputs: tuple[Unit, ...]
    parameters: tuple[Unit, ...]


@dataclass(frozen=True)
class Function:
    """One function that replaces runs: what it takes, computes, does and returns.

    `taped` are the statements that gradients are taken through, `rest` those behind them. One function carries the
    script's assertions about static shapes.
    """

    parameters: tuple[Unit, ...]
    taped: tuple[Unit, ...]
    rest: tuple[Unit, ...]
    updates: tuple[Update, ...]
    results: tuple[Leaf, ...]
    fetches: Fetch
    form: Form
    anchor: int
    reads: tuple[Binding, ...]
    """The bindings that the fetches see."""
    once: ast.Call | None = None
    """The run that no other may share the function with."""
    beneath: Beneath | None = None
    unfed: tuple[Unit, ...] = ()
    """Placeholders that its statements name, and that nothing it gives needs."""
    crossed: tuple[Unit, ...] = ()
    """The statements whose tensors it computes for gradients only: it takes what is fed in their place."""

    @property
    def trains(self) -> bool:
        """Whether it is a training step."""
        return any(isinstance(update, Minimize | Apply) for update in self.updates)

    @property
    def key(self) -> object:
        """Two runs with one key share a function."""
        leaves = tuple(ast.dump(leaf.node) for leaf in self.results)
        units = tuple(unit.index for unit in (*self.taped, *self.rest))
        keys = ast.dump(self.fetches.node) if self.form in ("dict", "nested") else ""
        return (tuple(unit.index for unit in self.parameters), units, self.updates, leaves, self.form, keys, self.once)


@dataclass(frozen=True)
class Call:
    """One run and the function that replaces it; `function` is None where eager code does."""

    run: Run
    function: Function | None
    kept: tuple[int, ...] | None
    """For a run whose results are unpacked: the positions of the targets that stay."""
    dropped: bool
    element: Unit | None = None
    """The element of a dataset that the run fetched as a whole."""
    watched: tuple[Leaf, ...] = ()
    """What the function gives behind all else, for hooks."""


@dataclass(frozen=True)
class Became:
    """What took the place of a run: a call of `function`, plain code where that is None; see `Site` for the others."""

    function: str | None
    fetched: tuple[int, ...] | None
    elements: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """What becomes of one module; `program` is None where its graph goes to the bridge."""

    verdicts: tuple[Verdict, ...]
    program: Program | None = None
    calls: tuple[Call, ...] = ()
    unordered: tuple[RunSite, ...] = ()
    """Runs of which TF1 left open what comes first; native code computes all values before the first update."""
    renamed: tuple[Binding, ...] = ()
    attributes: tuple[Binding, ...] = ()
    """Local names of methods that become attributes of their object, so that functions of other methods see them."""
    became: Mapping[ast.Call, Became] = field(default_factory=dict)
    parsers: Mapping[Iteration, Function] = field(default_factory=dict)
    """The functions that make the elements of batches."""
    tests: tuple[TestPlan, ...] = ()
    """The tests of the module's classes, each with a graph and so with a plan of its own."""
    handed: tuple[HandedRun, ...] = ()
    """Runs by other names than the session's own: the graph stays on the bridge because of them."""
    sections: tuple[SectionPlan, ...] = ()
    """The sections of a script whose graphs are not all native: each has a plan of its own."""

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions of the module, each once: those that make datasets, then in order of the runs they replace."""
        calls = sorted(self.calls, key=lambda call: call.run.start is None)
        return tuple({call.function.key: call.function for call in calls if call.function is not None}.values())

    @property
    def uses_shims(self) -> bool:
        """Whether functions call shims beside those that their statements call."""
        return any(function.unfed or function.crossed for function in self.functions)

    @property
    def makers(self) -> dict[Iteration, Function]:
        """The functions that make datasets of what is fed, by the iterators over these."""
        return {
            call.run.start.iteration: call.function
            for call in self.calls
            if call.run.start is not None and call.function is not None
        }


@dataclass(frozen=True)
class TestPlan:
    """What becomes of one test of a class; `traced` is set where it becomes one function as a whole."""

    case: Case
    test: ast.FunctionDef
    plan: Plan
    traced: Traced | None = None


@dataclass(frozen=True)
class SectionPlan:
    """What becomes of one section of a script."""

    section: Section
    plan: Plan


def forced(
    module: Module, sites: tuple[RunSite, ...], first: Refused, own: dict[ast.Call, Refused]
) -> tuple[Verdict, ...]:
    """Every site of the graph goes to the bridge; each tells its own reason, or the place that decided."""
    deciding = _reason(module, first, 1)
    verdicts = []
    for site in sites:
        refused = own.get(site.node)
        if refused is not None:
            reasons = (_reason(module, refused, site.node.lineno),)
            concerned = frozenset(_concerned(module, refused.node))
            verdicts.append(Verdict(site, "bridge", "bridge", None, reasons, functions=concerned))
        else:
            alone: Tier = "native" if own else "bridge"
            place = f"{deciding.path}:{deciding.line}"
            concerned = frozenset(_concerned(module, first.node))
            verdicts.append(Verdict(site, "bridge", alone, place, (deciding,), functions=concerned))
    return tuple(verdicts)


def _concerned(module: Module, node: ast.AST) -> Iterator[str]:
    """The names of the functions that a piece of code stands in, is, or names."""
    for place in (node, *module.around(node)):
        if isinstance(place, ast.FunctionDef):
            yield place.name
    for inner in ast.walk(node) if isinstance(node, _SMALL) else ():
        if isinstance(inner, ast.Name):
            yield inner.id
        elif isinstance(inner, ast.Attribute):
            yield inner.attr


def _reason(module: Module, refused: Refused, otherwise: int) -> Reason:
    """A refusal as the report tells it; `otherwise` is the line of one that is about no place."""
    node = refused.node
    line, _ = module.source.place(getattr(node, "lineno", otherwise))
    names = (ast.unparse(node),) if isinstance(node, ast.Name | ast.Attribute) else ()
    return Reason(refused.code, module.path, line, names, refused.reason, refused.next_step)
