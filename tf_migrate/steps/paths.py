"""How a scope names values: the run's own words, and what can be reached from its names and objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from tf_migrate.interpreter.recorder import Snapshot
from tf_migrate.interpreter.values import (
    ABSENT,
    Cell,
    Const,
    Group,
    Instance,
    Items,
    Node,
    Table,
    Thing,
    Turn,
    Value,
    is_one,
    options,
    present,
    same,
)

Named = tuple[str, Value]
_DEEPEST_PATH = 3
_WIDEST = 400


@dataclass
class Paths:
    """Texts and the values that they have in a scope.

    Attributes:
      own: what the run says itself, where that means the same in the scope.
      others: whatever else has a name. A value that stands for several (what a loop made, an item of a list of unknown
        length) is never found there: another name may mean another one of them.
      turn: the turn of loops in which the run was seen.
    """

    own: list[Named]
    others: list[Named]
    turn: Turn

    def find(self, value: Value) -> str | None:
        """The shortest text for a value; None where there is none for certain."""
        if isinstance(value, Const) and isinstance(value.value, str):
            return repr(value.value)  # the name of a tensor
        if self._is_several(value):
            return None
        for text, found in self._named(value):
            if found is value if isinstance(value, Const) else same(found, value):
                return text
        return None

    def container(self, keys: Sequence[Value]) -> str | None:
        """The shortest path to a container of inputs, of which some are not known one by one."""
        for text, value in (*self.own, *(named for named in self.others if is_one(named[1], self.turn))):
            if isinstance(value, Items | Table) and keys:
                held = [option for each in inside(value, 3) for option in options(each) if option is not ABSENT]
                inputs = all(isinstance(each, Node) and each.kind == "placeholder" for each in held)
                fed = [option for key in keys for option in options(key)]
                if inputs and all(any(each is key for each in held) for key in fed):
                    return text
        return None

    def rendered(self, snapshot: Snapshot) -> str | None:
        """What is fetched, in the words of the scope."""
        if snapshot.kind == "leaf":
            return self.find(snapshot.value)
        if snapshot.kind == "sum":
            summands = [self.rendered(part) for _, part in snapshot.parts]
            return None if None in summands else " + ".join(map(str, summands))
        whole = self.find(snapshot.value) if snapshot.kind == "list" or snapshot.parts else None
        if isinstance(snapshot.value, Items) and snapshot.value.fields:
            return whole  # a run gives a named tuple for one
        parts = [self.rendered(part) for _, part in snapshot.parts]
        if any(part is None for part in parts):
            return whole
        texts = [str(part) for part in parts]
        if snapshot.kind == "list":
            is_tuple = isinstance(snapshot.value, Items) and snapshot.value.kind == "tuple"
            if not is_tuple:
                return f"[{', '.join(texts)}]"
            return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
        keys = [key.value for key, _ in snapshot.parts if isinstance(key, Const)]
        if len(keys) < len(texts):
            return whole
        return "{" + ", ".join(f"{key!r}: {text}" for key, text in zip(keys, texts, strict=True)) + "}"

    def _is_several(self, value: Value) -> bool:
        """Whether the run itself says several things of what stands for several values: `weights[0]`, `weights[1]`."""
        if not isinstance(value, Node) or is_one(value, self.turn):
            return False
        return len({text for text, found in self.own if same(found, value)}) > 1

    def _named(self, value: Value) -> Iterator[Named]:
        yield from self.own
        if is_one(value, self.turn):
            yield from self.others


def reachable(root: Cell, name: str, time: int) -> list[Named]:
    """What can be reached from a frame's names or an object at a time, shortest first."""
    found: list[Named] = []
    level: list[Named] = [(name, root)] if name else _slots(root, "", time)
    known: set[int] = set()
    for _ in range(_DEEPEST_PATH):
        following: list[Named] = []
        for text, value in level:
            found.append((text, value))
            if _has_parts(value) and id(value) not in known and len(found) < _WIDEST:
                known.add(id(value))
                following += _slots(value, text, time)
        level = following
    return [*found, *level]


def _has_parts(value: Value) -> TypeGuard[Cell]:
    """Whether values may be reached through one: a container, an object, a supervisor."""
    return isinstance(value, Instance | Items | Table) or (isinstance(value, Thing) and value.kind == "supervisor")


def _slots(cell: Cell, text: str, time: int) -> list[Named]:
    if isinstance(cell, Items):
        group = cell.at("items", time)
        values = group.values if isinstance(group, Group) else ()
        if cell.fields and len(cell.fields) == len(values):
            return [(f"{text}.{field}", value) for field, value in zip(cell.fields, values, strict=True)]
        return [(f"{text}[{at}]", value) for at, value in enumerate(values)]
    if isinstance(cell, Table):
        keys = [
            (known, key)
            for known, key in cell.keys.items()
            if isinstance(key, Const) and isinstance(key.value, str | int)
        ]
        return [(f"{text}[{key.value!r}]", cell.at(known, time)) for known, key in keys if isinstance(key, Const)]
    names = [key for key in cell.written if isinstance(key, str) and key.isidentifier()]
    pairs = [(name, cell.at(name, time)) for name in names]
    if isinstance(cell, Instance):
        pairs = [(name, present(value)) for name, value in pairs]
    return [(f"{text}.{name}" if text else name, value) for name, value in pairs if value is not ABSENT]


def inside(value: Value, depth: int) -> Iterator[Value]:
    """The values in a container and in those within it."""
    if not depth or not isinstance(value, Items | Table):
        yield value
        return
    for key, part in value.slots.items():
        if isinstance(part, Group):
            for each in part.values:
                yield from inside(each, depth - 1)
        elif isinstance(value, Table) or key == "rest":
            yield from inside(part, depth - 1)
