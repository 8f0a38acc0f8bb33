"""Supervisors: the sessions that they make, and what they are given to call."""

from __future__ import annotations

import ast

from tf_migrate.interpreter.core import is_none
from tf_migrate.interpreter.values import (
    DATA,
    NONE,
    Arguments,
    Const,
    Items,
    Method,
    Node,
    Thing,
    Value,
    items_of,
    options,
)
from tf_migrate.semantics.effects import Effect
from tf_migrate.semantics.monitored import CODE, MonitoredSessions
from tf_migrate.semantics.sessions import real_graph

MANAGED = "supervisor.managed"
"""Marks calls that enter a session of a supervisor."""
PREPARED = "supervisor.prepared"
"""Marks calls that give one."""
HANDED_ON = "supervisor.handed_on"
"""Marks tuples of arguments that a supervisor hands on to a function."""
_BRIDGE = "it stays on the bridge, where it works as before"
_DESCRIBING = ("save_path", "save_summaries_secs", "save_model_secs", "is_chief", "init_feed_dict")
_GIVEN = (
    ("init_op", 4, "operation"),
    ("local_init_op", 6, "operation"),
    ("ready_op", 1, "tensor"),
    ("summary_op", 8, "tensor"),
)
"""What a supervisor is given or makes, by name and position, and of which kind that is."""
_ALIASES = {
    "PrepareSession": "prepare_or_wait_for_session",
    "StartQueueRunners": "start_queue_runners",
    "StartStandardServices": "start_standard_services",
    "Stop": "stop",
    "RequestStop": "request_stop",
    "Loop": "loop",
    "ShouldStop": "should_stop",
    "StopOnException": "stop_on_exception",
    "WaitForStop": "wait_for_stop",
    "SummaryComputed": "summary_computed",
}


class Supervisors(MonitoredSessions):
    """What supervisors do."""

    # -- made --

    def _effect_supervisor(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        if arguments.more:
            self.problem(CODE, node, "what a supervisor is given is not spelled out", "write its arguments out")
        for name, position in (("session_manager", 16), ("local_init_run_options", 19)):
            if not is_none(arguments.get(position, name) or NONE):
                self.problem(CODE, node, f"a supervisor is given `{name}`", _BRIDGE)
        chief = arguments.get(3, "is_chief")
        if chief is not None and not (isinstance(chief, Const) and chief.value is True):
            self.problem("distribution", node, "`is_chief` may make it one of several processes", _BRIDGE)
        given = arguments.get(0, "graph")
        graph = real_graph(given) if isinstance(given, Thing) else self.graph
        if given is not None and not isinstance(given, Thing) and not is_none(given):
            self.problem(CODE, node, "which graph a supervisor is given is not known", "give it a graph by its name")
        if graph is self.graph:
            self.builds(node)
        else:
            self.enters(node)
        made = Thing("supervisor", origin, node, graph)
        self.heap.write(made, "init_fn", arguments.get(18, "init_fn") or NONE)
        for name, position, kind in _GIVEN:
            self.heap.write(made, name, arguments.get(position, name) or self._of_supervisor(kind, name, graph, node))
        self.heap.write(made, "saver", arguments.get(9, "saver") or Thing("saver", f"{origin}.saver", node))
        counter = arguments.get(10, "global_step")
        self.heap.write(made, "global_step", self._counter(graph, node) if counter is None else counter)
        writer = arguments.get(17, "summary_writer")
        self.heap.write(made, "summary_writer", writer or Thing("writer", f"{origin}.summary_writer", node))
        self.heap.write(made, "coord", Thing("coordinator", f"{origin}.coord", node))
        return made

    def _of_supervisor(self, kind: str, name: str, graph: Thing, node: ast.AST) -> Node:
        made = Node(kind, f"tf.train.Supervisor.{name}", node, self.frame, self.heap.tick(), graph, turn=self.heap.turn)
        self.recorder.nodes.append(made)
        return made

    def _counter(self, graph: Thing, node: ast.AST) -> Value:
        """The counter of steps of a graph, where it has one."""
        return self.counted_step(graph) or self._of_supervisor("unknown", "global_step", graph, node)

    def counted_step(self, graph: Thing) -> Node | None:
        """The counter of steps of a graph, where it is known."""

    # -- called --

    def supervisor_attribute(self, thing: Thing, name: str, node: ast.AST) -> Value:
        """An attribute of a supervisor."""
        if name in _DESCRIBING:
            return DATA
        known = _ALIASES.get(name, name)
        if not hasattr(self, f"_supervisor_{known}"):
            self.problem(CODE, node, f"`{name}` of a supervisor has no form in steps", _BRIDGE)
        return Method(thing, known)

    def call_supervisor(self, thing: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of a supervisor."""
        method = getattr(self, f"_supervisor_{name}", None)
        found: Value = DATA if method is None else method(thing, arguments, node)
        return found

    def _supervisor_managed_session(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        session = self._supervised(thing, arguments, node)
        self.recorder.symbols[node].add(MANAGED)
        return Thing("managed_session", thing.origin, node, session)

    def _supervisor_prepare_or_wait_for_session(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        self.recorder.symbols[node].add(PREPARED)
        return self._supervised(thing, arguments, node)

    def _supervised(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        """A new session of a supervisor, with the values of a checkpoint or of its initializers."""
        graph = thing.inner
        assert isinstance(graph, Thing)
        if arguments.more:
            self.problem(CODE, node, "what a supervisor is given is not spelled out", "write its arguments out")
        target = arguments.get(0, "master")
        if target is not None and not (isinstance(target, Const) and target.value in ("", None)):
            self.problem("distribution", node, "the session runs on a server", _BRIDGE)
        session = self.session("tf.Session", Arguments((), (("graph", graph),)), node)
        self.runs(node)
        self.passed(graph, node)
        self.used(session, node)
        self.initializing.add(node)
        self._called_back(self.heap.read(thing, "init_fn"), (session,), node)
        return session

    def _supervisor_start_queue_runners(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        self.runs_in(arguments, 0, "sess", node)
        return self.items("list", (), DATA)

    def _supervisor_start_standard_services(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        self.runs_in(arguments, 0, "sess", node)
        return self.items("list", (), DATA)

    def _supervisor_summary_computed(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        self.runs_in(arguments, 0, "sess", node)
        return NONE

    def _supervisor_loop(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        """A function that a thread calls again and again, with what it is given."""
        self.runs(node)
        given = arguments.get(2, "args")
        if given is not None and not isinstance(given, Items) and not is_none(given):
            self.problem(CODE, node, "what a supervisor hands on is not known", "write it as a tuple in the call")
        place = arguments.place(2, "args")
        if isinstance(place, ast.Tuple | ast.List):
            self.recorder.symbols[place].add(HANDED_ON)
        if arguments.get(3, "kwargs") is not None:
            self.problem(CODE, node, "a supervisor hands on arguments by name", "give them by place")
        for target in options(arguments.get(1, "target") or NONE):
            self._called_back(target, tuple(items_of(given)) if isinstance(given, Items) else (), node)
        return DATA

    def _supervisor_stop(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        self.runs(node)
        return NONE

    def _supervisor_wait_for_stop(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        self.runs(node)
        return NONE

    def _supervisor_request_stop(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        return NONE

    def _supervisor_should_stop(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        return DATA

    def _supervisor_stop_on_exception(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        return Thing("context", thing.origin, node)

    def leave_managed(self, node: ast.AST) -> None:
        """A session of a supervisor ends, with its threads."""
        self.runs(node)
