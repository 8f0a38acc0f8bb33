"""Which calls get the same variable: those of one name, in one variable scope of one graph.

A scope is known by what was written for it, not by the name that TensorFlow makes of that; what is not known for sure
is shared with nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable

from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.interpreter.values import (
    ABSENT,
    Arguments,
    Cell,
    Const,
    Generator,
    Instance,
    Node,
    Thing,
    Value,
    Wrapped,
)
from tf_migrate.names.exports import Index
from tf_migrate.semantics.dataflow import Dataflow
from tf_migrate.semantics.effects import Effect

_SCOPES = ("tf.variable_scope", "tf.VariableScope", "tf.get_variable_scope")
_NAMED = ("tf.variable_scope", "tf.contrib.framework.variable_scope")
_LAYERS = frozenset(
    {
        *("batch_norm", "batch_normalization", "conv1d", "conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose"),
        *("convolution", "convolution2d", "convolution2d_transpose", "dense", "fully_connected", "layer_norm"),
        *("linear", "relu", "separable_conv1d", "separable_conv2d"),
    }
)
"""Functions of TensorFlow that make variables in a scope of their own."""


class _Scope:
    """A variable scope that the program is in: what was written for it, and the layers without a name in it."""

    def __init__(self, path: tuple[Hashable, ...] | None, counts: Cell | None) -> None:
        self.path, self.counts = path, counts


_UNKNOWN = _Scope(None, None)


class VariableScopes(Dataflow):
    """Keeps in each variable, and in what a layer gives, what all have in common that share the variables."""

    def __init__(self, index: Index, recorder: Recorder, compat_module: str) -> None:
        super().__init__(index, recorder, compat_module)
        self._inside: dict[int, tuple[Thing, list[_Scope]]] = {}
        """For graphs: the variable scopes that the program is in. The graphs live as long."""
        self._values: dict[int, tuple[Thing, _Scope | Arguments]] = {}
        """Scopes as the program has them: how they were made, and what was entered by them."""
        self._scope_yielded: _Scope | None = None
        """The scope in which the generator of a context manager gave way to the body."""
        self._hidden = False
        """Whether the program enters scopes by something else than `with`."""

    @property
    def _stack(self) -> list[_Scope]:
        if id(self.graph) not in self._inside:
            self._inside[id(self.graph)] = self.graph, [_Scope((), Cell())]
        return self._inside[id(self.graph)][1]

    # -- scopes --

    def _effect_context(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        made = super()._effect_context(origin, row, arguments, node)
        if isinstance(made, Thing) and origin.endswith("variable_scope"):
            self._values[id(made)] = made, arguments if origin in _NAMED else _UNKNOWN
            self._hidden |= not isinstance(self.frame.module.parents.get(node), ast.withitem)
        return made

    def _effect_describe(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        made = super()._effect_describe(origin, row, arguments, node)
        if origin == "tf.get_variable_scope" and isinstance(made, Thing):
            self._values[id(made)] = made, _Scope(self._stack[-1].path, None)
        return made

    def enter(self, value: Value, node: ast.expr) -> tuple[Value, Callable[[], None]]:
        """What a context manager gives, and what leaves it."""
        if isinstance(value, Thing) and value.origin.endswith("variable_scope"):
            found, leave = super().enter(value, node)
            return found, self._within(self._scope_of(value), leave)
        if isinstance(value, Wrapped) and value.kind == "entered" and isinstance(value.function, Generator):
            outer, self._scope_yielded = self._scope_yielded, None
            try:
                found, leave = super().enter(value, node)
                inside = self._scope_yielded
            finally:
                self._scope_yielded = outer
            return found, leave if inside is None else self._within(inside, leave)
        return super().enter(value, node)

    def _yield(self, node: ast.Yield) -> Value:
        if self._scope_yielded is None:
            self._scope_yielded = self._stack[-1]
        return super()._yield(node)

    def _within(self, scope: _Scope, leave: Callable[[], None]) -> Callable[[], None]:
        """Goes into a scope; gives what leaves it."""
        stack = self._stack
        before = len(stack)
        stack.append(scope)

        def left() -> None:
            del stack[before:]
            leave()

        return left

    def _scope_of(self, value: Thing) -> _Scope:
        """The scope that a program enters."""
        known = self._values.get(id(value), (value, _UNKNOWN))[1]
        if isinstance(known, _Scope):
            return _Scope(known.path, None)
        given, outer = known.get(0, "name_or_scope"), self._stack[-1].path
        again = self._values.get(id(given), (value, _UNKNOWN))[1] if isinstance(given, Thing) else _UNKNOWN
        made = _Scope(again.path if isinstance(again, _Scope) else None, None)
        if isinstance(given, Const) and not known.more and outer is not None:
            if isinstance(given.value, str):
                parts = given.value.split("/") if outer or given.value else ()
                made = _Scope((*outer, *parts), Cell())
            elif given.value is None:
                made = _Scope((*outer, id(value)), Cell())
        self._values[id(value)] = value, made
        return made

    # -- what is shared --

    def _effect_variable(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        made = super()._effect_variable(origin, row, arguments, node)
        name = arguments.get(0, "name")
        if isinstance(made, Node) and origin == "tf.get_variable" and isinstance(name, Const):
            made.shared = self._key("variable", name.value)
        return made

    def _effect_tensor(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        last = origin.rpartition(".")[2]
        is_layer = last in _LAYERS and ".layers." in origin and "keras" not in origin
        key = self._layer(last, arguments) if is_layer else None
        made = super()._effect_tensor(origin, row, arguments, node)
        if isinstance(made, Node):
            made.shared = key
        return made

    def _layer(self, last: str, arguments: Arguments) -> Hashable:
        given = dict(arguments.keywords)
        name = given.get("name") or given.get("scope")
        if isinstance(name, Const) and name.value is not None:
            return self._key("layer", name.value)
        counts = self._stack[-1].counts
        if counts is None or name is not None or arguments.more:
            return None
        found = self.heap.read(counts, last)
        count = 0 if found is ABSENT else found.value if isinstance(found, Const) else None
        self.heap.write(counts, last, Const(None if count is None else count + 1))
        return None if count is None else self._key("layer", (last, count))

    def _key(self, kind: str, name: Hashable) -> Hashable:
        path = self._stack[-1].path
        if path is None or self._hidden or self._is_called_by_tensorflow():
            return None
        parts = tuple(name.split("/")) if isinstance(name, str) else (name,)
        return (kind, id(self.graph), *path, *parts)

    def _is_called_by_tensorflow(self) -> bool:
        """Whether a cell's or a layer's own code runs, around which TensorFlow enters scopes."""
        receivers = (frame.receiver for frame in self.stack)
        return any(isinstance(each, Instance) and each.cls.outside for each in receivers)

    def call_given(self, value: Value, node: ast.AST) -> Value:
        """Calls one function of the program with tensors: TensorFlow may have entered a scope."""
        leave = self._within(_UNKNOWN, _nothing)
        try:
            return super().call_given(value, node)
        finally:
            leave()

    def _effect_template(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self._hidden = True  # its function's scope is entered where it is called
        return super()._effect_template(origin, row, arguments, node)


def _nothing() -> None:
    """Leaves what nothing was entered for."""
