"""Attributes and items of values."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tf_migrate.interpreter.calls import Calls
from tf_migrate.interpreter.core import opaque_of
from tf_migrate.interpreter.values import (
    ABSENT,
    ANY_NAME,
    DATA,
    NONE,
    Arguments,
    Bound,
    Builtin,
    Class,
    Const,
    External,
    Frame,
    Function,
    Generator,
    Instance,
    Items,
    Method,
    Native,
    Node,
    Partial,
    Super,
    Table,
    Thing,
    Union,
    Unknown,
    Value,
    Wrapped,
    items_of,
    join,
    join_all,
    key_of,
    options,
    present,
    same,
)

_TEXT_METHODS = frozenset(name for name in dir(str) if not name.startswith("_"))


class Attributes(Calls):
    """What attributes and items are."""

    def attribute(self, value: Value, name: str, node: ast.AST) -> Value:
        """An attribute of a value; ABSENT where it certainly has none."""
        if isinstance(value, Union):
            parts = [self.attribute(option, name, node) for option in value.options if option is not ABSENT]
            found = [part for part in parts if part is not ABSENT]
            return functools.reduce(join, found) if found else ABSENT
        if isinstance(value, Instance):
            return self._of_instance(value, name, node)
        if isinstance(value, Class):
            return self._of_class(value, name, node)
        if isinstance(value, Super):
            found_, _ = self.lookup(
                value.receiver.cls if isinstance(value.receiver, Instance) else value.owner, name, value.owner
            )
            if name == "__new__":
                return Native(name, self._new) if found_ is ABSENT else found_
            return self.bound(found_, value.receiver, node) if found_ is not ABSENT else Native(name, lambda *_: NONE)
        if isinstance(value, Frame):
            return self._of_module(value, name)
        if isinstance(value, External):
            return self.external_attribute(value.origin, name)
        if isinstance(value, Items):
            return self._of_items(value, name, node)
        if isinstance(value, Table):
            return self._of_table(value, name)
        if isinstance(value, Node):
            return self.node_attribute(value, name, node)
        if isinstance(value, Thing):
            found_ = self.heap.read(value, name)
            return found_ if found_ is not ABSENT else self.thing_attribute(value, name, node)
        if isinstance(value, Function):
            kept = self.function_attributes.get((value.node, id(value.frame), name))
            if kept is not None:
                self.heap.acts()  # it is no cell, whose reads are known
                return kept
            return Const(value.name) if name in ("__name__", "__qualname__") else DATA
        if isinstance(value, Const):
            return self._of_const(value, name)
        if isinstance(value, Wrapped) and value.kind == "property" and name in ("setter", "deleter", "getter"):
            return Native(name, lambda given, _: _decorated(value, name, given))
        if isinstance(value, Builtin) and (value.name, name) == ("object", "__new__"):
            return Native(name, self._new)
        if isinstance(value, Bound):
            return value.receiver if name == "__self__" else self.attribute(value.function, name, node)
        if isinstance(value, Partial):
            return value.function if name == "func" else DATA
        if isinstance(value, Unknown):
            return Method(value, name) if name in ("eval", "run") else value
        if isinstance(value, Generator) and name in ("next", "__next__"):
            return Native(name, lambda *_: self.any_of(value, node))
        return DATA

    function_attributes: dict[tuple[ast.AST, int, str], Value]

    def any_of(self, value: Value, node: ast.AST) -> Value:
        """One of the items of a value."""
        known, more = self.elements(value, node)
        return join_all(known, more) or DATA

    def external_attribute(self, origin: str, name: str) -> Value:
        """An attribute of a library's symbol."""
        raise NotImplementedError

    def node_attribute(self, value: Node, name: str, node: ast.AST) -> Value:
        """An attribute of a value of the graph."""
        raise NotImplementedError

    def thing_attribute(self, thing: Thing, name: str, node: ast.AST) -> Value:
        """An attribute of a library's object."""
        raise NotImplementedError

    # -- objects and classes --

    def _property(self, found: Wrapped, receiver: Value, node: ast.AST) -> Value:
        """What a property gives."""
        if isinstance(found.function, Function):
            self.recorder.properties[node].add(found.function.node)
        return self.call_function_of(Bound(found.function, receiver), Arguments(), node)

    def _of_instance(self, value: Instance, name: str, node: ast.AST) -> Value:
        found = self.heap.read(value, name)
        of_class, _ = self.lookup(value.cls, name)
        if isinstance(of_class, Wrapped) and of_class.kind == "property":
            return self._property(of_class, value, node)
        if found is not ABSENT:
            return present(found)
        if of_class is not ABSENT:
            return self.bound(of_class, value, node)
        if name == "__class__":
            return value.cls
        if name == "__dict__":
            return Thing("namespace", "vars", node, value)
        fallback, _ = self.lookup(value.cls, "__getattr__")
        if isinstance(fallback, Function):
            return self.call_function(fallback, Arguments((Const(name),)), node, value)
        if value.open or value.cls.outside:
            return self.outside_attribute(value, name, node)
        return ABSENT

    def outside_attribute(self, value: Instance, name: str, node: ast.AST) -> Value:
        """An attribute of an object that none of its classes in the program has."""
        base = value.cls.outside[0] if value.cls.outside else DATA
        if isinstance(base, External) and not base.origin.startswith(("tf.", "tensorflow")):
            return Method(value, name)
        return Unknown(f"`{name}` is not of a class of the program", node)

    def bound(self, found: Value, receiver: Value, node: ast.AST) -> Value:
        """What a class binds, as its object has it."""
        if isinstance(found, Function):
            return Bound(found, receiver)
        if isinstance(found, Wrapped):
            if found.kind == "property":
                return self._property(found, receiver, node)
            if found.kind == "classmethod":
                owner = receiver.cls if isinstance(receiver, Instance) else receiver
                return Bound(found.function, owner)
            if found.kind == "manager":
                return Wrapped("manager", Bound(found.function, receiver))
            return found.function
        if isinstance(found, Instance):
            descriptor, _ = self.lookup(found.cls, "__get__")
            if isinstance(descriptor, Function):
                owner = receiver.cls if isinstance(receiver, Instance) else NONE
                return self.call_function(descriptor, Arguments((receiver, owner)), node, found)
        return found

    def _new(self, given: Arguments, node: ast.AST) -> Value:
        cls = given.positional[0] if given.positional else DATA
        if not isinstance(cls, Class):
            return Unknown("an object of a class that is not known", node)
        return self.created(cls, replace(given, positional=given.positional[1:], places=given.places[1:]))

    def _of_class(self, value: Class, name: str, node: ast.AST) -> Value:
        found, _ = self.lookup(value, name)
        if isinstance(found, Wrapped) and found.kind in ("classmethod", "staticmethod"):
            return self.bound(found, value, node)
        if found is not ABSENT:
            return found
        if name in ("__name__", "__qualname__"):
            return Const(value.name)
        return Unknown(f"`{name}` is not of a class of the program", node) if value.outside else ABSENT

    def _of_module(self, value: Frame, name: str) -> Value:
        found = self.heap.read(value, name)
        if found is not ABSENT:
            return found
        inner = self.load_module(f"{value.module.name}.{name}" if value.module.name else name)
        if inner is not None:
            return inner
        if "*" in value.slots:
            return Unknown(f"`{name}` of a module is not known")
        return present(self.heap.read(value, ANY_NAME))

    def store_attribute(self, value: Value, name: str, new: Value, node: ast.AST) -> None:
        """Sets an attribute."""
        if isinstance(value, Instance):
            of_class, _ = self.lookup(value.cls, name)
            if isinstance(of_class, Wrapped) and of_class.kind == "property":
                if of_class.setter is not None:
                    self.call_function_of(Bound(of_class.setter, value), Arguments((new,)), node)
                return
            special, _ = self.lookup(value.cls, "__setattr__")
            if isinstance(special, Function) and not any(frame.code is special.node for frame in self.stack):
                self.call_function(special, Arguments((Const(name), new)), node, value)
                return
        if isinstance(value, Instance | Class | Frame | Thing):
            self.heap.write(value, name, new)
        elif isinstance(value, Function):
            self.heap.acts()
            self.function_attributes[value.node, id(value.frame), name] = new

    # -- containers --

    def _of_items(self, value: Items, name: str, node: ast.AST) -> Value:
        found = ABSENT if value.cls is None else self.lookup(value.cls, name)[0]
        if found is not ABSENT:
            return self.bound(found, value, node)
        if name in value.fields and value.fields.index(name) < len(items_of(value)):
            return items_of(value)[value.fields.index(name)]
        if name in value.fields:
            return self.any_of(value, self.frame.code)
        method = _ITEMS.get(name)
        return Native(name, lambda given, node: method(self, value, given, node)) if method is not None else DATA

    def _of_table(self, value: Table, name: str) -> Value:
        method = _TABLE.get(name)
        if method is not None:
            return Native(name, lambda given, node: method(self, value, given, node))
        return self.subscript(value, Const(name), self.frame.code) if Const(name) in value.keys.values() else DATA

    def _of_const(self, value: Const, name: str) -> Value:
        if isinstance(value.value, str) and name in _TEXT_METHODS:
            return Native(name, lambda given, node: self._text_method(value.value, name, given, node))
        if value.value is None:
            return ABSENT
        try:
            found = getattr(value.value, name)
        except AttributeError:
            return ABSENT
        return Const(found) if isinstance(found, int | float | str) else DATA

    def _text_method(self, text: str, name: str, given: Arguments, node: ast.AST) -> Value:
        plain: list[Any] = []
        for argument in given.positional:
            if isinstance(argument, Const):
                plain.append(argument.value)
                continue
            known, more = self.elements(argument, node) if isinstance(argument, Items) else ((), DATA)
            if more is not None or not all(isinstance(item, Const) for item in known):
                return self.items("list", (), DATA) if name in ("split", "rsplit", "splitlines") else DATA
            plain.append([item.value for item in known if isinstance(item, Const)])
        named = {key: argument.value for key, argument in given.keywords if isinstance(argument, Const)}
        if len(named) < len(given.keywords) or given.more:
            return DATA
        try:
            found = getattr(text, name)(*plain, **named)
        except Exception:
            return DATA
        if isinstance(found, list | tuple):
            return self.items("list" if isinstance(found, list) else "tuple", [Const(part) for part in found])
        return Const(found)

    def subscript(self, value: Value, key: Value, node: ast.AST) -> Value:
        """An item of a value."""
        if isinstance(value, Union):
            return join_all(self.subscript(option, key, node) for option in value.options) or DATA
        if isinstance(key, Union):
            return join_all(self.subscript(value, option, node) for option in key.options) or DATA
        if isinstance(value, Node):
            return self._part(value, key, node)
        if isinstance(value, Items):
            known = items_of(value)
            self.heap.read(value, "items")
            self.heap.read(value, "rest")
            at = key.value if isinstance(key, Const) and isinstance(key.value, int) else len(known)
            if -len(known) <= at < len(known) and (at >= 0 or "rest" not in value.slots):
                return known[at]
            return self.any_of(value, node)
        if isinstance(value, Table):
            return self._item(value, key, node)
        if isinstance(value, Const) and isinstance(key, Const):
            try:
                return Const(value.value[key.value])
            except Exception:
                return DATA
        if isinstance(value, Instance):
            method = self.attribute(value, "__getitem__", node)
            if method is not ABSENT and not isinstance(method, Unknown):
                return self.call(method, Arguments((key,)), node)
        if (
            isinstance(value, Thing)
            and value.kind == "namespace"
            and value.inner is not None
            and isinstance(key, Const)
        ):
            return self.attribute(value.inner, str(key.value), node)
        return opaque_of([value])

    def _part(self, value: Node, key: Value, node: ast.AST) -> Value:
        known = key_of(key)
        kind = "unknown" if value.kind == "unknown" else "tensor"
        if known is None:
            return self.node(kind, value.symbol, node)
        self.builds(node)
        return value.part(known, kind)

    def _item(self, value: Table, key: Value, node: ast.AST) -> Value:
        known = key_of(key)
        if known is not None and known in value.slots and known in value.keys:
            found = [option for option in options(self.heap.read(value, known)) if option is not ABSENT]
            return found[0] if len(found) == 1 else Union(tuple(found))
        if value.factory is not None and "rest" not in value.slots:
            made = self.call(value.factory, Arguments(), node)
            self.put(value, key, made)
            if known is not None:
                return made
        found_: Value | None = value.slots.get("rest")
        perhaps = (item for other, item in self.pairs(value) if known is None or _may_be(other, key))
        return join_all(perhaps, found_) or DATA

    def elements(self, value: Value, node: ast.AST) -> tuple[tuple[Value, ...], Value | None]:
        """What going through a value gives: the items known, and what others are (None where there are none)."""
        if isinstance(value, Items):
            return items_of(value), value.slots.get("rest")
        if isinstance(value, Table):
            return tuple(key for key, _ in self.pairs(value)), DATA if "rest" in value.slots else None
        if isinstance(value, Generator):
            found = value.run()
            return (tuple(found), None) if found is not None else ((), DATA)
        if isinstance(value, Const) and isinstance(value.value, str) and len(value.value) < 100:
            return tuple(Const(part) for part in value.value), None
        if isinstance(value, Node):
            # Tensors cannot be gone through in a graph: it is a structure of them, and nothing is built.
            element = value.like("unknown" if value.kind == "unknown" else "tensor")
            element.whole, element.turn = value.whole or value, self.heap.turn
            return (), element
        if isinstance(value, Instance):
            return self._elements_of(value, node)
        if isinstance(value, Union):
            more: Value | None = None
            for option in value.options:
                known, rest = self.elements(option, node)
                for part in (*known, *([] if rest is None else [rest])):
                    more = part if more is None else join(more, part)
            return (), DATA if more is None else more
        return (), opaque_of([value])

    def _elements_of(self, value: Instance, node: ast.AST) -> tuple[tuple[Value, ...], Value | None]:
        method = self.attribute(value, "__iter__", node)
        if isinstance(method, Bound):
            found = self.call(method, Arguments(), node)
            if found is not value and not isinstance(found, Instance):
                return self.elements(found, node)
        step = self.attribute(value, "__next__", node)
        if step is ABSENT or isinstance(step, Unknown):
            step = self.attribute(value, "next", node)
        if isinstance(step, Bound):
            return (), self.call(step, Arguments(), node)
        getter = self.attribute(value, "__getitem__", node)
        if isinstance(getter, Bound):
            return (), self.call(getter, Arguments((DATA,)), node)
        return (), DATA


ItemsMethod = Callable[[Attributes, Items, Arguments, ast.AST], Value]
TableMethod = Callable[[Attributes, Table, Arguments, ast.AST], Value]


def _append(machine: Attributes, cell: Items, given: Arguments, node: ast.AST) -> Value:
    machine.extend(cell, given.positional, None)
    return NONE


def _extend(machine: Attributes, cell: Items, given: Arguments, node: ast.AST) -> Value:
    known, more = machine.elements(given.positional[0] if given.positional else DATA, node)
    machine.extend(cell, known, more)
    return NONE


def _insert(machine: Attributes, cell: Items, given: Arguments, node: ast.AST) -> Value:
    at, value = (*given.positional, DATA, DATA)[:2]
    known = list(items_of(cell))
    if isinstance(at, Const) and isinstance(at.value, int) and "rest" not in cell.slots:
        known.insert(at.value, value)
        machine.new_list(cell, known)
    else:
        _loosen(machine, cell, value)
    return NONE


def _loosen(machine: Attributes, cell: Items, *values: Value) -> None:
    """Nobody knows the order, or the number, of the items any more."""
    rest = join_all((*items_of(cell), *values), cell.slots.get("rest")) or DATA
    machine.new_list(cell, ())
    machine.heap.write(cell, "rest", rest)


def _pop(machine: Attributes, cell: Items, given: Arguments, node: ast.AST) -> Value:
    known = list(items_of(cell))
    key = given.positional[0] if given.positional else Const(-1)
    at = key.value if isinstance(key, Const) and isinstance(key.value, int) else len(known)
    if -len(known) <= at < len(known) and "rest" not in cell.slots:
        value = known.pop(at)
        machine.new_list(cell, known)
        return value
    _loosen(machine, cell)
    return cell.slots["rest"]


def _shuffled(machine: Attributes, cell: Items, given: Arguments, node: ast.AST) -> Value:
    if len(items_of(cell)) > 1 or "rest" in cell.slots:
        _loosen(machine, cell)
    return NONE


def _reversed(machine: Attributes, cell: Items, given: Arguments, node: ast.AST) -> Value:
    if "rest" not in cell.slots:
        machine.new_list(cell, items_of(cell)[::-1])
    return NONE


def _clear(machine: Attributes, cell: Items, given: Arguments, node: ast.AST) -> Value:
    machine.new_list(cell, ())
    machine.heap.write(cell, "rest", ABSENT)
    return NONE


def _copied(machine: Attributes, cell: Items, given: Arguments, node: ast.AST) -> Value:
    return machine.items(cell.kind, items_of(cell), cell.slots.get("rest"))


def _as_dict(machine: Attributes, cell: Items, given: Arguments, node: ast.AST) -> Value:
    return machine.table([(Const(name), value) for name, value in zip(cell.fields, items_of(cell), strict=False)])


def _replace(machine: Attributes, cell: Items, given: Arguments, node: ast.AST) -> Value:
    changed = dict(given.keywords)
    made = Items("tuple", cell.fields, cell.cls)
    values = [changed.get(name, value) for name, value in zip(cell.fields, items_of(cell), strict=False)]
    machine.new_list(made, values)
    return made


def _removed(machine: Attributes, cell: Items, given: Arguments, node: ast.AST) -> Value:
    """Nobody knows which items are left."""
    _loosen(machine, cell)
    return NONE


_ITEMS: dict[str, ItemsMethod] = {
    "append": _append,
    "put": _append,
    "put_nowait": _append,
    "get": lambda machine, cell, given, node: machine.any_of(cell, node),
    "get_nowait": lambda machine, cell, given, node: machine.any_of(cell, node),
    "add": _append,
    "extend": _extend,
    "update": _extend,
    "insert": _insert,
    "appendleft": lambda machine, cell, given, node: _insert(
        machine, cell, Arguments((Const(0), *given.positional)), node
    ),
    "pop": _pop,
    "popleft": lambda machine, cell, given, node: _pop(machine, cell, Arguments((Const(0),)), node),
    "remove": _removed,
    "discard": _removed,
    "difference_update": _removed,
    "intersection_update": _removed,
    "symmetric_difference_update": _removed,
    "rotate": _shuffled,
    "extendleft": lambda machine, cell, given, node: (
        _extend(machine, cell, given, node),
        _removed(machine, cell, given, node),
    )[1],
    "sort": _shuffled,
    "reverse": _reversed,
    "clear": _clear,
    "copy": _copied,
    "_asdict": _as_dict,
    "_replace": _replace,
}


def _may_be(key: Value, asked: Value) -> bool:
    """Whether a key that is one of several values may be the one that is asked for."""
    several = isinstance(key, Union) or isinstance(asked, Union)
    return several and any(same(one, other) for one in options(key) for other in options(asked))


def _decorated(value: Wrapped, name: str, given: Arguments) -> Wrapped:
    """A property with another function to get or to set it; those that delete it are not executed."""
    (function,) = given.positional
    if name == "getter":
        return replace(value, function=function)
    return replace(value, setter=function) if name == "setter" else value


def _get(machine: Attributes, cell: Table, given: Arguments, node: ast.AST) -> Value:
    key, default = (*given.positional, NONE, NONE)[:2]
    known = key_of(key)
    if known is not None and known in cell.keys and known in cell.slots:
        found = machine.heap.read(cell, known)
        return join(found, default) if any(option is ABSENT for option in options(found)) else found
    if known is not None and "rest" not in cell.slots:
        return default
    return join(machine.subscript(cell, key, node), default)


def _values(machine: Attributes, cell: Table, given: Arguments, node: ast.AST) -> Value:
    return machine.items("list", [value for _, value in machine.pairs(cell)], cell.slots.get("rest"))


def _keys(machine: Attributes, cell: Table, given: Arguments, node: ast.AST) -> Value:
    return machine.items("list", [key for key, _ in machine.pairs(cell)], DATA if "rest" in cell.slots else None)


def _pairs(machine: Attributes, cell: Table, given: Arguments, node: ast.AST) -> Value:
    rest = machine.items("tuple", (DATA, cell.slots["rest"])) if "rest" in cell.slots else None
    return machine.items("list", [machine.items("tuple", pair) for pair in machine.pairs(cell)], rest)


def _update(machine: Attributes, cell: Table, given: Arguments, node: ast.AST) -> Value:
    for other in given.positional:
        machine.update(cell, other)
    for name, value in given.keywords:
        machine.put(cell, Const(name), value)
    return NONE


def _setdefault(machine: Attributes, cell: Table, given: Arguments, node: ast.AST) -> Value:
    key, default = (*given.positional, NONE, NONE)[:2]
    known = key_of(key)
    found = cell.slots[known] if known is not None and known in cell.keys and known in cell.slots else ABSENT
    if ABSENT in options(found):
        found = default if found is ABSENT else join(present(found), default)
        machine.put(cell, key, found)
    return found


def _remove(machine: Attributes, cell: Table, given: Arguments, node: ast.AST) -> Value:
    key = given.positional[0] if given.positional else DATA
    value = _get(machine, cell, given, node)
    known = key_of(key)
    if known is not None and known in cell.keys:
        machine.heap.write(cell, known, ABSENT)
    elif known is None:
        for other in [other for other in cell.slots if other in cell.keys]:
            machine.heap.write(cell, other, join(cell.slots[other], ABSENT))
    return value


def _copied_table(machine: Attributes, cell: Table, given: Arguments, node: ast.AST) -> Value:
    return machine.table(machine.pairs(cell), cell.slots.get("rest"))


def _cleared(machine: Attributes, cell: Table, given: Arguments, node: ast.AST) -> Value:
    for key in [key for key in cell.slots if key in cell.keys or key == "rest"]:
        machine.heap.write(cell, key, ABSENT)
    return NONE


def _some_pair(machine: Attributes, cell: Table, given: Arguments, node: ast.AST) -> Value:
    """One of the items goes, nobody knows which."""
    pairs = machine.pairs(cell)
    for key in [key for key in cell.slots if key in cell.keys]:
        machine.heap.write(cell, key, join(cell.slots[key], ABSENT))
    found = Unknown("an item that is not known", node) if pairs else DATA
    return machine.items("tuple", (found, found))


_TABLE: dict[str, TableMethod] = {
    "get": _get,
    "keys": _keys,
    "values": _values,
    "items": _pairs,
    "iterkeys": _keys,
    "itervalues": _values,
    "iteritems": _pairs,
    "update": _update,
    "setdefault": _setdefault,
    "pop": _remove,
    "copy": _copied_table,
    "clear": _cleared,
    "popitem": _some_pair,
}
