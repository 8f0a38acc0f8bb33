"""What each value of the graph is made of, what it waits for, and which variables its operation changes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from tf_migrate.interpreter.recorder import Recorder, Turns
from tf_migrate.interpreter.values import (
    Arguments,
    Const,
    Group,
    Items,
    Method,
    Node,
    Table,
    Thing,
    Value,
    items_of,
    options,
)
from tf_migrate.names.exports import Index
from tf_migrate.semantics.effects import Effect
from tf_migrate.semantics.graph_values import GraphValues

_MOST = 400
"""Of the values in one list so many are told apart."""
_CHOOSING = frozenset(("cond", "case", "switch_case"))
"""What computes one of the functions that it is given."""
_LOOPS = frozenset(("while_loop", "map_fn", "scan", "foldl", "foldr"))
_TOGETHER = "parallel_iterations"
_DEPTH = 3
_HOOKED = "tf.train.SessionRunArgs"


class Dataflow(GraphValues):
    """Keeps in each value of the graph those that it was given."""

    def __init__(self, index: Index, recorder: Recorder, compat_module: str) -> None:
        super().__init__(index, recorder, compat_module)
        self._operands: tuple[Value, ...] = ()
        self._awaited: list[tuple[Node, ...]] = []
        self._made_of: dict[int, tuple[Thing, tuple[Node, ...]]] = {}
        """For objects of TensorFlow's, an optimizer say: what they were made of. The objects live as long."""
        self._arms: tuple[tuple[int, int], ...] = ()
        self._condition: list[int] = []
        """The number of the condition whose arms are called, and how many were."""
        self._beside: list[Node] = []
        """What the hooks of a session's run fetch with it."""
        self._conditions = 0
        self._calls: list[tuple[Value, list[int], Value]] = []
        """The functions that a loop called, with the times of what they were given, and what they gave."""

    def node(self, kind: str, symbol: str, place: ast.AST) -> Node:
        """A new value of the graph."""
        made = super().node(kind, symbol, place)
        waited = (each for group in self._awaited for each in group)
        made.inputs = (*self._nodes(self._operands), *waited)
        made.arms = self._arms
        return made

    def _nodes(self, values: Iterable[Value]) -> Iterator[Node]:
        """The values of the graph among some, and in what these hold."""
        for value in values:
            for option in options(value):
                if isinstance(option, Node):
                    yield option
                elif isinstance(option, Thing):
                    yield from self._made_of.get(id(option), (option, ()))[1]
                elif isinstance(option, Items | Table):
                    yield from (each for each in _inside(option, _DEPTH) if isinstance(each, Node))

    def _giving(self, values: tuple[Value, ...], work: Callable[[], Value]) -> Value:
        """Makes something of some values."""
        outer, self._operands = self._operands, values
        before = len(self.recorder.nodes)
        try:
            made = work()
        finally:
            self._operands = outer
        if isinstance(made, Thing) and id(made) not in self._made_of:
            self._made_of[id(made)] = made, tuple(self._nodes(values))[:_MOST]
        elif isinstance(made, Node) and len(self.recorder.nodes) > before + 1:
            # What functions made that a loop, a condition or a layer called.
            made.inputs += tuple(each for each in self.recorder.nodes[before:] if each is not made)[-_MOST:]
        return made

    # -- what makes values --

    def call_external(self, origin: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a symbol of a library."""
        if not origin.startswith(("tf.", "tensorflow.", "compat.")):
            return super().call_external(origin, arguments, node)
        made = self._giving(_given(arguments), lambda: super(Dataflow, self).call_external(origin, arguments, node))
        if self.hooking and origin == _HOOKED:
            self._beside += self._nodes(arguments.all())
        if isinstance(made, Node):
            if origin == "tf.gradients":
                self._changes(made, arguments.get(1, "xs"))
            else:
                trained = next((value for name, value in arguments.keywords if name == "trainable"), None)
                made.fixed = isinstance(trained, Const) and not trained.value
        return made

    def call_method(self, method: Method, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of a library's object or of a value of the graph."""
        owner = method.receiver
        if not isinstance(owner, Node | Thing) or (isinstance(owner, Thing) and owner.kind in ("session", "monitored")):
            return super().call_method(method, arguments, node)
        given = (owner, *_given(arguments))
        made = self._giving(given, lambda: super(Dataflow, self).call_method(method, arguments, node))
        if isinstance(made, Node) and isinstance(owner, Thing) and owner.kind == "optimizer":
            made.maker = owner
            if method.name in ("minimize", "compute_gradients"):
                self._changes(made, arguments.get(2 if method.name == "minimize" else 1, "var_list"))
            if method.name in ("minimize", "apply_gradients"):
                step = arguments.get(1, "global_step")
                made.counts = tuple(self._nodes(() if step is None else (step,)))
        return made

    def call_monitored(self, thing: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of a monitored session, whose hooks fetch with its run."""
        outer, self._beside = self._beside, []
        try:
            found = super().call_monitored(thing, name, arguments, node)
            hooks = (hook for hook in self.hooked[id(thing)] if isinstance(hook, Thing))
            fetched = [*self._beside, *self._nodes(hooks)]
        finally:
            self._beside = outer
        runs = self.recorder.runs.get(node, []) if name == "run" and isinstance(node, ast.Call) else []
        if runs:
            runs[-1].beside.extend(fetched)
        return found

    def _changes(self, made: Node, listed: Value | None) -> None:
        """Keeps the variables to which gradients are taken, where a call names them."""
        if listed is not None and not (isinstance(listed, Const) and listed.value is None):
            made.changes = tuple(self._nodes((listed,)))

    def call_thing(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        """Calls an object of a library."""
        given = (thing, *_given(arguments))
        return self._giving(given, lambda: super(Dataflow, self).call_thing(thing, arguments, node))

    def call_builtin(self, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a function of Python's."""
        return self._giving(_given(arguments), lambda: super(Dataflow, self).call_builtin(name, arguments, node))

    def operator(self, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
        """An operator of two values."""
        return self._giving((left, right), lambda: super(Dataflow, self).operator(op, left, right, node))

    def unary(self, op: ast.unaryop, value: Value, node: ast.AST) -> Value:
        """An operator of one value of the graph."""
        return self._giving((value,), lambda: super(Dataflow, self).unary(op, value, node))

    def compared(self, left: Value, right: Value, node: ast.Compare) -> Value:
        """Which of two values is the greater one."""
        return self._giving((left, right), lambda: super(Dataflow, self).compared(left, right, node))

    def _sliced(self, value: Value, part: ast.Slice, node: ast.AST) -> Value:
        return self._giving((value,), lambda: super(Dataflow, self)._sliced(value, part, node))

    # -- what conditions of the graph choose --

    def _effect_control(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        outer, self._condition = self._condition, []
        if origin.rpartition(".")[2] in _CHOOSING:
            self._conditions += 1
            self._condition = [self._conditions, 0]
        others, self._calls = self._calls, []
        try:
            made = super()._effect_control(origin, row, arguments, node)
            if isinstance(made, Node):
                self._note_turns(made, origin.rpartition(".")[2], arguments)
            return made
        finally:
            self._condition, self._calls = outer, others

    def _note_turns(self, made: Node, name: str, arguments: Arguments) -> None:
        """Keeps what hands values from one turn of a loop to the next, where its functions were executed."""
        function, together = arguments.get(1 if name == "while_loop" else 0, "body"), arguments.get(3, _TOGETHER)
        if name == "while_loop":
            together = arguments.get(4, _TOGETHER)
        calls = [call for call in self._calls if call[1]]
        body = next((call for call in calls if call[0] is function), calls[-1] if len(calls) == 1 else None)
        if name not in _LOOPS or body is None:
            return
        ordered = isinstance(together, Const) and together.value == 1
        _, given, result = body
        since = min(call[1][0] for call in calls)
        if name != "while_loop":
            state = frozenset(given[:1]), frozenset(each.time for each in self._nodes((result,)))
            self.recorder.turns[made.time] = Turns(since, given[0], () if name == "map_fn" else (state,), True, ordered)
            return
        parts = items_of(result) if isinstance(result, Items) and "rest" not in result.slots else (result,)
        test = next((call[1] for call in calls if call is not body), [])
        if len(parts) == len(given) and len(test) <= len(given):
            states = (
                (frozenset((each, *test[at : at + 1])), frozenset(node.time for node in self._nodes((part,))))
                for at, (each, part) in enumerate(zip(given, parts, strict=True))
            )
            self.recorder.turns[made.time] = Turns(since, given[0], tuple(states), False, ordered)

    def call_given(self, value: Value, node: ast.AST) -> Value:
        """Calls one function of the program with tensors, as one arm of a condition where it is one."""
        outer = self._condition, self._arms
        if self._condition:
            self._condition[1] += 1
            self._condition, self._arms = [], (*self._arms, (self._condition[0], self._condition[1]))
        calls, self._calls = self._calls, []
        before = len(self.recorder.nodes)
        try:
            found = super().call_given(value, node)
        finally:
            self._condition, self._arms = outer
            self._calls = calls
        since = self.recorder.nodes[before:]
        own = [each.time for each in since if each.symbol == "argument" and each.place is node]
        self._calls.append((value, own, found))
        return found

    # -- what values wait for --

    def enter(self, value: Value, node: ast.expr) -> tuple[Value, Callable[[], None]]:
        """What a context manager gives, and what leaves it."""
        found, leave = super().enter(value, node)
        if not isinstance(value, Thing) or not value.origin.endswith("control_dependencies"):
            return found, leave
        self._awaited.append(self._made_of.get(id(value), (value, ()))[1])

        def leave_all() -> None:
            self._awaited.pop()
            leave()

        return found, leave_all


def _given(arguments: Arguments) -> tuple[Value, ...]:
    """Every value that is given, and what is given of which nobody knows how many there are."""
    return (*arguments.all(), *(() if arguments.rest is None else (arguments.rest,)))


def _inside(value: Value, depth: int) -> Iterator[Value]:
    """The values in a container and in those within it."""
    if not depth or not isinstance(value, Items | Table):
        yield from options(value)
        return
    for part in value.slots.values():
        for each in part.values if isinstance(part, Group) else (part,):
            yield from _inside(each, depth - 1)
