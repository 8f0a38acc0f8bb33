"""Abstract values: what the interpreter knows of what an expression gives.

Values are compared by identity, except for constants. Whatever can change is a cell of the heap.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tf_migrate.syntax.module import Module


class Value:
    """Anything that a name may mean."""

    __slots__ = ()


@dataclass(frozen=True, eq=False)
class Const(Value):
    """A Python constant that is known: None, a number, a text, a type of Python's."""

    value: Any


@dataclass(frozen=True, eq=False)
class Opaque(Value):
    """Data that only the running program knows: an array, a flag, a file's content. Nothing of a graph."""


@dataclass(frozen=True, eq=False)
class Unknown(Value):
    """It may be anything, something of a graph too."""

    reason: str
    place: ast.AST | None = None


@dataclass(frozen=True, eq=False)
class Missing(Unknown):
    """What an object of the program has not: reading it raises, and nobody sees a value."""


@dataclass(frozen=True, eq=False)
class Union(Value):
    """One of a few values: which one is known at run time alone."""

    options: tuple[Value, ...]
    bound: Value | None = None
    """The value that it is where anything is bound: another way bound nothing."""


@dataclass(frozen=True, eq=False)
class Absent(Value):
    """Nothing is bound here (on one of the ways to this place)."""


@dataclass(frozen=True, eq=False)
class External(Value):
    """A symbol of a library, by its dotted name; TensorFlow's begin with `tf.`."""

    origin: str


@dataclass(frozen=True, eq=False)
class Builtin(Value):
    """A function or type of Python's own, by its name."""

    name: str


@dataclass(frozen=True, eq=False)
class Native(Value):
    """A function that the interpreter itself computes: a method of a list, say."""

    name: str
    call: Callable[[Arguments, ast.AST], Value]


Turn = tuple[int, ...]
"""The turns, from the outermost loop to the innermost, of loops of which nobody knows how often they turn."""


class Cell(Value):
    """A place of the heap: values by key. Write it through the heap alone."""

    __slots__ = ("changed", "slots", "turn", "writes", "written")

    def __init__(self) -> None:
        self.turn: Turn = ()
        self.writes = 0
        """How many times anything was written in it."""
        self.slots: dict[Hashable, Value] = {}
        self.changed: dict[Hashable, int] = {}
        """Since when a key has the value that it has now."""
        self.written: dict[Hashable, list[tuple[int, Value]]] = {}
        """All values of a key with the times at which they were written, in order."""

    def at(self, key: Hashable, time: int) -> Value:
        """The value of a key at a time."""
        found: Value = ABSENT
        for moment, value in self.written.get(key, ()):
            if moment > time:
                break
            found = value
        return found

    def since(self, key: Hashable) -> int:
        """When a key got the value that it has; 0 where it never was written."""
        return self.changed.get(key, 0)


class Frame(Cell):
    """The names of a module, of one call of a function, of a class body or of a comprehension."""

    __slots__ = (
        "calls",
        "code",
        "kind",
        "leaves",
        "local",
        "module",
        "outer",
        "receiver",
        "returns",
        "statements",
        "top",
        "yields",
    )

    def __init__(self, kind: str, code: ast.AST, module: Module, outer: Frame | None, top: Frame | None) -> None:
        super().__init__()
        self.kind = kind
        self.code = code
        self.module = module
        self.outer = outer
        """The frame of the code around, whose names this one sees."""
        self.top = self if top is None else top
        """The frame of the module."""
        self.local: frozenset[str] = frozenset()
        """The names that are bound here; others are looked up outside."""
        self.statements: list[ast.stmt] = []
        self.calls: list[ast.AST] = []
        self.returns: list[Value] = []
        self.yields: list[Value] | None = None
        self.receiver: Value | None = None
        self.leaves: frozenset[str] = frozenset()
        """How some ways have left what is executed now (`return`, `break`, `continue`), while others go on."""


class Instance(Cell):
    """An object of a class of the program. `open` where attributes may be there that nobody saw."""

    __slots__ = ("cls", "open")

    def __init__(self, cls: Class) -> None:
        super().__init__()
        self.cls = cls
        self.open = False


class Class(Cell):
    """A class of the program; its slots are what its body bound."""

    __slots__ = ("bases", "mro", "name", "node", "outside")

    def __init__(self, name: str, node: ast.ClassDef | None, bases: Sequence[Value]) -> None:
        super().__init__()
        self.name = name
        self.node = node
        self.bases = tuple(bases)
        self.mro = linear(self)
        self.outside = tuple(base for one in self.mro for base in one.bases if not isinstance(base, Class))
        """Bases that are not of the program."""

    @property
    def plain(self) -> bool:
        """Whether nothing but its body and its bases make it: no decorator, no metaclass."""
        nodes = [one.node for one in self.mro if one.node is not None]
        return not self.outside and not any(node.decorator_list or node.keywords for node in nodes)


class Items(Cell):
    """A list, tuple or set. The slot `items` holds what is known in order; `rest` is set where there may be more."""

    __slots__ = ("cls", "fields", "kind")

    def __init__(self, kind: str, fields: tuple[str, ...] = (), cls: Class | None = None) -> None:
        super().__init__()
        self.kind = kind
        self.fields = fields
        """Names of the items of a named tuple."""
        self.cls = cls
        """The class of a named tuple."""


class Table(Cell):
    """A dictionary. Slots by `key_of` of the keys; the slot `rest` is set where others may be there."""

    __slots__ = ("factory", "keys")

    def __init__(self) -> None:
        super().__init__()
        self.keys: dict[Hashable, Value] = {}
        self.factory: Value | None = None
        """What makes a value that is missing (of a `defaultdict`)."""


class Thing(Cell):
    """An object of a library: a session, an optimizer, a saver; its slots are attributes that the program set."""

    __slots__ = ("inner", "kind", "origin", "place")

    def __init__(self, kind: str, origin: str, place: ast.AST | None = None, inner: Value | None = None) -> None:
        super().__init__()
        self.kind = kind
        self.origin = origin
        self.place = place
        self.inner = inner


class Group(Value):
    """The values of a tuple as the heap keeps them in one slot."""

    __slots__ = ("values",)

    def __init__(self, values: Sequence[Value]) -> None:
        self.values = tuple(values)


@dataclass(eq=False)
class Node(Value):
    """A value of the graph: what one call of an operation gave.

    `kind` is tensor, variable, placeholder, operation (whose fetch gives None), initializer, or unknown where a library
    that nobody knows made it.
    """

    kind: str
    symbol: str
    place: ast.AST
    frame: Frame
    time: int
    graph: Thing | None
    parts: dict[Hashable, Value] = field(default_factory=dict)
    default: bool = False
    """Whether a placeholder has a default."""
    at_once: bool = False
    """Whether an assignment needs nothing of the graph but variables: it can be made at once."""
    whole: Node | None = None
    """The structure of tensors that it is a part of, where a program went through that or unpacked it."""
    turn: Turn = ()
    """The turns of loops in which it was made: behind them it stands for all that such turns made."""
    inputs: tuple[Node, ...] = ()
    """What it is made of, and what it waits for."""
    changes: tuple[Node, ...] | None = None
    """For gradients, and for what takes some: the variables that the program names for them."""
    counts: tuple[Node, ...] = ()
    """The global step that a training step counts."""
    fixed: bool = False
    """Whether a variable is said not to be trained."""
    shared: Hashable = None
    """What all have in common that are the same variable, or layers of the same ones; None where nobody knows."""
    maker: Thing | None = None
    """The optimizer that made it."""
    arms: tuple[tuple[int, int], ...] = ()
    """The arms of conditions of the graph that it was made in: which condition, and which arm."""

    def like(self, kind: str) -> Node:
        """A value of another kind that the same call gave."""
        return Node(kind, self.symbol, self.place, self.frame, self.time, self.graph, turn=self.turn)

    def one_of_many(self) -> Node:
        """Any of several values of which nobody knows which is which."""
        if self.turn == MANY:
            return self
        if self._many is None:
            self._many = replace(self, parts={}, turn=MANY, _many=None)
        return self._many

    _many: Node | None = None

    def part_of(self, whole: Node) -> Node:
        """Itself, known as a part of a structure of tensors."""
        self.whole = whole
        return self

    def part(self, key: Hashable, kind: str) -> Value:
        """A part of it, which is made when it is first asked for."""
        if key not in self.parts:
            made = self.parts[key] = self.like(kind)
            made.whole = self.whole
        return self.parts[key]


@dataclass(frozen=True, eq=False)
class Function(Value):
    """A function of the program with what it closes over."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    frame: Frame
    defaults: tuple[Value, ...]
    keyword_defaults: tuple[Value | None, ...]
    owner: Class | None = None

    @property
    def name(self) -> str:
        """Its own name."""
        return getattr(self.node, "name", "<lambda>")


@dataclass(frozen=True, eq=False)
class Bound(Value):
    """A method with its object."""

    function: Value
    receiver: Value


@dataclass(frozen=True, eq=False)
class Method(Value):
    """A method of a library's object or of a value of the graph, by name."""

    receiver: Value
    name: str


@dataclass(frozen=True, eq=False)
class Partial(Value):
    """`functools.partial`."""

    function: Value
    arguments: Arguments


@dataclass(frozen=True, eq=False)
class Wrapped(Value):
    """A property with what sets it, a static or class method, a context manager of a generator."""

    kind: str
    function: Value
    setter: Value | None = None


@dataclass(frozen=True, eq=False)
class Super(Value):
    """`super()` of a class for an object."""

    owner: Class
    receiver: Value


@dataclass(frozen=True, eq=False)
class Generator(Value):
    """A generator that nobody has gone through yet."""

    run: Callable[[], list[Value] | None]


@dataclass(frozen=True, eq=False)
class Arguments:
    """The arguments of a call; `more` where others may be among them, `places` the expressions of the call.

    `rest` is what is given of which nobody knows how many there are: `f(*values)`.
    """

    positional: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    more: bool = False
    places: tuple[ast.expr, ...] = ()
    keyword_places: tuple[ast.expr, ...] = ()
    rest: Value | None = None

    def get(self, position: int, name: str) -> Value | None:
        """The argument of a position or name."""
        if position < len(self.positional):
            return self.positional[position]
        return next((value for key, value in self.keywords if key == name), None)

    def place(self, position: int, name: str) -> ast.expr | None:
        """The expression of an argument, where it was written as one."""
        if position < len(self.positional):
            return self.places[position] if position < len(self.places) else None
        for (key, _), expr in zip(self.keywords, self.keyword_places, strict=False):
            if key == name:
                return expr
        return None

    def all(self) -> tuple[Value, ...]:
        """Every value that is given."""
        return (*self.positional, *(value for _, value in self.keywords))


MANY: Turn = (-1,)
"""The turn of what stands for several values from the start."""
ABSENT = Absent()
NONE = Const(None)
DATA = Opaque()
ANY_NAME = "**"
"""The key of a frame any of whose names may be data: `globals().update(json.load(file))`."""

_MOST_OPTIONS = 8
_MOST_CHOICES = 40
"""Of the program's own classes, functions and objects, such as a registry of models has."""


_CHOICES = (Class, Function, Instance, Bound, Partial, Table)


def linear(cls: Class) -> tuple[Class, ...]:
    """The order of method resolution, over the classes of the program alone."""
    parents = [base.mro for base in cls.bases if isinstance(base, Class)]
    heads = [base for base in cls.bases if isinstance(base, Class)]
    rows = [list(row) for row in (*parents, heads) if row]
    order = [cls]
    while rows:
        head = next((row[0] for row in rows if not any(row[0] in other[1:] for other in rows)), rows[0][0])
        order.append(head)
        rows = [left for row in rows if (left := [one for one in row if one is not head])]
    return tuple(order)


def same(left: Value, right: Value) -> bool:
    """Whether two values are one for certain."""
    if left is right:
        return True
    if isinstance(left, Const) and isinstance(right, Const):
        return type(left.value) is type(right.value) and bool(left.value == right.value)
    if isinstance(left, External) and isinstance(right, External):
        return left.origin == right.origin
    if isinstance(left, Builtin) and isinstance(right, Builtin):
        return left.name == right.name
    if isinstance(left, Method) and isinstance(right, Method):
        return left.name == right.name and left.receiver is right.receiver
    return (
        isinstance(left, Group)
        and isinstance(right, Group)
        and len(left.values) == len(right.values)
        and all(map(same, left.values, right.values))
    )


def options(value: Value) -> tuple[Value, ...]:
    """The values that one may be."""
    return value.options if isinstance(value, Union) else (value,)


def join(left: Value, right: Value) -> Value:
    """What is known where two ways meet."""
    if same(left, right):
        return left
    if isinstance(left, Unknown):
        return left
    if isinstance(right, Unknown):
        return right
    found: list[Value] = []
    for value in (*options(left), *options(right)):
        if isinstance(value, Opaque) and any(isinstance(other, Opaque) for other in found):
            continue
        if not any(same(value, other) for other in found):
            found.append(value)
    if len(found) == 1:
        return found[0]
    for side in (left, right):
        if isinstance(side, Union) and len(side.options) == len(found):
            return side
    chosen = sum(isinstance(value, _CHOICES) for value in found)
    if chosen <= _MOST_CHOICES and len(found) - chosen <= _MOST_OPTIONS:
        bound = next((one for one, other in ((left, right), (right, left)) if other is ABSENT), None)
        return Union(tuple(found), bound)
    return _one_of_many(found)


def join_all(values: Iterable[Value], first: Value | None = None) -> Value | None:
    """What is known of one of several values, behind a first one where there is one; None without any."""
    for value in values:
        first = value if first is None else join(first, value)
    return first


def present(value: Value) -> Value:
    """A value without the ways on which nothing is bound."""
    if not isinstance(value, Union) or ABSENT not in value.options:
        return value
    if value.bound is not None:
        return value.bound
    known = [option for option in value.options if option is not ABSENT]
    return known[0] if len(known) == 1 else Union(tuple(known))


def _one_of_many(found: Sequence[Value]) -> Value:
    """What is known of a value that is one of many: of values of the graph that it is one, and its kind."""
    nodes = [value for value in found if isinstance(value, Node)]
    if len(nodes) < sum(value is not ABSENT for value in found):
        return Unknown("it is one of many")
    last = max(nodes, key=lambda node: node.time)
    kind = last.kind if all(node.kind == last.kind for node in nodes) else "unknown"
    return last.like(kind).one_of_many()


def is_one(value: Value, turn: Turn) -> bool:
    """Whether a value is a single one in a turn of loops: what names it there names nothing else."""
    return not isinstance(value, Union) and within(getattr(value, "turn", ()), turn)


def within(outer: Turn, turn: Turn) -> bool:
    """Whether a turn is part of another one, or that one itself."""
    return turn[: len(outer)] == outer


def key_of(value: Value) -> Hashable | None:
    """What a value is as a key of a dictionary; None where nobody knows."""
    if isinstance(value, Const):
        try:
            hash(value.value)
        except TypeError:
            return None
        return ("const", value.value)
    if isinstance(value, External):
        return ("external", value.origin)
    if isinstance(value, Items) and value.kind == "tuple" and "rest" not in value.slots:
        parts = [key_of(item) for item in items_of(value)]
        return None if None in parts else ("tuple", *parts)
    if is_data(value):
        return None
    if isinstance(value, Node | Function | Class | Instance | Thing | Bound):
        return ("identity", id(value))
    if isinstance(value, Union) and is_graph_or_none(value):
        return ("identity", id(value))
    return None


def is_graph_or_none(value: Value) -> bool:
    """Whether a value is of the graph; one of several may be None."""
    every = options(value)
    none = [option for option in every if isinstance(option, Const) and option.value is None]
    return len(none) < len(every) and all(isinstance(option, Node) or option in none for option in every)


def is_data(value: Value) -> bool:
    """Whether a value is data of which nothing is known."""
    return isinstance(value, Opaque) or (isinstance(value, Thing) and value.kind == "data")


def items_of(cell: Items) -> tuple[Value, ...]:
    """The items that are known."""
    group = cell.slots.get("items")
    return group.values if isinstance(group, Group) else ()
