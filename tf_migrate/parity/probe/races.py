"""Reads of a variable that the same run updates, where the program says no order: TensorFlow 1 took either.

Such reads are put before the update: one of the orders that were left open, and that of migrated code. It can be done
to resource variables only, whose reads are operations that need nothing else.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any, NamedTuple

from inside import ancestors, elements_of, fed_values, place_of

_READS = "ReadVariableOp"
_UPDATES = ("AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp", "ResourceApply", "ResourceScatter")


class _Race(NamedTuple):
    """A read and an update of one variable, by the names of the operations."""

    variable: str
    read: str
    update: str


class _Known:
    """What is known of one graph: its version and number of operations when last seen, its races, the runs told of."""

    def __init__(self) -> None:
        self.version = -1
        self.operations = 0
        self.races: list[_Race] = []
        self.runs: set[Any] = set()


class Races:
    """Orders the reads and updates of graphs before sessions run them, and tells of those that runs reach."""

    def __init__(self, recorder: Any) -> None:
        self._recorder = recorder
        self._graphs: Any = weakref.WeakKeyDictionary()

    def order(self, graph: Any) -> None:
        """Puts reads before updates among the operations that are new; to be called before a session sees them."""
        known = self._graphs.setdefault(graph, _Known())
        if graph.version != known.version:
            operations = graph.get_operations()
            known.races += _ordered(operations, known.operations)
            known.version, known.operations = graph.version, len(operations)

    def tell(self, graph: Any, fetches: Any, feed_dict: Any) -> None:
        """Notes the races between what a run reaches."""
        known = self._graphs.get(graph)
        if known is None or not known.races:
            return
        elements = elements_of(graph, fetches)
        run = tuple(element.name for element in elements)
        if run not in known.runs:
            known.runs.add(run)
            self._note(known.races, ancestors(graph, elements, fed_values(graph, feed_dict)))

    def _note(self, races: list[_Race], operations: list[Any]) -> None:
        reached = {operation.name: operation for operation in operations}
        told = self._recorder.outcome.setdefault("races", [])
        for race in races:
            if race.read in reached and race.update in reached:
                places = [place_of(reached[name], self._recorder) for name in (race.read, race.update)]
                if [race.variable, *places] not in told:
                    told.append([race.variable, *places])


def _ordered(operations: list[Any], seen: int) -> Iterator[_Race]:
    """Puts the reads of variables before the new ones of their updates, and gives what had no order before."""
    reads: dict[str, list[Any]] = {}
    for operation in operations:
        if operation.type == _READS and not operation.control_inputs and _is_plain(operation):
            reads.setdefault(operation.inputs[0].op.name, []).append(operation)
    before = _reads_before(operations, [read for found in reads.values() for read in found])
    for update in operations[seen:]:
        if not update.type.startswith(_UPDATES) or not _is_plain(update):
            continue
        variable = update.inputs[0].op.name
        found = reads.get(variable, [])
        # What sets a variable without its value may be what gives it the first one: no read can come before.
        if update.type == "AssignVariableOp" and not any(before[update.name] & before[read.name] for read in found):
            continue
        for read in found:
            if not before[update.name] & before[read.name]:
                update._add_control_input(read)
                yield _Race(variable, read.name, update.name)


def _reads_before(operations: list[Any], reads: list[Any]) -> dict[str, int]:
    """Operation -> the reads that it waits for, one bit each; a read has its own."""
    before = {read.name: 1 << number for number, read in enumerate(reads)}
    for operation in operations:  # in the order of building, which only loops break
        mask = before.get(operation.name, 0)
        for tensor in operation.inputs:
            mask |= before.get(tensor.op.name, 0)
        for other in operation.control_inputs:
            mask |= before.get(other.name, 0)
        before[operation.name] = mask
    return before


def _is_plain(operation: Any) -> bool:
    """Whether an operation is in no loop or branch, and its variable stands outside of them, too."""
    within = getattr(operation, "_get_control_flow_context", lambda: None)()
    return within is None and bool(operation.inputs) and operation.inputs[0].op.type == "VarHandleOp"
