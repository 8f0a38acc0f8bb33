"""Runs: what each place that runs a session fetches and feeds, savers and counters of steps too."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tf_migrate.interpreter.recorder import Recorder, Snapshot
from tf_migrate.interpreter.values import (
    NONE,
    Arguments,
    Node,
    Thing,
    Union,
    Unknown,
    Value,
)
from tf_migrate.names.exports import Index
from tf_migrate.semantics.effects import Effect, effect
from tf_migrate.semantics.sessions import RunArguments, real_graph
from tf_migrate.syntax.module import Module
from tf_migrate.trace.optimizers import Optimizers
from tf_migrate.trace.scopes import text_of


@dataclass(frozen=True)
class Fetched:
    """What a run fetched or fed: the op's name (`loss/Mean:0`, `init`) and where it was made."""

    name: str
    node: ast.AST
    module: Module


@dataclass(frozen=True, eq=False)
class Run:
    """One time that a place ran a session. Fetches are None where they are not known, and so are feeds."""

    node: ast.AST
    module: Module
    fetches: tuple[Fetched, ...] | None
    feeds: tuple[Fetched, ...] | None
    guessed: bool
    reason: str = ""
    """Why something of it is not known."""


class Runs(Optimizers):
    """Keeps runs."""

    def __init__(self, index: Index, recorder: Recorder, compat_module: str) -> None:
        super().__init__(index, recorder, compat_module)
        self.map_runs: list[Run] = []
        self._savers: dict[int, tuple[str | None, ast.AST, Module]] = {}

    def aside(self, work: Callable[[], object]) -> None:
        """Does what the program may never do; what runs there is none of its runs."""
        before = len(self.map_runs)
        super().aside(work)
        del self.map_runs[before:]

    def ran(
        self, session: Value | None, asked: RunArguments, node: ast.AST, method: str, *, hooked: bool = False
    ) -> Value:
        """A run: it is kept, with what it fetched and fed."""
        fetches = self._fetched(self.snapshot(asked.fetches))
        feeds = () if asked.feeds is None or asked.feeds is NONE else self._fed(self.snapshot(asked.feeds))
        managed = isinstance(session, Thing) and effect(session.origin).name == "unsupported"
        self._runs_here(node, "the session runs hooks and initializers of its own" if managed else fetches, feeds)
        return super().ran(session, asked, node, method, hooked=hooked)

    def _runs_here(self, node: ast.AST, fetches: tuple[Fetched, ...] | str, feeds: tuple[Fetched, ...] | str) -> None:
        """Keeps a run; a text in the place of fetches or feeds says why they are not known."""
        reason = next((each for each in (fetches, feeds) if isinstance(each, str)), "")
        known = [None if isinstance(each, str) else each for each in (fetches, feeds)]
        self.map_runs.append(Run(node, self.frame.module, known[0], known[1], self.guesses > 0, reason))

    def _fetched(self, seen: Snapshot) -> tuple[Fetched, ...] | str:
        if not seen.known:
            return "it fetches a list or dictionary that is not known in full"
        return self._elements(seen.leaves())

    def _fed(self, seen: Snapshot) -> tuple[Fetched, ...] | str:
        if seen.kind != "table" or not seen.closed or seen.maybe:
            return "it feeds a dictionary that is not known in full"
        return self._elements([key for key, _ in seen.parts])

    def _elements(self, values: Sequence[Value]) -> tuple[Fetched, ...] | str:
        found: list[Fetched] = []
        for value in values:
            if isinstance(value, Node) and (three := self._sparse_of(value)):
                found += three
                continue
            one = self._element(value)
            if isinstance(one, str):
                return one
            found.append(one)
        return tuple(found)

    def _element(self, value: Value) -> Fetched | str:
        """What a run calls the op of a value; a text says why that is not known."""
        text = text_of(value)
        if text is not None:
            owner = next((node for node, name in self.names.items() if name == text.partition(":")[0]), None)
            return f"no op is known to have the name `{text}`" if owner is None else self._fetched_of(text, owner)
        if isinstance(value, Union):
            return "it is one of several, and only the running program knows which one"
        if isinstance(value, Unknown):
            return value.reason
        if not isinstance(value, Node):
            return "what is fetched or fed is not known"
        name = self.names.get(value)
        if name is None:
            return f"the name of what `{value.symbol}` gave is not known"
        plain = value.kind in ("operation", "initializer")
        return self._fetched_of(name if plain else f"{name}:0", value)

    def _sparse_of(self, value: Node) -> tuple[Fetched, ...]:
        """What a sparse placeholder is fed as."""
        names = self._parts.get(value, ()) if value.kind == "placeholder" else ()
        return tuple(self._fetched_of(f"{name}:0", value) for name in names)

    def _fetched_of(self, name: str, value: Node) -> Fetched:
        return Fetched(name, value.place, value.frame.module)

    # -- elements of a graph by their names --

    def call_graph(self, owner: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of a graph."""
        text = text_of(arguments.get(0, "name")) or text_of(arguments.get(0, "obj"))
        if text is not None and name in ("get_tensor_by_name", "get_operation_by_name", "as_graph_element"):
            op, _, at = text.partition(":")
            graph = real_graph(owner)
            found = [each for each, known in self.names.items() if known == op and each.graph is graph]
            if found and at in ("", "0") and name == "get_operation_by_name":
                return self.node_attribute(found[0], "op", node)
            if found and at == "0":
                return found[0]
        return super().call_graph(owner, name, arguments, node)

    # -- savers --

    def _effect_saver(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        made = super()._effect_saver(origin, row, arguments, node)
        self.builds(node)
        asked, explicit = self.name_given(origin, arguments, "save")
        self._savers[id(made)] = (self.unique(asked, explicit), node, self.frame.module)
        self._held.append(made)
        return made

    def _effect_global_step(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        variable = arguments.get(1, "global_step_tensor")
        one = "no variable is given" if variable is None else self._element(variable)
        self._runs_here(node, one if isinstance(one, str) else (one,), ())
        return super()._effect_global_step(origin, row, arguments, node)

    def call_method(self, method: object, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of a library's object or of a value of the graph."""
        owner, name = method.receiver, method.name  # type: ignore[attr-defined]
        if isinstance(owner, Thing) and owner.kind == "saver" and name in ("save", "restore"):
            self._saver_runs(owner, name, arguments, node)
        return super().call_method(method, arguments, node)  # type: ignore[arg-type]

    def _saver_runs(self, owner: Thing, name: str, arguments: Arguments, node: ast.AST) -> None:
        scope, place, module = self._savers.get(id(owner), (None, node, self.frame.module))
        step = arguments.get(2, "global_step")
        if name == "save" and isinstance(step, Node):
            one = self._element(step)
            self._runs_here(node, one if isinstance(one, str) else (one,), ())
        if scope is None:
            self._runs_here(node, "the name of the saver is not known", ())
            return
        op = f"{scope}/control_dependency:0" if name == "save" else f"{scope}/restore_all"
        self._runs_here(node, (Fetched(op, place, module),), (Fetched(f"{scope}/Const:0", place, module),))
