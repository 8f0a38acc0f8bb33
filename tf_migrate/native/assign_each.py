"""Functions that assign to variables list by list: all functions that make some of these are traced before, in order.

TF1's lists held the variables in the order in which the graph was built, and so do those of a store in which they are
made in that order.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from tf_migrate.native.optimizers import WITHOUT_VARIABLES, class_of, needs_store
from tf_migrate.plan import Function
from tf_migrate.stages.lists import GLOBAL, Listing
from tf_migrate.stages.pairs import AssignEach
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.scopes import is_written_out
from tf_migrate.stages.values import Apply, Minimize, Refused

NOTE = "# The variables of layers are made when the functions that use them are traced."
_PLAIN = re.compile(r"[\w/]+")


def assigns_each(function: Function) -> bool:
    """Whether a function assigns to variables of a store list by list."""
    return any(isinstance(update, AssignEach) and update.listed for update in function.updates)


def makers(program: Program, functions: Sequence[Function], assigning: Function) -> list[Function]:
    """The functions that have to be traced first, in this order, so that the lists hold what TF1's did."""
    listings = [item for update in assigning.updates if isinstance(update, AssignEach) for item in update.listed]
    units = {call: unit for unit in program.units for call in unit.lists}
    for listing in listings:
        _require_no_slots(program, listing, units[listing.call])
    first = min(units[listing.call].index for listing in listings)
    place = program.units[assigning.anchor].node
    wanted = _wanted(program, first)
    _require_apart(program, assigning, wanted)
    rest, found = list(wanted), []
    while rest:
        best, new = max(_next(functions, assigning, wanted, rest), key=lambda item: len(item[1]), default=(None, []))
        if best is None or not new:
            raise Refused(place, "no functions make the variables of these lists in TF1's order", "use them in one run")
        found.append(best)
        rest = rest[len(new) :]
    return found


def _wanted(program: Program, before: int) -> list[int]:
    """The statements that make variables, in order."""
    graph = program.graph_of(before)
    return [unit.index for unit in program.units[:before] if unit.creates and program.graph_of(unit.index) == graph]


def _next(
    functions: Sequence[Function], assigning: Function, wanted: Sequence[int], rest: Sequence[int]
) -> Iterator[tuple[Function, list[int]]]:
    """The functions that are there by then and make those variables next that TF1 made next."""
    done = set(wanted) - set(rest)
    for function in functions:
        made = sorted(unit.index for unit in (*function.taped, *function.rest) if unit.creates)
        new = [index for index in made if index not in done]
        if function.beneath is None and function.anchor < assigning.anchor and new == list(rest[: len(new)]):
            yield function, new


def _require_apart(program: Program, assigning: Function, wanted: Sequence[int]) -> None:
    """Refuses variables of another object, and runs that make variables before these functions are traced."""
    owner, place = program.owner_of(program.home_of(assigning.anchor)), program.units[assigning.anchor].node
    foreign = any(program.owner_of(program.home_of(index)) is not owner for index in wanted)
    if foreign or assigning.beneath is not None:
        raise Refused(place, "the variables of layers of another object are listed", "list them where they are made")
    units = {unit.node: unit.index for unit in program.units}
    early = any(run.function is None and units.get(run.statement, 0) < assigning.anchor for run in program.runs)
    savers = any(unit.savers for unit in program.units[: assigning.anchor])
    if early or savers:
        raise Refused(place, "something runs, or is saved, before variables are listed", "list them first")


def _require_no_slots(program: Program, listing: Listing, unit: Unit) -> None:
    """Refuses a list of all variables that may hold what optimizers keep, in TF1's graph or in the store."""
    if listing.key != GLOBAL:
        return
    scope = listing.scope
    if scope is None or not _PLAIN.fullmatch(scope):
        raise Refused(listing.call, "the scope of the variables is known only at run time", "write its name out")
    for other in program.units:
        for update in other.value.updates:
            if not isinstance(update, Minimize | Apply) or class_of(program, update) == WITHOUT_VARIABLES:
                continue
            prefix = _scope_of(program, other)
            apart = prefix is not None and not f"{prefix}/".startswith(scope) and not scope.startswith(f"{prefix}/")
            behind = prefix == "" and other.index > unit.index and not needs_store(program, update)
            if not behind and (not prefix or not apart):
                what = "a list of all variables may hold those that an optimizer keeps"
                raise Refused(listing.call, what, "list the trainable variables, or train in a variable scope")


def _scope_of(program: Program, unit: Unit) -> str | None:
    """The variable scope of a statement; None where that is not written out."""
    names = []
    for scope in unit.scopes:
        call = scope.items[0].context_expr
        if isinstance(call, ast.Call) and program.names.resolve(call.func) == "tf.variable_scope":
            name = call.args[0] if call.args else None
            if not is_written_out(scope) or not isinstance(name, ast.Constant):
                return None
            names.append(str(name.value))
    return "/".join(names)
