"""A computation that several functions share becomes one function of its own, as a person would write it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tf_migrate.plan import Function
from tf_migrate.stages.program import Program, Unit, looks_up_again
from tf_migrate.stages.slices import close
from tf_migrate.stages.values import Binding

_WORTH_A_FUNCTION = 3


@dataclass(frozen=True, eq=False)
class Core:
    """Statements of which others need `outputs` only; the functions in `users` call them instead of holding copies."""

    outputs: tuple[Unit, ...]
    units: tuple[Unit, ...]
    parameters: tuple[Unit, ...]
    users: tuple[Function, ...]

    @property
    def last(self) -> Unit:
        """The statement that completes it, in whose place others call it."""
        return self.units[-1]

    @property
    def saved(self) -> int:
        """How many lines of copies it saves, less what it costs to hand over several results."""
        return len(self.units) * (len(self.users) - 1) - (len(self.outputs) - 1) * len(self.users)


def shared_core(program: Program, functions: Sequence[Function]) -> Core | None:
    """The computation whose copies are longest, where at least two functions hold the whole of it."""
    candidates = {unit: None for function in functions for unit in (*function.taped, *function.rest)}
    cores = [core for unit in candidates if (core := _core(program, unit, functions)) is not None]
    return max(cores, key=lambda core: (core.saved, -len(core.outputs), -core.last.index), default=None)


def _core(program: Program, last: Unit, functions: Sequence[Function]) -> Core | None:
    if not _is_result(last) or last.sees_updates:
        return None
    before, parameters, _ = close(program, [last.reads])
    units = (*before, last)
    ends = not before or before[-1].index < last.index
    if len(units) < _WORTH_A_FUNCTION or not ends or not _keeps_order(program, units):
        return None
    home = program.home_of(last.index)
    if any(program.home_of(unit.index) is not home for unit in units):
        return None
    near = (item for item in functions if program.home_of(item.anchor) is home and not item.crossed)
    users = tuple(function for function in near if _holds(function, units))
    outputs = tuple(
        unit for unit in units if unit is last or any(_is_read(function, unit, units) for function in users)
    )
    if len(users) < 2 or not all(map(_is_result, outputs)) or not _has_names(outputs, units):
        return None
    core = Core(outputs, units, parameters, users)
    return core if core.saved > 0 else None


def _is_result(unit: Unit) -> bool:
    """Whether a statement binds one name to one value."""
    node = unit.node
    if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and len(unit.binds) == 1):
        return False
    return not isinstance(node.targets[0], ast.Tuple | ast.List)


def _has_names(outputs: tuple[Unit, ...], units: tuple[Unit, ...]) -> bool:
    """Whether each result still has its name where the computation ends."""
    last = {name: unit for unit in units for name in unit.binds}
    return all(last[unit.binds[0]] is unit for unit in outputs)


def _keeps_order(program: Program, units: tuple[Unit, ...]) -> bool:
    """Whether variables of layers are still made in the order of the script: by all of these statements or by none."""
    return set(program.making_with(units)) <= set(units)


def _holds(function: Function, units: tuple[Unit, ...]) -> bool:
    """Whether a function computes all of it in one place, before it uses anything of it."""
    core = set(units)
    if not (core <= set(function.taped) or core <= set(function.rest)):
        return False
    inner, last = {unit.index for unit in units}, units[-1].index
    early = [unit for unit in (*function.taped, *function.rest) if unit not in core and unit.index < last]
    if any(looks_up_again(unit, [made for made in units if made.index < unit.index]) for unit in early):
        return False
    return not any(read.unit in inner for unit in early for read in unit.reads.values())


def _is_read(function: Function, unit: Unit, units: tuple[Unit, ...]) -> bool:
    """Whether a function uses what one of the statements computes elsewhere than in them."""
    return any(binding.unit == unit.index for binding in _outside_reads(function, set(units)))


def _outside_reads(function: Function, core: set[Unit]) -> Iterator[Binding]:
    for unit in (*function.taped, *function.rest):
        if unit not in core:
            yield from unit.reads.values()
    for update in function.updates:
        yield from update.reads.values()
    yield from function.reads
