"""Functions that assign to variables list by list: all functions that make some of these are traced before, in order.

TF1's lists held the variables in the order in which the graph was built, and so do those of a store in which they are
made in that order.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tf_migrate.native.objects import prefix
from tf_migrate.native.slots import require_no_slots
from tf_migrate.plan import Function
from tf_migrate.stages.lists import Listing
from tf_migrate.stages.pairs import AssignEach
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.values import Refused

NOTE = "# The variables of layers are made when the functions that use them are traced."


def assigns_each(function: Function) -> bool:
    """Whether a function assigns to variables of a store list by list."""
    return any(isinstance(update, AssignEach) and update.listed for update in function.updates)


@dataclass
class TracedBefore:
    """The lines that make the variables of lists which functions assign to.

    `behind` are those by the functions that they stand behind, `placed` the functions that have to stand in the order
    of what they compute, for these lines to be behind all, `late` what the script itself traces behind a unit of it.
    """

    behind: dict[object, str]
    placed: list[Function]
    late: dict[int, str]


def traced_before(program: Program, functions: Sequence[Function], names: Mapping[object, str]) -> TracedBefore:
    """What is traced before functions that assign list by list."""
    traced: set[object] = set()
    lines: dict[object, str] = {}
    placed: list[Function] = []
    across: list[Function] = []
    for function in sorted(filter(assigns_each, functions), key=lambda item: item.anchor):
        if _is_across(program, functions, function):
            across = across or _of_all(program, functions, function)
            continue
        first = [maker for maker in makers(program, functions, function) if maker.key not in traced]
        home = program.home_of(function.anchor)
        near = [maker for maker in first if program.home_of(maker.anchor) is home]
        last = max([function, *near], key=lambda item: (item.anchor, item is function))
        placed += near if last is not function else []
        calls = [f"{prefix(program, maker, home)}{names[maker.key]}.get_concrete_function()\n" for maker in first]
        if calls:
            gap = "\n" if home is not None else "\n\n"
            lines[last.key] = lines.get(last.key, "") + "".join([gap, f"{NOTE}\n", *calls])
        traced.update(maker.key for maker in first)
    return TracedBefore(lines, placed, _late(program, across, names))


def _late(program: Program, functions: Sequence[Function], names: Mapping[object, str]) -> dict[int, str]:
    """The lines of the script that trace functions of its objects, behind all statements that define these."""
    if not functions:
        return {}
    calls = [f"{prefix(program, maker, None)}{names[maker.key]}.get_concrete_function()\n" for maker in functions]
    return {max(_in_script(program, maker) for maker in functions): "".join(["\n", f"{NOTE}\n", *calls])}


def _in_script(program: Program, function: Function) -> int:
    """The unit of the script's own statement that defines a function, itself or by what it calls."""
    home, place = program.home_of(function.anchor), program.units[function.anchor].node
    while home is not None:
        call = next(call for call, known in program.entered.items() if known is home)
        home, place = program.module.function_of(call), program.module.statement_of(call)
    return next(unit.index for unit in program.units if unit.node is place)


def _is_across(program: Program, functions: Sequence[Function], assigning: Function) -> bool:
    """Whether variables of the lists are made in the graph of several objects, which one run may need."""
    owner = program.owner_of(program.home_of(assigning.anchor))
    groups = [{program.owner_of(program.home_of(unit.index)) for unit in _making(function)} for function in functions]
    return owner is not None and any(owner in group and len(group) > 1 for group in groups)


def _making(function: Function) -> list[Unit]:
    return [unit for unit in (*function.taped, *function.rest) if unit.creates]


def _of_all(program: Program, functions: Sequence[Function], assigning: Function) -> list[Function]:
    """The functions that make all variables of the graph, in TF1's order, once all objects are made."""
    place = program.units[assigning.anchor].node
    for update in (update for update in assigning.updates if isinstance(update, AssignEach)):
        require_no_slots(program, update)
    if len(program.resets) > 0 or program.case is not None or assigning.beneath is not None:
        raise Refused(place, "the variables of layers of another object are listed", "list them where they are made")
    known = [item for item in functions if item.once is None and not program.units[item.anchor].chosen]
    found = _covering(program, known, _wanted(program, len(program.units)), place)
    last = program.units[max(_in_script(program, maker) for maker in found)].node
    # Runs of the script's own may make variables of objects only behind all of these.
    if any(run.function is None and run.statement.lineno <= (last.end_lineno or 0) for run in program.runs):
        raise Refused(place, "the variables of layers of another object are listed", "list them where they are made")
    return found


def makers(program: Program, functions: Sequence[Function], assigning: Function) -> list[Function]:
    """The functions that have to be traced first, in this order, so that the lists hold what TF1's did."""
    updates = [update for update in assigning.updates if isinstance(update, AssignEach)]
    listings = [item for update in updates for item in update.listed]
    for update in updates:
        require_no_slots(program, update)
    shared = program.owner_of(program.home_of(assigning.anchor)) in program.related
    if not shared and all(_makes_alone(program, assigning, listing) for listing in listings):
        return []
    first = min(listing.unit for listing in listings)
    place = program.units[assigning.anchor].node
    wanted = _wanted(program, first)
    _require_apart(program, assigning, wanted)
    return _covering(program, _defined(program, functions, assigning), wanted, place)


def _covering(program: Program, functions: Sequence[Function], wanted: Sequence[int], place: ast.AST) -> list[Function]:
    """Functions that make these variables in this order."""
    rest, found = list(wanted), []
    while rest:
        best, new = max(_next(functions, wanted, rest), key=lambda item: len(item[1]), default=(None, []))
        if best is None or not new:
            raise Refused(place, "no functions make the variables of these lists in TF1's order", "use them in one run")
        found.append(best)
        rest = rest[len(new) :]
    return found


def _makes_alone(program: Program, assigning: Function, listing: Listing) -> bool:
    """Whether one statement of the function itself makes all the variables of a list, in whatever order others run."""
    made = [program.units[index] for index in _wanted(program, listing.unit + 1)]
    below = [unit for unit in made if not program.is_apart(unit, listing.scope)]
    return len(below) == 1 and assigning.beneath is None and below[0] in (*assigning.taped, *assigning.rest)


def _wanted(program: Program, before: int) -> list[int]:
    """The statements that make variables, in order."""
    graph = program.graph_of(before)
    return [unit.index for unit in program.units[:before] if unit.creates and program.graph_of(unit.index) == graph]


def _defined(program: Program, functions: Sequence[Function], assigning: Function) -> list[Function]:
    """The functions that are there when the lists are needed: where all runs are calls, those of one home together."""
    home = program.home_of(assigning.anchor)
    later = home is not None and all(run.function is not None for run in program.runs)
    return [
        function
        for function in functions
        if function.anchor < assigning.anchor or (later and program.home_of(function.anchor) is home)
        if function.beneath is None and function is not assigning
    ]


def _next(
    functions: Sequence[Function], wanted: Sequence[int], rest: Sequence[int]
) -> Iterator[tuple[Function, list[int]]]:
    """The functions that make those variables next that TF1 made next."""
    done = set(wanted) - set(rest)
    for function in functions:
        made = sorted(unit.index for unit in (*function.taped, *function.rest) if unit.creates)
        new = [index for index in made if index not in done]
        if new == list(rest[: len(new)]):
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


def traced_last(function: Function) -> tuple[bool, int]:
    """Functions that assign list by list come behind those that make the variables, in the order of the script."""
    return (True, function.anchor) if assigns_each(function) else (False, 0)
