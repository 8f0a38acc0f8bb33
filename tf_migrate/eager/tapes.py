"""Gradient tapes of a module: where each one is open, and what is asked of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tf_migrate.eager.flow import Flow, place
from tf_migrate.names.canonical import Names
from tf_migrate.syntax.module import Module

_GRADIENTS = ("gradient", "jacobian", "batch_jacobian")


@dataclass(frozen=True)
class Tape:
    """A ``with tf.GradientTape() as name`` block, the calls that ask it for gradients, and those that make it watch.

    ``escapes`` says that the tape itself goes elsewhere, where more may be asked of it.
    """

    block: ast.With
    creation: ast.Call
    name: str
    gradients: tuple[ast.Call, ...]
    watched: tuple[ast.expr, ...]
    escapes: bool

    @property
    def persistent(self) -> bool:
        """Whether it may be asked twice; true where that cannot be told."""
        given = [word.value for word in self.creation.keywords if word.arg in ("persistent", None)]
        given += self.creation.args[:1]
        return bool(given) and not (isinstance(given[0], ast.Constant) and given[0].value is False)


class Tapes:
    """Finds the tapes of one module."""

    def __init__(self, module: Module, names: Names, flow: Flow) -> None:
        self.module = module
        self.names = names
        self.flow = flow

    @cached_property
    def all(self) -> tuple[Tape, ...]:
        """Every tape that a ``with`` statement opens under a name of its own."""
        uses = (use for use in self.names.uses if use.symbol == "tf.GradientTape" and use.call is not None)
        return tuple(tape for use in uses if use.call is not None for tape in self._opened(use.call))

    def target(self, call: ast.Call) -> ast.expr | None:
        """What a call differentiates."""
        return argument(call, 0, "target")

    def sources(self, call: ast.Call) -> ast.expr | None:
        """What a call differentiates by."""
        return argument(call, 1, "source" if _asked(call) == "batch_jacobian" else "sources")

    def _opened(self, creation: ast.Call) -> Iterator[Tape]:
        item = self.module.parents[creation]
        block = self.module.parents[item]
        if not isinstance(item, ast.withitem) or not isinstance(block, ast.With):
            return
        if not isinstance(item.optional_vars, ast.Name):
            return
        name = item.optional_vars
        stores = self.flow.stores(name)
        end = next((place(store) for store in stores if place(store) > place(name)), (1 << 30, 0))
        scope = self.module.scopes[name]
        loads = [
            load
            for load in self.module.loads.get(name.id, ())
            if place(name) < place(load) < end
            and self.module.scopes[load] in (scope, *_inner(self.module, load, scope))
        ]
        parents = [self.module.parents[load] for load in loads]
        calls = [self._call(parent) for parent in parents]
        asked = tuple(call for call in calls if call is not None and _asked(call) in _GRADIENTS)
        watched = tuple(arg for call in calls if call is not None and _asked(call) == "watch" for arg in call.args)
        escapes = any(call is None and not _deleted(parent) for call, parent in zip(calls, parents, strict=True))
        yield Tape(block, creation, name.id, asked, watched, escapes)

    def _call(self, parent: ast.AST) -> ast.Call | None:
        call = self.module.parents[parent] if isinstance(parent, ast.Attribute) else None
        return call if isinstance(call, ast.Call) and call.func is parent else None


def argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    """An argument of a call by position or name; None where it is not given or cannot be told."""
    if any(isinstance(value, ast.Starred) for value in call.args[: position + 1]):
        return None
    if len(call.args) > position:
        return call.args[position]
    return next((word.value for word in call.keywords if word.arg == name), None)


def _asked(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _deleted(parent: ast.AST) -> bool:
    return isinstance(parent, ast.Delete)


def _inner(module: Module, load: ast.Name, scope: object) -> list[object]:
    """The load's own scope where it only lies in a comprehension of the tape's scope."""
    own = module.scopes[load]
    comprehension = isinstance(own.node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
    return [own] if comprehension and own.parent is scope else []
