"""The initializer: natively a variable has its value when it is made, so a script has to run it once, and first."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Iterable
from typing import Literal, NamedTuple

from tf_migrate.names.run_sites import RunSite
from tf_migrate.names.sessions import GLOBAL_INITIALIZERS
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.iterating import Iterating
from tf_migrate.stages.metrics import LOCAL_INITIALIZERS, METRICS
from tf_migrate.stages.restarts import Restart
from tf_migrate.stages.updates import Assign
from tf_migrate.stages.values import Refused, Stage, Value, Variable, flatten
from tf_migrate.syntax.arguments import argument


class _Way(NamedTuple):
    """A branch of an `if` that gives values to variables, and how many it covers."""

    kind: Literal["initializer", "restore"]
    branch: list[ast.stmt]
    covered: int


class Initialization(Iterating):
    """Keeps account of initializers.

    `built` is how many variables there were when the initializer was built, `covered` how many the one knew that ran,
    `creating` are the statements that make variables in a store, `ran` says whether something ran already: a run in a
    function does when the function is called. `emptied` says that another session began, which has values of its own
    as soon as it restored or initialized all of them, `parallel` that there were several at once. `ready` are the
    variables that have a value, `begun` is the unit that last gave one to all of them. Those that are older than
    `stale` were given another since, which nothing may see; `restarts` give variables their first values again.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.dropped: list[ast.stmt] = []
        self.built = 0
        self.built_of: frozenset[ast.Call] = frozenset()
        self.covered: int | None = None
        self.creating: list[ast.stmt] = []
        self.ran = False
        self.sessions = 0
        self.counting = False
        self.open_sessions: set[str] = set()
        self.parallel = False
        self.emptied = False
        self.ways: list[_Way] = []
        self.saved: dict[ast.Call, int] = {}
        self.ready: set[ast.Call] = set()
        self.begun = 0
        self.stale = 0
        self.again = False
        self.built_by: tuple[ast.expr | None, ...] = ()
        self.restarts: list[Restart] = []

    @abstractmethod
    def restart(self, statement: ast.stmt, had: Iterable[Variable]) -> Restart | None:
        """What another run of the initializer does to variables that had values; None where that cannot be written."""

    def branches(self, node: ast.If) -> None:
        """Behind an `if` at the top that initializes the variables in one branch, and restores them in the other."""
        ways, self.ways = self.ways, []
        taken = [any(way.branch is body for way in ways) for body in (node.body, node.orelse)]
        if any(way.kind == "initializer" for way in ways):
            if not all(taken):
                place = node.body[0] if taken[0] else node.orelse[0]
                raise Refused(place, "the initializer runs in one case only", "run it once, at the top")
            self.covered = min(way.covered for way in ways)
            self.emptied = False
        self.ran = self.ran or bool(ways)

    def _branch(self, statement: ast.stmt) -> list[ast.stmt] | None:
        """The branch of an `if` at the top that a statement stands in, itself or in nothing but another `if`."""
        parent = self.evaluator.module.parents.get(statement)
        if self.depth != 1 or not isinstance(parent, ast.If):
            return None
        return parent.body if statement in parent.body else parent.orelse

    def has_values_in_branch(self, node: ast.AST) -> bool:
        """Whether the branch that something stands in gave all variables their values before."""
        around = {node, *self.evaluator.module.around(node)}
        known = (way for way in self.ways if way.covered == self.made and not around.isdisjoint(way.branch))
        return not self.emptied and any(known)

    def begin_anew(self) -> None:
        """Another graph begins: its variables and runs are counted by themselves."""
        self.evaluator.earlier = len(self.variables)
        self.ran = False
        self.built = 0
        self.covered = None
        self.sessions = 0
        self.open_sessions.clear()
        self.parallel = False
        self.emptied = False
        self.ready.clear()
        self.creating.clear()
        self.evaluator.storing.clear()
        self.evaluator.shadows.clear()
        self.again = False
        self.begun = self.stale = self.evaluator.unit

    @property
    def made(self) -> int:
        """How many variables the graph has, or statements that make some in a store, so far."""
        return len(self.variables) - self.evaluator.earlier + len(self.creating)

    def begins_alone(self, node: ast.With) -> None:
        """A monitored session begins: it gives all variables their values, which none of them had before."""
        if self.ran or self.sessions or self.ready or self.evaluator.monitor is not None:
            raise Refused(node, "another session runs beside the monitored one", "use one session")
        (item,) = node.items
        self.opens(item.context_expr, item.optional_vars)
        self.ran, self.covered = True, self.made
        self.ready |= {variable.call for variable in self.variables}

    def opens(self, node: ast.expr, target: ast.expr | None) -> None:
        """A session begins, where an expression makes one; it takes the place of an earlier one of its name."""
        if not isinstance(node, ast.Call):
            return
        self.sessions += 1
        name = _name_of(node, target)
        self.parallel = self.parallel or bool(self.open_sessions - {name})
        self.open_sessions.add(name)
        given = self.covered is not None or bool(self.ready)
        self.emptied = self.sessions > 1 and (self.parallel or given)

    def closes(self, node: ast.With) -> None:
        """The end of a block closes the sessions that it makes."""
        self.open_sessions -= {_name_of(item.context_expr, item.optional_vars) for item in node.items}

    def require_values(self, node: ast.expr) -> None:
        """Refuses what sees values that the session before had: another session begins with none."""
        if self.emptied and self.made and not self.evaluator.running:
            step = "restore all variables first, or build and run each graph in a script of its own"
            raise Refused(node, "several sessions hold values of the same variables", step)

    def saver_used(self, node: ast.Call, restored: ast.Call | None) -> None:
        """A Saver saves or restores; `restored` is one that restores all variables there were when it was made."""
        if self.evaluator.running:
            return
        if restored is not None and restored not in self.saved:
            raise Refused(restored, "a Saver is made inside another expression", "make it in a statement")
        branch = self._branch(self.evaluator.module.statement_of(node))
        if restored is not None and not self.depth:
            self.emptied = False
            self.covered = self.saved[restored]
            self.ran = True
        elif restored is not None and branch is not None:
            self.ways.append(_Way("restore", branch, self.saved[restored]))
        else:
            self.called(node)

    def called(self, node: ast.expr) -> None:
        """A function that runs the session is called."""
        if self.evaluator.running:
            # The call of the function around it is what counts.
            return
        if self.has_values_in_branch(node):
            return
        self.ran = True
        self.require_values(node)
        if self.covered is None and self.made:
            raise Refused(node, "the session runs before the initializer provably did", "run the initializer first")

    def runs_initializer(self, site: RunSite) -> bool:
        """Whether a run fetches by its name what is an initializer here, and may be something else elsewhere."""
        if site.kind == "Operation.run":
            fetched = site.node.func.value if isinstance(site.node.func, ast.Attribute) else None
        else:
            fetched = argument(site.node, "fetches", 0)
        binding = self.evaluator.env.get(self.evaluator.key_of(fetched) or "")
        return binding is not None and binding.value.stage is Stage.INITIALIZER

    def initialize(self, site: RunSite, statement: ast.stmt) -> None:
        """The run of an initializer: it goes, where it provably happens once and before all others."""
        values = self.evaluator.arguments(site.node)
        assert isinstance(site.node.func, ast.Attribute)
        receiver = self.evaluator.value(site.node.func.value)
        if site.kind == "Operation.run":
            values = [receiver, *values]
        parts = self.begin(site, statement, list(flatten(values)))
        if not parts:
            return
        branch = self._branch(statement)
        if (self.depth and branch is None) or not (isinstance(statement, ast.Expr) and statement.value is site.node):
            raise Refused(site.node, "the initializer runs inside a block or an expression", "run it once, at the top")
        begins = any(begun.statement is statement for begun in self.starting)
        if any(not _is_idle_feed(value) for value in values[1:]) and not begins:
            raise Refused(site.node, "the initializer is fed", "run it without a feed")
        parts = [part for part in parts if part.stage is not Stage.FEED]
        if not begins:
            self.dropped.append(statement)
        self._initialize_metrics(site, branch, parts)
        own = [variable for part in parts for variable in part.variables]
        if own:
            self._initialize_some(site, branch, parts, own)
            return
        made = [part.node for part in parts if isinstance(part.node, ast.Call)]
        if len(made) < len(parts):
            raise Refused(site.node, "which variables are initialized is not known", "initialize all of them at once")
        if not any(self.evaluator.names.resolve(call.func) in GLOBAL_INITIALIZERS for call in made):
            return
        inline = any(call in ast.walk(site.node) for call in made)
        if inline:
            self.builds_initializer(made)
        self._initialize_all(site, statement, branch, known=self.built_by == tuple(made))

    def _initialize_metrics(self, site: RunSite, branch: list[ast.stmt] | None, parts: list[Value]) -> None:
        """The run of an initializer of local variables: metrics begin once, before they add anything up."""
        names = self.evaluator.names
        calls = [part.node for part in parts if isinstance(part.node, ast.Call)]
        if not any(names.resolve(call.func) in LOCAL_INITIALIZERS for call in calls):
            return
        adds = any(names.resolve(call.func) in METRICS for call in self.evaluator.module.calls)
        if adds and (self.counting or self.ran or branch is not None):
            raise Refused(site.node, "a metric begins anew", "make another metric, or run the initializer once, first")
        self.counting = True

    def builds_initializer(self, made: Iterable[ast.expr | None]) -> None:
        """An initializer of all variables is built by these calls: it knows those that there are."""
        self.built, self.built_by = self.made, tuple(made)
        self.built_of = frozenset(variable.call for variable in self.variables)

    def _initialize_all(
        self, site: RunSite, statement: ast.stmt, branch: list[ast.stmt] | None, *, known: bool
    ) -> None:
        """The run of an initializer of all variables; `known` says that it is the one that was built last."""
        if branch is not None:
            if self.covered is not None or (self.ran and not self.emptied):
                raise Refused(site.node, "the variables are initialized twice", "run the initializer once")
            self.ways.append(_Way("initializer", branch, self.built))
            return
        if self.emptied and (self.parallel or self.evaluator.closed or self.evaluator.savers or self.saved):
            # All variables have to be restored before anything else runs.
            return
        self.emptied = False
        if (self.covered is not None and self.made) or self.ran:
            self._initialize_again(site, statement, known=known)
        self.begun, self.covered = self.evaluator.unit, self.built
        self.ready |= self.built_of

    def _initialize_again(self, site: RunSite, statement: ast.stmt, *, known: bool) -> None:
        """Another run of the initializer: variables that had values begin anew, or may not be seen any more."""
        mine = self.variables[self.evaluator.earlier :]
        restored = mine[: max(self.saved.values(), default=0)]
        had = self.ready | self._assigned() | {variable.call for variable in restored}
        made = self.restart(statement, [variable for variable in mine if variable.call in had & self.built_of])
        if known and made is not None:
            self.restarts.append(made)
            self.again = self.again or made.traces
            return
        if self.evaluator.closed or self.evaluator.savers or self.saved:
            raise Refused(site.node, "the initializer runs after other runs", "run it once, first")
        new = self.covered is None or self.built > self.covered
        self.stale, self.again = self.begun if new else self.evaluator.unit, True

    def _initialize_some(
        self, site: RunSite, branch: list[ast.stmt] | None, parts: list[Value], own: list[Variable]
    ) -> None:
        """The run of initializers of single variables, each of which had no value before."""
        calls = {variable.call for variable in own}
        if branch is not None or self.emptied or self.evaluator.closed or not all(part.variables for part in parts):
            raise Refused(site.node, "a single variable is initialized", "initialize all variables at once")
        if calls & (self.ready | self._assigned()):
            raise Refused(site.node, "a variable is initialized that has a value", "initialize it once")
        self.ready |= calls
        if self.covered is not None:
            self.covered += len(calls)

    def _assigned(self) -> set[ast.Call]:
        """The variables that runs have assigned to."""
        updates = (update for run in self.runs for update in run.updates if isinstance(update, Assign))
        return {variable.call for update in updates for variable in update.updated.variables}


def _is_idle_feed(value: Value) -> bool:
    """Whether a feed does nothing: no initial value here depends on placeholders, and nothing is called for it."""
    if value.stage is not Stage.FEED or not isinstance(value.node, ast.Dict):
        return False
    return not any(isinstance(inner, ast.Call) for item in value.node.values for inner in ast.walk(item))


def _name_of(node: ast.expr, target: ast.expr | None) -> str:
    """What a session is known by: its name, else the place where it is made."""
    return f"line {node.lineno}" if target is None else ast.unparse(target)
