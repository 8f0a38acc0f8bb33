"""Conditions and loops of the graph: the program's functions that they call, and what they give."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeVar

from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.interpreter.values import Arguments, Items, Node, Value, items_of
from tf_migrate.names.exports import Index
from tf_migrate.semantics.effects import Effect
from tf_migrate.trace.contexts import Contexts
from tf_migrate.trace.inputs import Sources
from tf_migrate.trace.scopes import Place

T = TypeVar("T")
_STACKED = "{}/TensorArrayStack/TensorArrayGatherV3"
_BASES = {"cond": "cond", "while_loop": "while", "map_fn": "map", "scan": "scan", "foldl": "foldl", "foldr": "foldr"}
_FUNCTIONS = ("true_fn", "false_fn", "fn1", "fn2", "cond", "body", "fn")


class Control(Contexts):
    """Calls what conditions and loops are given."""

    def __init__(self, index: Index, recorder: Recorder, compat_module: str) -> None:
        super().__init__(index, recorder, compat_module)
        self._loops: list[Sources] = []
        """For loops around: what their variables rest on."""

    def _effect_control(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        last = origin.rpartition(".")[2]
        base = _BASES.get(last)
        if base is None or arguments.more:
            self.lose()
            return self._called_apart(lambda: super(Control, self)._effect_control(origin, row, arguments, node))
        asked, explicit = self.name_given(origin, arguments, base)
        main = self.unique(asked, explicit)
        functions = [each for name in _FUNCTIONS if (each := self.argument(origin, arguments, name)) is not None]
        state = self.argument(origin, arguments, "loop_vars") or self.argument(origin, arguments, "elems")
        start = self.argument(origin, arguments, "initializer")
        self._loops.append(self._together([each for each in (state, start) if each is not None], 4))
        try:
            results = self._called_apart(lambda: [self.call_given(each, node) for each in functions])
        finally:
            self._loops.pop()
        made = self.op("tensor", origin, node)
        kept = results if last == "cond" else [*results[-1:], *([] if state is None else [state])]
        self.rests_on(made, *kept)
        shape = results[0] if last == "cond" and results else state
        count = len(items_of(shape)) if isinstance(shape, Items) and "rest" not in shape.slots else 0
        self._name_results(made, last, main, count, shape)
        return made

    def _name_results(self, made: Node, last: str, main: str | None, count: int, shape: Value | None) -> None:
        name = {"cond": "{}/Merge", "while_loop": "{}/Exit"}.get(last)
        one = isinstance(shape, Node) or (last == "while_loop" and count == 1)
        if main is None or not (one or count):
            if count:
                self._parts[made] = ()
            return
        if last in ("map_fn", "scan") and one:
            self.named(made, _STACKED.format(main))
        elif name is not None and one:
            self.named(made, name.format(main))
        elif name is not None:
            self._parts[made] = _numbered(name.format(main), count)

    def _called_apart(self, work: Callable[[], T]) -> T:
        """Calls functions in a scope of their own, whose names nobody asks for."""
        leave = self._push(Place(None, self.place.variables))
        try:
            return work()
        finally:
            leave()

    def node(self, kind: str, symbol: str, place: ast.AST) -> Node:
        """A new value of the graph; what a function is given was there before."""
        if symbol != "argument":
            return super().node(kind, symbol, place)
        made = self._without_building(lambda: self.op(kind, symbol, place))
        self.rests_on_all(made, self._loops[-1] if self._loops else None)
        return made


def _numbered(name: str, count: int) -> tuple[str, ...]:
    return tuple(f"{name}_{at}" if at else name for at in range(count))
