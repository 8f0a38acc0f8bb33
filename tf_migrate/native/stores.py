"""The stores that hold the variables of layers: one for the script's own, one for each object that makes some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tf_migrate.native.optimizers import needs_store
from tf_migrate.plan import Function
from tf_migrate.stages.objects import ObjectClass
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.values import Apply, Minimize, Refused


@dataclass(frozen=True)
class Store:
    """A store: the name that code calls it by, and the unit that makes it, before the first variable."""

    name: str
    unit: int


def stores_of(program: Program, functions: Sequence[Function], word: str) -> dict[ObjectClass | None, Store]:
    """The stores of a script and its objects, all called by one word."""
    made: dict[ObjectClass | None, list[Unit]] = {}
    stepping = {
        update.unit
        for function in functions
        for update in function.updates
        if isinstance(update, Minimize | Apply) and needs_store(program, update)
    }
    for unit in program.units:
        if unit.creates or unit.index in stepping:
            made.setdefault(_owner(program, unit), []).append(unit)
    for function in functions:
        owners = {_owner(program, unit) for unit in (*function.taped, *function.rest) if unit.creates}
        if len(owners) > 1:
            place = program.units[function.anchor].node
            raise Refused(place, "layers of several objects take part in one run", "build them in one class")
    found = {}
    for owner, units in made.items():
        listing = [unit for unit in program.units if unit.lists and _owner(program, unit) is owner]
        homes = {program.home_of(unit.index) for unit in (*units, *listing)}
        found[owner] = Store(f"self.{word}" if owner is not None and len(homes) > 1 else word, units[0].index)
    return found


def _owner(program: Program, unit: Unit) -> ObjectClass | None:
    return program.owner_of(program.home_of(unit.index))


def store_options(program: Program, owner: ObjectClass | None) -> str:
    """What a store is told: what its collections are shared with, and to leave updates to those that ask for them."""
    family = [f"family={owner.node.name}"] if owner is not None and owner in program.related else []
    return ", ".join([*family, *(["defer_updates=True"] if any(unit.averages for unit in program.units) else [])])
