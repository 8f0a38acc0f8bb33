"""What the recorder knows of one program, as questions about nodes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from tf_migrate.interpreter.recorder import FunctionNode, Observation, Recorder, Snapshot
from tf_migrate.interpreter.values import Items, Node, Thing, Value, options
from tf_migrate.names.drawing import SEEDS, may_draw
from tf_migrate.semantics.effects import Effect, effect
from tf_migrate.semantics.graph_values import TAKING
from tf_migrate.steps.fetched_calls import FetchedCalls
from tf_migrate.steps.twins import Fold, folds
from tf_migrate.syntax.blocks import blocks
from tf_migrate.syntax.module import Module

RESETS = frozenset({"tf.reset_default_graph", "tensorflow.python.framework.ops.reset_default_graph"})
"""What begins another graph."""


class ProgramFacts:
    """The record of an execution, seen for the modules of one program."""

    def __init__(self, recorder: Recorder, modules: Mapping[str, Module]) -> None:
        self.recorder = recorder
        self.modules = modules

    @cached_property
    def owners(self) -> dict[ast.AST, Module]:
        """The module of every node."""
        return {node: module for module in self.modules.values() for node in (module.tree, *module.parents)}

    @cached_property
    def sites(self) -> dict[ast.Call, list[Observation]]:
        """The runs of the program, and how they were seen; what never happens counts where there is nothing else."""
        return {
            node: [each for each in seen if not each.never] or seen
            for node, seen in self.recorder.runs.items()
            if node in self.owners
        }

    @cached_property
    def folds(self) -> tuple[Fold, ...]:
        """The branches that differ in the session alone, of which one goes."""
        found = [fold for module in self.modules.values() for fold in folds(module.nodes, self.kinds)]
        gone = {part for fold in found for part in fold.gone}
        return tuple(fold for fold in found if gone.isdisjoint((fold.test, *self.around(fold.test))))

    @cached_property
    def folded(self) -> dict[ast.AST, Fold]:
        """All nodes of branches that go so."""
        return {node: fold for fold in self.folds for part in fold.gone for node in ast.walk(part)}

    def parent(self, node: ast.AST) -> ast.AST | None:
        """What a node stands in."""
        return self.owners[node].parents.get(node)

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement of a node."""
        return self.owners[node].statement_of(node)

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """All that a node stands in."""
        return self.owners[node].around(node)

    # -- initializers --

    @cached_property
    def removed(self) -> frozenset[ast.Call]:
        """The runs of initializers that go: each is the first thing that runs in its graph.

        None goes behind which variables get new values: that one draws others than the first; nor one that the program
        can tell from none, since first values call its functions.
        """
        found = {node for node in self.sites if self.initializes(node) and not self._acts(node)}
        giving = {node for node, seen in self.sites.items() if any(map(_gives_values, seen))}
        found -= giving & {
            place
            for node in giving
            for seen in self.sites[node]
            for place in seen.past
            if not self._is_instead(node, place)
        }
        while kept := {node for node in found if not all(self._is_first(seen, found) for seen in self.sites[node])}:
            found -= kept
        return frozenset(found)

    def _acts(self, node: ast.Call) -> bool:
        """Whether first values that a run may give call Python, or take elements of a dataset or a queue."""
        return any(seen.graph in self._with_acting_values for seen in self.sites[node])

    @cached_property
    def _with_acting_values(self) -> frozenset[Thing]:
        """The graphs that have variables with such first values."""
        acting: set[int] = set()
        found: set[Thing] = set()
        for made in sorted(self.recorder.nodes, key=lambda made: made.time):
            if _is_acting(made) or any(each.time in acting for each in made.inputs):
                acting.add(made.time)
                if made.kind == "variable" and made.graph is not None:
                    found.add(made.graph)
        return frozenset(found)

    def _is_instead(self, node: ast.Call, place: object) -> bool:
        """Whether a run happens only where another one raised: in a handler of a body that the other one ends."""
        inner: ast.AST = node
        for outer in self.around(node):
            if isinstance(inner, ast.ExceptHandler) and isinstance(outer, ast.Try):
                last = outer.body[-1]
                if isinstance(last, ast.Expr) and last.value is place:
                    return True
            inner = outer
        return False

    def _is_first(self, seen: Observation, found: set[ast.Call]) -> bool:
        """Whether nothing but initializers ran before, and in the same session."""
        return seen.guessed or all(each is seen.session or each in found for each in seen.past)

    def initializes(self, node: ast.Call) -> bool:
        """Whether a run does nothing but give variables their first values, and nothing is fed that these may need."""
        if not isinstance(self.parent(node), ast.Expr):
            return False
        if any(seen.hooked or (seen.feeds is not None and not seen.feeds.is_empty) for seen in self.sites[node]):
            return False
        return all(
            seen.fetches.known and leaves and all(is_kind(leaf, "initializer") for leaf in leaves)
            for seen in self.sites[node]
            for leaves in [seen.fetches.leaves()]
        )

    @cached_property
    def is_seeded(self) -> bool:
        """Whether the program gives a graph a seed."""
        return any(node in self.owners and found & SEEDS for node, found in self.recorder.symbols.items())

    @cached_property
    def numbering(self) -> frozenset[ast.Call]:
        """Of runs that go, or are made at once, those whose own statements give what is drawn behind them its seed.

        TensorFlow 1 took the number of an operation in the graph as its second seed: what the statement makes counts.
        """
        runs = self.removed | self._assigning if self.is_seeded else frozenset[ast.Call]()
        return frozenset(
            run
            for run in runs
            for built in [self.named_before.get(run) if run in self._assigning else None, self.statement(run)]
            if built is not None and self.recorder.made.get(built) and self._is_drawn_behind(run)
        )

    @cached_property
    def evaluated(self) -> frozenset[ast.Call]:
        """Of runs that go, those of which what they fetch is still built, or found, where it stands."""
        calls = FetchedCalls(self.recorder)
        asked = {run: fetch for run in self.removed if (fetch := self.sites[run][0].fetch) is not None}
        return self.numbering | {run for run, fetch in asked.items() if calls.acting([fetch]) is not None}

    def _is_drawn_behind(self, run: ast.Call) -> bool:
        return any(self._last_drawn.get(seen.graph, 0) > seen.time for seen in self.sites[run])

    @cached_property
    def _last_drawn(self) -> dict[Thing | None, int]:
        """For graphs: when the last of what may draw in them was made."""
        nodes = (node for node in self.recorder.nodes if may_draw(node.place, node.symbol))
        return {node.graph: node.time for node in sorted(nodes, key=lambda node: node.time)}

    # -- what builds, what runs --

    @cached_property
    def building(self) -> set[ast.AST]:
        """Statements and functions in whose extent something is built that stays."""
        return self._extents(self.recorder.built, self.gone)

    @cached_property
    def running(self) -> set[ast.AST]:
        """Statements and functions in whose extent something runs that stays, or another graph is entered."""
        return self._extents(self.recorder.ran, set(self.removed)) | self._extents(self.recorder.entered, set())

    @cached_property
    def gone(self) -> set[ast.AST]:
        """Places that build in a statement that goes."""
        statements = {self.statement(node) for node in (*(self.removed - self.evaluated), *self.at_once)}
        statements |= {made for node, made in self.named_before.items() if node in self.at_once}
        return {
            place
            for place in self.recorder.built
            if place in self.owners and (place in self.folded or self.statement(place) in statements)
        }

    @cached_property
    def at_once(self) -> frozenset[ast.Call]:
        """The runs of assignments that are made in the run's own statement, of nothing but Python's values."""
        return self._assigning - self.numbering

    @cached_property
    def _assigning(self) -> frozenset[ast.Call]:
        return frozenset(node for node, seen in self.sites.items() if self._assigns_at_once(node, seen))

    @cached_property
    def named_before(self) -> dict[ast.Call, ast.Assign]:
        """For runs of a name that is bound right before them and read by them alone: what binds it."""
        found = {node: self._bound_before(node, seen[0].fetch) for node, seen in self.sites.items()}
        return {node: made for node, made in found.items() if made is not None}

    def _bound_before(self, node: ast.Call, fetch: ast.expr | None) -> ast.Assign | None:
        statement, module = self.statement(node), self.owners[node]
        if not isinstance(fetch, ast.Name) or self.parent(node) is not statement:
            return None
        before = next(reversed(preceding(statement, self.parent(statement))), None)
        if not isinstance(before, ast.Assign) or len(before.targets) != 1 or before in self.running:
            return None
        target, scope = before.targets[0], module.binding_scope(fetch)
        if not isinstance(target, ast.Name) or target.id != fetch.id or scope is None or scope is module.root:
            return None
        loads = [load for load in module.loads.get(fetch.id, ()) if module.binding_scope(load) is scope]
        return before if loads == [fetch] else None

    def _assigns_at_once(self, node: ast.Call, seen: Sequence[Observation]) -> bool:
        if not self._gives_nothing(node) or any(
            each.method not in ("run", "eval")
            or each.hooked
            or each.feeds is not None
            or each.others
            or each.fetch is None
            for each in seen
        ):
            return False
        inside = {inner for outer in (node, self.named_before.get(node)) if outer for inner in ast.walk(outer)}
        return all(
            isinstance(option, Node) and option.kind == "assignment" and option.at_once and option.place in inside
            for each in seen
            for leaf in _ends(each.fetches)
            for option in options(leaf)
        )

    def _gives_nothing(self, node: ast.Call) -> bool:
        """Whether nothing reads what a run gives: it is a statement by itself, or bound to a name that is not read."""
        parent = self.parent(node)
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and parent.value is node:
            target, module = parent.targets[0], self.owners[node]
            if not isinstance(target, ast.Name) or module.scopes.get(target) is module.root:
                return False
            scope = module.scopes.get(target)
            return not any(module.binding_scope(load) is scope for load in module.loads.get(target.id, ()))
        return isinstance(parent, ast.Expr)

    def _extents(self, table: Mapping[ast.AST, set[ast.AST]], without: set[ast.AST]) -> set[ast.AST]:
        found: set[ast.AST] = set()
        for place, extent in table.items():
            if place not in without:
                found |= extent
        return found

    def is_pure(self, node: ast.AST) -> bool:
        """Whether a function only builds."""
        return node in self.building and node not in self.running

    def callees(self, node: ast.AST) -> dict[FunctionNode, dict[ast.expr, ast.arg]]:
        """The functions of the program that a call called."""
        return self.recorder.callees.get(node, {})

    def makes_graph(self, node: ast.AST) -> bool:
        """Whether an expression makes a graph: `tf.Graph()`."""
        return isinstance(node, ast.Call) and "tf.Graph" in self.recorder.symbols.get(node, ())

    def makes_session(self, call: ast.Call) -> bool:
        """Whether a call makes a session of some kind."""
        return any(symbol.endswith("Session") for symbol in self.recorder.symbols.get(call, ()))

    def kinds(self, node: ast.AST) -> set[str]:
        """What an expression or parameter was: of `session`, `graph`, `none`, `other`."""
        found = self.recorder.sessions.get(node, set())
        return {*found, "other"} if node in self.recorder.plain else found

    def functions(self) -> Iterable[FunctionNode]:
        """The functions of the program that were called."""
        return [node for node in self.recorder.visits if node in self.owners]  # type: ignore[misc]


def _gives_values(seen: Observation) -> bool:
    """Whether a run gives variables their first values, not local ones or tables alone."""
    leaves = [leaf for leaf in seen.fetches.leaves() if isinstance(leaf, Node) and leaf.kind == "initializer"]
    return any(effect(leaf.symbol) != Effect("initializer", "") for leaf in leaves)


def _is_acting(made: Node) -> bool:
    """Whether what a value is made by tells how often it is asked."""
    return made.symbol in TAKING or effect(made.symbol).name == "python_function"


def preceding(statement: ast.stmt, outer: ast.AST | None) -> list[ast.stmt]:
    """The statements before another one in its block."""
    return next((block[: block.index(statement)] for block in blocks(outer) if statement in block), [])


def _ends(snapshot: Snapshot) -> list[Value]:
    """The values at the ends, those of a container whose length is not known too."""
    rest = [] if snapshot.closed or not isinstance(snapshot.value, Items) else [snapshot.value.slots["rest"]]
    return [*snapshot.leaves(), *rest] or [snapshot.value]


def is_kind(value: Value, *kinds: str) -> bool:
    """Whether a value surely is of the graph, and of one of these kinds."""
    return all(isinstance(option, Node) and option.kind in kinds for option in options(value))
