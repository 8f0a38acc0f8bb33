"""What all parts of the interpreter share: the heap, the stack of frames, the record, and each other."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from tf_migrate.interpreter.heap import Heap, Log
from tf_migrate.interpreter.recorder import Recorder, Snapshot
from tf_migrate.interpreter.values import (
    ABSENT,
    ANY_NAME,
    DATA,
    Arguments,
    Class,
    Const,
    External,
    Frame,
    Function,
    Group,
    Instance,
    Items,
    Node,
    Table,
    Thing,
    Unknown,
    Value,
    is_data,
    items_of,
    join,
    key_of,
    options,
)
from tf_migrate.names.exports import Index
from tf_migrate.syntax.module import Module

T = TypeVar("T")
NEXT, RETURN, BREAK, CONTINUE, RAISE = "next", "return", "break", "continue", "raise"

MOST_STATEMENTS = 60_000
MOST_DEPTH = 48
MOST_TURNS = 40
MOST_IDLE = 2_000


_RAISED = ("raised",)
"""The key of a frame that is left on the way that is gone, whatever is executed of it behind."""


class Exhausted(Exception):
    """The budget of one execution is spent: what is left of the program is not known."""


class Core(ABC):
    """The state of one execution, and what its parts ask of each other."""

    def __init__(self, index: Index, recorder: Recorder, compat_module: str) -> None:
        self.index = index
        self.recorder = recorder
        self.compat_module = compat_module
        self.heap = Heap()
        self.stack: list[Frame] = []
        self.modules: dict[str, Frame] = {}
        self.script = ""
        self.left = self.budget = MOST_STATEMENTS
        """How many statements may still be executed, and of how many."""
        self.events = 0
        """How often something of a graph was made, or a graph entered."""
        self.forks = 0
        """How many times there were other ways to go than the one that is gone."""
        self.ends = False
        """Whether the migrated program ends with an error in the statement that is executed."""
        self.loops = 0
        self.graphs: list[Thing] = [Thing("graph", "tf.Graph")]
        self.default_sessions: list[Value] = []
        self.past: dict[int, frozenset[tuple[int, object]]] = {}
        """For graphs: what ran in them so far, and in which sessions, each with the age that it had then."""
        self.age = 0
        """How many sessions were made so far."""
        self.last_sessions: dict[int, frozenset[Value]] = {}
        """For graphs: the sessions of which one may have been the last that ran in them."""
        self.sessions_made: frozenset[Value] = frozenset()
        """The sessions that were made on this way."""
        self.namespaces: list[tuple[Table, Frame]] = []
        """What `globals()` gave, and of which module: what is put into it binds a name."""
        self.most_turns = MOST_TURNS
        """Loops over known things with more turns are joined to a fixed point."""
        self.bound_unseen: set[str] = set()
        """Attributes of objects that nobody knows."""
        self.half_built: dict[int, tuple[Thing, Module, ast.AST]] = {}
        """The graphs of which a part failed to be built, as a test expects it, and where."""
        self.run_count = 0
        """How often a session ran."""
        self.outlives_errors = False
        """Whether a test is executed whose graph stays as errors leave it."""
        self.guesses = 0
        """How many ways are gone around this moment that the program may never go."""

    # -- parts --

    @abstractmethod
    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression in the frame on top."""

    @abstractmethod
    def block(self, body: Sequence[ast.stmt]) -> str:
        """Executes statements; tells how they ended."""

    @abstractmethod
    def call(self, callee: Value, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a value."""

    @abstractmethod
    def attribute(self, value: Value, name: str, node: ast.AST) -> Value:
        """An attribute of a value; ABSENT where it certainly has none."""

    @abstractmethod
    def store_attribute(self, value: Value, name: str, new: Value, node: ast.AST) -> None:
        """Sets an attribute."""

    @abstractmethod
    def subscript(self, value: Value, key: Value, node: ast.AST) -> Value:
        """An item of a value."""

    @abstractmethod
    def elements(self, value: Value, node: ast.AST) -> tuple[tuple[Value, ...], Value | None]:
        """What going through a value gives: the items known, and what others are (None where there are none)."""

    @abstractmethod
    def load_module(self, name: str) -> Frame | None:
        """The frame of a module of the tree, which is executed where it was not."""

    @abstractmethod
    def assign(self, target: ast.expr, value: Value) -> None:
        """Binds a target."""

    # -- the frame on top --

    @property
    def frame(self) -> Frame:
        """The frame that is executed."""
        return self.stack[-1]

    @property
    def graph(self) -> Thing:
        """The default graph."""
        return self.graphs[-1]

    # -- records --

    def builds(self, node: ast.AST) -> None:
        """Something of a graph is made here."""
        self.events += 1
        self.heap.acts()
        self._require_whole()
        self.recorder.grown[id(self.graph)].append((self.heap.time, node))
        self._extend(self.recorder.built[node])
        for frame, inner in zip(self.stack, [*self.stack[1:], None], strict=True):
            place = frame.statements[-1] if frame.statements else frame.code
            if isinstance(place, ast.stmt | ast.Lambda):
                origin = node if inner is None else frame.calls[-1] if frame.calls else place
                self.recorder.made[place].add(origin)
                if origin is place and inner is not None:
                    self.recorder.entering[place].add(inner.code)

    def runs(self, node: ast.AST) -> None:
        """A session runs here, or what it did to variables is read or undone."""
        self.heap.acts()
        self._require_whole()
        self.passed(self.graph, node)
        self.run_count += 1
        self._extend(self.recorder.ran[node])
        if self.recorder.tests.current is not None:
            kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
            codes = (frame.code for frame in self.stack)
            self.recorder.tests.ran_by[self.recorder.tests.current].update(
                code for code in codes if isinstance(code, kinds)
            )

    def _require_whole(self) -> None:
        """Keeps a program out of steps that goes on with a graph which is half built: they would raise."""
        _, module, place = self.half_built.pop(id(self.graph), (None, None, None))
        if module is not None and place is not None:
            self.recorder.problem(
                "builds-half",
                module,
                place,
                "it expects that building fails half way, and the graph is used behind it",
                "use a graph of its own for it",
            )

    def enters(self, node: ast.AST) -> None:
        """Another graph begins, or is entered."""
        self.events += 1
        self.heap.acts()
        self._extend(self.recorder.entered[node])

    def _extend(self, extent: set[ast.AST]) -> None:
        """Adds the functions and statements that are executed now: a module where it is, not where it has been."""
        for frame in self.stack:
            if frame.kind != "module" or frame.statements:
                extent.add(frame.code)
            extent.update(frame.statements)

    def passed(self, graph: Thing, what: object) -> None:
        """Keeps what ran in a graph on this way."""
        self.past[id(graph)] = self.past.get(id(graph), frozenset()) | {(self.age, what)}

    @contextmanager
    def repeated(self) -> Iterator[None]:
        """What happens once here may happen any number of times."""
        self.loops += 1
        try:
            with self.heap.one_turn():
                yield
        finally:
            self.loops -= 1

    def apart(self, ways: Sequence[Callable[[], T]]) -> list[tuple[T, Log]]:
        """Attempts several ways, none of which has the past of another; behind them all is past."""
        before, last, made = dict(self.past), dict(self.last_sessions), self.sessions_made
        results: list[tuple[T, Log]] = []
        behind, lasting, every = dict(before), dict[int, frozenset[Value]](), made
        for way in ways:
            self.past, self.last_sessions, self.sessions_made = dict(before), dict(last), made
            self.forks += len(ways) > 1
            try:
                results.append(self.heap.attempt(way))
            finally:
                self.forks -= len(ways) > 1
            _add_all(behind, self.past)
            _add_all(lasting, self.last_sessions)
            every |= self.sessions_made
        self.past, self.last_sessions, self.sessions_made = behind, lasting, every
        return results

    def snapshot(self, value: Value, depth: int = 6) -> Snapshot:
        """A value as it is now."""
        if isinstance(value, Items) and depth:
            parts = [(Const(at), self.snapshot(item, depth - 1)) for at, item in enumerate(items_of(value))]
            return Snapshot(value, "list", tuple(parts), "rest" not in value.slots)
        if isinstance(value, Table) and depth:
            pairs = [(key, self.snapshot(item, depth - 1)) for key, item in self.pairs(value)]
            maybe = [key for key, item in self.pairs(value) if any(option is ABSENT for option in options(item))]
            return Snapshot(value, "table", tuple(pairs), "rest" not in value.slots, tuple(maybe))
        return Snapshot(value)

    def node(self, kind: str, symbol: str, place: ast.AST) -> Node:
        """A new value of the graph."""
        self.builds(place)
        made = Node(kind, symbol, place, self.frame, self.heap.tick(), self.graph, turn=self.heap.turn)
        self.recorder.nodes.append(made)
        return made

    def problem(self, code: str, node: ast.AST, message: str, next_step: str) -> None:
        """Keeps what stands in the way of steps."""
        self.recorder.problem(code, self.frame.module, node, message, next_step, is_met=not self.guesses)

    # -- cells --

    def items(self, kind: str, values: Sequence[Value], rest: Value | None = None) -> Items:
        """A new list, tuple or set."""
        cell = Items(kind)
        self.heap.born(cell)
        self.heap.write(cell, "items", Group(values))
        if rest is not None:
            self.heap.write(cell, "rest", rest)
        return cell

    def table(self, pairs: Sequence[tuple[Value, Value]] = (), rest: Value | None = None) -> Table:
        """A new dictionary."""
        cell = Table()
        self.heap.born(cell)
        for key, value in pairs:
            self.put(cell, key, value)
        if rest is not None:
            self.heap.write(cell, "rest", rest)
        return cell

    def put(self, cell: Table, key: Value, value: Value) -> None:
        """Sets an item of a dictionary."""
        known = key_of(key)
        for frame in [frame for names, frame in self.namespaces if names is cell]:
            self._put_name(frame, key, value)
        if known is None:
            self.overwrites(cell, key, value)
            self.heap.write(cell, "rest", join(cell.slots["rest"], value) if "rest" in cell.slots else value)
            return
        cell.keys.setdefault(known, key)
        self.heap.write(cell, known, value)

    def _put_name(self, frame: Frame, key: Value, value: Value) -> None:
        """`globals()[key] = value`: binds a name."""
        if isinstance(key, Const) and isinstance(key.value, str):
            self.heap.write(frame, key.value, value)
        elif is_data(value):
            self._bind_data(frame, value)
        else:
            self.written_unseen(frame.code)

    def _bind_data(self, frame: Frame, value: Value) -> None:
        """`globals().update(json.load(file))`: any name may be data, but those that are of no use as data."""
        for name, item in [*frame.slots.items()]:
            if not isinstance(item, Class | External | Frame | Function | Instance | Node | Thing):
                self.heap.write(frame, name, join(item, value))
        self.heap.write(frame, ANY_NAME, value)

    def written_unseen(self, node: ast.AST) -> None:
        """Something is bound by code that cannot be read: nobody knows what names mean behind it."""
        self.problem("names-unseen", node, "it binds names that cannot be read here", "bind them by assignments")

    def overwrites(self, cell: Table, key: Value, value: Value) -> None:
        """An item of a key that nobody knows may be one of those known: data is no key that is of a graph."""
        data = is_data(key)
        for other, item in [(other, item) for other, item in cell.slots.items() if other in cell.keys]:
            if not data or not isinstance(cell.keys[other], Node | Function | Class | Instance):
                self.heap.write(cell, other, join(item, value))

    def pairs(self, cell: Table) -> list[tuple[Value, Value]]:
        """The items of a dictionary that are known, in order."""
        return [(cell.keys[key], value) for key, value in cell.slots.items() if key in cell.keys]

    def new_list(self, cell: Items, values: Sequence[Value]) -> None:
        """Gives a list other items."""
        self.heap.write(cell, "items", Group(values))

    # -- ways --

    def fork(self, ways: Sequence[Callable[[], str]]) -> str:
        """Takes each of several ways, one of which the program takes; goes on where they meet."""
        results = self.apart(ways)
        logs = [log for flow, log in results if flow in (NEXT, BREAK, CONTINUE)]
        if self.raised:
            self.raised[-1] += [log for flow, log in results if flow == RAISE]
        if logs:
            for flow, log in results:
                if flow == RETURN:
                    self.frame_ends(log)
            self.heap.merge(logs)
            flows = {flow for flow, _ in results} - {RAISE}
            if len(flows) == 1:
                return flows.pop()
            self.frame.leaves |= flows - {NEXT}
            return NEXT
        ended = [log for flow, log in results if flow == RETURN]
        if ended:
            self.heap.merge(ended)
            return RETURN
        return RAISE

    def perhaps(self, work: Callable[[], str]) -> str:
        """Goes on where some ways have left: what is done now may have been done, or not."""
        left, self.frame.leaves = self.frame.leaves, frozenset()
        flow, log = self.heap.kept(work)
        self.heap.loosen(log)
        left |= self.frame.leaves
        if flow == RAISE and len(left) == 1:
            (flow,) = left
        if flow in (NEXT, RAISE):
            self.frame.leaves = left
            return NEXT
        self.frame.leaves = left - {flow}
        if not self.frame.leaves:
            return flow
        self.frame.leaves |= {flow}
        return NEXT

    def raises(self) -> None:
        """An object has not what is read of it: the function is left here, unless it waits for errors."""
        if not any(isinstance(node, ast.Try) for node in self.frame.statements):
            self.heap.write(self.frame, _RAISED, Const(None))

    @property
    def is_optional(self) -> bool:
        """Whether the program may go another way than the one that is gone."""
        return self.forks > 0 or self.guesses > 0

    @property
    def is_left(self) -> bool:
        """Whether the program never comes here on the way that is gone."""
        return any(isinstance(frame.slots.get(_RAISED), Const) for frame in self.stack)

    def arrives(self, *flows: str) -> None:
        """Ways that have left by `break` or `continue` are where they go."""
        self.frame.leaves -= set(flows)

    def frame_ends(self, log: Log) -> None:
        """Keeps what was written on a way that left the function before its end."""
        self.early.setdefault(id(self.frame), []).append(log)

    raised: list[list[Log]]
    """For each `try` around: what ways wrote that raised in it."""
    caught: list[frozenset[str]]
    """For each `try` and `with` around: the names of the exceptions that go no further."""
    early: dict[int, list[Log]]

    # -- questions --

    def truth(self, value: Value) -> bool | None:
        """Whether a value is true; None where only the running program knows."""
        answers = {self._truth(option) for option in options(value)}
        return answers.pop() if len(answers) == 1 else None

    def _truth(self, value: Value) -> bool | None:
        if isinstance(value, Const):
            return bool(value.value)
        if isinstance(value, Items | Table):
            if "rest" in value.slots:
                return True if isinstance(value, Items) and items_of(value) else None
            return bool(items_of(value) if isinstance(value, Items) else self.pairs(value))
        if isinstance(value, Instance):
            special = any(name in cls.slots for cls in value.cls.mro for name in ("__bool__", "__len__", "__nonzero__"))
            return None if special or value.cls.outside else True
        if isinstance(value, Function | Class):
            return True
        return True if isinstance(value, Thing) and value.kind != "data" else None

    def lookup(self, cls: Class, name: str, after: Class | None = None) -> tuple[Value, Class | None]:
        """What a class or its bases bind a name to; of those behind a class where one is given."""
        order = cls.mro if after is None else cls.mro[cls.mro.index(after) + 1 :] if after in cls.mro else ()
        for one in order:
            found = self.heap.read(one, name)
            if found is not ABSENT:
                return found, one
        return ABSENT, None

    def holds_graph(self, value: Value, depth: int = 4) -> bool:
        """Whether something of a graph is in a value."""
        if isinstance(value, Node):
            return True
        if depth == 0:
            return False
        if isinstance(value, Items):
            inner = [*items_of(value), *([value.slots["rest"]] if "rest" in value.slots else [])]
            return any(self.holds_graph(item, depth - 1) for item in inner)
        if isinstance(value, Table):
            keys = any(self.holds_graph(key, 1) for key in value.keys.values())
            return keys or any(self.holds_graph(item, depth - 1) for item in value.slots.values())
        return any(self.holds_graph(option, depth - 1) for option in options(value) if option is not value)

    def is_namespace(self, cell: Table) -> bool:
        """Whether a dictionary is the names of a module."""
        return any(names is cell for names, _ in self.namespaces)

    def give(self, statements: int) -> None:
        """Lets so many statements be executed."""
        self.left = self.budget = statements

    @property
    def is_tired(self) -> bool:
        """Whether half of what may be executed is spent: what is plain Python is followed no more turn by turn."""
        return self.left < self.budget // 2

    @property
    def most_idle(self) -> int:
        """Statements of a loop that are executed turn by turn although nothing of a graph is made in it.

        Fewer where not much is left, or where nobody was seen to call what it is in.
        """
        return MOST_IDLE // 4 if self.is_tired or self.guesses else MOST_IDLE

    def spend(self) -> None:
        """Counts a statement."""
        self.left -= 1
        if self.left < 0:
            raise Exhausted


def _add_all(found: dict[int, frozenset[T]], more: Mapping[int, frozenset[T]]) -> None:
    for graph, what in more.items():
        found[graph] = found.get(graph, frozenset()) | what


def is_none(value: Value) -> bool:
    """Whether a value is None for certain."""
    return isinstance(value, Const) and value.value is None


def opaque_of(values: Sequence[Value]) -> Value:
    """What an operation on values gives that nobody computes here."""
    return next((value for value in values if isinstance(value, Unknown)), DATA)
