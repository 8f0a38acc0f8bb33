"""The order of reads and updates inside one run, as TF1's default variables had it.

There a read shared the variable's memory. An operation that ran after an update therefore saw what the update left,
even through a read from before it: the gradient of a generator behind `control_dependencies([discriminator_step])`
goes through the discriminator's new weights. Reads of TF2's variables are values, so such an operation is given a read
of its own. Where the program says no order, the read comes first.

What a run gives is looked at behind all that it does: a part of the variable's memory was what the updates left there.
What is fed shares no memory, and nothing behind it is read or waited for. An order is that of one run: the graph stays.
"""

from __future__ import annotations

import contextlib
from collections.abc import Container, Iterator, Sequence
from typing import Any

import tensorflow as tf

from .function_calls import CALLING, updated_inputs
from .graph import Graph

__all__ = ["ALIASES", "READERS", "SELECTING", "ordered_reads", "read_late"]

# Operations whose result shares the memory of their input.
ALIASES = frozenset(
    {
        "CheckNumerics",
        "EnsureShape",
        "ExpandDims",
        "Identity",
        "IdentityN",
        "PreventGradient",
        "Reshape",
        "Squeeze",
        "StopGradient",
    }
)
SELECTING = frozenset({"Slice", "Split", "SplitV", "StridedSlice", "Unpack"})
"""Operations whose results are parts of the memory of their input, where they lie well."""
_ALIGNMENT = 64
"""Where a part of the memory may begin, in bytes: TF 1.15 shared no other one."""
GATHERING = frozenset({"ResourceGather", "ResourceGatherNd"})
"""Operations that read rows of a variable: their results are memory of their own."""
READERS = frozenset(
    {
        *GATHERING,
        "ReadVariableOp",
        "VarIsInitializedOp",
        "VariableShape",
        "DestroyResourceOp",
    }
)


@contextlib.contextmanager
def ordered_reads(
    graph: Graph, operations: Sequence[tf.Operation], fetched: Sequence[tf.Tensor], fed: Sequence[tf.Tensor]
) -> Iterator[bool]:
    """Orders the reads among the operations of a run, in the graph itself and until the block ends.

    Gives whether anything had to be done.
    """
    order = _Order(graph, operations, fed)
    try:
        yield bool(order.updates) and (order.read_again() | order.read_first(fetched))
    finally:
        order.undo()


def read_late(
    graph: Graph, operations: Sequence[tf.Operation], fetched: Sequence[tf.Tensor], fed: Sequence[tf.Tensor]
) -> list[tf.Tensor]:
    """What a run gives for the tensors that are fetched: parts of a variable's memory as its updates leave them."""
    ends = {id(tensor) for tensor in fed}
    if not any(tensor.op.type in SELECTING for each in fetched for tensor in _aliases(each, ends)):
        return list(fetched)
    order = _Order(graph, operations, fed)
    return [order.late(tensor) for tensor in fetched] if order.updates else list(fetched)


class _Order:
    """What is read and updated among some operations, and which of them wait for which.

    Attributes:
      updates: variable's stand-in -> the operations that update it.
    """

    def __init__(self, graph: Graph, operations: Sequence[tf.Operation], fed: Sequence[tf.Tensor]) -> None:
        self._graph = graph
        self._fed = {id(tensor) for tensor in fed}
        self._inputs: list[tuple[tf.Operation, int, tf.Tensor]] = []
        self._controls: list[tuple[tf.Operation, list[tf.Operation]]] = []
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
            self._operations = _sorted(operations, self._fed)
            self._after = self._waits()

    def _note(self, operation: tf.Operation) -> None:
        if operation.type in ("ReadVariableOp", *GATHERING) and not operation.control_inputs:
            self._reads.setdefault(operation.inputs[0].op.name, []).append(operation)
        elif operation.type not in READERS:
            held = {
                place: tensor.op.name
                for place, tensor in enumerate(operation.inputs)
                if tensor.dtype == tf.resource and tensor.op.name in self._variables
            }
            if held and operation.type in CALLING:
                updated = updated_inputs(operation.node_def, READERS)
                held = {place: name for place, name in held.items() if place in updated}
            for name in held.values():
                self.updates.setdefault(name, []).append(operation)

    def _waits(self) -> dict[int, int]:
        """Operation -> the reads and updates that it waits for, one bit each."""
        after: dict[int, int] = {}
        for operation in self._operations:
            mask = 0
            for other in _inputs(operation, self._fed):
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
                missed = self._missed(operation, chain[-1].op) if chain else []
                if missed:
                    self._inputs.append((operation, position, tensor))
                    operation._update_input(position, self._copy(chain, missed))
                    found = True
        return found

    def undo(self) -> None:
        """Gives operations back the inputs that they had."""
        for operation, position, tensor in self._inputs:
            operation._update_input(position, tensor)
        for operation, waited in reversed(self._controls):
            operation._remove_all_control_inputs()
            operation._add_control_inputs(waited)

    def late(self, fetched: tf.Tensor) -> tf.Tensor:
        """What a run gives for a tensor: where that is a part of a variable's memory, a read after all updates."""
        chain = self._chain(fetched)
        updates = self.updates.get(chain[-1].op.inputs[0].op.name) if chain else None
        selected = any(tensor.op.type in SELECTING for tensor in chain)
        return self._copy(chain, updates) if selected and updates else fetched

    def read_first(self, fetched: Sequence[tf.Tensor]) -> bool:
        """Puts reads before the updates that need the value themselves and know nothing of them."""
        found = False
        asked = {id(tensor.op) for tensor in fetched}
        every = sum(self._bits[id(update)] for updates in self.updates.values() for update in updates)
        for name, updates in self.updates.items():
            reads = [read for read in self._reads.get(name, ()) if not self._after[id(read)] & every]
            for update in updates:
                late = [read for read in reads if not self._after[id(update)] & self._bits[id(read)]]
                # What sets a variable without its value may be what gives it the first one.
                given = update.type != "AssignVariableOp" or any(id(read) in asked for read in late)
                if late and (given or len(late) < len(reads)):
                    self._controls.append((update, list(update.control_inputs)))
                    update._add_control_inputs(late)
                    found = True
        return found

    def _chain(self, tensor: tf.Tensor) -> list[tf.Tensor]:
        """From a tensor back to the read whose memory it shares; empty where there is none."""
        chain = _aliases(tensor, self._fed)
        read = chain[-1].op
        is_read = read.type == "ReadVariableOp" and id(chain[-1]) not in self._fed
        variable = self._variables.get(read.inputs[0].op.name) if is_read else None
        return chain if variable is not None and variable.shares_memory else []

    def _missed(self, operation: tf.Operation, read: tf.Operation) -> list[tf.Operation]:
        """The updates that an operation waits for, and that the read before it did not."""
        updates = self.updates.get(read.inputs[0].op.name, ())
        mask = self._after[id(operation)] & ~self._after.get(id(read), 0)
        return [update for update in updates if self._bits[id(update)] & mask]

    def _copy(self, chain: Sequence[tf.Tensor], updates: Sequence[tf.Operation]) -> tf.Tensor:
        """The chain once more, from a read after the updates, and after what the chain itself waited for."""
        *aliases, last = chain
        waited = [other for tensor in chain for other in tensor.op.control_inputs]
        read = last.op
        variable = self._variables[read.inputs[0].op.name]
        with (
            _open_again(self._graph),
            self._graph.as_default(),
            tf.control_dependencies(None),
            tf.control_dependencies([*(end for update in updates for end in _ends(update)), *waited]),
        ):
            value: Any = tf.raw_ops.ReadVariableOp(resource=read.inputs[0], dtype=variable.dtype)
            value.set_shape(last.shape)
        for tensor in reversed(aliases):
            alias, place = tensor.op, _shared_input(tensor)
            inputs = [value if position == place else given for position, given in enumerate(alias.inputs)]
            types = [output.dtype for output in alias.outputs]
            with _open_again(self._graph), tf.control_dependencies(None):
                copy = self._graph.create_op(alias.type, inputs, types, attrs=_attributes(alias), op_def=alias.op_def)
            value = copy.outputs[tensor.value_index]
        return value


def _ends(update: tf.Operation) -> list[Any]:
    """What an update is done with: for one that runs functions its results, since who waits for itself may be early."""
    return [*map(tf.identity, update.outputs)] if update.type in CALLING and update.outputs else [update]


def _aliases(tensor: tf.Tensor, fed: Container[int]) -> list[tf.Tensor]:
    """From a tensor back to the one whose memory it shares, or to what is fed."""
    chain = [tensor]
    while id(chain[-1]) not in fed and (place := _shared_input(chain[-1])) is not None:
        chain.append(chain[-1].op.inputs[place])
    return chain


def _shared_input(tensor: tf.Tensor) -> int | None:
    """Which input of its operation a tensor surely shares the memory of; None where it may have one of its own."""
    operation = tensor.op
    if operation.type in ALIASES:
        return int(tensor.value_index)
    place = 1 if operation.type == "Split" else 0
    if operation.type not in SELECTING or not operation.inputs[place].shape.is_fully_defined():
        return None
    whole, size = operation.inputs[place].shape, operation.inputs[place].dtype.size
    if whole.rank == 0 or 0 in whole or not _takes_rows(operation, whole):
        return None
    if operation.type != "Unpack" and operation.outputs[0].shape.num_elements() == whole.num_elements():
        return place
    if whole.rank > 1 or operation.type not in ("Slice", "StridedSlice"):
        return place if whole[1:].num_elements() * size % _ALIGNMENT == 0 else None
    bounds = _bounds(operation, int(whole[0]))
    return place if bounds and all(bound * size % _ALIGNMENT == 0 for bound in bounds) else None


def _takes_rows(operation: tf.Operation, whole: tf.TensorShape) -> bool:
    """Whether the results are parts of a tensor along its first dimension: whole rows that stand side by side."""
    if operation.type == "Unpack":
        return operation.get_attr("axis") in (0, -whole.rank)
    if operation.type in ("Split", "SplitV"):
        axis = tf.get_static_value(operation.inputs[0 if operation.type == "Split" else 2])
        return len(operation.outputs) == 1 or (axis is not None and int(axis) in (0, -whole.rank))
    if operation.type == "Slice":
        return bool(operation.outputs[0].shape[1:] == whole[1:])
    strides = tf.get_static_value(operation.inputs[3])
    if strides is None or any(stride != 1 for stride in strides):
        return False
    if operation.outputs[0].shape.num_elements() == whole.num_elements():
        return True
    words = ("new_axis_mask", "ellipsis_mask", "begin_mask", "end_mask")
    added, ellipsis, begins, ends = (operation.get_attr(word) for word in words)
    every = range(1, len(strides))
    return not (added or ellipsis & 1) and all((ellipsis | (begins & ends)) >> place & 1 for place in every)


def _bounds(operation: tf.Operation, length: int) -> tuple[int, int] | None:
    """Where a part of a vector begins, and where it ends; for `tf.slice` how long it is, as TF 1.15 asked."""
    begin, end = (tf.get_static_value(bound) for bound in operation.inputs[1:3])
    if begin is None or end is None:
        return None
    if operation.type == "Slice":
        return int(begin[0]), int(end[0]) if end[0] >= 0 else length - int(begin[0])
    if operation.get_attr("shrink_axis_mask"):
        return int(begin[0]), int(begin[0]) + 1
    first = None if operation.get_attr("begin_mask") else int(begin[0])
    last = None if operation.get_attr("end_mask") else int(end[0])
    return slice(first, last).indices(length)[:2]


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


def _inputs(operation: tf.Operation, fed: Container[int]) -> list[tf.Operation]:
    """What an operation waits for, other than what is fed."""
    return [*(tensor.op for tensor in operation.inputs if id(tensor) not in fed), *operation.control_inputs]


def _sorted(operations: Sequence[tf.Operation], fed: Container[int]) -> list[tf.Operation]:
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
            waiting += [(other, False) for other in _inputs(operation, fed) if id(other) in inside]
    return found


def _attributes(operation: tf.Operation) -> dict[str, Any]:
    return dict(operation.node_def.attr.items())
