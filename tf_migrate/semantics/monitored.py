"""Monitored sessions and hooks: what is called around each run of one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.interpreter.core import is_none
from tf_migrate.interpreter.values import (
    DATA,
    NONE,
    Arguments,
    Bound,
    Const,
    External,
    Function,
    Instance,
    Items,
    Method,
    Native,
    Thing,
    Value,
    options,
)
from tf_migrate.semantics.effects import Effect
from tf_migrate.semantics.object_checkpoints import ObjectCheckpoints

CODE = "monitored_sessions"
"""The code of what keeps a monitored session on the bridge."""
_BRIDGE = "it stays on the bridge, where it works as before"
_PLACES = {"training": (("master", 0), ("is_chief", 1)), "single": (("master", 2),), "plain": ()}
_FIRST = {"training": 2, "single": 1, "plain": 0}
"""How many arguments may be given by place."""


class MonitoredSessions(ObjectCheckpoints):
    """What monitored sessions do, and the hooks that they are given."""

    hooked: dict[int, tuple[Value, ...]]
    """For monitored sessions: their hooks."""
    raw_sessions: set[int]
    """The sessions beneath them."""
    hooking = 0
    """How many methods of hooks are being executed."""

    # -- made --

    def _effect_monitored(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        raw = self.session(origin, Arguments(), node)
        assert isinstance(raw, Thing)
        self.raw_sessions.add(id(raw))
        made = Thing("monitored", origin, node, raw)
        self._require_alone(row.detail, origin, arguments, node)
        hooks = tuple(self._hooks_of(arguments, row.detail, node))
        self.hooked[id(made)] = hooks
        for hook in hooks:
            self._call_hook(hook, "begin", (), node)
        self.runs(node)
        self.used(raw, node)
        for scaffold in options(arguments.get(1 if row.detail == "single" else 3, "scaffold") or NONE):
            if isinstance(scaffold, Thing) and scaffold.kind == "scaffold" and scaffold.inner is not None:
                self._called_back(scaffold.inner, (scaffold, raw), node)
        for hook in hooks:
            self._call_hook(hook, "after_create_session", (raw, Thing("coordinator", origin, node)), node)
        return made

    def _require_alone(self, kind: str, origin: str, arguments: Arguments, node: ast.AST) -> None:
        """Keeps a session that may be one of several processes, or is given what nobody knows, on the bridge."""
        if arguments.more or len(arguments.positional) > _FIRST[kind]:
            self.problem(CODE, node, f"what `{origin}` is given is not spelled out", "give its arguments by name")
        if kind == "plain" and any(name == "session_creator" for name, _ in arguments.keywords):
            self.problem(CODE, node, "what makes its session is given to a monitored session", _BRIDGE)
        for name, position in _PLACES[kind]:
            value = arguments.get(position, name)
            expected = ("", None) if name == "master" else (True,)
            if value is not None and not (isinstance(value, Const) and value.value in expected):
                self.problem("distribution", node, f"`{name}` may make it one of several processes", _BRIDGE)

    def _hooks_of(self, arguments: Arguments, kind: str, node: ast.AST) -> Iterator[Value]:
        for name, position in (("chief_only_hooks", 5), ("hooks", 4 if kind == "training" else 0)):
            given = arguments.get(position, name)
            for option in options(given) if given is not None else ():
                if is_none(option):
                    continue
                known, more = self.elements(option, node) if isinstance(option, Items) else ((), option)
                for value in (*known, *([] if more is None else [more])):
                    for hook in options(value):
                        if not self._is_hook(hook):
                            self.problem(CODE, node, "which hooks it is given is not known", "list them in its call")
                        yield hook

    def _is_hook(self, value: Value) -> bool:
        if isinstance(value, Thing):
            return value.kind == "hook"
        bases = value.cls.outside if isinstance(value, Instance) else ()
        return bool(bases) and all(_is_base_of_hooks(base) for base in bases)

    def _effect_hook(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        made = Thing("hook", origin, node)
        listeners = arguments.get(6, "listeners")
        if listeners is not None and not is_none(listeners):
            known, more = self.elements(listeners, node)
            self.hooked[id(made)] = (*known, *([] if more is None else [more]))
        if row.detail == "feeds":
            self._called_back(arguments.get(0, "feed_fn") or NONE, (), node)
        return made

    def _effect_scaffold(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        return Thing("scaffold", origin, node, arguments.get(2, "init_fn"))

    # -- called --

    def monitored_attribute(self, thing: Thing, name: str, node: ast.AST) -> Value:
        """An attribute of a monitored session, or of what its hooks are given."""
        if thing.kind == "run_context":
            if name == "session" and isinstance(thing.inner, Thing):
                return thing.inner
            if name == "original_args":
                self.problem(CODE, node, "a hook asks what the run was given", _BRIDGE)
            return Native(name, lambda given, at: NONE) if name == "request_stop" else DATA
        if name == "graph" and isinstance(thing.inner, Thing):
            return self.seen_graph(self.graph_of(thing.inner), node)
        if name not in ("run", "should_stop", "close", "__enter__", "__exit__"):
            self.problem(CODE, node, f"`{name}` of a monitored session has no form in steps", _BRIDGE)
        return Method(thing, name)

    def call_monitored(self, thing: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of a monitored session."""
        raw = thing.inner
        assert isinstance(raw, Thing)
        if name == "run":
            if self.hooking:
                self.problem(CODE, node, "a hook runs the session that calls it", "run `run_context.session`")
                return DATA
            context = Thing("run_context", thing.origin, node, raw)
            for hook in self.hooked[id(thing)]:
                self._call_hook(hook, "before_run", (context,), node)
            found = self.ran(raw, self.run_arguments(arguments, node), node, "run", hooked=True)
            for hook in self.hooked[id(thing)]:
                self._call_hook(hook, "after_run", (context, Thing("data", "run_values", node)), node)
            return found
        if name in ("close", "__exit__"):
            self.leave_monitored(thing, node)
        return thing if name == "__enter__" else NONE if name == "close" else DATA

    def leave_monitored(self, thing: Thing, node: ast.AST) -> None:
        """A monitored session ends."""
        self.runs(node)
        self.used(thing.inner, node)
        for hook in self.hooked[id(thing)]:
            self._call_hook(hook, "end", (thing.inner or NONE,), node)

    def ran_by_hooks(self, session: Value | None, node: ast.AST) -> None:
        """Keeps a program on the bridge that runs a monitored session past its hooks."""
        for option in options(session) if session is not None else ():
            if isinstance(option, Thing) and option.kind == "monitored":
                self.problem(CODE, node, "a monitored session is given to what runs it", "call its `run`")
            elif isinstance(option, Thing) and id(option) in self.raw_sessions and not self.hooking:
                self.problem(CODE, node, "the session of a monitored one is run outside of its hooks", _BRIDGE)

    # -- hooks --

    def _call_hook(self, hook: Value, name: str, given: tuple[Value, ...], node: ast.AST) -> None:
        if isinstance(hook, Thing):
            for listener in self.hooked.get(id(hook), ()):
                self._call_listener(listener, name, given, node)
        elif isinstance(hook, Instance):
            self._called_back(self.attribute(hook, name, node), given, node)

    def _call_listener(self, listener: Value, name: str, given: tuple[Value, ...], node: ast.AST) -> None:
        """Calls what hears of checkpoints: they are saved at the beginning, after runs and at the end."""
        if not isinstance(listener, Instance):
            self.problem(CODE, node, "who hears of checkpoints is not known", "list the listeners where they are given")
            return
        if name == "begin":
            self._called_back(self.attribute(listener, "begin", node), (), node)
        if name in ("after_create_session", "after_run", "end"):
            session = given[0].inner if name == "after_run" and isinstance(given[0], Thing) else given[0]
            for method in ("before_save", "after_save", *(["end"] if name == "end" else [])):
                self._called_back(self.attribute(listener, method, node), (session or NONE, DATA), node)

    def _called_back(self, function: Value, given: tuple[Value, ...], node: ast.AST) -> None:
        """Calls a function of the program that TensorFlow calls where it runs."""
        code = function.function if isinstance(function, Bound) else function
        if not isinstance(code, Function):
            return  # a base's own
        self.recorder.escaped.add(code.node)
        self.hooking += 1
        try:
            self.call(function, Arguments(given), node)
        finally:
            self.hooking -= 1


def _is_base_of_hooks(base: Value) -> bool:
    return isinstance(base, External) and (base.origin.startswith("tf.train.") and base.origin.endswith("Hook"))
