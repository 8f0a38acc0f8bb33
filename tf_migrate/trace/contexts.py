"""The scopes that a program enters by `with`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.interpreter.values import (
    ABSENT,
    DATA,
    NONE,
    Arguments,
    Const,
    External,
    Generator,
    Native,
    Partial,
    Thing,
    Value,
    Wrapped,
)
from tf_migrate.names.exports import Index
from tf_migrate.semantics.effects import Effect
from tf_migrate.trace.ops import Ops
from tf_migrate.trace.scopes import Place, text_of

_CONTEXTS_WITHOUT_NAMES = frozenset(
    {"tf.device", "tf.control_dependencies", "tf.colocate_with", "tf.Graph.as_default", "tf.init_scope"}
)


class Contexts(Ops):
    """Enters name scopes and variable scopes."""

    def __init__(self, index: Index, recorder: Recorder, compat_module: str) -> None:
        super().__init__(index, recorder, compat_module)
        self.arguments_of: dict[int, tuple[str, Arguments]] = {}
        """How contexts and optimizers were made."""
        self._yielded: Place | None = None
        """The scopes in which the generator of a context manager gave way to the body."""
        self.argument_scopes = 0
        """How many `arg_scope`s are around, which give calls arguments that they do not show."""

    def _effect_context(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        made = super()._effect_context(origin, row, arguments, node)
        self.arguments_of[id(made)] = (origin, arguments)
        self._held.append(made)
        return made

    def _effect_describe(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        if origin == "tf.get_variable_scope":
            return self.scope_value(self.place.variables, node)
        return super()._effect_describe(origin, row, arguments, node)

    def thing_attribute(self, thing: Thing, name: str, node: ast.AST) -> Value:
        """An attribute of a library's object."""
        scope = self.scope_behind(thing)
        if scope is not None and name in ("name", "original_name_scope", "reuse"):
            if name == "reuse":
                reuse = self.reuse_of(scope)
                return DATA if reuse is None else Const(bool(reuse))
            text = scope.name if name == "name" else scope.ops
            return DATA if text is None else Const(text if name == "name" or not text else f"{text}/")
        return super().thing_attribute(thing, name, node)

    def _call_thing(self, owner: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        scope = self.scope_behind(owner)
        if scope is not None and name == "reuse_variables":
            self.set_reuse(scope)
            return NONE
        if owner.kind == "context" and name in ("__enter__", "__exit__"):
            self.lose(every=True)
        return super()._call_thing(owner, name, arguments, node)

    def _effect_template(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        """`tf.make_template`: its first call makes a variable scope, the others share its variables."""
        made = super()._effect_template(origin, row, arguments, node)
        name = text_of(arguments.get(0, "name_"))
        named = dict(arguments.keywords)
        kept = self.table()

        def call(inner: Arguments, at: ast.AST) -> Value:
            scope = self.scope_behind(self.heap.read(kept, "scope"))
            entered, leave = self.enter_variables(scope, None if scope is not None else name, scope is not None or None)
            if scope is None:
                self.heap.write(kept, "scope", self.scope_value(entered, at))
            try:
                return self.call(made, inner, at)
            finally:
                leave()

        plain = not {"unique_name_", "create_scope_now_"} & named.keys()
        if not isinstance(made, Partial) or name is None or not plain:
            self.lose(every=True)
            return made
        return Native("template", call)

    def enter(self, value: Value, node: ast.expr) -> tuple[Value, Callable[[], None]]:
        """What a context manager gives, and what leaves it."""
        if isinstance(value, Thing) and value.kind == "context":
            scope = self.scope_behind(value)
            if scope is not None:
                return value, _nothing
            origin, arguments = self.arguments_of.get(id(value), (value.origin, None))
            return self._enter_context(value, origin, arguments, node)
        if isinstance(value, Wrapped) and value.kind == "entered" and isinstance(value.function, Generator):
            outer, self._yielded = self._yielded, None
            try:
                given, leave = super().enter(value, node)
                inside = self._yielded
            finally:
                self._yielded = outer
            return (given, leave) if inside is None or inside is self.place else (given, self._stay(inside, leave))
        return super().enter(value, node)

    def _yield(self, node: ast.Yield) -> Value:
        if self._yielded is None:
            self._yielded = self.place
        return super()._yield(node)

    def _stay(self, inside: Place, leave: Callable[[], None]) -> Callable[[], None]:
        """Stays in the scopes in which a context manager's generator gave way to the body."""
        leave_scopes = self._push(inside)
        opened = inside.variables.name

        def left() -> None:
            leave_scopes()
            if opened is not None and opened != self.place.variables.name:
                self._close_scopes(opened)
            leave()

        return left

    def _enter_context(
        self, value: Thing, origin: str, arguments: Arguments | None, node: ast.expr
    ) -> tuple[Value, Callable[[], None]]:
        last = origin.rpartition(".")[2]
        if arguments is None:
            arguments = Arguments()
        if last == "arg_scope":
            return value, self._enter_argument_scope()
        if origin in _CONTEXTS_WITHOUT_NAMES or last in ("device", "control_dependencies", "container"):
            return value, _nothing
        if last in ("name_scope", "op_scope"):
            return self._enter_name_scope(origin, arguments)
        if last == "variable_scope" and not arguments.more:
            return self._enter_variable_scope(arguments, node)
        _, leave = self.enter_ops(None, known=False)
        return value, leave

    def _enter_argument_scope(self) -> Callable[[], None]:
        self.argument_scopes += 1

        def leave() -> None:
            self.argument_scopes -= 1

        return leave

    def _enter_name_scope(self, origin: str, arguments: Arguments) -> tuple[Value, Callable[[], None]]:
        given = arguments.get(0, "name")
        if given is None or given is NONE:
            given = arguments.get(1, "default_name")
        if origin == "tf.op_scope":
            given = arguments.get(1, "name")
        name = text_of(given)
        inner, leave = self.enter_ops(name, known=name is not None or given is None or given is NONE)
        return (DATA if inner is None else Const(inner)), leave

    def _enter_variable_scope(self, arguments: Arguments, node: ast.expr) -> tuple[Value, Callable[[], None]]:
        given, default = arguments.get(0, "name_or_scope"), arguments.get(1, "default_name")
        named = dict(arguments.keywords)
        reuse = named.get("reuse")
        auxiliary = named.get("auxiliary_name_scope")
        decided: object = None
        if reuse is not None and reuse is not NONE:
            decided = "auto" if isinstance(reuse, External) and reuse.origin == "tf.AUTO_REUSE" else self.truth(reuse)
        scope = self.scope_behind(given) or text_of(given)
        unknown = scope is None and given is not None and given is not NONE
        outside = auxiliary is None or self.truth(auxiliary) is not False
        entered, leave = self.enter_variables(scope, None if unknown else text_of(default), decided, outside)
        if reuse is not None and reuse is not NONE and decided is None:
            self.heap.write(entered.cell, "reuse", ABSENT)
        return self.scope_value(entered, node), leave


def _nothing() -> None:
    """Leaves a context that changes no names."""
