"""Objects of which the program uses one: a model that a flag or a registry chose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tf_migrate.interpreter.values import (
    Bound,
    Cell,
    Frame,
    Function,
    Group,
    Instance,
    Partial,
    Thing,
    Union,
    Value,
    Wrapped,
)


def chosen_by(callee: Union, roots: Sequence[Frame]) -> Callable[[Cell], bool] | None:
    """Tells of cells whether they are reached only by the choice that chose the method which is called.

    None where what is called is no choice among objects.
    """
    receivers = {id(one.receiver) for one in callee.options if isinstance(one, Bound)}
    if len(receivers) < len(callee.options):
        return None
    otherwise: set[int] = set()

    def is_chosen(cell: Cell) -> bool:
        if not otherwise:
            otherwise.update(_reached(roots, receivers))
        return id(cell) not in otherwise

    return is_chosen


def _reached(roots: Sequence[Frame], choice: set[int]) -> set[int]:
    """The cells that are reached from some frames otherwise than by a choice."""
    found: set[int] = set()
    pending: list[Value] = list(roots)
    while pending:
        value = pending.pop()
        if isinstance(value, Union):
            objects = {id(option) for option in value.options if isinstance(option, Instance)}
            pending += [option for option in value.options if objects != choice or not isinstance(option, Instance)]
        elif isinstance(value, Group):
            pending += value.values
        elif isinstance(value, Cell):
            if id(value) not in found:
                found.add(id(value))
                pending += _within(value)
        elif isinstance(value, Bound):
            pending += [value.function, value.receiver]
        elif isinstance(value, Partial):
            pending += [value.function, *value.arguments.all()]
        elif isinstance(value, Function):
            pending += [value.frame, *value.defaults]
        elif isinstance(value, Wrapped):
            pending.append(value.function)
    return found


def _within(cell: Cell) -> Iterator[Value]:
    yield from cell.slots.values()
    if isinstance(cell, Frame) and cell.outer is not None:
        yield cell.outer
    if isinstance(cell, Thing) and cell.inner is not None:
        yield cell.inner
