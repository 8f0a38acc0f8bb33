"""Functions that work on data alone: what they give is summed up once, whatever data they are called with."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from tf_migrate.interpreter.core import Core
from tf_migrate.interpreter.heap import Watch
from tf_migrate.interpreter.values import (
    ABSENT,
    DATA,
    Absent,
    Arguments,
    Const,
    Group,
    Items,
    Opaque,
    Table,
    Thing,
    Union,
    Value,
    items_of,
    join,
    options,
)

_DEEPEST = 3
_LONGEST_TUPLE = 8
_ORIGINS_OF_MORE = frozenset({"flags", "argparse.Namespace", "eval", "importlib.import_module", "inspect.Signature"})
"""Data of which more is known, or that may be something of the tree."""


@dataclass(frozen=True)
class General:
    """Arguments as any data of their kinds, and what tells them from arguments of other kinds."""

    arguments: Arguments
    kinds: Hashable


@dataclass(frozen=True)
class Summary:
    """What a function gives, and what that rests on."""

    result: Value
    watch: Watch


def general(machine: Core, arguments: Arguments) -> General | None:
    """Arguments as any data of their kinds; None where something else than data is among them, or may be."""
    if arguments.more or arguments.rest is not None:
        return None
    values: list[Value] = []
    kinds: list[Hashable] = []
    for value in arguments.all():
        found = _general(machine, value, _DEEPEST)
        if found is None:
            return None
        values.append(found[0])
        kinds.append(found[1])
    count = len(arguments.positional)
    names = tuple(name for name, _ in arguments.keywords)
    keywords = tuple(zip(names, values[count:], strict=True))
    made = Arguments(tuple(values[:count]), keywords, False, arguments.places, arguments.keyword_places)
    return General(made, (count, names, *kinds))


def is_data(arguments: Arguments) -> bool:
    """Whether nothing is known of arguments but that they are data."""
    return not arguments.more and arguments.rest is None and all(isinstance(each, Opaque) for each in arguments.all())


def _general(machine: Core, value: Value, depth: int) -> tuple[Value, Hashable] | None:
    if isinstance(value, Opaque) or _is_plain_thing(value):
        return DATA, "data"
    if isinstance(value, Const):
        if value.value is None or isinstance(value.value, bool):
            return value, ("const", value.value)
        return (DATA, "data") if isinstance(value.value, int | float | complex | str | bytes) else None
    if isinstance(value, Union):
        return _any_of(machine, [option for option in value.options if option is not ABSENT], depth)
    if depth == 0:
        return None
    if isinstance(value, Items) and not value.fields:
        return _general_items(machine, value, depth)
    if isinstance(value, Table) and value.factory is None and not machine.is_namespace(value):
        rest = [value.slots["rest"]] if "rest" in value.slots else []
        inner = [each for slot in machine.pairs(value) for option in slot for each in options(option)]
        if not inner and not rest:
            return machine.table(), "empty table"
        found = _any_of(machine, [*inner, *rest], depth - 1)
        return None if found is None else (machine.table((), found[0]), ("table", found[1]))
    return None


def _general_items(machine: Core, value: Items, depth: int) -> tuple[Value, Hashable] | None:
    known = items_of(value)
    if value.kind == "tuple" and "rest" not in value.slots and len(known) <= _LONGEST_TUPLE:
        parts = [_general(machine, each, depth - 1) for each in known]
        found = [part for part in parts if part is not None]
        if len(found) < len(parts):
            return None
        return machine.items("tuple", [part for part, _ in found]), ("tuple", *(kind for _, kind in found))
    inner = [*known, *([value.slots["rest"]] if "rest" in value.slots else [])]
    if not inner:
        return machine.items(value.kind, ()), ("empty", value.kind)
    one = _any_of(machine, inner, depth - 1)
    return None if one is None else (machine.items(value.kind, (), one[0]), ("items", value.kind, one[1]))


def _any_of(machine: Core, values: Sequence[Value], depth: int) -> tuple[Value, Hashable] | None:
    """What is one of some values, as any data of their kinds."""
    found: dict[Hashable, Value] = {}
    for value in values:
        one = _general(machine, value, depth)
        if one is None:
            return None
        found.setdefault(one[1], one[0])
    kinds = {kind for each in found for kind in (each if isinstance(each, frozenset) else (each,))}
    return functools.reduce(join, found.values()), kinds.pop() if len(kinds) == 1 else frozenset(kinds)


def _is_plain_thing(value: Value) -> bool:
    return (
        isinstance(value, Thing) and value.kind == "data" and value.origin not in _ORIGINS_OF_MORE and not value.slots
    )


def copied(machine: Core, value: Value, born: Iterable[int]) -> Value | None:
    """Data that a function gave, with containers of its own; None where it is something else, or not of its making."""
    return _copied(machine, value, set(born), _DEEPEST)


def _copied(machine: Core, value: Value, left: set[int], depth: int) -> Value | None:
    if isinstance(value, Const | Opaque):
        return value
    if _is_plain_thing(value):
        assert isinstance(value, Thing)
        return Thing(value.kind, value.origin, value.place)
    if isinstance(value, Union):
        plain = [DATA if _is_plain_thing(option) else option for option in value.options]
        return (
            functools.reduce(join, plain) if all(isinstance(each, Const | Opaque | Absent) for each in plain) else None
        )
    if depth == 0 or id(value) not in left:
        return None
    left.discard(id(value))  # what is there twice is one thing
    if isinstance(value, Items) and not value.fields:
        inner = [_copied(machine, each, left, depth - 1) for each in items_of(value)]
        rest = _copied(machine, value.slots["rest"], left, depth - 1) if "rest" in value.slots else None
        known = [each for each in inner if each is not None]
        if len(known) < len(inner) or (rest is None and "rest" in value.slots):
            return None
        return machine.items(value.kind, known, rest)
    if isinstance(value, Table) and value.factory is None:
        pairs = [(_copied(machine, key, left, 0), _copied(machine, each, left, depth - 1))
                 for key, each in machine.pairs(value)]  # fmt: skip
        both = [(key, each) for key, each in pairs if key is not None and each is not None]
        rest = _copied(machine, value.slots["rest"], left, depth - 1) if "rest" in value.slots else None
        if len(both) < len(pairs) or (rest is None and "rest" in value.slots):
            return None
        return machine.table(both, rest)
    return None


def cells_of(value: Value) -> set[int]:
    """The containers in data."""
    found: set[int] = set()
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, Group):
            pending += one.values
        elif isinstance(one, Items | Table) and id(one) not in found:
            found.add(id(one))
            pending += one.slots.values()
    return found
