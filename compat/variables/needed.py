"""Which updates of variables the results of graph-building code need.

A run of TF 1.x made the updates that its fetches waited for, and no others; a ``tf.function`` makes all that it traces.
So the code is traced twice: once aside, to see which updates the results wait for, and then with those alone.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from itertools import combinations
from typing import Any

import tensorflow as tf

from ..bridge.function_calls import CALLING, called_functions
from ..bridge.ordering import ALIASES, READERS, SELECTING
from ..private import op_def_registry, resource_variable_ops
from .references import standing_for
from .tracing import innermost_graph

BRANCHING = ("If", "StatelessIf")
_CALLING = CALLING.difference(BRANCHING) | {"SymbolicGradient"}
_PASSING = frozenset(
    {
        *("AddN", "All", "Any", "BatchToSpaceND", "Bitcast", "BroadcastTo", "Einsum", "IdentityN", "MatrixBandPart"),
        *("Max", "Mean", "Min", "Pack", "Pad", "Prod", "ReverseV2", "Roll", "SpaceToBatchND", "Sum", "Tile"),
        *("Transpose",),
    }
)
"""Operations that TF 1.x made no memory for where they had nothing to do, to add one tensor say."""
_UPDATING = (
    "Assign",
    "ResourceApply",
    "ResourceSparseApply",
    "ResourceScatter",
    "ResourceCountUpTo",
    "ResourceStrided",
)
_HIDDEN = (
    "Which of the results need an update is not known: it is made in the body of a loop, or in a function of its own."
)
_DISORDERED = (
    "Results need a value of {} and an update of it in another order than TF 1.x had them, or in none. Read the value "
    "under `tf.control_dependencies` of the update, or update under those of what is computed of it."
)
_UNORDERED = (
    "Results need two updates of {}, of which TF 1.x made any one first. Make one of them under "
    "`tf.control_dependencies` of the other."
)


_NOT_TOLD_APART = (
    "The results do not need {0!r} ({1}), but it would be made with them: compat.VariableStore.compute leaves out the "
    "updates of compat.assign and its kin, and those of compat's optimizers. Write the update with these, or give it "
    "back in a function of its own."
)
_SHARED = (
    "The resource variable {} is assigned what shares the memory of another variable: in TF 1.x it shared it from then "
    "on. Make both of them resource variables, or neither."
)


class Updates:
    """The updates that one pass over the code asks for, in order, of which it makes the ``needed`` ones.

    ``needed`` is None in the rehearsal, which makes all and notes them.
    """

    def __init__(self, needed: frozenset[int] | None = None) -> None:
        self.needed = needed
        self.variables: list[Any] = []
        self._operations: dict[int, Any] = {}
        self._steps: dict[int, tuple[Any, list[Any]]] = {}

    def leaves_out(self, variable: Any) -> bool:
        """Whether the next update, one of that variable, is not to be made."""
        number = len(self.variables)
        self.variables.append(variable)
        return self.needed is not None and number not in self.needed

    def note(self, operation: Any) -> None:
        """Notes what makes the update that was asked for last."""
        self._operations[len(self.variables) - 1] = operation

    def made_together(self, make: Callable[[], Any]) -> Any:
        """What `make` gives: the operation that ends several updates, those of an optimizer say, asked for as one."""
        since = len(innermost_graph().get_operations())
        operation = make()
        made = [each for each in operation.graph.get_operations()[since:] if _is_update(each)]
        self._steps[len(self.variables) - 1] = operation, made
        return operation

    def needed_by(self, results: Any, resources: Iterable[Any] = ()) -> frozenset[int]:
        """The numbers of the updates that results wait for.

        Of the variables that are results TF 1.x gave what updates left, but not of those that are ``resources``.

        Raises:
            ValueError: an update is made where it cannot be told, in the body of a loop say, or results need a value
                of a variable too, and the order of the two is not the same as in TF 1.x; or TF 1.x let two variables
                share their memory.
        """
        walk = _Walk(results)
        ends = {**self._operations, **{number: end for number, (end, _) in self._steps.items()}}
        hidden = any(id(each.graph) not in walk.graphs for each in ends.values())
        if hidden and walk.calls:
            raise ValueError(_HIDDEN)
        told = {id(each) for each in self._operations.values()}
        told.update(id(each) for _, made in self._steps.values() for each in made)
        for each in _all_operations(innermost_graph()):
            if _is_update(each) and id(each) not in told and id(each) not in walk.seen:
                raise ValueError(_NOT_TOLD_APART.format(each.name, each.type))
        asked = frozenset(number for number, each in ends.items() if id(each) in walk.seen)
        for number in asked.intersection(self._steps):
            made = self._steps[number][1]
            for each in made:
                if walk.is_disordered(each, made):
                    raise ValueError(_DISORDERED.format(each.inputs[0].name))
        needed = asked.intersection(self._operations)
        made = [self._operations[number] for number in needed]
        resources = list(resources)
        own = {id(each) for each in resources}
        handles = {id(each.handle) for each in resources}
        wanted = {id(each) for each in tf.nest.flatten(results)} & own
        for number in needed:
            variable = self.variables[number]
            if id(variable) in wanted or walk.is_disordered(self._operations[number], made):
                raise ValueError(_DISORDERED.format(variable.name))
            if id(variable) in own and walk.takes_memory(self._operations[number], handles):
                raise ValueError(_SHARED.format(variable.name))
        for one, other in combinations(sorted(needed), 2):
            pair = self._operations[one], self._operations[other]
            if self.variables[one] is self.variables[other] and walk.are_disordered(*pair):
                raise ValueError(_UNORDERED.format(self.variables[one].name))
        return asked

    def values(self, numbers: Container[int] | None = None) -> list[Any]:
        """What the updates of those numbers, or all that were made, are given, in order."""
        made = (each for number, each in sorted(self._operations.items()) if numbers is None or number in numbers)
        return [value for each in made for value in each.inputs[1:]]

    def require_same(self, rehearsed: Updates) -> None:
        """Raises ValueError where the rehearsal asked for other updates than the code does now."""
        same = len(self.variables) == len(rehearsed.variables)
        if not same or any(a is not b for a, b in zip(self.variables, rehearsed.variables, strict=True)):
            raise ValueError("The code made other updates when it was traced again: it has to be the same each time.")


def only_reads(results: Any, given: Iterable[Any]) -> bool:
    """Whether results are variables, or need nothing but values of variables: none that is given, and no update."""
    walk = _Walk(results)
    operations = [each for each in walk.seen.values() if isinstance(each, tf.Operation)]
    taken = {id(each.op) for each in given}
    plain = (each.type == "ReadVariableOp" or not each.op_def.is_stateful for each in operations)
    branching = any(each.type in BRANCHING for each in operations)
    return not (walk.calls or branching) and all(plain) and taken.isdisjoint(map(id, operations))


def require_fetchable(results: Any) -> None:
    """Raises ValueError, as a run of TF 1.x did, where one of the results is made in a branch or in a loop."""
    for each in tf.nest.flatten(results):
        made = each.op if tf.is_symbolic_tensor(each) else each
        if isinstance(made, tf.Operation) and made.graph is not innermost_graph():
            raise ValueError(
                f"Operation {made.name!r} has been marked as not fetchable: it is made in a branch or in a loop. "
                "Return it from there."
            )


class _Walk:
    """A walk from results back to all that they need, into the branches of conditions, as TF 1.x's graph had them.

    Attributes:
        seen: what they need, tensors and operations, by identity.
        graphs: the graphs that it came to: that of the results, and those of branches.
        calls: whether they need an operation with a body of another kind.
    """

    def __init__(self, results: Any) -> None:
        self.seen: dict[int, Any] = {}
        self.graphs = {id(innermost_graph())}
        self.calls = False
        self._outer: dict[int, Any] = {}
        self._conditions: dict[int, Any] = {}
        flat = [waited_for(each) for each in tf.nest.flatten(results, expand_composites=True)]
        self._results = [each for each in flat if isinstance(each, tf.Operation) or tf.is_symbolic_tensor(each)]
        self._waiting = list(self._results)
        while self._waiting:
            each = self._waiting.pop()
            if id(each) not in self.seen:
                self.seen[id(each)] = each
                self._waiting += self._needed_by(each)

    def _needed_by(self, each: Any) -> Iterable[Any]:
        if isinstance(each, tf.Tensor):
            if each.op.type in BRANCHING:
                return self._branch(each.op, [each.value_index])
            return [self._outer.get(id(each), each.op)]
        if each.type in BRANCHING:
            return self._branch(each, range(len(each.outputs)))
        self.calls = self.calls or each.type in _CALLING or op_def_registry.get(each.type) is None
        return [*each.inputs, *each.control_inputs]

    def _branch(self, condition: Any, indices: Iterable[int]) -> Iterator[Any]:
        """What some of the results of a condition need: of its branches, no more than these results."""
        self.seen[id(condition)] = condition
        yield from (condition.inputs[0], *condition.control_inputs)
        for graph in (condition._true_graph, condition._false_graph):
            self.graphs.add(id(graph))
            self._conditions[id(graph)] = condition
            # Both branches take all that either captures.
            self._outer.update(zip(map(id, graph.inputs), condition.inputs[1:], strict=True))
            yield from (graph.outputs[index] for index in indices)

    def is_disordered(self, update: Any, updates: Iterable[Any]) -> bool:
        """Whether something is read of the variable of an update where TF 1.x gave, or may have given, another value.

        A read of TF 1.x shared the memory of the variable, and so did aliases of it: they gave what the update left.
        What is computed of other reads is that of before the update, where nothing says that it waits.
        """
        handle, others, chosen = update.inputs[0], set(map(id, updates)), self._chosen(update)
        while not self._is_disordered_beside(update, handle, others, chosen):
            if id(update.graph) not in self._conditions:
                return False
            handle, update = self._outer[id(handle)], self._conditions[id(update.graph)]
        return True

    def are_disordered(self, update: Any, other: Any) -> bool:
        """Whether two updates of a variable, of which one replaces its value, wait neither one for the other."""
        if "AssignVariableOp" not in (update.type, other.type):
            return False
        first, second = self._chosen(update), self._chosen(other)
        if any(second.get(condition, side) is not side for condition, side in first.items()):
            return False  # They are never made both.
        around = {id(each.graph): each for each in self._around(other)}
        update = next(each for each in self._around(update) if id(each.graph) in around)
        other = around[id(update.graph)]
        return update is not other and id(other) not in self._behind(update) and id(update) not in self._behind(other)

    def _is_disordered_beside(self, update: Any, handle: Any, others: set[int], chosen: dict[int, bool]) -> bool:
        """Whether it is so in the graph that an update, or the condition which holds it, stands in."""
        later = self._behind(update)
        beside = [each for each in self.seen.values() if id(each) in others and _updates(each, handle)]
        behind = set().union(*map(self._behind, beside)) - later
        racing: set[int] = set()
        early: set[int] = set()
        late: set[int] = set()
        read = early
        for each in update.graph.get_operations():
            if id(each) not in self.seen:
                continue
            if each is update:
                read = late
            elif _reads(each, handle) and id(each) not in later:
                read.update(map(id, each.outputs))
                if id(each) in behind:
                    racing.update(map(id, each.outputs))
            elif each.type in BRANCHING and id(each) in later:
                if not self._waits_whole(each, later) and self._read_in(each, handle, chosen)[0]:
                    return True
            elif each.type in BRANCHING:
                reads, passed = self._read_in(each, handle, chosen)
                if reads and read is late:
                    return True
                early.update(passed)
            for known in (early, late):
                if known.isdisjoint(map(id, each.inputs)):
                    continue
                waits = id(each) in later
                if waits if known is early else not (waits or each.type in ALIASES or self._behind(each) & others):
                    return True
                if _shares(each) if known is early else each.type in ALIASES:
                    known.update(map(id, each.outputs))
            if not racing.isdisjoint(map(id, each.inputs)):
                if each.type in ALIASES:
                    racing.update(map(id, each.outputs))
                elif each is not update and id(each) not in later and id(update) not in self._behind(each):
                    return True
        inside = id(update.graph) in self._conditions
        return not early.isdisjoint(map(id, update.graph.outputs if inside else self._results))

    def _read_in(self, condition: Any, handle: Any, chosen: dict[int, bool]) -> tuple[bool, set[int]]:
        """Whether branches that may be `chosen` read a variable, and the results that are aliases of what they read."""
        found, passed = False, set()
        side = chosen.get(self._decision(condition))
        for graph in (condition._true_graph, condition._false_graph):
            if side is not None and side is not (graph is condition._true_graph):
                continue
            pairs = zip(graph.inputs, condition.inputs[1:], strict=True)
            inner = next((given for given, outer in pairs if outer is handle), None)
            aliases: set[int] = set()
            for each in graph.get_operations():
                if inner is None or id(each) not in self.seen:
                    continue
                if _reads(each, inner) or (each.type in ALIASES and not aliases.isdisjoint(map(id, each.inputs))):
                    found = True
                    aliases.update(map(id, each.outputs))
                elif each.type in BRANCHING:
                    reads, more = self._read_in(each, inner, chosen)
                    found, aliases = found or reads, aliases | more
            passed |= {
                id(each) for each, end in zip(condition.outputs, graph.outputs, strict=True) if id(end) in aliases
            }
        return found, passed

    def takes_memory(self, assignment: Any, resources: set[int]) -> bool:
        """Whether what is assigned may share the memory of a variable other than those of the handles given."""
        waiting, seen = [assignment.inputs[1]], set()
        while waiting:
            tensor = waiting.pop()
            while id(tensor) in self._outer:
                tensor = self._outer[id(tensor)]
            if id(tensor) in seen:
                continue
            seen.add(id(tensor))
            made = tensor.op
            if made.type in BRANCHING:
                waiting += [graph.outputs[tensor.value_index] for graph in (made._true_graph, made._false_graph)]
            elif made.type == "ReadVariableOp":
                handle = made.inputs[0]
                while id(handle) in self._outer:
                    handle = self._outer[id(handle)]
                outside = {id(inner): id(outer) for outer, inner in handle.graph.captures}
                if outside.get(id(handle)) not in resources:
                    return True
            elif _shares(made):
                waiting += made.inputs
        return False

    def _around(self, operation: Any) -> Iterator[Any]:
        """An operation, and the conditions that hold it."""
        yield operation
        while id(operation.graph) in self._conditions:
            operation = self._conditions[id(operation.graph)]
            yield operation

    def _chosen(self, operation: Any) -> dict[int, bool]:
        """What decides whether an operation is made, and how."""
        graphs = [each.graph for each in self._around(operation)][:-1]
        conditions = [(self._conditions[id(graph)], graph) for graph in graphs]
        return {self._decision(condition): graph is condition._true_graph for condition, graph in conditions}

    def _waits_whole(self, condition: Any, later: set[int]) -> bool:
        """Whether a condition waits for an update with both branches, not for what one of them takes."""
        return id(condition.inputs[0].op) in later or any(id(each) in later for each in condition.control_inputs)

    def _decision(self, condition: Any) -> int:
        """The identity of what a condition goes by."""
        asked = condition.inputs[0]
        while id(asked) in self._outer:
            asked = self._outer[id(asked)]
        return id(asked)

    def _behind(self, update: Any) -> set[int]:
        """The operations that wait for an update."""
        later = {id(update)}
        operations = update.graph.get_operations()
        before = 0
        while len(later) > before:
            before = len(later)
            for each in operations:
                waits = any(id(tensor.op) in later for tensor in each.inputs)
                if waits or any(id(other) in later for other in each.control_inputs):
                    later.add(id(each))
        return later - {id(update)}


def _all_operations(graph: Any) -> Iterator[Any]:
    """The operations of a graph, and of all bodies of its loops and branches."""
    for operation in graph.get_operations():
        yield operation
        for function in called_functions(operation.node_def):
            body = graph._get_function(function.name)
            if getattr(body, "graph", None) is not None:
                yield from _all_operations(body.graph)


def _is_update(operation: Any) -> bool:
    """Whether an operation changes what a variable holds."""
    if operation.type in READERS or operation.type in BRANCHING or operation.type in _CALLING:
        return False
    return operation.type.startswith(_UPDATING) and any(each.dtype == tf.resource for each in operation.inputs)


def _shares(operation: Any) -> bool:
    """Whether what an operation gives may have shared the memory of what it is given in TF 1.x."""
    if operation.type in ALIASES or operation.type in SELECTING:
        return True
    sizes = {each[0].shape.num_elements() for each in (operation.inputs, operation.outputs) if each}
    return operation.type in _PASSING and (None in sizes or len(sizes) == 1)


def _updates(operation: Any, handle: Any) -> bool:
    return bool(operation.inputs) and operation.inputs[0] is handle


def _reads(operation: Any, handle: Any) -> bool:
    return operation.type == "ReadVariableOp" and operation.inputs[0] is handle


def waited_for(result: Any) -> Any:
    """What a result waits for: of what `v.assign(…)` gives, which passes for a variable, the update."""
    return result.op if isinstance(result, resource_variable_ops._UnreadVariable) else result


def left_out(variable: Any) -> tf.Tensor:
    """What stands for the result of an update that nothing needs: the variable as it is."""
    return standing_for(variable, variable.read_value())
