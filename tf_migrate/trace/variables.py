"""Variables by name, in the order in which they are made: the program's own, those of layers, those of optimizers."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from tf_migrate import facts
from tf_migrate.interpreter.core import is_none
from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.interpreter.values import (
    ABSENT,
    DATA,
    NONE,
    Arguments,
    Const,
    External,
    Items,
    Node,
    Thing,
    Unknown,
    Value,
    items_of,
)
from tf_migrate.names.exports import Index
from tf_migrate.semantics.collection_keys import GLOBAL, LOCAL, OF_VARIABLES, TRAINABLE
from tf_migrate.semantics.effects import Effect
from tf_migrate.syntax.module import Module
from tf_migrate.trace.inputs import Inputs, Shape, Sources
from tf_migrate.trace.scopes import VariableScope, text_of
from tf_migrate.trace.ways import Way

_LISTS = {
    "tf.trainable_variables": TRAINABLE,
    "tf.global_variables": GLOBAL,
    "tf.all_variables": GLOBAL,
    "tf.local_variables": LOCAL,
}
_FILLED_BY_TENSORFLOW = frozenset(
    {"losses", "regularization_losses", "summaries", "update_ops", "queue_runners", "table_initializer", "savers"}
    | {"train_op", "global_step", "moving_average_variables", "model_variables", "activations", "weights", "biases"}
)
_GLOBAL_STEPS = ("get_or_create_global_step", "create_global_step", "get_global_step")


@dataclass(frozen=True, eq=False)
class Made:
    """A variable that came to be."""

    name: str | None
    shape: Shape
    trainable: bool | None
    place: ast.AST
    module: Module
    ways: tuple[Way, ...]
    guessed: bool


class Variables(Inputs):
    """Makes variables, and finds those that are shared."""

    def __init__(self, index: Index, recorder: Recorder, compat_module: str) -> None:
        super().__init__(index, recorder, compat_module)
        self.variables: list[Made] = []
        self.ways: tuple[Way, ...] = ()

    # -- arguments --

    def argument(self, origin: str, arguments: Arguments, name: str) -> Value | None:
        """An argument of a symbol of TensorFlow, by its name or at its place; None where it is not given."""
        fact = facts.lookup(origin)
        at = fact.tf1.index(name) if fact is not None and name in fact.tf1 else 1 << 20
        found = arguments.get(at, name)
        return None if found is None or is_none(found) else found

    def name_given(
        self, origin: str, arguments: Arguments, default: str, name: str = "name"
    ) -> tuple[str | None, bool]:
        """The name that a call asks for, and whether the program wrote it; None where it is not known."""
        given = self.argument(origin, arguments, name)
        if given is None:
            fact = facts.lookup(origin)
            starred = fact is not None and any(each.startswith("*") for each in fact.tf1[:1])
            return (None if arguments.more and not starred else default), False
        return text_of(given), True

    # -- collections --

    def collected(self, key: str) -> Items:
        """The variables of a collection."""
        cell = self.heap.read(self.counter, ("collection", key))
        if not isinstance(cell, Items):
            made = self.items("list", ())
            self.heap.write(self.counter, ("collection", key), made)
            return made
        return cell

    def listed(self, key: str, scope: Value | None) -> Value:
        """A list of the variables in a collection, as the program gets it."""
        known, more = self.elements(self.collected(key), self.frame.code)
        if scope is None:
            return self.items("list", known, more)
        text = text_of(scope)
        names = [self.names.get(each) if isinstance(each, Node) else None for each in known]
        if text is None or not text.replace("_", "a").replace("/", "a").isalnum() or None in names:
            return self.items("list", (), Unknown("variables of a scope that is not known"))
        chosen = [each for each, name in zip(known, names, strict=True) if name is not None and name.startswith(text)]
        return self.items("list", chosen, more)

    def _effect_variables(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        key = _LISTS.get(origin)
        if key is None:
            return super()._effect_variables(origin, row, arguments, node)
        return self._in_scope(key, arguments.get(0, "scope"))

    def _effect_collection(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        key = self._key_of(arguments.get(0, "key"))
        if key is None:
            return super()._effect_collection(origin, row, arguments, node)
        return self._in_scope(key, arguments.get(1, "scope"))

    def _in_scope(self, key: str, scope: Value | None) -> Value:
        return self.listed(key, None if scope is None or is_none(scope) else scope)

    def _key_of(self, value: Value | None) -> str | None:
        """The collection that a key names, where all that is in it is known; a text of the program's own is one."""
        text = OF_VARIABLES.get(value.origin) if isinstance(value, External) else text_of(value)
        return None if text is None or text in _FILLED_BY_TENSORFLOW else text

    def _effect_register(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        made = super()._effect_register(origin, row, arguments, node)
        key, value = self._key_of(arguments.get(0, "name")), arguments.get(1, "value")
        if key is not None and value is not None and origin == "tf.add_to_collection":
            self.extend(self.collected(key), (value,), None)
        return made

    # -- variables --

    def made_variable(
        self, node: ast.AST, name: str | None, shape: Shape, trainable: bool | None, collections: Sequence[str]
    ) -> Node:
        """A new variable, in its collections."""
        made = self.op("variable", "tf.Variable", node)
        self.named(made, name)
        self.has_shape(made, shape)
        self.variables.append(Made(name, shape, trainable, node, self.frame.module, self.ways, self.guesses > 0))
        for key in collections:
            self.extend(self.collected(key), (made,), None)
        return made

    def _effect_variable(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        last = origin.rpartition(".")[2]
        if last in _GLOBAL_STEPS:
            return self._global_step(last, node)
        self.call_functions(arguments, node)
        collections = self._collections(origin, arguments, local="local" in last)
        trainable = self._trainable(origin, arguments, local="local" in last)
        if origin == "tf.Variable":
            return self._plain(origin, arguments, node, trainable, collections)
        asked, _ = self.name_given(origin, arguments, "")
        shape = self.shape_given(self.argument(origin, arguments, "shape"))
        if shape is None:
            shape = self.shape_of(self.argument(origin, arguments, "initializer"))
        found = self.shared_variable(asked or None, shape, trainable, collections, node)
        if not self.custom_getters and self.argument(origin, arguments, "partitioner") is None:
            return found
        # What a custom getter gives may be any tensor, and a partitioned variable is none.
        self.lose()
        return self.node("tensor", origin, node)

    def _plain(
        self, origin: str, arguments: Arguments, node: ast.AST, trainable: bool | None, collections: Sequence[str]
    ) -> Node:
        asked, explicit = self.name_given(origin, arguments, "Variable")
        name = self.unique(asked, explicit)
        shape = self.shape_of(self.argument(origin, arguments, "initial_value"))
        made = self.made_variable(node, name, shape, trainable, collections)
        if name == "global_step":
            self.heap.write(self.counter, "global_step", made)
        return made

    def shared_variable(
        self,
        asked: str | None,
        shape: Shape,
        trainable: bool | None,
        collections: Sequence[str],
        node: ast.AST,
    ) -> Node:
        """`tf.get_variable`: the variable of that name in the variable scope, or a new one."""
        scope = self.place.variables
        if asked is None or scope.name is None:
            self.lose(every=True)
            return self.made_variable(node, None, shape, trainable, collections)
        full = f"{scope.name}/{asked}" if scope.name else asked
        return self.stored_variable(full, scope, shape, trainable, collections, node)

    def stored_variable(
        self,
        full: str,
        scope: VariableScope,
        shape: Shape,
        trainable: bool | None,
        collections: Sequence[str],
        node: ast.AST,
    ) -> Node:
        """The variable of a full name in the graph's store."""
        kept = self.heap.read(self.counter, ("variable", full))
        reuse = self.reuse_of(scope)
        if isinstance(kept, Node) and reuse is not None:
            self.builds(node) if reuse is False else None
            return kept
        if kept is not ABSENT or reuse is None or reuse is True:
            return self.made_variable(node, None, shape, trainable, collections)
        made = self.made_variable(node, self.taken(full, explicit=True), shape, trainable, collections)
        self.heap.write(self.counter, ("variable", full), made)
        return made

    def _global_step(self, last: str, node: ast.AST) -> Value:
        kept = self.heap.read(self.counter, "global_step")
        if isinstance(kept, Node) and last != "create_global_step":
            return kept
        if last == "get_global_step":
            return NONE if kept is ABSENT else self.node("unknown", "tf.train.get_global_step", node)
        made = self.shared_variable("global_step", (), False, (GLOBAL, "global_step"), node)
        self.heap.write(self.counter, "global_step", made)
        return made

    def counted_step(self, graph: Thing) -> Node | None:
        """The counter of steps of a graph, where it is known."""
        kept = self.heap.read(self.counter_of(graph), "global_step")
        return kept if isinstance(kept, Node) else None

    def _collections(self, origin: str, arguments: Arguments, local: bool) -> tuple[str, ...]:
        given = self.argument(origin, arguments, "collections")
        if given is not None:
            known, more = self.elements(given, self.frame.code)
            keys = [key for each in known if (key := self._key_of(each)) is not None]
            if more is not None or len(keys) < len(known):
                for each in (GLOBAL, TRAINABLE):
                    self.heap.write(self.collected(each), "rest", Unknown("variables of collections not known"))
                return tuple(keys)
            trained = self._trainable(origin, arguments, local) is not False and TRAINABLE not in keys
            return (*keys, TRAINABLE) if trained else tuple(keys)
        if local:
            return (LOCAL,)
        return (GLOBAL, TRAINABLE) if self._trainable(origin, arguments, local) is not False else (GLOBAL,)

    def _trainable(self, origin: str, arguments: Arguments, local: bool) -> bool | None:
        given = self.argument(origin, arguments, "trainable")
        if given is None:
            return not local
        return self.truth(given)

    # -- optimizers --

    def slots(self, optimizer: Thing, sources: Sequence[Node], name: str, node: ast.AST) -> None:
        """The variables that an optimizer makes for those that it trains, as its class does."""
        shared, each = _SLOTS[optimizer.origin.rpartition(".")[2]]
        for what in shared:
            if self.heap.read(optimizer, ("slot", id(self.graph), what)) is ABSENT:
                made = self.made_variable(node, self.unique(what), (), False, (GLOBAL,))
                self.heap.write(optimizer, ("slot", id(self.graph), what), made)
        for variable in sources:
            for number in range(each):
                key = ("slot", number, id(variable))
                if self.heap.read(optimizer, key) is ABSENT:
                    made = self._slot(variable, name, node)
                    self.heap.write(optimizer, key, made)

    def _slot(self, variable: Node, name: str, node: ast.AST) -> Node:
        owner = self.names.get(variable)
        shape = self.shape_of(variable)
        if owner is None:
            return self.made_variable(node, None, shape, False, (GLOBAL,))
        scope, leave = self.enter_variables(None, f"{owner}/{name}", None)
        try:
            full = scope.name
            if full is not None:
                self.heap.write(self.counter, ("variable", full), DATA)
            made = self.made_variable(node, full, shape, False, (GLOBAL,))
        finally:
            leave()
        return made

    def trained(self, loss: Value | None, given: Value | None, node: ast.AST) -> tuple[Node, ...] | None:
        """The variables that `minimize` trains, in order; None where they are not known."""
        known, more = self.elements(self.collected(TRAINABLE) if given is None else given, node)
        sources: Sources = None if loss is None else self.sources_of(loss)
        chosen = tuple(each for each in known if isinstance(each, Node) and each.kind == "variable")
        if sources is None or more is not None or len(chosen) < len(known):
            return None
        return tuple(each for each in chosen if each in sources)


_SLOTS: dict[str, tuple[tuple[str, ...], int]] = {
    "GradientDescentOptimizer": ((), 0),
    "ProximalGradientDescentOptimizer": ((), 0),
    "MomentumOptimizer": ((), 1),
    "AdagradOptimizer": ((), 1),
    "ProximalAdagradOptimizer": ((), 1),
    "AdadeltaOptimizer": ((), 2),
    "RMSPropOptimizer": ((), 2),
    "FtrlOptimizer": ((), 2),
    "AdamOptimizer": (("beta1_power", "beta2_power"), 2),
}
"""For optimizers: the variables that they make once, and how many for each variable."""


def has_slots(optimizer: Thing) -> bool:
    """Whether the variables of an optimizer's class are known."""
    return optimizer.origin.startswith("tf.train.") and optimizer.origin.rpartition(".")[2] in _SLOTS


def is_const(value: Value | None, what: object) -> bool:
    """Whether a value is this constant."""
    return isinstance(value, Const) and value.value == what


def nodes_of(value: Value | None) -> tuple[Node, ...]:
    """The values of the graph that a known sequence holds."""
    if not isinstance(value, Items) or "rest" in value.slots:
        return ()
    return tuple(each for each in items_of(value) if isinstance(each, Node))
