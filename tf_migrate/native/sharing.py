"""A computation that several functions share becomes one function of its own, as a person would write it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tf_migrate.plan import Function
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.slices import close
from tf_migrate.stages.values import Binding

_WORTH_A_FUNCTION = 3


@dataclass(frozen=True, eq=False)
class Core:
    """Statements with one result, `output`'s; the functions in `users` call them instead of holding copies."""

    output: Unit
    units: tuple[Unit, ...]
    parameters: tuple[Unit, ...]
    users: tuple[Function, ...]


def shared_core(program: Program, functions: Sequence[Function]) -> Core | None:
    """The computation whose copies are longest, where at least two functions hold the whole of it."""
    candidates = {unit: None for function in functions for unit in (*function.taped, *function.rest)}
    cores = [core for unit in candidates if (core := _core(program, unit, functions)) is not None]
    return max(cores, key=lambda core: (len(core.units) * (len(core.users) - 1), -core.output.index), default=None)


def _core(program: Program, output: Unit, functions: Sequence[Function]) -> Core | None:
    node = output.node
    if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and len(output.binds) == 1):
        return None
    if isinstance(node.targets[0], ast.Tuple | ast.List):
        return None
    before, parameters, _ = close(program, [output.reads])
    units = (*before, output)
    if len(units) < _WORTH_A_FUNCTION or not _keeps_order(program, units):
        return None
    home = program.home_of(output.index)
    holding = (function for function in functions if _holds(function, units, output))
    users = tuple(function for function in holding if program.home_of(function.anchor) is home)
    return Core(output, units, parameters, users) if len(users) > 1 else None


def _keeps_order(program: Program, units: tuple[Unit, ...]) -> bool:
    """Whether variables of layers are still made in the order of the script: by all of these statements or by none."""
    return set(program.making_with(units)) <= set(units)


def _holds(function: Function, units: tuple[Unit, ...], output: Unit) -> bool:
    """Whether a function computes all of it in one place, and uses nothing of it but the result."""
    core = set(units)
    if not (core <= set(function.taped) or core <= set(function.rest)):
        return False
    inner = {unit.index for unit in units} - {output.index}
    return not any(binding.unit in inner for binding in _outside_reads(function, core))


def _outside_reads(function: Function, core: set[Unit]) -> Iterator[Binding]:
    for unit in (*function.taped, *function.rest):
        if unit not in core:
            yield from unit.reads.values()
    for update in function.updates:
        yield from update.reads.values()
    yield from function.reads
