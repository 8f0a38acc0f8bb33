"""Flags and arguments of a program that is called without any: they have their defaults."""

from __future__ import annotations

import ast

from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.interpreter.values import (
    ABSENT,
    DATA,
    NONE,
    Arguments,
    Builtin,
    Cell,
    Const,
    Table,
    Thing,
    Value,
)
from tf_migrate.names.exports import Index
from tf_migrate.semantics.effects import Effect
from tf_migrate.trace.execution import Machine

_PARSER = "argparse.ArgumentParser"
_OPTIONS = "argparse.Namespace"
_SWITCHES = {"store_true": False, "store_false": True}
_TYPES = {"int": int, "float": float, "str": str}


class Settings(Machine):
    """Gives flags and arguments their defaults."""

    def __init__(self, index: Index, recorder: Recorder, compat_module: str) -> None:
        super().__init__(index, recorder, compat_module)
        self._flags, self._options = Cell(), Cell()
        self._parsers, self._all_known = 0, True

    def _effect_flags(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        last = origin.rpartition(".")[2]
        name, default = arguments.get(0, "name"), arguments.get(1, "default")
        if last.startswith("DEFINE_") and isinstance(name, Const):
            self.heap.write(self._flags, name.value, DATA if default is None else default)
        return super()._effect_flags(origin, row, arguments, node)

    def thing_attribute(self, thing: Thing, name: str, node: ast.AST) -> Value:
        """An attribute of a library's object."""
        if name == "__dict__" and thing.kind == "data" and thing.origin == _OPTIONS:
            return Thing("namespace", "vars", node, thing)
        cell = {"flags": self._flags, _OPTIONS: self._options}.get(thing.origin)
        found = ABSENT if cell is None or thing.kind != "data" else self.heap.read(cell, name)
        return super().thing_attribute(thing, name, node) if found is ABSENT else found

    def update(self, cell: Table, other: Value) -> None:
        """Puts the items of another dictionary into one: of the options, all those that are known."""
        options = other.inner if isinstance(other, Thing) and other.kind == "namespace" else None
        if not isinstance(options, Thing) or options.origin != _OPTIONS:
            super().update(cell, other)
            return
        for name in [*self._options.slots]:
            self.put(cell, Const(name), self.thing_attribute(options, str(name), self.frame.code))
        if not self._all_known:
            super().update(cell, DATA)

    def call_library(self, arguments: Arguments, node: ast.AST, symbol: str) -> Value:
        """Calls code of a library."""
        if symbol == _PARSER:
            self._parsers += 1
        if not symbol.startswith(_PARSER):
            return super().call_library(arguments, node, symbol)
        self.heap.acts()
        last = symbol.rpartition(".")[2]
        if last == "add_argument":
            self._add(arguments)
        elif last in ("add_subparsers", "set_defaults"):
            self._all_known = False
        elif last in ("parse_args", "parse_known_args") and self._parsers == 1 and not arguments.positional:
            found = Thing("data", _OPTIONS, node)
            return found if last == "parse_args" else self.items("tuple", [found, self.items("list", ())])
        return super().call_library(arguments, node, symbol)

    def _add(self, arguments: Arguments) -> None:
        texts = [each.value for each in arguments.positional if isinstance(each, Const)]
        named = dict(arguments.keywords)
        dest = named.get("dest")
        options = [text for text in texts if isinstance(text, str) and text.startswith("-")]
        long = next((text for text in options if text.startswith("--")), options[0] if options else None)
        if isinstance(dest, Const):
            name = str(dest.value)
        elif long is not None:
            name = long.lstrip("-").replace("-", "_")
        else:
            self._all_known = False  # what has to be given is not known
            return
        self.heap.write(self._options, name, self._default(named))

    def _default(self, named: dict[str, Value]) -> Value:
        action, default, kind = (named.get(name) for name in ("action", "default", "type"))
        if isinstance(action, Const) and action.value in _SWITCHES and default is None:
            return Const(_SWITCHES[action.value])
        if default is None:
            return DATA if named.get("required") is not None else NONE
        if isinstance(default, Const) and isinstance(default.value, str) and isinstance(kind, Builtin):
            convert = _TYPES.get(kind.name)
            try:
                return DATA if convert is None else Const(convert(default.value))
            except ValueError:
                return DATA
        plain = kind is None or isinstance(kind, Builtin) or not isinstance(default, Const)
        return default if plain or not isinstance(default, Const) or not isinstance(default.value, str) else DATA
