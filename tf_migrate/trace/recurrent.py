"""Recurrent cells and what goes through them: their scopes and variables."""

from __future__ import annotations

import ast
from typing import NamedTuple

from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.interpreter.values import ABSENT, NONE, Arguments, Const, Items, Node, Thing, Value, items_of
from tf_migrate.names.exports import Index
from tf_migrate.semantics.collection_keys import GLOBAL, TRAINABLE
from tf_migrate.semantics.effects import Effect
from tf_migrate.trace.control import Control
from tf_migrate.trace.inputs import Shape
from tf_migrate.trace.scopes import Place, text_of


class Cell(NamedTuple):
    """The name of a cell's scope, and its variables with the number of units that each gives for one."""

    base: str
    kernels: tuple[tuple[str, int], ...]


_CELLS = {
    "BasicRNNCell": Cell("basic_rnn_cell", (("", 1),)),
    "RNNCell": Cell("rnn_cell", ()),
    "BasicLSTMCell": Cell("basic_lstm_cell", (("", 4),)),
    "LSTMCell": Cell("lstm_cell", (("", 4),)),
    "GRUCell": Cell("gru_cell", (("gates/", 2), ("candidate/", 1))),
}
_WRAPPERS = frozenset({"DropoutWrapper", "ResidualWrapper", "DeviceWrapper"})
_PLAIN = ("use_peepholes", "num_proj")


class Recurrent(Control):
    """Calls cells."""

    def __init__(self, index: Index, recorder: Recorder, compat_module: str) -> None:
        super().__init__(index, recorder, compat_module)
        self._sources_of_cells: dict[int, list[Node]] = {}

    def _effect_object(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        made = super()._effect_object(origin, row, arguments, node)
        if row.detail in ("queue", "table", "reader"):
            self.lose()
        if row.detail in ("cell", "regularizer", "average"):
            self.arguments_of[id(made)] = (origin, arguments)
            self._held.append(made)
            if origin.endswith("DropoutWrapper"):
                self.unique("DropoutWrapperInit")
        return made

    def _effect_tensor(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        if origin in ("tf.nn.dynamic_rnn", "tf.nn.static_rnn") and not arguments.more:
            return self._unrolled(origin, arguments, node)
        return super()._effect_tensor(origin, row, arguments, node)

    def _unrolled(self, origin: str, arguments: Arguments, node: ast.AST) -> Value:
        inputs = self.argument(origin, arguments, "inputs")
        state = self.argument(origin, arguments, "initial_state")
        asked, _ = self.name_given(origin, arguments, "rnn", "scope")
        given = self.argument(origin, arguments, "scope")
        scope = self.scope_behind(given) or asked
        _, leave = self.enter_variables(scope, None, None)
        try:
            variables = self._through(arguments.get(0, "cell"), inputs, node)
            main = self.place.ops
        finally:
            leave()
        outputs = self._outputs(origin, arguments, node, main)
        last = self.op("tensor", origin, node)
        self._parts[last] = ()
        known = [each for each in (inputs, state) if each is not None]
        for each in (*items_of(outputs), last) if isinstance(outputs, Items) else (outputs, last):
            self.rests_on(each, *known, *variables) if variables is not None else self.rests_on_all(each, None)
        return self.items("tuple", [outputs, last])

    def _outputs(self, origin: str, arguments: Arguments, node: ast.AST, main: str | None) -> Value:
        if origin == "tf.nn.dynamic_rnn":
            made = self.op("tensor", origin, node)
            major = self.argument(origin, arguments, "time_major")
            turned = major is None or self.truth(major) is False
            last = "transpose_1" if turned else "TensorArrayStack/TensorArrayGatherV3"
            known = main is not None and (turned or self.truth(major or NONE) is True)
            return self.named(made, f"{main}/{last}" if known else None)
        inputs = self.argument(origin, arguments, "inputs")
        known_inputs, more = self.elements(inputs, node) if inputs is not None else ((), None)
        values = [self.op("tensor", origin, node) for _ in known_inputs]
        return self.items("list", values, None if more is None else self.op("tensor", origin, node))

    def _through(self, cell: Value | None, inputs: Value | None, node: ast.AST) -> list[Node] | None:
        """The variables of a cell, which is called in the variable scope; None where they are not known."""
        if not isinstance(cell, Thing) or id(cell) not in self.arguments_of:
            self._unknown_cell(node)
            return None
        origin, arguments = self.arguments_of[id(cell)]
        last = origin.rpartition(".")[2]
        kept = self.heap.read(cell, "variables")
        if isinstance(kept, Items):
            return [each for each in items_of(kept) if isinstance(each, Node)]
        if last in _WRAPPERS:
            return self._through(arguments.get(0, "cell"), inputs, node)
        if last == "MultiRNNCell":
            found = self._stacked(arguments, inputs, node)
        elif last in _CELLS and not any(self._is_given(origin, arguments, name) for name in _PLAIN):
            found = self._built_cell(origin, _CELLS[last], arguments, inputs, node)
        else:
            self._unknown_cell(node)
            return None
        if found is not None:
            self.heap.write(cell, "variables", self.items("list", found))
        return found

    def _unknown_cell(self, node: ast.AST) -> None:
        self.made_variable(node, None, None, None, ())
        self.unknown.append((node, self.frame.module, "the variables of this cell"))
        return

    def _is_given(self, origin: str, arguments: Arguments, name: str) -> bool:
        found = self.argument(origin, arguments, name)
        return found is not None and self.truth(found) is not False

    def _stacked(self, arguments: Arguments, inputs: Value | None, node: ast.AST) -> list[Node] | None:
        cells = arguments.get(0, "cells")
        known, more = self.elements(cells, node) if cells is not None else ((), None)
        if more is not None:
            self._unknown_cell(node)
            return None
        found: list[Node] = []
        _, leave = self.enter_variables(None, "multi_rnn_cell", None)
        try:
            for at, cell in enumerate(known):
                _, leave_cell = self.enter_variables(f"cell_{at}", None, None)
                try:
                    inner = self._through(cell, inputs if at == 0 else self._units_of(known[at - 1]), node)
                finally:
                    leave_cell()
                if inner is None:
                    return None
                found += inner
        finally:
            leave()
        return found

    def _units_of(self, cell: Value) -> Value:
        origin, arguments = self.arguments_of.get(id(cell), ("", Arguments()))
        if origin.rpartition(".")[2] in _WRAPPERS:
            return self._units_of(arguments.get(0, "cell") or NONE)
        return arguments.get(0, "num_units") or NONE

    def _built_cell(
        self, origin: str, cell: Cell, arguments: Arguments, inputs: Value | None, node: ast.AST
    ) -> list[Node]:
        asked = text_of(self.argument(origin, arguments, "name"))
        units = arguments.get(0, "num_units")
        size = units.value if isinstance(units, Const) and isinstance(units.value, int) else None
        width = self._width(inputs)
        found = []
        _, leave = self.enter_variables(asked, cell.base, None)
        try:
            for prefix, times in cell.kernels:
                kernel: Shape = None if size is None or width is None else (width + size, times * size)
                bias: Shape = None if size is None else (times * size,)
                for name, shape in (("kernel", kernel), ("bias", bias)):
                    found.append(self.shared_variable(prefix + name, shape, True, (GLOBAL, TRAINABLE), node))
        finally:
            leave()
        return found

    def _width(self, inputs: Value | None) -> int | None:
        if isinstance(inputs, Const) and isinstance(inputs.value, int):
            return inputs.value  # the units of the cell below
        first = items_of(inputs)[0] if isinstance(inputs, Items) and items_of(inputs) else inputs
        known = self.shape_of(first)
        return known[-1] if known else None

    # -- cells that the program calls itself --

    def call_thing(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        """Calls an object of a library."""
        if thing.kind == "regularizer":
            return self._regularized(thing, arguments, node)
        if thing.kind != "cell" or id(thing) not in self.arguments_of:
            return super().call_thing(thing, arguments, node)
        scope = arguments.get(2, "scope")
        if scope is not None and scope is not NONE:
            self.lose()
            return super().call_thing(thing, arguments, node)
        leave = self._push(Place(None, self.place.variables))
        try:
            variables = self._through(thing, arguments.get(0, "inputs"), node)
        finally:
            leave()
        if self.heap.read(thing, "called") is ABSENT:
            self._named_scope(thing)
        self.heap.write(thing, "called", Const(True))
        made = self.op("tensor", thing.origin, node)
        self._parts[made] = ()
        self.rests_on(made, *arguments.all(), *(variables or ()))
        if variables is None:
            self.rests_on_all(made, None)
        return made

    def _named_scope(self, thing: Thing) -> None:
        """The name scope that a cell enters when it is first called."""
        origin, arguments = self.arguments_of[id(thing)]
        last = origin.rpartition(".")[2]
        if last in _CELLS:
            self.unique(text_of(self.argument(origin, arguments, "name")) or _CELLS[last].base)
        elif last == "MultiRNNCell":
            self.unique("multi_rnn_cell")
        else:
            self.lose()

    def _regularized(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        base = thing.origin.rpartition(".")[2]
        made = self.op("tensor", thing.origin, node)
        self.rests_on(made, *arguments.all())
        if base not in ("l1_regularizer", "l2_regularizer"):
            self.lose()
            return made
        origin, given = self.arguments_of.get(id(thing), (thing.origin, Arguments(more=True)))
        asked, explicit = self.name_given(origin, given, base, "scope")
        self.has_shape(made, ())
        return self.named(made, self.unique(asked, explicit))

    def _call_thing(self, owner: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        if owner.kind == "cell" and name == "zero_state":
            last = owner.origin.rpartition(".")[2]
            main = self.unique(f"{last}ZeroState")
            made = self.op("tensor", f"{owner.origin}.zero_state", node)
            self.rests_on_all(made, frozenset())
            if last in ("GRUCell", "BasicRNNCell"):
                return self.named(made, None if main is None else f"{main}/zeros")
            self._parts[made] = ()
            return made
        return super()._call_thing(owner, name, arguments, node)
