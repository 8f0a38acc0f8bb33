"""Tests as one function each: all that builds the graph moves into it, in order, and is traced once.

TensorFlow 1 built the graph by running Python code once; so does a function that is traced once, and in the same order
of operations, scopes and variables. What such code computes need not be known. It may build and nothing else: no
assignment, no assertion that nothing waits for, no session, as far as any code reaches that it names.

Several runs of which none is fed are one call that fetches all, as long as nothing is drawn at random or changes in
between; else each of them calls the function. The numbers that a test draws are any: those of a graph with a seed, as
TensorFlow's `TestCase` gives it one, are drawn in steps.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Sequence

from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import RunSite
from tf_migrate.stages.names_used import NOT_PLAIN, loads_of, stores_of
from tf_migrate.stages.stillness import is_comparison, is_description, kin_of, makes_function
from tf_migrate.stages.user_tests.allowed import DRAWING, Own, reach_of, require_building, touches_graph
from tf_migrate.stages.user_tests.asserting import asserts_as_operation
from tf_migrate.stages.user_tests.behind import Behind
from tf_migrate.stages.user_tests.case_function import Traced
from tf_migrate.stages.user_tests.cases import Case, is_decorated, is_test, methods_of, only_names
from tf_migrate.stages.user_tests.changing import is_constant_of
from tf_migrate.stages.user_tests.comparing import asserted_equal, means_identity
from tf_migrate.stages.user_tests.fetching import Fetching, Parameter
from tf_migrate.stages.user_tests.own_attributes import Stores
from tf_migrate.stages.user_tests.own_names import own_names
from tf_migrate.stages.user_tests.passed import passing, passing_parameters
from tf_migrate.stages.user_tests.reach import Reach
from tf_migrate.stages.user_tests.repeating import Outer, require_callable, require_independent, require_repeatable
from tf_migrate.stages.user_tests.set_up import Built, built_by, is_guarded, require_alike
from tf_migrate.stages.user_tests.state import State
from tf_migrate.stages.user_tests.updating import builds_updates, makes_constants, require_plain_meters
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module

_AROUND = ("setUp", "tearDown")
_OWN_NAME = "give each value a name of its own"


def trace_of(module: Module, names: Names, sites: Sequence[RunSite], case: Case, test: ast.FunctionDef) -> Traced:
    """Reads a test as one function; raises Refused where it is not sure."""
    return _Reader(module, names, sites, case, test).read()


class _Reader:
    """Reads one test."""

    def __init__(
        self, module: Module, names: Names, sites: Sequence[RunSite], case: Case, test: ast.FunctionDef
    ) -> None:
        self.module = module
        self.names = names
        self.case = case
        self.test = test
        lineage = ((names, case.node), *case.lineage)
        methods = ((home, method) for home, node in lineage for method in methods_of(node).values())
        helpers = ((home, item) for home, item in methods if item.name not in _AROUND and not is_test(item))
        self.own = Own(tuple(helpers), lineage)
        self.stores = Stores(module, test, self.own)
        running = frozenset(site.node for site in sites if site.node in set(ast.walk(test)))
        self.state = State(names, test, self.own, self.stores, running)
        self.runs = Fetching(names, sites, test, self.state)
        self.decorators = passing(names, case, test)
        self.passed = passing_parameters(names, case, test, lambda item: self._touches_of(names, item))
        self.made: set[str] = set()
        """The names, and attributes of the test's object, that hold what the function makes."""
        self.fed: set[str] = set()
        """The names that what is fed is computed of."""
        self.late: set[ast.stmt] = set()
        """The statements between those that build which move behind the call: building needs nothing that they do."""
        self.alike: list[ast.Call] = []
        """The assertions that what may be tensors is equal."""
        self.hiding: set[str] = set()
        """The names that the function binds for itself, of those that are bound before it."""
        self.renamed: set[str] = set()
        """Those among them that have another name in it."""
        self.asserts = False
        """Whether values are asserted beside the runs."""
        self.draws = False
        """Whether building may draw random numbers of NumPy."""
        self.idle = False
        """Whether operations may be fetched that do nothing."""
        self.updating: Reach | None = None
        """What building reaches, where each run has a function of its own."""
        self.behind = Behind(names, self.own, self.runs, self.made, self._touches, self.state)
        self.several = self.runs.several
        """Whether each run calls the function."""

    def read(self) -> Traced:
        """The test as one function."""
        self._require_plain()
        built, made = built_by(self.names, self.case, self._touches_of, self.stores.of)
        self.made.update(made)
        items, first = self.runs.statements, self.runs.first
        parameters, before = self.runs.parameters(items[:first])
        self.made |= {parameter.name for parameter in parameters}
        self.fed = set().union(*map(loads_of, self.runs.values))
        inside = self._inside(before, items[first:])
        late = self._late(before, inside, items[first])
        staying = [item for item in before if item not in inside and item not in late]
        behind = [item for item in items[first:] if item not in inside]
        ordered = [item for item in items if item in inside]
        self.hiding, self.renamed = own_names(self.module, self.test, staying, ordered)
        for item in staying:
            self._require_outside([item], self.made - self.hiding - self._bound_behind(item, ordered, built))
        self._require_outside([*late, *behind], self.made)
        self._require_fed(parameters)
        changes = self.behind.changes(ordered)
        ordered = [item for item in ordered if not is_constant_of(self.module, self.test, changes, item)]
        self._require_apart(staying, ordered)
        early = self._early(behind[0])
        require_alike(self.state, built, [*staying, *early], self.made)
        if self.asserts and changes:
            raise Refused(self.test, "values are asserted beside runs that change them", "fetch them in a run")
        building = [*filter(makes_function, staying), *ordered, *(item.node for item in self.runs.fetched)]
        stored = self._require_building(building, built)
        self._require_apart_from_others(ordered, built, stored=stored)
        self._require_draws([*staying, *early], late)
        if self.several:
            require_callable(self.state, ordered, late, behind[0], self.made, self.behind.asking)
        if self.updating is not None:
            mocking = len(self.decorators) < len(self.case.decorators(self.test))
            beside = mocking or bool(
                built or changes or self.asserts or (self.runs.raises and self.runs.ending is None)
            )
            outer = Outer(self.state, staying, self.decorators, self._makes_constants, beside=beside)
            require_repeatable(outer, self.updating, ordered, behind, self.made)
        self._require_first(ordered, early)
        return Traced(
            case=self.case,
            test=self.test,
            fetched=self.runs.fetched,
            parameters=parameters,
            staying=tuple(staying),
            inside=tuple(ordered),
            late=tuple(late),
            behind=tuple(behind),
            built=built,
            alike=tuple(self.alike),
            renamed=tuple(sorted(self.renamed)),
            stored=stored,
            idle=self.idle,
            guarded=is_guarded(self.state, built, [*staying, *self.runs.values]),
            kept=self._kept(ordered),
            several=self.several,
            changes=changes,
            updating=self.updating is not None,
        )

    def _makes_constants(self, item: ast.stmt) -> bool:
        plain = not self._calls_passed(item) and not self.state.reached_changes(item)
        return plain and makes_constants(self.names, self.own, item)

    def _kept(self, inside: Sequence[ast.stmt]) -> tuple[str, ...]:
        """The names that are asked behind the function, which have to be its own."""
        asked = set().union(*self.behind.asking.values())
        if asked - self._stores(inside) or asked & self.hiding:
            raise Refused(self.test, f"`{min(asked)}`, a part of the graph, is used as a Python value", _OWN_NAME)
        return tuple(sorted(asked))

    def _touches_of(self, names: Names, node: ast.AST) -> bool:
        return touches_graph(names, node, self.own)

    def _touches(self, node: ast.AST) -> bool:
        return self._calls_passed(node) or self._touches_of(self.names, node)

    def _calls_passed(self, node: ast.AST) -> bool:
        """Whether code may call what decorators pass to the test, and that may touch the graph."""
        calls = [inner for inner in ast.walk(node) if isinstance(inner, ast.Call) and not is_comparison(inner)]
        return bool(self.passed) and any(loads_of(call) & self.passed for call in calls)

    def _stores(self, items: Sequence[ast.stmt]) -> set[str]:
        return set().union(*map(self.stores.of, items))

    def _require_plain(self) -> None:
        if is_decorated(self.module, self.decorators):
            raise Refused(self.test, f"`{self.test.name}` is decorated", "leave the decorators out")
        odd = [inner for inner in ast.walk(self.test) if isinstance(inner, NOT_PLAIN)]
        if any(not isinstance(node, ast.Return) or self.module.function_of(node) is self.test for node in odd):
            raise Refused(odd[0], f"`{self.test.name}` does more than build and run", "write it in plain statements")
        for home, node in ((self.names, self.case.node), *self.case.lineage):
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and member.name == "tearDown":
                    raise Refused(member, "`tearDown` runs behind each test", "do it in the tests")
                if not only_names(member) and touches_graph(home, member, self.own):
                    raise Refused(member, "the class holds a part of a graph", "make it in the tests")

    def _inside(self, before: Sequence[ast.stmt], after: Sequence[ast.stmt]) -> set[ast.stmt]:
        """The statements that move into the function: those that build, and Python code that has to go with them."""
        inside: set[ast.stmt] = set()
        read = set().union(*(loads_of(item, self.runs.hidden) for item in after))
        for item in before:
            if not loads_of(item) & self.made and self.stores.of(item) & read and self._makes_constants(item):
                continue
            if loads_of(item) & self.made or self._touches(item):
                inside.add(item)
                self.made |= self.stores.of(item)
        late = self.behind.building(after, inside)
        rest = [item for item in after if item not in late]
        behind = set().union(self.fed, *(self.state.read_by(item, self.runs.hidden) for item in rest))
        needed = set(behind)
        first = next((index for index, item in enumerate(before) if item in inside), len(before))
        for index, item in reversed(list(enumerate(before))):
            if item in inside:
                continue
            if index < first or self.state.is_still(item, drawing=True) or is_description(item):
                needed |= self.state.read_by(item)
            elif self._does(item) & self._beneath(needed, self.made):
                self.late.add(item)
                needed |= self.state.read_by(item)
            else:
                inside.add(item)
        again = self._rebound(before, inside | late)
        if not self._stores([*again]) & behind:
            inside |= again
        self.made |= self._stores([*inside, *late])
        return inside | late

    def _rebound(self, before: Sequence[ast.stmt], inside: set[ast.stmt]) -> set[ast.stmt]:
        """The statements outside of the function that bind names which it binds again, and those that read these."""
        found: set[ast.stmt] = set()
        own = self._stores([*inside])
        local: set[str] = set()
        while taken := [item for item in before if item not in inside | found and self._is_of(item, own, local)]:
            found.update(taken)
            local |= self._stores(taken)
            own |= local
        return found

    def _is_of(self, item: ast.stmt, own: set[str], local: set[str]) -> bool:
        return bool(self._stores([item]) & own or loads_of(item) & local)

    def _late(self, before: Sequence[ast.stmt], inside: set[ast.stmt], running: ast.stmt) -> list[ast.stmt]:
        """The late statements in order, with those that have to follow them; refuses what cannot be late."""
        found: list[ast.stmt] = []
        done: set[str] = set()
        read: set[str] = set()
        fetching = set().union(*(self.state.read_by(known.node) for known in self.runs.fetched))
        fetching = self._beneath(fetching, self.made)
        for index, item in enumerate(before):
            if item in inside:
                continue
            does = self._does(item)
            if item not in self.late and not (does & read or self._beneath(self.state.read_by(item)) & done):
                continue
            building = [*inside.difference(before[:index]), *self.runs.values]
            bound = [other for other in before[:index] if other in inside and isinstance(other, ast.Assign)]
            needed = self._beneath(set().union(*map(self.state.read_by, building))) | fetching
            if isinstance(running, ast.With) or (does - self._stores(bound)) & needed:
                raise Refused(item, "both building and what follows need what this does", "do it before all building")
            found.append(item)
            done |= does
            read |= self.state.read_by(item)
        return found

    def _does(self, item: ast.stmt) -> set[str]:
        """The names that a statement binds, and those of what it may change."""
        return self.state.done_by(item, self.made)

    def _beneath(self, names: set[str], made: Container[str] = ()) -> set[str]:
        """Names, and all others that what they are bound to was made of; not those that the function has made."""
        found: set[str] = set()
        pending = sorted(names)
        while pending:
            name = pending.pop()
            if name not in found and name not in made:
                found.add(name)
                pending += sorted(set().union(*map(loads_of, self.state.bound(name))))
        return found

    def _require_outside(self, items: Sequence[ast.stmt], made: Iterable[str]) -> None:
        """Refuses code outside of the function that reads what the function makes."""
        kept = set(made)
        for item in items:
            used = (loads_of(item, self.runs.hidden) & kept) - self.behind.asking.get(item, set())
            if used:
                self._refuse_value(min(used))
            kept -= stores_of(self.module, item)  # what a run gives may take the name of what it fetched

    def _bound_behind(self, item: ast.stmt, inside: Sequence[ast.stmt], built: Sequence[Built]) -> set[str]:
        """The attributes that the function binds by statements which stand behind one outside of it."""
        others = [other for other in inside if other.lineno < item.lineno]
        before = self._stores([*(known for part in built for known in part.statements), *others])
        return {name for name in self._stores(inside) - before if name.startswith("self.")}

    def _require_fed(self, parameters: Sequence[Parameter]) -> None:
        """Refuses to feed what the function makes."""
        for node in (*(parameter.call for parameter in parameters), *self.runs.values):
            used = loads_of(node) & self.made
            if used:
                self._refuse_value(min(used))

    def _refuse_value(self, name: str) -> None:
        raise Refused(self.test, f"`{name}`, a part of the graph, is used as a Python value", "fetch it in the run")

    def _require_apart(self, staying: Sequence[ast.stmt], inside: Sequence[ast.stmt]) -> None:
        """Refuses names that mean one thing in the function and another outside, or that are bound again."""
        bound = {argument.arg for argument in self.test.args.args} | self._stores(staying)
        own = self._stores(inside)
        bound -= self.hiding
        if own & bound:
            raise Refused(self.test, f"`{min(own & bound)}` is bound twice", _OWN_NAME)
        known = {name for name in self.made if "." in name} | (self.made - own) | self.renamed
        for item in inside:
            later = [other for other in (*inside, *staying) if other.lineno > item.lineno]
            if asserts_as_operation(self.state, item, later, self.made):
                self.asserts = True
            for call in asserted_equal(self.module, item, self.made):
                if not means_identity(call):
                    raise Refused(item, "what may be tensors is compared", "assert that one is the other")
                self.alike.append(call)
            unmade = (loads_of(item) & own) - known - stores_of(self.module, item)
            if unmade:
                raise Refused(item, f"`{min(unmade)}` is read before it is made", "make it before")
            known |= stores_of(self.module, item)
            for stay in (stay for stay in staying if stay.lineno > item.lineno):
                self._require_same(item, stay)

    def _require_same(self, item: ast.stmt, stay: ast.AST) -> None:
        """Refuses Python code that runs earlier now than a statement before it, where that makes a difference."""
        again = stores_of(self.module, stay) & loads_of(item)
        if again:
            raise Refused(stay, f"`{min(again)}` is bound again", _OWN_NAME)
        kin = kin_of(loads_of(stay), self.test, self.module, self.made) & loads_of(item)
        filled = {name for name in kin - self.made if self.state.is_filled(name)}
        filled |= self.state.reached_changes(item) & self.state.reached_by(stay)
        if filled:
            raise Refused(stay, f"building may have changed `{min(filled)}`", "give it a copy")

    def _require_first(self, inside: Sequence[ast.stmt], early: Sequence[ast.expr]) -> None:
        """Refuses what is done `early` in the statement of the first run, where building does or needs the same."""
        for node in early:
            plain = isinstance(node, ast.Name | ast.Attribute)
            changed = set() if plain else self.state.changed_by(node, self.made) - self.made
            for item in inside:
                self._require_same(item, node)
                if changed & self.state.read_by(item):
                    raise Refused(node, "what is fed changes what building reads", "change it before")

    def _early(self, running: ast.stmt) -> list[ast.expr]:
        """What the statement of the first run evaluates before that run calls the function, and what is fed."""
        runs = [known.site.node for known in self.runs.fetched]
        first = min(runs, key=lambda run: (run.lineno, run.col_offset))
        end = (first.end_lineno or 0, first.end_col_offset or 0)
        nodes = (inner for inner in ast.walk(running) if isinstance(inner, ast.Name | ast.Attribute | ast.Call))
        nodes = (inner for inner in nodes if isinstance(getattr(inner, "ctx", ast.Load()), ast.Load))
        early = (inner for inner in nodes if (inner.lineno, inner.col_offset) < end and inner not in self.runs.hidden)
        return [*(inner for inner in early if first not in set(ast.walk(inner))), *self.runs.values]

    def _require_building(self, nodes: Sequence[ast.AST], built: Sequence[Built]) -> bool:
        """Refuses a function that would do more than build; tells whether it makes variables."""
        reach = Reach(free=frozenset(site.node for site in self.runs.own))
        nodes = [*(item for part in built for item in part.statements), *nodes]
        stored = require_building(reach_of(self.own, reach), self.names, [*self.decorators, *nodes], self.test)
        if self.runs.feeds_differ:
            require_independent(self.state, reach, nodes, self.runs)
        if builds_updates(reach) or self.runs.feeds_differ or self.runs.ending is not None:
            self.several, self.idle, self.updating = True, builds_updates(reach), reach
            require_plain_meters(self.names, self.test, reach, self.runs)
        if self.asserts and not DRAWING.isdisjoint(reach.symbols):
            raise Refused(self.test, "values that may be drawn at random are asserted beside a run", "fetch them in it")
        several = len(self.runs.fetched) > 1
        if several and not DRAWING.isdisjoint(reach.symbols):
            self.several = True
            if reach.seeded and not self.runs.fetches_one:
                raise Refused(self.test, "each of several runs draws random numbers", "write a test for each run")
        if several and "tf.metrics.auc" in reach.symbols:
            raise Refused(
                self.test, "each run would assert what `tf.metrics.auc` is given", "write a test for each run"
            )
        if stored and self.runs.may_lack_values:
            raise Refused(self.test, "a run may end with an error for want of initial values", "initialize variables")
        if several and stored and self.runs.differ:
            raise Refused(self.test, "several sessions hold values of the same variables", "use one session")
        self.draws = reach.draws
        self.idle = self.idle or "tf.no_op" in reach.symbols
        return stored

    def _require_apart_from_others(self, inside: Sequence[ast.stmt], built: Sequence[Built], *, stored: bool) -> None:
        """Refuses a test in whose graph something else may be."""
        self.runs.require_own_graph(inside)
        if built and (self.runs.graph is not None or not self.case.apart):
            raise Refused(built[0].first, "`setUp` builds in a graph that is not the test's", "build it in the tests")
        if stored and self.runs.graph is None and not self.case.apart:
            step = "build in `with tf.Graph().as_default():`"
            raise Refused(self.test, "the test keeps variables in the graph that all tests share", step)

    def _require_draws(self, outside: Sequence[ast.AST], late: Sequence[ast.stmt]) -> None:
        """Refuses random numbers that would be drawn in another order."""
        fed = any(map(self.state.draws, self.runs.values))
        if (fed and any(map(self.state.draws, late))) or (self.draws and (fed or any(map(self.state.draws, outside)))):
            raise Refused(self.test, "random numbers of NumPy are drawn in building too", "draw them before")
