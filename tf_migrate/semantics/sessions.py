"""Sessions, graphs and savers: where a program runs what it built."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from tf_migrate.interpreter.builtins import Builtins
from tf_migrate.interpreter.core import is_none
from tf_migrate.interpreter.expressions import is_session
from tf_migrate.interpreter.recorder import Observation, Return, Snapshot, Use
from tf_migrate.interpreter.values import (
    ABSENT,
    DATA,
    MANY,
    NONE,
    Arguments,
    Const,
    External,
    Frame,
    Items,
    Method,
    Node,
    Table,
    Thing,
    Union,
    Unknown,
    Value,
    items_of,
    options,
    same,
)
from tf_migrate.semantics.collection_keys import OF_VARIABLES
from tf_migrate.semantics.effects import Effect, effect
from tf_migrate.semantics.forwarding import forwarded, hands_on_all
from tf_migrate.syntax.displays import displayed

TENSORFLOW_VERSION = "1.15.5"
PYTHON_VERSION = (3, 7, 16)
_OF_PENALTIES = frozenset({"regularization_losses", "tf.GraphKeys.REGULARIZATION_LOSSES"})
VALUELESS = "uninitialized"
"""The code of the reason that a variable may be read that has no value."""
UNINITIALIZED = "FailedPreconditionError"
"""What TensorFlow raises of a variable without a value."""
EVERYTHING = frozenset(("OpError", "Exception", "BaseException"))
STAYS = "session.stays"
"""What a session is that enters a graph for the rest of the program."""
_VARIABLES = object()
"""Stands among what passed in a graph for variables that it may have."""
MAKES_NO_VARIABLE = re.compile(
    r"operator\.|(?:argument|get_next)$"
    r"|tf\.(?:(?:contrib\.signal|image|io|linalg|math|signal|sparse|spectral|strings)\.)?(?!\w*(?:import|template|variable))[a-z]\w*$"
)
"""What surely makes no variable of its own."""
_PATHS = ast.Name | ast.Attribute | ast.Subscript


class RunArguments(NamedTuple):
    """What a run is given: values, and the expressions of the call that gave them."""

    fetches: Value
    fetch: ast.expr | None
    feeds: Value | None
    feed: ast.expr | None
    others: tuple[str, ...]


class Sessions(Builtins):
    """What sessions, graphs and savers do."""

    # -- made --

    def session(self, origin: str, arguments: Arguments, node: ast.AST) -> Value:
        """A new session."""
        given = arguments.get(1, "graph")
        graph = real_graph(given) if isinstance(given, Thing) else self.graph
        made = Thing("session", origin, node, graph)
        past = self._past_since(graph, None)
        if not self.guesses and any(isinstance(each, Thing) and each.kind == "session" for each in past):
            self.recorder.symbols[node].add("session.again")
            self.runs(node)
        self.age += 1
        self.ages[id(made)] = self.age
        if not self.loops:  # the turns of a loop go one way after the other
            self.recorder.before[id(made)] = self.sessions_made
        self.sessions_made |= {made}
        target = arguments.get(0, "target")
        if target is not None and not (isinstance(target, Const) and target.value in ("", None)):
            self.problem("distribution", node, "the session runs on a server", "it stays on the bridge")
        if origin == "tf.InteractiveSession":
            self.enter_by_hand(made, node)
        self.made_sessions.append(made)
        self.made_by[id(made)] = self.recorder.tests.current
        return made

    made_sessions: list[Thing]
    made_by: dict[int, ast.AST | None]
    """For sessions: the tests that made them."""
    ages: dict[int, int]
    """For sessions: how many there were when they were made."""

    def _past_since(self, graph: Thing, session: Value | None) -> frozenset[object]:
        """What ran in a graph since a session was made, on this way; all of it without one."""
        begun = self.ages.get(id(session), 0)
        passed = (what for age, what in self.past.get(id(graph), ()) if age >= begun)
        return frozenset(what for what in passed if what is not _VARIABLES)

    def node(self, kind: str, symbol: str, place: ast.AST) -> Node:
        """A new value of the graph; on this way the graph may have variables behind what may make some."""
        if kind in ("variable", "unknown") or not MAKES_NO_VARIABLE.match(symbol):
            self.passed(self.graph, _VARIABLES)
        return super().node(kind, symbol, place)

    def graph_of(self, session: Value | None) -> Thing:
        return session.inner if isinstance(session, Thing) and isinstance(session.inner, Thing) else self.graph

    def _or_default(self, session: Value | None) -> Value | None:
        """The default session where none is given; None where nobody knows that."""
        if session is not None and not is_none(session):
            return session
        return self.default_sessions[-1] if self.default_sessions else None

    def used(self, session: Value | None, node: ast.AST) -> None:
        """Keeps that a session does something; without one, the default session."""
        session = self._or_default(session)
        for option in options(session) if session is not None else ():
            if isinstance(option, Thing) and any(option is made for made in self.made_sessions):
                test = self.recorder.tests.current
                if test is not None and self.made_by[id(option)] is not test:
                    self.recorder.tests.with_outer_sessions.add(test)
                self.recorder.uses.append(Use(option, self.graph_of(option), node, self.guesses > 0))

    def _effect_session(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        return self.session(origin, arguments, node)

    def _effect_default_session(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        if self.default_sessions:
            return self.default_sessions[-1]
        return Union((Thing("session", origin, node, self.graph), NONE))

    def _effect_graph(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        return Thing("graph", origin, node)

    def _effect_default_graph(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        return self.seen_graph(self.graph, node)

    def seen_graph(self, graph: Thing, node: ast.AST) -> Value:
        """A graph as TensorFlow shows it, which the migrated program sees as such too."""
        return Thing("graph", "tf.get_default_graph", node, graph)

    def _effect_reset_graph(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.graphs[-1] = Thing("graph", origin, node)
        self.enters(node)
        return NONE

    def _effect_saver(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        return Thing(row.detail or "saver", origin, node)

    def _effect_opens_writers(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.runs_in(arguments, 1, "session", node)
        return NONE

    def _effect_saves(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.runs_in(arguments, 0, "session", node)
        return NONE

    def _effect_loads(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.initializing.add(node)
        self.passed(self.graph, _VARIABLES)
        self.runs_in(arguments, 0, "sess", node)
        return Thing("data", origin, node)

    def _effect_imported_graph(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.builds(node)
        return Thing("saver", origin, node)

    def _effect_queue_runners(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.runs_in(arguments, 0, "sess", node)
        return self.items("list", (), DATA)

    def _effect_external_optimizer(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.builds(node)
        return Thing("external_optimizer", origin, node)

    def _effect_global_step(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.runs_in(arguments, 0, "sess", node)
        variable = arguments.get(1, "global_step_tensor")
        if isinstance(variable, Node) and variable.kind == "variable":
            self.recorder.symbols[node].add("counted")
        else:
            self.problem("global-step", node, "`tf.train.global_step` asks for what is not known", "read the variable")
        return DATA

    def _effect_freeze(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.runs_in(arguments, 0, "sess", node)
        return Thing("data", origin, node)

    # -- sessions --

    def runs_in(self, arguments: Arguments, position: int, name: str, node: ast.AST) -> None:
        """A call runs in the session that an argument gives it, or in the default session."""
        self.runs(node)
        self.ran_by_hooks(arguments.get(position, name), node)
        session = self._or_default(arguments.get(position, name))
        graph = self.graph_of(session)
        self._takes_turn(session, graph, self._past_since(graph, session), node)
        self.used(session, node)
        self.session_argument(arguments.place(position, name))

    def _takes_turn(self, session: Value | None, graph: Thing, past: frozenset[object], node: ast.AST) -> None:
        """Keeps which session was the last over a graph, and where one comes back behind another."""
        between = [each for each in self.last_sessions.get(id(graph), ()) if each is not session]
        together = [each for each in between if self.recorder.are_together(each, session)]
        if session in past and together and isinstance(session, Thing) and not self.guesses:
            self.recorder.returns.append(Return(session, tuple(together), node))
        if isinstance(session, Thing):
            self.last_sessions[id(graph)] = frozenset([session])

    def session_argument(self, place: ast.expr | None) -> None:
        """Keeps an argument that gives TensorFlow a session: it goes with the session."""
        if place is not None:
            self.recorder.symbols[place].add("session")

    def session_attribute(self, thing: Thing, name: str, node: ast.AST) -> Value:
        """An attribute of a session."""
        if name == "graph":
            graph = self.graph_of(thing)
            self.recorder.symbols[node].add("session.graph" if graph is self.graph else "session.graph.other")
            return self.seen_graph(graph, node)
        if name == "graph_def":
            return Thing("data", "tf.GraphDef", node)
        return Method(thing, name)

    def _ends_the_program(self, node: ast.AST) -> bool:
        """Whether a call is the last statement of a script."""
        last = self.frame.module.tree.body[-1]
        return isinstance(last, ast.Expr) and last.value is node

    def call_session(self, thing: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of a session."""
        if name == "run":
            return self.ran(thing, self.run_arguments(arguments, node), node, "run")
        if name == "as_default":
            return Thing("entered_session", "as_default", node, thing)
        if name == "__enter__":
            self.enter_by_hand(thing, node)
            return thing
        if name in ("close", "__exit__"):
            stays = thing.place is not None and STAYS in self.recorder.symbols.get(thing.place, ())
            if stays and not self._ends_the_program(node):
                message = "a session that entered its graph by hand leaves it"
                self.problem("session-of-graph", node, message, "enter the graph by `with`")
            if name == "__exit__" and thing in self.default_sessions:
                self.default_sessions.remove(thing)
            return NONE
        if name == "make_callable":
            made = Thing("callable", "make_callable", node, thing)
            self.problem(
                "make-callable", node, "a callable is made of the session", "call `sess.run` where it is called"
            )
            self.runs(node)
            return made
        self.runs(node)
        self.problem("session-method", node, f"`{name}` of a session has no form in steps", "it stays on the bridge")
        return DATA

    def enter_by_hand(self, thing: Thing, node: ast.AST) -> None:
        """Enters a session without a `with`: it is the default one until it is left, and so is its graph."""
        graph, certain = self.graph_of(thing), not self.loops and not self.is_optional
        if graph is not self.graph and thing.place is node and len(self.graphs) == 1 and certain:
            self.graphs[-1] = graph
            self.enters(node)
            self.recorder.symbols[node].add(STAYS)
        elif graph is not self.graph:
            self.problem("session-of-graph", node, "a session enters its graph by hand", "enter the graph by `with`")
        self.default_sessions.append(thing)

    def enter_default_session(self, thing: Thing) -> tuple[Value, Callable[[], None]]:
        """Enters a session by its `as_default`: it is the default one, while the graph is as it was."""
        self.default_sessions.append(thing)

        def leave() -> None:
            if thing in self.default_sessions:
                self.default_sessions.remove(thing)

        return thing, leave

    def enter_session(self, thing: Thing, node: ast.AST) -> tuple[Value, Callable[[], None]]:
        """Enters a session: it is the default one, and so is its graph."""
        if thing.inner is not self.graph:
            self.recorder.symbols[node].add("session.enters")
            self.enters(node)
        self.default_sessions.append(thing)
        self.graphs.append(self.graph_of(thing))

        def leave() -> None:
            if thing in self.default_sessions:
                self.default_sessions.remove(thing)
            inner = self.graphs.pop()
            # `tf.reset_default_graph()` inside of it began another one.
            if inner is not thing.inner and len(self.graphs) == 1:
                self.graphs[-1] = inner

        return thing, leave

    def run_arguments(self, given: Arguments, node: ast.AST) -> RunArguments:
        fetches = given.get(0, "fetches")
        feeds = given.get(1, "feed_dict")
        if given.more and not hands_on_all(node):
            self.problem("star-arguments", node, "a run is given arguments by a star", "write its arguments out")
        others = tuple(name for at, name in ((2, "options"), (3, "run_metadata")) if given.get(at, name) is not None)
        return RunArguments(
            Unknown("nothing is fetched", node) if fetches is None else fetches,
            given.place(0, "fetches"),
            feeds,
            given.place(1, "feed_dict"),
            others,
        )

    def evaluated(self, owner: Node, name: str, given: Arguments, node: ast.AST) -> Value:
        """`tensor.eval(…)` and `operation.run(…)`."""
        # A variable's `eval` takes the session alone.
        first = given.get(0, "feed_dict")
        position = 0 if owner.kind == "variable" or (first is not None and is_session(first)) else 1
        session = given.get(position, "session")
        self.session_argument(given.place(position, "session"))
        fetch = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        feeds, feed = (first, given.place(0, "feed_dict")) if position else (None, None)
        asked = RunArguments(owner, fetch, feeds, feed, ())
        return self.ran(session, asked, node, name)

    def ran_by_hooks(self, session: Value | None, node: ast.AST) -> None:
        """Something runs a session without hooks."""

    def ran(
        self, session: Value | None, asked: RunArguments, node: ast.AST, method: str, *, hooked: bool = False
    ) -> Value:
        """A run: it is kept, with what it fetched and fed."""
        session = self._or_default(session)
        if not hooked:
            self.ran_by_hooks(session, node)
        graph = self.graph_of(session)
        past = self._past_since(graph, session)
        self._takes_turn(session, graph, past, node)
        self._require_values(asked, graph, past, node)
        self.runs(node)
        self.used(session, node)
        self.passed(graph, node)
        if session is not None:
            self.passed(graph, session)
        if isinstance(node, ast.Call):
            seen = Observation(
                self.heap.tick(),
                self.frame,
                session,
                self._snapshot_of_run(asked),
                asked.fetch,
                None if asked.feeds is None else self._snapshot_of_feeds(asked.feeds),
                asked.feed,
                graph,
                others=asked.others,
                method=method,
                hooked=hooked,
                past=past,
                guessed=self.guesses > 0,
                turn=self.heap.turn,
                entered=self.graph,
                never=self.is_left,
            )
            self._keep_paths(seen)
            self.recorder.runs[node].append(seen)
            self.recorder.sites[node] = self.frame.module
            self._forward(seen, node)
        return self._results(asked.fetches)

    def _keep_paths(self, seen: Observation) -> None:
        """Keeps what the paths in a run's expressions mean, and since when."""
        for expr in (seen.fetch, seen.feed):
            for leaf in _leaves(expr):
                seen.latest[leaf], seen.inner[leaf], _ = self._latest(leaf)
            displays = displayed(self.frame.module, expr) if isinstance(expr, ast.Name) else []
            if len(displays) == 1 and expr is not None:
                seen.shown[expr] = displays[0]
            for display in displays:
                for leaf in _leaves(display):
                    seen.latest[leaf], seen.inner[leaf], seen.words[leaf] = self._latest(leaf)
        for leaf in _given(seen.fetch):
            *_, seen.given[leaf] = self._latest(leaf)

    def _forward(self, seen: Observation, site: ast.Call) -> None:
        """A run in a function that only runs what it is given is as good as one of its caller."""
        caller = self.stack[-2] if len(self.stack) > 1 else None
        call = caller.calls[-1] if caller is not None and caller.calls else None
        callees = self.recorder.callees.get(call, {}) if call is not None else {}
        mapping = next((each for code, each in callees.items() if code is self.frame.code), None)
        if caller is None or not isinstance(call, ast.Call) or mapping is None:
            return
        found = forwarded(site, self.frame.code, call, mapping, self._is_only_session)
        if found is None or (found.feed is None and not _feeds_nothing(seen)):
            return
        left, inner = self.left, self.stack.pop()
        try:
            feeds = seen.feeds if found.feed is not None else None
            own = replace(seen, frame=caller, fetch=found.fetch, feed=found.feed, feeds=feeds, latest={}, inner={},
                          words={}, shown={}, given={})  # fmt: skip
            self._keep_paths(own)
            self.recorder.forwarded[call].append(own)
            self._forward(own, call)
        finally:
            self.stack.append(inner)
            self.left = left

    def _is_only_session(self, node: ast.expr) -> bool:
        """Whether an expression was a session whenever it was seen."""
        return self.recorder.sessions.get(node) == {"session"} and node not in self.recorder.plain

    def _may_read_variables(self, graph: Thing, leaves: Sequence[Value]) -> bool:
        """Whether what a run fetches may need a variable, of the graph as it is on this way."""
        holds = any(what is _VARIABLES for _, what in self.past.get(id(graph), ()))
        return holds or not leaves or not all(isinstance(leaf, Node) and leaf.kind == "tensor" for leaf in leaves)

    def _require_values(self, asked: RunArguments, graph: Thing, past: frozenset[object], node: ast.AST) -> None:
        """Refuses a run whose program may see that a variable has no value: steps give them values by themselves."""
        leaves = self.snapshot(asked.fetches).leaves()
        rows = [effect(leaf.symbol) for leaf in leaves if isinstance(leaf, Node) and leaf.kind == "initializer"]
        if any(row.detail == "variables" or row.name == "operation" for row in rows):
            self.initializing.add(node)
        caught = frozenset[str]().union(*self.caught)
        unsure = not self.guesses and past.isdisjoint(self.initializing) and not EVERYTHING.isdisjoint(caught)
        unsure = unsure and self._may_read_variables(graph, leaves)
        if UNINITIALIZED in caught or (unsure and len(rows) < len(leaves)):
            self.problem(
                VALUELESS,
                node,
                "the program goes on where a variable has no value yet: steps give variables their first values",
                "initialize the variables first, outside of the `try`",
            )

    def _snapshot_of_run(self, asked: RunArguments) -> Snapshot:
        """What a run fetches; a sum of lists by its parts, where it is not known item by item."""
        whole = self.snapshot(asked.fetches)
        parts = None if whole.closed else self._summands(asked.fetch)
        return whole if parts is None else replace(parts, value=asked.fetches)

    def _snapshot_of_feeds(self, feeds: Value) -> Snapshot:
        """What a run feeds; of one of several dictionaries the keys of all, which may be missing."""
        tables = [option for option in options(feeds) if isinstance(option, Table)]
        if len(tables) < 2 or len(tables) < len(options(feeds)):
            return self.snapshot(feeds)
        every = [self.snapshot(table) for table in tables]
        keys: list[Value] = []
        for key in [key for each in every for key, _ in each.parts]:
            keys += [] if any(same(key, other) for other in keys) else [key]
        left_out = {id(key) for key in keys for each in every if not any(same(key, other) for other, _ in each.parts)}
        left_out |= {id(key) for key in keys for each in every if any(same(key, other) for other in each.maybe)}
        parts = tuple((key, Snapshot(DATA)) for key in keys)
        closed = all(each.closed for each in every)
        return Snapshot(feeds, "table", parts, closed, tuple(key for key in keys if id(key) in left_out))

    def _summands(self, expr: ast.expr | None) -> Snapshot | None:
        """The lists of a sum of paths and displays; None where there is something else in it."""
        if isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Add):
            sides = [self._summand(side) for side in (expr.left, expr.right)]
            known = [side for side in sides if side is not None]
            parts = tuple((Const(at), side) for at, side in enumerate(known))
            return Snapshot(NONE, "sum", parts) if len(known) == len(sides) else None
        return None

    def _summand(self, expr: ast.expr) -> Snapshot | None:
        if isinstance(expr, _PATHS) and _is_path(expr):
            left = self.left
            value, _ = self.heap.attempt(lambda: self.evaluate(expr))
            self.left = left
            return self.snapshot(value)
        if isinstance(expr, ast.List):
            items = [self._summand(element) for element in expr.elts]
            known = [item for item in items if item is not None]
            parts = tuple((Const(at), item) for at, item in enumerate(known))
            return Snapshot(Items("list"), "list", parts) if len(known) == len(items) else None
        return self._summands(expr)

    initializing: set[object]
    """The places that gave variables their values: runs of initializers, and savers that restored."""

    def _latest(self, leaf: ast.expr) -> tuple[int, int, Value]:
        """When the last of what a path reads was written: of all of it, and of what is no name; and what it means."""
        left, start = self.left, self.heap.time
        (value, _), reads = self.heap.reads(lambda: self.heap.attempt(lambda: self.evaluate(leaf)))
        self.left = left
        times = [(cell, time) for cell, key in reads if (time := cell.since(key)) <= start]
        inner = (time for cell, time in times if not isinstance(cell, Frame))
        return max((time for _, time in times), default=0), max(inner, default=0), value

    def _results(self, fetches: Value) -> Value:
        """What a run gives."""
        if isinstance(fetches, Items):
            made = Items("list" if fetches.kind == "list" else "tuple", fetches.fields)
            inner = [self._results(item) for item in items_of(fetches)]
            self.new_list(made, inner)
            if "rest" in fetches.slots:
                self.heap.write(made, "rest", DATA)
            return made
        if isinstance(fetches, Table):
            return self.table(
                [(key, self._results(value)) for key, value in self.pairs(fetches)],
                DATA if "rest" in fetches.slots else None,
            )
        if isinstance(fetches, Union):
            found = [self._results(option) for option in fetches.options]
            return found[0] if all(each is NONE for each in found) else DATA
        return NONE if isinstance(fetches, Node) and fetches.kind in ("operation", "initializer") else DATA

    # -- savers, graphs --

    def call_saver(self, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of a saver."""
        if name == "restore":
            self.initializing.add(node)
        if name in ("save", "restore"):
            self.runs_in(arguments, 0, "sess", node)
        return DATA

    def call_model_builder(self, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of what writes a SavedModel."""
        if name == "add_meta_graph_and_variables":
            self.runs_in(arguments, 0, "sess", node)
        else:
            self.runs(node)
        return DATA

    def call_graph(self, owner: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of a graph."""
        if name == "as_default":
            return Thing("entered_graph", "as_default", node, real_graph(owner))
        if name in ("get_tensor_by_name", "get_operation_by_name", "as_graph_element"):
            known = owner.slots.get(("element", str(getattr(arguments.get(0, "name"), "value", ""))), ABSENT)
            if known is not ABSENT:
                return known
            kind = "operation" if name == "get_operation_by_name" else "unknown"
            return Node(kind, name, node, self.frame, self.heap.tick(), owner)
        if name == "get_collection":
            return self.from_collection(arguments, name, node, owner)
        if name == "get_operations":
            return self.list_of("unknown", name, node, owner)
        if name in ("device", "name_scope", "control_dependencies", "gradient_override_map", "container"):
            return Thing("context", name, node)
        return DATA

    def from_collection(self, arguments: Arguments, symbol: str, node: ast.AST, graph: Thing) -> Value:
        """What a collection holds: variables, where its key says so."""
        keys = options(arguments.get(0, "key") or DATA)
        names = {key.origin if isinstance(key, External) else getattr(key, "value", None) for key in keys}
        of_variables = names <= {*OF_VARIABLES, *OF_VARIABLES.values()}
        if names <= _OF_PENALTIES:
            symbol = "tf.losses.get_regularization_losses"
        return self.list_of("variable" if of_variables else "unknown", symbol, node, graph)

    def list_of(self, kind: str, symbol: str, node: ast.AST, graph: Thing) -> Items:
        """A list of any number of values of a graph."""
        element = Node(kind, symbol, node, self.frame, self.heap.tick(), graph, turn=MANY)
        return self.items("list", (), element)

    def call_external_optimizer(self, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of an optimizer that runs the session itself."""
        if name == "minimize":
            self.runs_in(arguments, 0, "session", node)
        return NONE


def real_graph(graph: Thing) -> Thing:
    """The graph itself, of one that TensorFlow shows."""
    return graph.inner if graph.origin == "tf.get_default_graph" and isinstance(graph.inner, Thing) else graph


def _feeds_nothing(seen: Observation) -> bool:
    """Whether a run feeds None, or an empty dictionary."""
    feeds = seen.feeds
    if feeds is None or (feeds.kind == "leaf" and is_none(feeds.value)):
        return True
    return feeds.kind == "table" and feeds.closed and not feeds.parts


def _leaves(expr: ast.expr | None) -> Sequence[ast.expr]:
    """The paths in an expression: names, attributes, items."""
    if expr is None:
        return ()
    found: list[ast.expr] = []
    pending: list[ast.AST] = [expr]
    while pending:
        node = pending.pop()
        if isinstance(node, _PATHS) and _is_path(node):
            found.append(node)
        elif isinstance(node, ast.List | ast.Tuple):
            pending += node.elts
        elif isinstance(node, ast.BinOp):
            pending += [node.left, node.right]
        elif isinstance(node, ast.Dict):
            pending += [key for key in node.keys if key is not None]
            if len(found) < 64:
                pending += node.values
    return found


def _given(expr: ast.expr | None) -> Sequence[ast.expr]:
    """The paths in an expression of calls and operators: what functions are given, what methods and items are of."""
    found: list[ast.expr] = []
    pending: list[ast.AST] = [expr] if isinstance(expr, ast.Call | ast.BinOp | ast.UnaryOp) else []
    if isinstance(expr, ast.Subscript):
        pending.append(expr.value)
    while pending:
        node = pending.pop()
        if isinstance(node, _PATHS) and _is_path(node):
            found.append(node)
        elif isinstance(node, ast.Call):
            inner = node.func.value if isinstance(node.func, ast.Attribute) else None
            pending += [*node.args, *(keyword.value for keyword in node.keywords), *([inner] if inner else [])]
        else:
            pending += ast.iter_child_nodes(node)
    return found[:64]


def _is_path(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant):
            return False
        node = node.value
    return isinstance(node, ast.Name)
