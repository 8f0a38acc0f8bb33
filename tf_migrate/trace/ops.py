"""What lines make of a graph, whether for certain, and the names that ops take."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from tf_migrate.interpreter.core import RAISE
from tf_migrate.interpreter.heap import Log
from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.interpreter.values import (
    DATA,
    NONE,
    Arguments,
    Bound,
    Const,
    External,
    Function,
    Instance,
    Items,
    Node,
    Partial,
    Thing,
    Union,
    Unknown,
    Value,
    items_of,
    options,
)
from tf_migrate.names.exports import Index
from tf_migrate.semantics.effects import Effect
from tf_migrate.semantics.op_names import OpNames, op_names
from tf_migrate.syntax.module import Module
from tf_migrate.trace.layers import Layers
from tf_migrate.trace.scopes import Place, text_of
from tf_migrate.trace.variables import nodes_of
from tf_migrate.trace.ways import Way

T = TypeVar("T")
_REDUCTIONS = frozenset({"sum", "mean", "max", "min", "prod", "all", "any"})
_CASTS = frozenset({"cast", "to_float", "to_double", "to_int32", "to_int64"})
_OPERATORS = frozenset({"operator.unary", "operator.compare"})
_GIVES_ONE = frozenset({"tf.Variable", "tf.placeholder", "tf.placeholder_with_default", "tf.layers.dense"})


@dataclass(frozen=True, eq=False)
class Built:
    """One time that a line made something of a graph."""

    node: ast.AST
    module: Module
    ways: tuple[Way, ...]
    guessed: bool


class Ops(Layers):
    """Keeps what lines build, and names it."""

    def __init__(self, index: Index, recorder: Recorder, compat_module: str) -> None:
        super().__init__(index, recorder, compat_module)
        self.built: list[Built] = []
        self.unknown: list[tuple[ast.AST, Module, str]] = []
        """Places of which something is not known, and what."""
        self._parts: dict[Node, tuple[str, ...]] = {}
        """For what gives several values: the names of the ops that give them, where they are known."""

    # -- what builds, and whether for certain --

    def builds(self, node: ast.AST) -> None:
        """Something of a graph is made here."""
        super().builds(node)
        self.built.append(Built(node, self.frame.module, self.ways, self.guesses > 0))

    def perhaps_built(self, work: Callable[[], T]) -> T:
        """Does some work of which nobody knows whether it makes something of a graph."""
        return self._going(Way(), work)

    def _without_building(self, work: Callable[[], T]) -> T:
        before = len(self.built)
        try:
            return work()
        finally:
            del self.built[before:]

    def aside(self, work: Callable[[], object]) -> None:
        """Does what the program may never do; nothing that it builds there is built."""
        built, made = len(self.built), len(self.variables)
        super().aside(work)
        del self.built[built:], self.variables[made:]  # the program does not go there

    def apart(self, ways: Sequence[Callable[[], T]]) -> list[tuple[T, Log]]:
        """Attempts several ways; where only one of them goes on, the program goes it for certain."""
        marks = [Way() for _ in ways]
        results = super().apart([partial(self._going, mark, way) for mark, way in zip(marks, ways, strict=True)])
        onward = [mark for mark, (flow, _) in zip(marks, results, strict=True) if flow is not RAISE]
        if len(onward) == 1:
            onward[0].certain = True
        return results

    def _going(self, mark: Way, way: Callable[[], T]) -> T:
        outer, self.ways = self.ways, (*self.ways, mark)
        try:
            return way()
        finally:
            self.ways = outer

    def perhaps(self, work: Callable[[], str]) -> str:
        """Goes on where some ways have left."""
        return super().perhaps(partial(self._going, Way(), work))

    def _turns(self, turn: Callable[[], str], at_least_once: bool) -> str:
        if at_least_once:
            return super()._turns(turn, at_least_once)
        return super()._turns(partial(self._going, Way(), turn), at_least_once)

    def call_functions(self, arguments: Arguments, node: ast.AST) -> None:
        """Calls the program's functions that TensorFlow is given: nobody knows in which scopes it does."""
        given = [inner for value in arguments.all() for option in options(value)
                 for inner in (option, *(items_of(option) if isinstance(option, Items) else ()))]  # fmt: skip
        if any(self._is_callable(each) for each in given):
            # An initializer, say: it is called in a scope of the call's own.
            leave = self._push(Place(None, self.place.variables))
            try:
                super().call_functions(arguments, node)
            finally:
                leave()

    def _is_callable(self, value: Value) -> bool:
        return isinstance(value, Function | Bound | Partial | Instance)

    def _is_a(self, value: Value, wanted: Value) -> bool | None:
        if isinstance(value, Node) and isinstance(wanted, External) and value.kind not in ("unknown", "argument"):
            sparse = value.kind == "placeholder" and value.symbol == "tf.sparse_placeholder"
            if wanted.origin == "tf.SparseTensor" and (sparse or op_names(value.symbol) is not None):
                return sparse
            if wanted.origin == "tf.Variable":
                return value.kind == "variable"
        return super()._is_a(value, wanted)

    # -- ops by the table --

    def _effect_tensor(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        known = op_names("tf.summary.merge" if origin.rpartition(".")[2] == "merge_all" else origin)
        if origin == "tf.where" and self.argument(origin, arguments, "x") is not None:
            known = OpNames("Select", (), ("{}",), False, True)
        if origin == "tf.convert_to_tensor":
            return self._converted(origin, arguments, node)
        if origin == "tf.add_n" and len(nodes_of(arguments.get(0, "inputs"))) == 1:
            return nodes_of(arguments.get(0, "inputs"))[0]  # TensorFlow gives back the one that there is
        if known is not None:
            self.call_functions(arguments, node)
            return self._by_table("tensor", origin, known, arguments, node)
        if origin == "tf.import_graph_def":  # it takes ops over as they are, by no call that makes one
            return self._without_building(lambda: super(Ops, self)._effect_tensor(origin, row, arguments, node))
        if origin in ("tf.unstack", "tf.split", "tf.unpack") and not arguments.more:
            return self._taken_apart(origin, arguments, node)
        before = len(self.built)
        made = super()._effect_tensor(origin, row, arguments, node)
        if isinstance(made, Thing):
            self.built[before:] = [each for each in self.built[before:] if each.node is not node]
        elif isinstance(made, Node) and made not in self.names:
            self.rests_on(made, DATA) if made.time not in self._sources else None
        return made

    def _converted(self, origin: str, arguments: Arguments, node: ast.AST) -> Value:
        """A tensor is given back as it is; of data a constant is made."""
        value = arguments.get(0, "value")
        if isinstance(value, Node):
            return value
        known = OpNames("Const", (), ("{}",), False, False)
        plain = value is not None and not self.holds_graph(value) and not isinstance(value, Unknown | Union)
        if plain:
            return self._by_table("tensor", origin, known, arguments, node)
        return self.perhaps_built(
            lambda: super(Ops, self)._effect_tensor(origin, Effect("tensor", ""), arguments, node)
        )

    def _taken_apart(self, origin: str, arguments: Arguments, node: ast.AST) -> Value:
        """`tf.unstack` and `tf.split`: a list, of one op."""
        last = origin.rpartition(".")[2]
        asked, explicit = self.name_given(origin, arguments, last)
        if last == "split":
            self.unique("Const")
        name = self.unique(asked, explicit)
        value, count = self.argument(origin, arguments, "value"), self._pieces(origin, last, arguments)
        if count is None:
            made = self.op("tensor", origin, node)
            self._parts[made] = ()
            self.rests_on(made, *([] if value is None else [value]))
            return made
        parts = [self.op("tensor", origin, node) for _ in range(count)]
        shape, axis = self.shape_of(value), self._axis(origin, arguments)
        for part in parts:
            self.named(part, name)
            self.rests_on(part, *([] if value is None else [value]))
            if shape and axis is not None and last == "unstack":
                self.has_shape(part, (*shape[:axis], *shape[axis % len(shape) + 1 :]) if axis >= 0 else None)
        return self.items("list", parts)

    def _axis(self, origin: str, arguments: Arguments) -> int | None:
        axis = self.argument(origin, arguments, "axis") or Const(0)
        return axis.value if isinstance(axis, Const) and isinstance(axis.value, int) else None

    def _pieces(self, origin: str, last: str, arguments: Arguments) -> int | None:
        if last == "split":
            given = self.argument(origin, arguments, "num_or_size_splits")
            if isinstance(given, Items) and "rest" not in given.slots:
                return len(items_of(given))
        else:
            given = self.argument(origin, arguments, "num")
            shape, axis = self.shape_of(self.argument(origin, arguments, "value")), self._axis(origin, arguments)
            if given is None and shape and axis is not None and -len(shape) <= axis < len(shape):
                return shape[axis]
        return given.value if isinstance(given, Const) and isinstance(given.value, int) else None

    def _by_table(self, kind: str, origin: str, known: OpNames, arguments: Arguments, node: ast.AST) -> Node:
        """A value whose names the table tells."""
        parameter = "scope" if origin.startswith("tf.losses.") else "name"
        asked, explicit = self.name_given(origin, arguments, known.main, parameter)
        if asked is not None and origin.startswith("tf.summary."):
            asked = _tag(asked)
            if self.argument(origin, arguments, "family") is not None:
                asked = None
        if origin.rpartition(".")[2].removeprefix("reduce_") in _REDUCTIONS:
            self._reduced(origin, arguments)
        for other in known.others:
            self.unique(other)
        main = self.unique(asked, explicit) if asked else self.unique(None)
        last = origin.rpartition(".")[2]
        if last in _CASTS and not self._changes_type(origin, last, arguments):
            same = self._keeps_type(origin, last, arguments)
            first = self.argument(origin, arguments, "x")
            if same and isinstance(first, Node):
                return first
            made = self.perhaps_built(lambda: self.op(kind, origin, node))
        else:
            made = self.op(kind, origin, node)
        given = list(arguments.all())
        self.rests_on_all(made, frozenset()) if not known.gradient else self.rests_on(made, *given)
        results = known.results if self._gives_one(origin, arguments) else ()
        if main is not None and results:
            short = (asked if explicit else None) or ""
            names = tuple(_filled(result, main, short) for result in results)
            if known.many:
                self._parts[made] = names
            else:
                self.named(made, names[0])
        elif known.many:
            self._parts[made] = ()
        self.shaped(origin, made, arguments)
        return made

    def _gives_one(self, origin: str, arguments: Arguments) -> bool:
        """Whether the call is of the kind that was measured."""
        last = origin.rpartition(".")[2]
        if origin.startswith("tf.losses.") and self.argument(origin, arguments, "reduction") is not None:
            return False
        if last == "sparse_softmax_cross_entropy_with_logits":
            logits = self.argument(origin, arguments, "logits")
            return len(self.shape_of(logits) or ()) == 2
        if last in _CASTS:
            return self._changes_type(origin, last, arguments)
        if last == "dropout":
            kept = self.argument(origin, arguments, "keep_prob") or self.argument(origin, arguments, "rate")
            return isinstance(kept, Node) or (isinstance(kept, Const) and kept.value not in (0, 1))
        if last == "embedding_lookup":
            return isinstance(self.argument(origin, arguments, "params"), Node)
        return True

    def _cast(self, origin: str, last: str, arguments: Arguments) -> tuple[str | None, str]:
        """The type before and behind a cast, where they are known."""
        wanted = self.argument(origin, arguments, "dtype")
        target = {"to_float": "float32", "to_double": "float64"}.get(last, last.removeprefix("to_"))
        if last == "cast":
            target = wanted.origin.removeprefix("tf.") if isinstance(wanted, External) else ""
        return self.type_of(self.argument(origin, arguments, "x")), target

    def _changes_type(self, origin: str, last: str, arguments: Arguments) -> bool:
        now, target = self._cast(origin, last, arguments)
        return bool(target) and now is not None and now != target

    def _keeps_type(self, origin: str, last: str, arguments: Arguments) -> bool:
        now, target = self._cast(origin, last, arguments)
        return bool(target) and now == target

    def _reduced(self, origin: str, arguments: Arguments) -> None:
        axes = [self.argument(origin, arguments, name) for name in ("axis", "reduction_indices")]
        if any(axis is not None for axis in axes):
            return
        value = self.argument(origin, arguments, "input_tensor")
        if self.shape_of(value) is not None and isinstance(value, Node):
            self.unique("Const")
            return
        for name in ("Const", "Rank", "range"):
            self.forget(name)

    def operator(self, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
        """An operator of two values."""
        made = super().operator(op, left, right, node)
        return self._operated(made, [left, right], node)

    def unary(self, op: ast.unaryop, value: Value, node: ast.AST) -> Value:
        """An operator of one value of the graph."""
        symbol = {ast.USub: "neg", ast.Invert: "invert"}.get(type(op), "")
        made = self._operated(super().unary(op, value, node), [value], node, f"operator.{symbol}")
        self.has_shape(made, self.shape_of(value))
        self.has_type(made, self.type_of(value))
        return made

    def _compare(self, node: ast.Compare) -> Value:
        made = super()._compare(node)
        if isinstance(made, Node) and made.place is node:
            symbol = {ast.Lt: "lt", ast.LtE: "lte", ast.Gt: "gt", ast.GtE: "gte"}.get(type(node.ops[0]), "")
            self._operated(made, [], node, f"operator.{symbol}")
            self.rests_on_all(made, frozenset())
            self.has_type(made, "bool")
        return made

    def _sliced(self, value: Value, part: ast.Slice, node: ast.AST) -> Value:
        made = super()._sliced(value, part, node)
        return self._operated(made, [value], node, "operator.slice")

    def _operated(self, made: Value, values: Sequence[Value], node: ast.AST, symbol: str = "") -> Value:
        known = op_names(symbol or made.symbol) if isinstance(made, Node) else None
        if not isinstance(made, Node) or made.place is not node or made in self.names:
            return made
        if known is None:
            self.lose()
            return made
        self.named(made, self.unique(known.main))
        self.rests_on(made, *values)
        self.has_shape(made, self.broadcast(values) if len(values) == 2 else None)
        types = {self.type_of(value) for value in values if isinstance(value, Node)}
        if len(types) == 1:
            self.has_type(made, types.pop())
        return made

    def node(self, kind: str, symbol: str, place: ast.AST) -> Node:
        """A new value of the graph; of operators and parts the names are known."""
        if symbol in _OPERATORS or (op_names(symbol) is not None and symbol.startswith("operator.")):
            return self.op(kind, symbol, place)
        self.unknown.append((place, self.frame.module, f"the names that `{symbol}` takes"))
        if kind == "unknown" or symbol.startswith("tensorflow."):
            return self.perhaps_built(lambda: super(Ops, self).node(kind, symbol, place))
        return super().node(kind, symbol, place)

    # -- parts --

    def _part(self, value: Node, key: Value, node: ast.AST) -> Value:
        names = self._parts.get(value)
        one = isinstance(key, Items) or (value in self.names and value.symbol != "get_next")
        one = one or value.symbol in _GIVES_ONE or (op_names(value.symbol) is not None)
        if names is not None or value.kind in ("unknown", "argument") or not one:
            return self._one_of(value, key, node, names or ())
        made = self.op("tensor", "operator.slice", node)
        return self._operated(made, [value], node, "operator.slice")

    def elements(self, value: Value, node: ast.AST) -> tuple[tuple[Value, ...], Value | None]:
        """What going through a value gives: of what gives several values each of them."""
        names = self._parts.get(value) if isinstance(value, Node) else None
        if not names or not isinstance(value, Node):
            return super().elements(value, node)
        return tuple(self._one_of(value, Const(at), node, names) for at in range(len(names))), None

    def _one_of(self, value: Node, key: Value, node: ast.AST, names: Sequence[str]) -> Value:
        at = key.value if isinstance(key, Const) and isinstance(key.value, int) else None
        found = value.part(("part", at), "unknown" if value.kind == "unknown" else "tensor")
        if at is not None and -len(names) <= at < len(names):
            self.named(found, names[at])
        return found

    def node_attribute(self, value: Node, name: str, node: ast.AST) -> Value:
        """An attribute of a value of the graph."""
        known = self.names.get(value)
        if name == "name" and known is not None:
            return Const(known if value.kind in ("operation", "initializer") else f"{known}:0")
        found = super().node_attribute(value, name, node)
        if known is not None and name == "op":
            self.named(found, known)
        elif known is not None and name == "initializer" and value.kind == "variable":
            self.named(found, f"{known}/Assign")
        return found

    # -- placeholders, groups, initializers, assignments --

    def _effect_placeholder(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        default = "Placeholder" if row.detail != "default" else "PlaceholderWithDefault"
        asked, explicit = self.name_given(origin, arguments, default)
        made = self.op("placeholder", origin, node)
        made.default = row.detail == "default"
        if row.detail == "sparse":
            return self._sparse(made, origin, arguments)
        self.named(made, self.unique(asked, explicit))
        self.has_shape(made, self.shape_given(self.argument(origin, arguments, "shape")))
        dtype = self.argument(origin, arguments, "dtype")
        self.has_type(made, dtype.origin.removeprefix("tf.") if isinstance(dtype, External) else None)
        return made

    def _sparse(self, made: Node, origin: str, arguments: Arguments) -> Node:
        """Three placeholders are one: its shape (where that is not given), its values, its indices."""
        asked, explicit = self.name_given(origin, arguments, "")
        if asked is None:
            self.lose(every=True)
            return made
        first = "Placeholder" if self.argument(origin, arguments, "shape") is None else "Const"
        bases = [f"{asked}/{part}" for part in ("shape", "values", "indices")]
        names = [self.unique(base, explicit) for base in (bases if explicit else (first, "Placeholder", "Placeholder"))]
        self.unique("SparseTensor")
        if None not in names:
            self._parts[made] = tuple(name for name in names if name is not None)
        return made

    def _effect_seed(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        return self._without_building(lambda: super(Ops, self)._effect_seed(origin, row, arguments, node))

    def _effect_register(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        return self._without_building(lambda: super(Ops, self)._effect_register(origin, row, arguments, node))

    def _effect_operation(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        known = op_names(origin)
        if known is None:
            return super()._effect_operation(origin, row, arguments, node)
        given = [option for value in arguments.all() for option in options(value)]
        initializes = given and all(isinstance(each, Node) and each.kind == "initializer" for each in given)
        return self._by_table("initializer" if initializes else "operation", origin, known, arguments, node)

    def _effect_initializer(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        last = origin.rpartition(".")[2]
        default = "init_all_tables" if "tables" in last else "init"
        asked, explicit = self.name_given(origin, arguments, default)
        made = self.op("initializer", origin, node)
        return self.named(made, self.unique(asked, explicit))

    def _effect_assignment(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        known = op_names(origin)
        if known is None or not isinstance(made := self._assigned(origin, arguments, node), Node):
            return super()._effect_assignment(origin, row, arguments, node)
        asked, explicit = self.name_given(origin, arguments, known.main)
        return self.named(made, self.unique(asked, explicit))

    def _call_node(self, owner: Node, name: str, arguments: Arguments, node: ast.AST) -> Value:
        default = {"assign": "Assign", "assign_add": "AssignAdd", "assign_sub": "AssignSub"}.get(name)
        if default is None:
            return super()._call_node(owner, name, arguments, node)
        asked = arguments.get(2, "name")
        made = self._assigned(name, Arguments((owner, *arguments.all())), node)
        base = default if asked is None or asked is NONE else text_of(asked)
        return self.named(made, self.unique(base, explicit=base is not default))

    def _assigned(self, origin: str, arguments: Arguments, node: ast.AST) -> Node:
        made = self.op("assignment", origin, node)
        made.at_once = all(
            option.kind == "variable"
            for value in arguments.all() for option in options(value) if isinstance(option, Node)
        )  # fmt: skip
        self.rests_on_all(made, frozenset())
        return made


def _filled(result: str, main: str, asked: str) -> str:
    first, bar, last = result.partition("/@")
    if bar:
        return f"{main}/{asked or last}"
    return first.replace("{}", main)


def _tag(name: str) -> str:
    """The name of a summary's op."""
    return "".join(each if each.isalnum() or each in "_./-" else "_" for each in name).lstrip("/")
