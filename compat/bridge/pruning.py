"""From (fetches, feeds) to a function of exactly the operations that the fetches reach.

TF1's `Session.run` computed what its fetches needed and nothing else. Here that part of the graph becomes one
TF2 function, made once and kept; the variables, tables and iterators that it touches are its captured inputs.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import tensorflow as tf

from .function_calls import register_called
from .graph import Graph
from .ordering import ALIASES, READERS, ordered_reads, read_late
from .random_state import RandomSequences
from .remapping import keep_apart
from .runtime import define_function, function_caller, remove_function
from .variable import GraphVariable

__all__ = ["Pruned", "prune"]

_NEED_NO_VALUE = frozenset({"AssignVariableOp", "VarIsInitializedOp", "VariableShape"})
_function_numbers = itertools.count()
_ordering = threading.Lock()
"""Held while a graph is in the order of one run."""


@dataclass(frozen=True)
class Reach:
    """The part of a graph that a run executes."""

    operations: list[tf.Operation]
    stand_ins: list[tf.Operation]
    startups: list[tf.Operation]


def reach(graph: Graph, roots: Iterable[tf.Operation], fed: Sequence[tf.Tensor]) -> Reach:
    """What must run for `roots`, short of what is fed: a backward walk over data and control edges."""
    fed_ids = {id(tensor) for tensor in fed}
    fed_operations = {id(tensor.op) for tensor in fed if len(tensor.op.outputs) == 1}
    captured = graph.captured()
    operations, stand_ins, startups = [], [], []
    seen: set[int] = set()
    waiting = list(roots)
    while waiting:
        operation = waiting.pop()
        if id(operation) in seen or id(operation) in fed_operations:
            continue
        seen.add(id(operation))
        if operation.name in captured or graph.is_large(operation):
            stand_ins.append(operation)
            continue
        operations.append(operation)
        if operation.name in graph.startups:
            startups.append(graph.startups[operation.name])
        waiting.extend(tensor.op for tensor in operation.inputs if id(tensor) not in fed_ids)
        waiting.extend(operation.control_inputs)
    return Reach(operations, stand_ins, startups)


@dataclass(eq=False)
class Pruned:
    """A function made for one (fetches, feeds), and what a run of it must know besides.

    Attributes:
      call: from eager inputs, in the order of the feeds, to eager results, in the order of the tensors.
      needs_value: the variables that it reads without setting them, not yet known to have a value.
      reread: position of a result -> the variable whose value after the run it shows (see `facts`: a fetched
        variable, or an alias of it, showed in TF1 what the same run's updates left there).
      startups: initializers that must have run before.
      uses_resources: whether it touches queues, readers, tables or iterators.
      may_wait: whether it can block on a queue, so that closing the session must be able to end it.
      variables: the variables that it uses.
      captures: the eager tensors that it takes after the feeds: the handles of variables, and constants.
      fed: the tensors that it takes values for, in order.
      copies: other functions that are gone with it: bodies of its loops and branches.
    """

    name: str
    call: Any
    needs_value: list[GraphVariable]
    reread: dict[int, GraphVariable]
    startups: list[tf.Operation]
    uses_resources: bool
    may_wait: bool
    variables: Sequence[Any] = ()
    captures: Sequence[tf.Tensor] = ()
    fed: tuple[tf.Tensor, ...] = ()
    copies: tuple[str, ...] = ()
    keep: tuple[Any, ...] = field(repr=False, default=())

    @property
    def has_state(self) -> bool:
        """Whether it reads or sets something that sessions have of their own."""
        return any(capture.dtype == tf.resource for capture in self.captures)

    def __del__(self) -> None:
        for name in (self.name, *self.copies):
            remove_function(name)


def prune(
    graph: Graph,
    tensors: Sequence[tf.Tensor],
    operations: Sequence[tf.Operation],
    fed: Sequence[tf.Tensor],
    soft_placement: bool = False,
    sequences: RandomSequences | None = None,
) -> Pruned:
    """Makes the function that computes `tensors` and runs `operations` of `graph`, given `fed`.

    Its random operations go on with `sequences`, by default with the graph's own.
    """
    sequences = sequences or graph.random_sequences
    fed_ids = {id(tensor) for tensor in fed}
    asked = [tensor for tensor in tensors if id(tensor) not in fed_ids]
    roots = [*(tensor.op for tensor in asked), *operations]
    with _ordering:
        part = reach(graph, roots, fed)
        with ordered_reads(graph, part.operations, tensors, fed) as changed:
            if changed:
                part = reach(graph, roots, fed)
            late = dict(zip(map(id, asked), read_late(graph, part.operations, asked, fed), strict=True))
            return _made(
                graph, [late.get(id(tensor), tensor) for tensor in tensors], operations, fed, soft_placement, sequences
            )


def _made(
    graph: Graph,
    tensors: Sequence[tf.Tensor],
    operations: Sequence[tf.Operation],
    fed: Sequence[tf.Tensor],
    soft_placement: bool,
    sequences: RandomSequences,
) -> Pruned:
    """The function of a graph whose reads are in order."""
    fed_ids = {id(tensor) for tensor in fed}
    part = reach(graph, [*(tensor.op for tensor in tensors if id(tensor) not in fed_ids), *operations], fed)
    captured = graph.captured()
    inputs = [*fed, *(operation.outputs[0] for operation in part.stand_ins)]
    inside = {id(operation) for operation in part.operations}
    name = f"__run_{next(_function_numbers)}_{graph.name}"
    define_function(
        name,
        graph,
        part.operations,
        inputs,
        tensors,
        [operation for operation in operations if id(operation) in inside],
    )
    register_called(graph, part.operations)
    copies = (*sequences.share(name, part.operations), *keep_apart(name, part.operations))
    captures = [captured[operation.name] for operation in part.stand_ins]
    uses = _VariableUses(graph, part)
    return Pruned(
        name=name,
        call=function_caller(name, captures, len(tensors), soft_placement),
        needs_value=uses.read_only(),
        reread={
            position: variable
            for position, tensor in enumerate(tensors)
            if (variable := _aliased_variable(graph, tensor, fed_ids)) is not None
            and variable.shares_memory
            and uses.updates(variable)
        },
        startups=part.startups,
        uses_resources=not {id(operation) for operation in graph.resources}.isdisjoint(inside),
        may_wait=any("Queue" in operation.type or "Barrier" in operation.type for operation in part.operations),
        variables=uses.variables,
        captures=captures,
        fed=tuple(fed),
        copies=copies,
        keep=(tuple(tensors), tuple(operations), sequences),
    )


class _VariableUses:
    """Which variables a part of a graph reads, sets and updates."""

    def __init__(self, graph: Graph, part: Reach) -> None:
        captured = graph.captured()
        variables = {
            operation.name: graph.variables_by_handle[id(captured[operation.name])]
            for operation in part.stand_ins
            if id(captured[operation.name]) in graph.variables_by_handle
        }
        self.variables = list(variables.values())
        self._reads: dict[int, GraphVariable] = {}
        self._assigns: set[int] = set()
        self._updates: set[int] = set()
        for operation in part.operations:
            for tensor in operation.inputs:
                variable = variables.get(tensor.op.name)
                if variable is None or _asks_first(operation, tensor):
                    continue
                if operation.type not in _NEED_NO_VALUE:
                    self._reads[id(variable)] = variable
                if operation.type == "AssignVariableOp":
                    self._assigns.add(id(variable))
                if operation.type not in READERS:
                    self._updates.add(id(variable))

    def read_only(self) -> list[GraphVariable]:
        return [variable for key, variable in self._reads.items() if key not in self._assigns]

    def updates(self, variable: GraphVariable) -> bool:
        return id(variable) in self._updates


def _asks_first(operation: tf.Operation, handle: tf.Tensor) -> bool:
    """Whether an operation reads a variable only where that has a value: it is an `initialized_value()`."""
    asked = operation.inputs[0].op
    return operation.type == "If" and asked.type == "VarIsInitializedOp" and asked.inputs[0] is handle


def _aliased_variable(graph: Graph, tensor: tf.Tensor, fed_ids: set[int]) -> GraphVariable | None:
    """The variable that `tensor` is another view of, or None."""
    while id(tensor) not in fed_ids and tensor.op.type in ALIASES:
        tensor = tensor.op.inputs[tensor.value_index]
    if id(tensor) in fed_ids or tensor.op.type != "ReadVariableOp":
        return None
    handle = graph.captured().get(tensor.op.inputs[0].op.name)
    return graph.variables_by_handle.get(id(handle))
