"""Datasets and iterators: the names that they take, and the op that gives their elements."""

from __future__ import annotations

import ast

from tf_migrate.interpreter.values import NONE, Arguments, Node, Thing, Value
from tf_migrate.semantics.effects import Effect
from tf_migrate.trace.contrib_layers import ContribLayers
from tf_migrate.trace.scopes import text_of

_TAKEN = [
    "normalize_element",
    "count",
    "buffer_size",
    "seed",
    "seed2",
    "batch_size",
    "drop_remainder",
    "optimizations",
    "start",
    "stop",
    "step",
    "size",
    "shift",
    "stride",
    "tensors",
    "components_0",
    "filenames",
    "compression_type",
    "num_parallel_calls",
    "cycle_length",
    "block_length",
    "Const",
]
"""What datasets may take in the name scope: arguments that become constants."""


class Datasets(ContribLayers):
    """Makes datasets and iterators."""

    def _effect_dataset(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self._takes()
        return super()._effect_dataset(origin, row, arguments, node)

    def _takes(self) -> None:
        for name in _TAKEN:
            self.forget(name)

    def _call_thing(self, owner: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        if owner.kind == "dataset":
            self._takes()
        if owner.kind == "iterator" and name == "get_next":
            asked = arguments.get(0, "name")
            base = "IteratorGetNext" if asked is None or asked is NONE else text_of(asked)
            made = self.op("tensor", "get_next", node)
            self.rests_on_all(made, frozenset())
            return self.named(made, self.unique(base, explicit=base != "IteratorGetNext"))
        return super()._call_thing(owner, name, arguments, node)

    def _kept(self, thing: Thing, name: str, kind: str, node: ast.AST) -> Value:
        return self._without_building(lambda: super(Datasets, self)._kept(thing, name, kind, node))

    def unpacked(self, value: Value, count: int, node: ast.AST) -> tuple[Value, ...] | None:
        """A value as so many parts; None where that is not known."""
        found = super().unpacked(value, count, node)
        if isinstance(value, Node) and value.symbol == "get_next" and found is not None:
            for part in found:
                self.named(part, self.names.get(value))
        return found
