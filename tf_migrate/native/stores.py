"""The stores that hold the variables of layers: one for each graph of a script, one for each object that makes some."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tf_migrate.native.optimizers import needs_store
from tf_migrate.plan import Function
from tf_migrate.stages.objects import ObjectClass
from tf_migrate.stages.program import Program, Unit, begin_alike, may_share
from tf_migrate.stages.updates import Apply, Minimize
from tf_migrate.stages.values import Refused, Variable
from tf_migrate.syntax.arguments import argument


@dataclass(frozen=True)
class Store:
    """A store: the name that code calls it by, and the unit that makes it, before the first variable."""

    name: str
    unit: int


Home: TypeAlias = tuple[ObjectClass | None, int]
"""Whose store it is: an object's or the script's, in a graph."""


def home_of(program: Program, unit: int) -> Home:
    """Whose store has the variables that a unit makes."""
    return program.owner_of(program.home_of(unit)), program.graph_of(unit)


def stores_of(program: Program, functions: Sequence[Function], word: str) -> dict[Home, Store]:
    """The stores of a script and its objects, all called by one word: nothing needs those of a graph behind its end."""
    made: dict[Home, list[Unit]] = {}
    stepping = {
        update.unit
        for function in functions
        for update in function.updates
        if isinstance(update, Minimize | Apply) and needs_store(program, update)
    }
    for unit in program.units:
        if unit.creates or unit.adds or unit.index in stepping:
            made.setdefault(home_of(program, unit.index), []).append(unit)
    found: dict[Home, Store] = {}
    together = _together(program, functions)
    for home, units in made.items():
        if units[0].chosen:
            what = "variables of an optimizer that a branch makes are named beside those of others"
            raise Refused(units[0].node, what, "make the other optimizers first")
        if home in together and together[0] in found:
            # The objects of one graph share the store of the first one that makes variables.
            found[home] = found[together[0]]
            continue
        listing = [unit for unit in program.units if unit.lists and home_of(program, unit.index) == home]
        places = {program.home_of(unit.index) for unit in (*units, *listing)}
        places |= {program.home_of(function.anchor) for function in functions if not _is_apart(function, listing)}
        kept = home[0] is not None and (len(places) > 1 or home in together)
        found[home] = Store(f"self.{word}" if kept else word, units[0].index)
    for unit in program.units:
        if unit.either:
            _require_alone(program, found, unit)
    return found


def _require_alone(program: Program, stores: Mapping[Home, Store], unit: Unit) -> None:
    """Refuses what looks up variables that are there, and makes others, where those of another store may be meant."""
    home = home_of(program, unit.index)
    owner, graph = home
    others = [other for other in program.units if other.makers and program.graph_of(other.index) == graph]
    apart = [other for other in others if stores.get(home_of(program, other.index)) is not stores.get(home)]
    names = {_name_of(program, known) for known in program.variables if program.graph_of(known.unit) == graph} - {""}
    if begin_alike(names, {None} if unit.scopes or not unit.named else unit.named):
        what = f"`{ast.unparse(unit.node)}` may look up a variable that the script makes, by `tf.AUTO_REUSE`"
        raise Refused(unit.node, what, "make it in the function, or under another name")
    if (owner is not None and owner.name is None) or any(may_share(unit, other) for other in apart):
        what = f"`{ast.unparse(unit.node)}` may share variables with other objects, by `tf.AUTO_REUSE`"
        raise Refused(unit.node, what, "build what shares variables in one class, of which there is one object")


def _is_apart(function: Function, units: Sequence[Unit]) -> bool:
    """Whether a function holds none of these units."""
    return not {*function.taped, *function.rest}.intersection(units)


def _name_of(program: Program, variable: Variable) -> str | None:
    """The name under which a variable of the script can be looked up: empty where it cannot, None where unknown."""
    if program.names.resolve(variable.call.func) != "tf.get_variable":
        return ""
    name, scope = argument(variable.call, "name", 0), program.scope_of(program.units[variable.unit])
    known = isinstance(name, ast.Constant) and scope is not None
    return "/".join(filter(None, [scope, str(name.value)])) if known and isinstance(name, ast.Constant) else None


def _together(program: Program, functions: Sequence[Function]) -> list[Home]:
    """The homes of layers that take part in one run with those of another, in the order in which they make them."""
    found: dict[Home, int] = {}
    for function in functions:
        making = [unit for unit in (*function.taped, *function.rest) if unit.creates]
        homes = {home_of(program, unit.index) for unit in making}
        if len(homes) < 2:
            continue
        if any(owner is None for owner, _ in homes) or function.beneath is None:
            place = program.units[function.anchor].node
            raise Refused(place, "layers of several objects take part in one run", "build them in one class")
        found.update((home, 0) for home in homes)
    order = [home_of(program, unit.index) for unit in program.units if unit.creates]
    return sorted(found, key=order.index)


def store_options(program: Program, owner: ObjectClass | None) -> str:
    """What a store is told: what its collections are shared with, and to leave updates to those that ask for them."""
    family = [f"family={owner.node.name}"] if owner is not None and owner in program.related else []
    return ", ".join([*family, *(["defer_updates=True"] if any(unit.averages for unit in program.units) else [])])
