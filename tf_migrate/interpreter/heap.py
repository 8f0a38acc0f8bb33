"""The heap: the one way to write cells. What a branch wrote can be taken back, and joined with what another one did."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from tf_migrate.interpreter.values import (
    ABSENT,
    Cell,
    Class,
    Frame,
    Group,
    Instance,
    Items,
    Native,
    Node,
    Table,
    Thing,
    Turn,
    Union,
    Value,
    join,
    join_all,
    same,
    within,
)

T = TypeVar("T")
Log = dict[tuple[int, Hashable], tuple[Cell, Hashable, Value, int]]
"""Values of keys of cells, with the times since when they had them."""
_MOST_CELLS = 1_000


class Watch:
    """What some work reads of cells that were there before; `pure` while it changes none of them and builds nothing."""

    def __init__(self, born: Iterable[Cell] = ()) -> None:
        self.pure = True
        self.born: set[int] = set(map(id, born))
        self.read: dict[tuple[int, Hashable], tuple[Cell, Hashable, Value]] = {}
        self.whole: dict[int, tuple[Cell, int]] = {}
        """Cells whose content may be read otherwise than by its keys, with how often they were written before."""

    def reads(self, cell: Cell, key: Hashable, value: Value) -> None:
        """Keeps what was read."""
        if id(cell) in self.born or (id(cell), key) in self.read:
            return
        self.read[id(cell), key] = cell, key, value
        self.reads_all(value)

    def reads_all(self, value: Value) -> None:
        """Keeps the containers in a value as they are."""
        pending = [value]
        while pending and self.pure:
            one = pending.pop()
            if isinstance(one, Union):
                pending += one.options
            elif isinstance(one, Group):
                pending += one.values
            elif isinstance(one, Native):
                self.pure = False  # a method of a list reads it
            elif isinstance(one, Cell) and id(one) not in self.born and id(one) not in self.whole:
                if isinstance(one, Class | Frame | Instance):
                    continue  # their names are read one by one
                if (isinstance(one, Thing) and one.kind != "data") or len(self.whole) > _MOST_CELLS:
                    self.pure = False
                self.whole[id(one)] = one, one.writes
                if isinstance(one, Items | Table):
                    pending += one.slots.values()

    def holds(self) -> bool:
        """Whether the work would find the same again."""
        return (
            self.pure
            and all(same(cell.slots.get(key, ABSENT), value) for cell, key, value in self.read.values())
            and all(cell.writes == writes for cell, writes in self.whole.values())
        )


class Heap:
    """Writes cells, with the time of each write."""

    def __init__(self) -> None:
        self.time = 1
        self.turn: Turn = ()
        self._turns = 0
        self._logs: list[Log] = []
        self._newborn: list[set[int]] = []
        """For each attempt: the cells that it made, of which nothing is to be taken back."""
        self._readers: list[list[tuple[Cell, Hashable]]] = []
        self._watches: list[Watch] = []

    def tick(self) -> int:
        """The next moment."""
        self.time += 1
        return self.time

    @contextmanager
    def one_turn(self) -> Iterator[None]:
        """What happens once here may happen any number of times: what it makes stands for as many behind it."""
        before = self.turn
        self._turns += 1
        self.turn = (*before, self._turns)
        try:
            yield
        finally:
            self.turn = before

    def read(self, cell: Cell, key: Hashable) -> Value:
        """The value of a key, ABSENT where there is none."""
        for reader in self._readers:
            reader.append((cell, key))
        value = cell.slots.get(key, ABSENT)
        for watch in self._watches:
            if watch.pure:
                watch.reads(cell, key, value)
        return value

    def looked_over(self, cell: Cell) -> None:
        """All of a cell is read."""
        for watch in self._watches:
            if id(cell) not in watch.born:
                watch.whole.setdefault(id(cell), (cell, cell.writes))

    def watched(self, work: Callable[[], T], born: Iterable[Cell] = ()) -> tuple[T, Watch]:
        """What some work gives, and what that rests on; cells that were `born` for it are its own."""
        watch = Watch(born)
        self._watches.append(watch)
        try:
            return work(), watch
        finally:
            self._watches.remove(watch)

    def acts(self) -> None:
        """Something happens beside the heap: what is watched would not be the same without it."""
        for watch in self._watches:
            watch.pure = False

    def born(self, cell: Cell) -> None:
        """A cell begins here."""
        cell.turn = self.turn
        if self._newborn:
            self._newborn[-1].add(id(cell))
        for watch in self._watches:
            watch.born.add(id(cell))

    def write(self, cell: Cell, key: Hashable, value: Value) -> None:
        """Binds a key; ABSENT unbinds it. Of a cell that stands for several, any one may be meant."""
        old = cell.slots.get(key, ABSENT)
        if not within(cell.turn, self.turn):
            new = value.one_of_many() if isinstance(value, Node) else value
            value = new if old is ABSENT else self._joined(cell, key, old, new)
        if self._logs and id(cell) not in self._newborn[-1]:
            self._logs[-1].setdefault((id(cell), key), (cell, key, old, cell.since(key)))
        self._set(cell, key, value)

    def _set(self, cell: Cell, key: Hashable, value: Value, since: int | None = None) -> None:
        for watch in self._watches:
            watch.pure = watch.pure and id(cell) in watch.born
        if value is ABSENT:
            cell.slots.pop(key, None)
        else:
            cell.slots[key] = value
        cell.writes += 1
        now = self.tick()
        cell.written.setdefault(key, []).append((now, value))
        cell.changed[key] = now if since is None else since

    def reads(self, work: Callable[[], T]) -> tuple[T, list[tuple[Cell, Hashable]]]:
        """What some work gives, and what it read."""
        reader: list[tuple[Cell, Hashable]] = []
        self._readers.append(reader)
        try:
            return work(), reader
        finally:
            self._readers.remove(reader)

    def _begin(self) -> None:
        """Keeps, until `_end`, what stands before where it is written."""
        self._logs.append({})
        self._newborn.append(set())

    def _end(self) -> Log:
        log, made = self._logs.pop(), self._newborn.pop()
        if self._newborn:
            self._newborn[-1] |= made
        return log

    def attempt(self, work: Callable[[], T]) -> tuple[T, Log]:
        """Does some work and takes back what it wrote: gives its result and what was written."""
        self._begin()
        try:
            result = work()
        finally:
            after: Log = {}
            for place, (cell, key, old, since) in self._end().items():
                after[place] = cell, key, cell.slots.get(key, ABSENT), cell.since(key)
                self._set(cell, key, old, since)
        return result, after

    def kept(self, work: Callable[[], T]) -> tuple[T, Log]:
        """Does some work, and gives with its result what stood before where it wrote."""
        self._begin()
        try:
            result = work()
        finally:
            log = self._end()
            if self._logs:
                for place, (cell, key, old, since) in log.items():
                    if id(cell) not in self._newborn[-1]:
                        self._logs[-1].setdefault(place, (cell, key, old, since))
        return result, log

    def loosen(self, log: Log) -> None:
        """What was written may have been written, or not: for work that some ways have not done."""
        for cell, key, old, _ in log.values():
            now, since = cell.slots.get(key, ABSENT), cell.since(key)
            joined = self._joined(cell, key, now, old)
            if not same(joined, now):
                self.write(cell, key, joined)
                if _bound(joined) is now:
                    cell.changed[key] = since

    def merge(self, logs: Sequence[Log], exhaustive: bool = True, chosen: Callable[[Cell], bool] | None = None) -> None:
        """Makes the heap what it is behind one of several ways; where they are not all, what stands may stay.

        What one way alone binds first in a cell that is `chosen` is bound: nobody sees the cell who went another way.
        """
        places: dict[tuple[int, Hashable], tuple[Cell, Hashable]] = {}
        for log in logs:
            for place, (cell, key, _, _) in log.items():
                places[place] = cell, key
        for place, (cell, key) in places.items():
            now = cell.slots.get(key, ABSENT)
            values = [log[place][2] if place in log else now for log in logs]
            if chosen is not None and now is ABSENT and sum(place in log for log in logs) == 1 and chosen(cell):
                values = [value for value in values if value is not ABSENT] or values
            if not exhaustive:
                values.append(now)
            joined = values[0]
            for value in values[1:]:
                joined = self._joined(cell, key, joined, value)
            if not same(joined, now):
                mine = [log[place] for log in logs if place in log]
                since = [time for *_, value, time in mine if value is joined or value is _bound(joined)]
                self.write(cell, key, joined)
                if since:
                    cell.changed[key] = max(since)

    def _joined(self, cell: Cell, key: Hashable, left: Value, right: Value) -> Value:
        if isinstance(cell, Items) and key == "items" and isinstance(left, Group) and isinstance(right, Group):
            if len(left.values) == len(right.values):
                return Group([join(one, other) for one, other in zip(left.values, right.values, strict=True)])
            shorter = min(left.values, right.values, key=len)
            longer = max(left.values, right.values, key=len)
            kept = shorter if all(map(same, shorter, longer)) else ()  # one way appended
            rest = cell.slots.get("rest")
            rest = join_all((*longer[len(kept) :], *shorter[len(kept) :]), rest)
            if rest is not None:
                self.write(cell, "rest", rest)
            return Group(kept)
        return join(left, right)


def _bound(value: Value) -> Value | None:
    """What a value is that one way alone has bound, where it has."""
    return value.bound if isinstance(value, Union) else None
