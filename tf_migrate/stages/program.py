"""The statements of a script's straight line, and the whole script as the analysis sees it."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import RunSite
from tf_migrate.stages.given import Given
from tf_migrate.stages.handing import Handed
from tf_migrate.stages.iterating import Begun
from tf_migrate.stages.lists import Listing
from tf_migrate.stages.made import Made
from tf_migrate.stages.monitored import Monitor
from tf_migrate.stages.objects import ObjectClass
from tf_migrate.stages.options import Literal, Said
from tf_migrate.stages.queues import Batch
from tf_migrate.stages.restarts import Restart
from tf_migrate.stages.runs import Run
from tf_migrate.stages.scopes import is_written_out
from tf_migrate.stages.summaries import Hidden
from tf_migrate.stages.updates import Gradients
from tf_migrate.stages.values import MOVED, Binding, Iteration, Move, Reads, Refused, Stage, Value, Variable
from tf_migrate.syntax.module import Module

SCOPE = "scope"
"""What a statement does that makes no variables, but counts in the names of those which others make."""
_PLAIN = re.compile(r"[\w/]+")


@dataclass(frozen=True, eq=False)
class Unit:
    """One statement of the straight line.

    `scopes` are the name scopes around it, outermost first, `around` these and the devices that it is put on.
    """

    index: int
    node: ast.stmt
    scopes: tuple[ast.With, ...]
    value: Value
    binds: tuple[str, ...] = ()
    reads: Reads = field(default_factory=dict)
    gradients: tuple[Gradients, ...] = ()
    summaries: tuple[ast.Call, ...] = ()
    savers: tuple[ast.Call, ...] = ()
    around: tuple[ast.With, ...] = ()
    creates: frozenset[str] = frozenset()
    """Whether it creates or looks up variables in a store: "named" where it names them itself; the names of a "layer",
    or a plain "variable", depend on the order of such statements, and of those which only open a `SCOPE`."""
    lists: tuple[Listing, ...] = ()
    """What it lists of the variables of a store."""
    repeats: bool = True
    """Whether what it computes is the same whenever and however often it runs."""
    seeded: tuple[ast.expr, ...] = ()
    """The calls in it that draw by a seed of their own: one sequence of numbers, whoever draws."""

    named: frozenset[str | None] = frozenset()
    """How the names begin that functions it calls give to scopes and plain variables, outermost; None for any."""
    makers: frozenset[ast.Call] = frozenset()
    """The calls that make these variables, where they are not there yet."""
    made: tuple[Made, ...] = ()
    """What is known of the variables that they make."""
    finders: frozenset[ast.Call] = frozenset()
    """The calls that may only look up variables: others have to make these before."""
    either: frozenset[ast.Call] = frozenset()
    """Those among both that look up what is there, and make what is not: whatever was built first makes it."""

    averages: bool = False
    """Whether layers in it move averages."""
    in_place: bool = False
    """Whether it moves averages where its value is computed."""
    moved: frozenset[Move] = frozenset()
    """What functions that it calls do where its value is computed."""
    adds: bool = False
    """Whether it computes the update of a metric, which moves averages in place by local variables of its own."""
    begins: Reads = field(default_factory=dict)
    """The variables that names of a loop begin with, which it binds anew: they mean these the first time only."""
    chosen: bool = False
    """Whether it stands in a branch of an `if`, and nothing but what that branch makes may read it."""
    hidden: tuple[Hidden, ...] = ()
    """The summaries that functions make which it calls, or blocks in it."""
    differentiates: bool = False
    """Whether it calls `tf.gradients` where a function calls it too."""

    @property
    def needs_store(self) -> bool:
        """Whether it makes, looks up or lists variables of a store."""
        return bool(self.creates or self.lists or self.adds)

    @property
    def sees_updates(self) -> bool:
        """Whether it computes of variables what updates, for which it waits, have left in them."""
        waits = self.value.stage is Stage.TENSOR and bool(self.value.updates)
        return waits and any(binding.value.stage is Stage.VARIABLE for binding in self.reads.values())

    @property
    def describes(self) -> bool:
        """Whether it makes summaries."""
        return bool(self.summaries or self.hidden)

    @property
    def counts(self) -> bool:
        """Whether the names of its variables depend on those made before."""
        return bool(self.creates - {"named", SCOPE})

    @property
    def moves(self) -> bool:
        """Whether the statement leaves the script's straight line."""
        return self.value.stage in MOVED or self.value.stage is Stage.PLACEHOLDER


def scope_names(unit: Unit) -> list[str]:
    """The names of the scopes around a statement, outermost first; empty ones for those known only at run time."""
    given = (scope.items[0].context_expr for scope in unit.scopes)
    names = (call.args[0] for call in given if isinstance(call, ast.Call) and call.args)
    return [str(name.value) if isinstance(name, ast.Constant) else "" for name in names]


def looks_up_again(unit: Unit, others: Sequence[Unit]) -> bool:
    """Whether a statement computes with variables of layers that others have made."""
    layers = {known for other in others for known in other.reads.values() if known.value.stage is Stage.LAYER}
    again = any(known in layers for known in unit.reads.values())
    return again or (bool(unit.finders) and any(other.creates for other in others))


def may_share(one: Unit, other: Unit) -> bool:
    """Whether two statements may look up the same variables: not where functions open scopes of other names."""
    known = bool(one.named and other.named) and None not in one.named | other.named
    return not known or bool(one.named & other.named or one.scopes or other.scopes)


def apart(path: str | None, scope: str | None) -> bool:
    """Whether no name below a scope that is open can be one of those that a list of a scope's variables holds."""
    plain = bool(path) and scope is not None and _PLAIN.fullmatch(scope) is not None
    return plain and not f"{path}/".startswith(scope or "") and not (scope or "").startswith(f"{path}/")


def begin_alike(names: Iterable[str | None], others: Iterable[str | None]) -> bool:
    """Whether one name may be another one, or that with a number; None is any name."""
    for one, other in product(names, others):
        if one is None or other is None or one.startswith(other) or other.startswith(one):
            return True
    return False


def with_scopes(units: Iterable[Unit]) -> Iterator[Unit]:
    """The statements, of which those open a `SCOPE` that plain variables of others may stand in the like of."""
    units = tuple(units)
    plain = {name for unit in units if "variable" in unit.creates for name in unit.named}
    for unit in units:
        opens = not unit.creates and unit.value.stage in MOVED and begin_alike(unit.named, plain)
        yield replace(unit, creates=frozenset({SCOPE})) if opens else unit


@dataclass(frozen=True)
class Program:
    """A script as the analysis sees it.

    `dissolved` are the blocks whose bodies take their place, `devices` those that put statements on one, `dropped`
    the statements that only served the session, `refusals` the runs that the analysis is not sure of, `listed` the
    calls that mean all trainable variables so far, `final` the bindings at the end, `resolved` the binding that
    each name means (None: several), `merged` the summaries that each `merge_all` merges, `graphs` the arguments
    that hand a graph to a summary writer, `resets` the units at which another graph begins, `entered` the calls
    that enter functions, which are read there, `ends` the bindings at the end of each of these, `handed` the sessions
    that such a call hands over, `objects` the classes whose constructors were entered, `whole` the savers of all
    variables, `trainable` those of all trainable ones, `freed` the sessions given to savers, `outside` the tensors that
    functions read without being given them, `options` what the sessions are told by theirs, `begun` the runs that begin
    iterators, `batches` what makes the elements of batches, `stops` the conditions of loops that ask the coordinator,
    `restarts` the runs that give variables their first values again, `late` the runs behind the end of its threads,
    `built` the calls of the module's functions that compute tensors and nothing else.
    """

    module: Module
    names: Names
    sites: tuple[RunSite, ...]
    units: tuple[Unit, ...]
    runs: tuple[Run, ...]
    dissolved: tuple[ast.With, ...]
    scopes: tuple[ast.With, ...]
    devices: tuple[ast.With, ...]
    dropped: tuple[ast.stmt, ...]
    variables: tuple[Variable, ...]
    refusals: dict[ast.Call, Refused]
    listed: dict[ast.Call, tuple[Variable, ...]]
    final: Reads
    resolved: dict[ast.expr, Binding | None]
    merged: dict[ast.Call, tuple[str, ...]]
    graphs: tuple[ast.expr | ast.keyword, ...]
    resets: tuple[int, ...]
    calls: tuple[ast.Call, ...]
    """The calls of the module that may concern its graphs."""
    entered: Mapping[ast.AST, ast.FunctionDef] = field(default_factory=dict)
    ends: Mapping[ast.FunctionDef, Reads] = field(default_factory=dict)
    handed: tuple[Handed, ...] = ()
    objects: tuple[ObjectClass, ...] = ()
    whole: frozenset[ast.Call] = frozenset()
    trainable: frozenset[ast.Call] = frozenset()
    freed: tuple[ast.expr, ...] = ()
    outside: Mapping[ast.FunctionDef, tuple[str, ...]] = field(default_factory=dict)
    options: Mapping[str, Literal] = field(default_factory=dict)
    said: tuple[Said, ...] = ()
    """The options of sessions that are computed."""
    begun: tuple[Begun, ...] = ()
    batches: Mapping[Iteration, Batch] = field(default_factory=dict)
    stops: tuple[ast.expr, ...] = ()
    restarts: tuple[Restart, ...] = ()
    late: frozenset[ast.Call] = frozenset()
    case: ObjectClass | None = None
    """The class of tests that the program is a test of."""
    built: frozenset[ast.Call] = frozenset()
    monitor: Monitor | None = None
    """The monitored session that runs the program."""
    asked: tuple[ast.Name, ...] = ()
    """Where that is asked whether to stop."""
    finals: tuple[Reads, ...] = ()
    """The bindings at the end of each graph but the last."""
    returning: tuple[ast.Assign, ...] = ()
    """The statements whose calls enter methods that return parts of the graph: nothing but the call stays of them."""
    inputs: Mapping[ast.stmt, Iteration] = field(default_factory=dict)
    """The statements that get, or return, what a queue gives in a function of its own."""
    bound: Mapping[ast.Call, tuple[str, Binding]] = field(default_factory=dict)
    """What each variable was bound to first, by the call that makes it."""
    taken: Mapping[ast.If, Sequence[ast.stmt]] = field(default_factory=dict)
    """The branch that each condition takes which only asks whether there is a session."""
    used_locally: tuple[ast.Attribute, ...] = ()
    """Attributes that functions inside methods use as local names."""
    related: frozenset[ObjectClass] = frozenset()
    """The classes of several objects that share collections."""
    held: Mapping[ast.AST, tuple[str, ObjectClass]] = field(default_factory=dict)
    """What methods call the object of another class whose parts they run."""
    staying: frozenset[ast.Dict] = frozenset()
    """The feed dictionaries that stay, with other keys."""
    given: tuple[Given, ...] = ()
    """The tensors that calls hand to functions which run them."""

    @property
    def saves(self) -> bool:
        """Whether something is saved, or restored, by name."""
        return any(unit.savers for unit in self.units) or (self.monitor is not None and self.monitor.saves)

    def making_with(self, units: Iterable[Unit]) -> list[Unit]:
        """The statements that make variables whose names are counted together with those of `units`.

        Unnamed layers are counted within their scope, so those in scopes of other names have nothing to do with them,
        nor have those of another graph.
        """
        counted = {(self.graph_of(unit.index), self._outermost(unit)) for unit in units if unit.counts}
        making = [unit for unit in self.units if unit.creates] if counted else []
        return [unit for unit in making if (self.graph_of(unit.index), self._outermost(unit)) in counted]

    def is_apart(self, unit: Unit, scope: str | None) -> bool:
        """Whether a statement makes no variables below a scope that a list names."""
        outer = self.scope_of(unit)
        return bool(unit.made) and all(known.is_apart(outer, scope) for known in unit.made)

    def scope_of(self, unit: Unit) -> str | None:
        """The variable scope of a statement; None where that is not written out."""
        names = []
        for scope in unit.scopes:
            call = scope.items[0].context_expr
            if isinstance(call, ast.Call) and self.names.resolve(call.func) == "tf.variable_scope":
                if not is_written_out(scope):
                    return None
                names.append(str(getattr(call.args[0], "value", "")))
        return "/".join(names)

    def _outermost(self, unit: Unit) -> str:
        for scope in unit.scopes:
            call = scope.items[0].context_expr
            if isinstance(call, ast.Call) and self.names.resolve(call.func) == "tf.variable_scope":
                return ast.unparse(call.args[0])
        return ""

    def home_of(self, unit: int) -> ast.AST | None:
        """The function that a unit stands in, None for the script itself."""
        return self.module.function_of(self.units[unit].node)

    def homes_around(self, unit: int) -> Iterator[ast.AST | None]:
        """The functions that are being run where a unit is: its own, the one that called this one, and so on."""
        home = self.home_of(unit)
        while home is not None:
            yield home
            place = next((place for place, function in self.entered.items() if function is home), None)
            home = None if place is None else self.module.function_of(place)

    def owner_of(self, function: ast.AST | None) -> ObjectClass | None:
        """The class that a function is a method of, where an object of it is part of the script."""
        return next((known for known in self.objects if function in known.methods.values()), None)

    def input_of(self, iteration: Iteration) -> ast.Assign | None:
        """The statement that gets what a queue gives which another function reads; None for any other."""
        got = (node for node, known in self.inputs.items() if known is iteration)
        return next((node for node in got if isinstance(node, ast.Assign)), None)

    def current(self, name: str, binding: Binding, env: Reads) -> Binding | None:
        """What a name means where its binding can be seen: at the end of the function it is local to, or in `env`."""
        if binding.home is not None and binding.home in self.ends:
            return self.ends[binding.home].get(name)
        return env.get(name)

    def final_of(self, unit: int) -> Reads:
        """The bindings at the end of the graph that a unit is part of."""
        return (*self.finals, self.final)[self.graph_of(unit)]

    def graph_of(self, unit: int) -> int:
        """The number of the graph that a unit is part of."""
        return bisect_right(self.resets, unit)
