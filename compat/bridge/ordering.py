"""The order of reads and updates inside one run, as TF1's default variables had it.

There a read shared the variable's memory. An operation that ran after an update therefore saw what the update left,
even through a read from before it: the gradient of a generator behind `control_dependencies([discriminator_step])`
goes through the discriminator's new weights. Reads of TF2's variables are values, so such an operation is given a read
of its own. Where the program says no order, the read comes first.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import tensorflow as tf

from .graph import Graph

__all__ = ["ALIASES", "READERS", "order_reads"]

# Operations whose result shares the memory of their input.
ALIASES = frozenset(
    {
        "CheckNumerics",
        "EnsureShape",
        "ExpandDims",
        "Identity",
        "PreventGradient",
        "Reshape",
        "Squeeze",
        "StopGradient",
    }
)
READERS = frozenset(
    {
        "ReadVariableOp",
        "ResourceGather",
        "ResourceGatherNd",
        "VarIsInitializedOp",
        "VariableShape",
        "DestroyResourceOp",
    }
)
_FUNCTIONS = ("If", "While", "Case", "StatelessIf", "StatelessWhile", "StatefulPartitionedCall", "PartitionedCall")


def order_reads(graph: Graph, operations: Sequence[tf.Operation]) -> bool:
    """Orders the reads among the operations of a run, in the graph itself; whether anything had to be done."""
    order = _Order(graph, operations)
    return bool(order.updates) and (order.read_again() | order.read_first())


class _Order:
    """What is read and updated among some operations, and which of them wait for which.

    Attributes:
      updates: variable's stand-in -> the operations that update it.
    """

    def __init__(self, graph: Graph, operations: Sequence[tf.Operation]) -> None:
        self._graph = graph
        self._variables = {
            name: variable
            for name, outside in graph.captured().items()
            if (variable := graph.variables_by_handle.get(id(outside))) is not None
        }
        self.updates: dict[str, list[tf.Operation]] = {}
        self._reads: dict[str, list[tf.Operation]] = {}
        for operation in operations:
            self._note(operation)
        if self.updates:
            marked = [item for found in (*self.updates.values(), *self._reads.values()) for item in found]
            self._bits = {id(operation): 1 << number for number, operation in enumerate(marked)}
            self._operations = _sorted(operations)
            self._after = self._waits()

    def _note(self, operation: tf.Operation) -> None:
        if operation.type == "ReadVariableOp" and not operation.control_inputs:
            self._reads.setdefault(operation.inputs[0].op.name, []).append(operation)
        elif operation.type not in READERS and operation.type not in _FUNCTIONS:
            for tensor in operation.inputs:
                if tensor.dtype == tf.resource and tensor.op.name in self._variables:
                    self.updates.setdefault(tensor.op.name, []).append(operation)

    def _waits(self) -> dict[int, int]:
        """Operation -> the reads and updates that it waits for, one bit each."""
        after: dict[int, int] = {}
        for operation in self._operations:
            mask = 0
            for other in _inputs(operation):
                mask |= after.get(id(other), 0) | self._bits.get(id(other), 0)
            after[id(operation)] = mask
        return after

    def read_again(self) -> bool:
        """Has operations that wait for an update read what it left; whether there were any."""
        updates = sum(self._bits[id(update)] for found in self.updates.values() for update in found)
        found = False
        for operation in self._operations:
            if not self._after[id(operation)] & updates or operation.type == "ReadVariableOp":
                continue
            for position, tensor in enumerate(operation.inputs):
                chain = self._chain(tensor)
                missed = self._missed(operation, chain[-1]) if chain else []
                if missed:
                    operation._update_input(position, self._copy(chain, missed))
                    found = True
        return found

    def read_first(self) -> bool:
        """Puts reads before the updates that need the value themselves and know nothing of them."""
        found = False
        for name, updates in self.updates.items():
            reads = self._reads.get(name, [])
            for update in updates:
                late = [read for read in reads if not self._after[id(update)] & self._bits[id(read)]]
                # What sets a variable without its value may be what gives it the first one.
                if late and (update.type != "AssignVariableOp" or len(late) < len(reads)):
                    update._add_control_inputs(late)
                    found = True
        return found

    def _chain(self, tensor: tf.Tensor) -> list[tf.Operation]:
        """From a tensor back to the read whose memory it shares; empty where there is none."""
        chain = [tensor.op]
        while chain[-1].type in ALIASES:
            chain.append(chain[-1].inputs[0].op)
        read = chain[-1]
        variable = self._variables.get(read.inputs[0].op.name) if read.type == "ReadVariableOp" else None
        return chain if variable is not None and variable.shares_memory else []

    def _missed(self, operation: tf.Operation, read: tf.Operation) -> list[tf.Operation]:
        """The updates that an operation waits for, and that the read before it did not."""
        updates = self.updates.get(read.inputs[0].op.name, ())
        mask = self._after[id(operation)] & ~self._after.get(id(read), 0)
        return [update for update in updates if self._bits[id(update)] & mask]

    def _copy(self, chain: Sequence[tf.Operation], updates: Sequence[tf.Operation]) -> tf.Tensor:
        """The chain once more, from a read after the updates."""
        *aliases, read = chain
        variable = self._variables[read.inputs[0].op.name]
        with (
            _open_again(self._graph),
            self._graph.as_default(),
            tf.control_dependencies(None),
            tf.control_dependencies(list(updates)),
        ):
            value: Any = tf.raw_ops.ReadVariableOp(resource=read.inputs[0], dtype=variable.dtype)
            value.set_shape(read.outputs[0].shape)
        for alias in reversed(aliases):
            inputs = [value, *alias.inputs[1:]]
            types = [output.dtype for output in alias.outputs]
            with _open_again(self._graph), tf.control_dependencies(None):
                copy = self._graph.create_op(alias.type, inputs, types, attrs=_attributes(alias), op_def=alias.op_def)
            value = copy.outputs[0]
        return value


@contextlib.contextmanager
def _open_again(graph: Graph) -> Iterator[None]:
    """Lets the graph grow, also where a managed session has closed it to the program."""
    closed = graph.finalized
    if closed:
        graph._unsafe_unfinalize()
    try:
        yield
    finally:
        if closed:
            graph.finalize()


def _inputs(operation: tf.Operation) -> list[tf.Operation]:
    return [*(tensor.op for tensor in operation.inputs), *operation.control_inputs]


def _sorted(operations: Sequence[tf.Operation]) -> list[tf.Operation]:
    """The operations, each behind all that it waits for."""
    inside = {id(operation) for operation in operations}
    found: list[tf.Operation] = []
    done: set[int] = set()
    waiting = [(operation, False) for operation in operations]
    while waiting:
        operation, ready = waiting.pop()
        if ready:
            found.append(operation)
        elif id(operation) not in done:
            done.add(id(operation))
            waiting.append((operation, True))
            waiting += [(other, False) for other in _inputs(operation) if id(other) in inside]
    return found


def _attributes(operation: tf.Operation) -> dict[str, Any]:
    return dict(operation.node_def.attr.items())
