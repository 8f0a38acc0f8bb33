"""The names that TensorFlow 1 gives in a graph: one row of unique names, name scopes, variable scopes.

All that is counted lies on the heap, so that ways that fork count apart; where they meet with other counts, a name is
not known any more. An unknown name is None everywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.interpreter.values import ABSENT, Cell, Const, Node, Thing, Value
from tf_migrate.names.exports import Index
from tf_migrate.semantics.op_names import defaults
from tf_migrate.trace.settings import Settings


@dataclass(frozen=True, eq=False)
class VariableScope:
    """What `tf.variable_scope` gives. Its cell holds `reuse`: False, True, or "auto"; absent where it is not known."""

    name: str | None
    ops: str | None
    """The name scope that was entered with it."""
    cell: Cell


@dataclass(frozen=True, eq=False)
class Place:
    """Where in a graph's names something is made."""

    ops: str | None
    """The name scope; empty for the root."""
    variables: VariableScope


class Scopes(Settings):
    """Counts names, and knows in which scopes the program is."""

    def __init__(self, index: Index, recorder: Recorder, compat_module: str) -> None:
        super().__init__(index, recorder, compat_module)
        self._places: dict[int, list[Place]] = {}
        self._counters: dict[int, Cell] = {}
        self._held: list[Value] = []  # so that no other value gets the identity of one of them
        self._scopes: dict[int, VariableScope] = {}
        """The variable scopes behind the values that the program has of them."""
        self.names: dict[Node, str] = {}
        """The names of ops, by the values that they gave."""

    # -- the graph's own state --

    @property
    def counter(self) -> Cell:
        """What the default graph has counted."""
        return self.counter_of(self.graph)

    def counter_of(self, graph: Thing) -> Cell:
        """What a graph has counted."""
        if id(graph) not in self._counters:
            self._counters[id(graph)] = Cell()
            self._held.append(graph)
        return self._counters[id(graph)]

    @property
    def places(self) -> list[Place]:
        """The scopes around what is made now, the innermost last."""
        if id(self.graph) not in self._places:
            root = VariableScope("", "", Cell())
            self.heap.write(root.cell, "reuse", Const(False))
            self._places[id(self.graph)] = [Place("", root)]
        return self._places[id(self.graph)]

    @property
    def place(self) -> Place:
        """The innermost scopes."""
        return self.places[-1]

    # -- unique names --

    def unique(self, base: str | None, explicit: bool = False) -> str | None:
        """The name that the graph makes of one that is asked for in the name scope."""
        scope = self.place.ops
        if scope is None:
            return None
        if base is None:
            self.lose(every=True)
            return None
        if base.endswith("/"):
            return base[:-1]
        return self.taken(f"{scope}/{base}" if scope else base, explicit)

    def taken(self, full: str, explicit: bool = False) -> str | None:
        """A name that is made unique, and counted."""
        key = full.lower()
        counted = self._counted(key)
        if counted is None or self._is_lost(full, explicit):
            self._forget(key)
            return None
        self.heap.write(self.counter, ("name", key), Const(counted + 1))
        if counted == 0:
            return full
        at = counted
        while True:
            other = self._counted(f"{key}_{at}")
            if other is None:
                self._forget(f"{key}_{at}")
                return None
            if other == 0:
                self.heap.write(self.counter, ("name", f"{key}_{at}"), Const(1))
                return f"{full}_{at}"
            at += 1

    def _counted(self, key: str) -> int | None:
        found = self.heap.read(self.counter, ("name", key))
        if found is ABSENT:
            return 0
        return found.value if isinstance(found, Const) and isinstance(found.value, int) else None

    def _forget(self, key: str) -> None:
        self.heap.write(self.counter, ("name", key), Const(None))

    def forget(self, base: str) -> None:
        """Nobody knows whether this name was taken in the name scope."""
        scope = self.place.ops
        if scope is None:
            return
        self._forget((f"{scope}/{base}" if scope else base).lower())

    def lose(self, every: bool = False) -> None:
        """Something took names here that nobody knows: of TensorFlow's own, or any at all."""
        scope = self.place.ops
        for one in (scope,) if scope is not None else ("",):
            level = "every" if every else "own"
            now = self.heap.read(self.counter, ("lost", one))
            if now is ABSENT or every:
                self.heap.write(self.counter, ("lost", one), Const(level))

    def _is_lost(self, full: str, explicit: bool) -> bool:
        parts = full.split("/")
        for count in range(len(parts)):
            lost = self.heap.read(self.counter, ("lost", "/".join(parts[:count])))
            # What TensorFlow takes for itself, a name that the program wrote does not meet.
            own = explicit and isinstance(lost, Const) and lost.value == "own" and parts[-1].lower() not in defaults()
            if lost is not ABSENT and not own:
                return True
        return False

    # -- name scopes --

    def enter_ops(self, name: str | None, known: bool = True) -> tuple[str | None, Callable[[], None]]:
        """Enters a name scope: gives what `as` binds, and what leaves it. An empty name is the root."""
        if not known:
            self.lose(every=True)
            inner: str | None = None
        elif not name:
            inner = ""
        else:
            inner = self.unique(name, explicit=True)
        leave = self._push(Place(inner, self.place.variables))
        return (f"{inner}/" if inner else inner), leave

    def _push(self, place: Place) -> Callable[[], None]:
        places = self.places
        places.append(place)

        def leave() -> None:
            if place in places:
                del places[places.index(place) :]

        return leave

    # -- variable scopes --

    def enter_variables(
        self, given: VariableScope | str | None, default: str | None, reuse: object, auxiliary: bool = True
    ) -> tuple[VariableScope, Callable[[], None]]:
        """Enters a variable scope by its name, as the same one again, or by a default name."""
        around = self.place
        outer = around.variables
        if isinstance(given, VariableScope):
            short = None if given.name is None else given.name.rpartition("/")[2]
            name, ops, inherited = given.name, given.ops, self.reuse_of(given)
        else:
            short = given if given is not None else default
            last = given if given is not None else self._unique_scope(default)
            inherited = self.reuse_of(outer)
            name = None if outer.name is None or last is None else f"{outer.name}/{last}" if outer.name else last
            ops = None
        if auxiliary and short != "":
            inner = None if short is None else self.unique(short, explicit=True)
            if short is None:
                self.lose(every=True)
        else:
            inner = around.ops
        if ops is None and not isinstance(given, VariableScope):
            ops = inner
        entered = VariableScope(name, ops, Cell())
        self._held.append(entered.cell)
        decided = inherited if reuse is None or reuse is False else reuse
        if decided is not None:
            self.heap.write(entered.cell, "reuse", Const(decided))
        if name is not None:
            self._count_scope(name)
        leave_place = self._push(Place(inner, entered))

        def leave() -> None:
            leave_place()
            if name is not None and not isinstance(given, VariableScope):
                self._close_scopes(name)

        return entered, leave

    def reuse_of(self, scope: VariableScope) -> object:
        """Whether variables are shared in a scope; None where nobody knows."""
        found = self.heap.read(scope.cell, "reuse")
        return found.value if isinstance(found, Const) else None

    def set_reuse(self, scope: VariableScope) -> None:
        """`scope.reuse_variables()`."""
        self.heap.write(scope.cell, "reuse", Const(True))

    def _unique_scope(self, default: str | None) -> str | None:
        outer = self.place.variables.name
        if default is None or outer is None:
            return None
        full = f"{outer}/{default}" if outer else default
        number = 0
        while True:
            found = self.heap.read(self.counter, ("scope", f"{full}_{number}" if number else full))
            if found is ABSENT or (isinstance(found, Const) and found.value == 0):
                return f"{default}_{number}" if number else default
            if not isinstance(found, Const):
                return None
            number += 1

    def _count_scope(self, name: str) -> None:
        found = self.heap.read(self.counter, ("scope", name))
        count = found.value if isinstance(found, Const) else 0
        self.heap.write(self.counter, ("scope", name), Const(count + 1))

    def _close_scopes(self, name: str) -> None:
        for key in list(self.counter.slots):
            if isinstance(key, tuple) and key[0] == "scope" and str(key[1]).startswith(name + "/"):
                self.heap.write(self.counter, key, Const(0))

    # -- values of the program that are scopes --

    def scope_value(self, scope: VariableScope, node: ast.AST) -> Thing:
        """A variable scope as the program has it."""
        made = Thing("context", "tf.VariableScope", node)
        self._held.append(made)
        self._scopes[id(made)] = scope
        return made

    def scope_behind(self, value: Value | None) -> VariableScope | None:
        """The variable scope that a value of the program is."""
        return self._scopes.get(id(value)) if isinstance(value, Thing) else None

    # -- values of the graph --

    def node(self, kind: str, symbol: str, place: ast.AST) -> Node:
        """A new value of the graph, of which nobody knows what names it took."""
        self.lose()
        return super().node(kind, symbol, place)

    def op(self, kind: str, symbol: str, place: ast.AST) -> Node:
        """A new value of the graph, whose names are counted."""
        return super().node(kind, symbol, place)

    # -- names of values --

    def named(self, value: Value, name: str | None) -> Value:
        """Keeps the name of the op that gave a value."""
        if isinstance(value, Node) and name is not None:
            self.names[value] = name
        return value

    def name_of(self, value: Value) -> str | None:
        """The name of the op that gave a value."""
        return self.names.get(value) if isinstance(value, Node) else None


def text_of(value: Value | None) -> str | None:
    """A text that is known."""
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else None
