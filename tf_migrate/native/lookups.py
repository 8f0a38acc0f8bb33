"""Functions that take variables as others made them: those others are traced first.

TF1 made all variables as the graph was built, whatever ran first. Here a variable is made when a function that makes it
is traced, and what asks for those that are there already (`reuse=True`) must not come before that.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from tf_migrate.native.assign_each import NOTE
from tf_migrate.native.optimizers import needs_store
from tf_migrate.plan import Call, Function
from tf_migrate.stages.program import Program, Unit, may_share
from tf_migrate.stages.updates import Apply, Minimize
from tf_migrate.stages.values import Refused

_BLOCKS = ast.If | ast.For | ast.While | ast.Try | ast.FunctionDef | ast.ExceptHandler


@dataclass(frozen=True)
class AtOnce:
    """Functions of one home that are traced as soon as all of them are defined: those that make variables come first.

    They are defined in the order of `defined`, and traced in that of `traced`.
    """

    defined: tuple[Function, ...]
    traced: tuple[Function, ...]

    def lines(self, program: Program, names: Mapping[object, str]) -> str:
        """The lines behind the last of them."""
        gap = "\n\n" if program.home_of(self.defined[0].anchor) is None else "\n"
        return f"{gap}{NOTE}\n" + "".join(
            f"{names[function.key]}.get_concrete_function()\n" for function in self.traced
        )


def traced_at_once(program: Program, calls: Sequence[Call], functions: Sequence[Function]) -> list[AtOnce]:
    """The functions that have to be traced before anything runs, so that others find their variables."""
    makers = {function.key: list(_makers(program, functions, function)) for function in functions}
    pending = [
        maker
        for function in functions
        for maker in makers[function.key]
        if not _runs_before(program, calls, maker, function)
    ]
    homes: dict[ast.AST | None, dict[object, Function]] = {}
    while pending:
        function = pending.pop()
        home = program.home_of(function.anchor)
        known = homes.setdefault(home, {})
        if function.key not in known:
            _require_traceable(program, function, makers[function.key])
            known[function.key] = function
            pending += makers[function.key]
    groups = [_in_order(program, known, makers) for known in homes.values()]
    if program.saves:
        _require_names(program, groups, functions)
    return groups


def _require_names(program: Program, groups: Sequence[AtOnce], functions: Sequence[Function]) -> None:
    """Refuses training steps whose optimizers' variables would not be numbered in the order in which TF1 made them."""
    early = [function for group in groups for function in group.traced]
    first = [unit for function in early for unit in _steps(program, function)]
    later = sorted(unit for function in functions if function not in early for unit in _steps(program, function))
    for graph in range(len(program.resets) + 1):
        own = [unit for unit in (*first, *later) if program.graph_of(unit) == graph]
        if own != sorted(own):
            what = "a training step looks up variables that one makes which is built behind it"
            raise Refused(program.units[min(own)].node, what, "build first the step that makes them")


def _steps(program: Program, function: Function) -> list[int]:
    """The statements that build training steps whose optimizers keep variables in a store."""
    updates = (update for update in function.updates if isinstance(update, Minimize | Apply))
    return [update.unit for update in updates if needs_store(program, update)]


def early_first(
    groups: Iterable[AtOnce], functions: Iterable[Function], others: Iterable[Function] = ()
) -> list[Function]:
    """The functions in the order of their definitions: those that are traced at once stand before the others.

    `others` are further ones that have to stand in the order of what they compute.
    """
    early = [function for group in groups for function in group.defined]
    placed = sorted(dict.fromkeys([*early, *others]), key=lambda function: function.anchor)
    return list(dict.fromkeys([*(placed if others else early), *functions]))


def _require_traceable(program: Program, function: Function, makers: Iterable[Function]) -> None:
    place, home = program.units[function.anchor].node, program.home_of(function.anchor)
    if function.once is not None or function.beneath is not None or program.units[function.anchor].chosen:
        what = "variables are looked up before the run that makes them, which is not known as a whole by then"
        raise Refused(place, what, "run what makes them first")
    if any(program.home_of(maker.anchor) is not home for maker in makers):
        raise Refused(place, "variables are looked up that another method makes", "make both in one method")


def _in_order(
    program: Program, known: Mapping[object, Function], makers: Mapping[object, Sequence[Function]]
) -> AtOnce:
    sorter = TopologicalSorter({key: [maker.key for maker in makers[key]] for key in known})
    try:
        traced = tuple(known[key] for key in sorter.static_order())
    except CycleError:
        place = program.units[min(function.anchor for function in known.values())].node
        what = "two runs look up variables that the other one makes"
        raise Refused(place, what, "make the variables of each before") from None
    return AtOnce(tuple(sorted(traced, key=lambda function: function.anchor)), traced)


def _makers(program: Program, functions: Sequence[Function], function: Function) -> Iterator[Function]:
    """The functions that make what another one looks up."""
    own = _statements(function)
    for unit in own:
        if unit.either:
            yield from _made_before(program, functions, unit, own)
        inside = {call for other in own if other.index <= unit.index for call in other.makers}
        missing = unit.finders - inside
        wanted = _wanted(program, unit)
        alike = [other for other in wanted if other.makers & missing]
        if missing and (alike or not inside):
            yield from _covering(functions, unit, missing, alike or wanted)


def _made_before(
    program: Program, functions: Sequence[Function], unit: Unit, own: Collection[Unit]
) -> Iterator[Function]:
    """The functions that hold what may have made the variables of a statement which makes those that are not there."""
    alike = {other for other in _wanted(program, unit) if other not in own and may_share(unit, other)}
    for function in sorted(functions, key=lambda item: item.anchor):
        if alike.intersection(_statements(function)):
            alike.difference_update(_statements(function))
            yield function
    if alike:
        what = f"`{ast.unparse(unit.node)}` may share variables with something that is built before it and never runs"
        raise Refused(unit.node, what, "leave out what does not run")


def _wanted(program: Program, unit: Unit) -> list[Unit]:
    """The statements before one that may make what it looks up."""
    graph = program.graph_of(unit.index)
    before = program.units[: unit.index]
    return [other for other in before if other.makers and program.graph_of(other.index) == graph]


def _covering(
    functions: Sequence[Function], unit: Unit, missing: Collection[ast.Call], wanted: Collection[Unit]
) -> list[Function]:
    """Functions that hold these statements, as far as any do; refuses where variables would stay unmade."""
    found: list[Function] = []
    known: set[Unit] = set()
    for function in sorted(functions, key=lambda item: item.anchor):
        new = {other for other in _statements(function) if other in wanted} - known
        if new:
            known |= new
            found.append(function)
    made = {call for other in known for call in other.makers}
    there = {call for other in wanted for call in other.makers}
    if wanted and (not found or (there - made).intersection(missing)):
        what = f"`{ast.unparse(unit.node)}` looks up variables that no run makes"
        raise Refused(unit.node, what, "run what makes them, or make them here")
    return found


def _statements(function: Function) -> list[Unit]:
    return [*function.taped, *function.rest]


def _runs_before(program: Program, calls: Sequence[Call], first: Function, second: Function) -> bool:
    """Whether a function is always called before another one."""
    own = [call.run.statement for call in calls if call.function is not None and call.function.key == first.key]
    others = [call.run.statement for call in calls if call.function is not None and call.function.key == second.key]
    return any(all(_leads_to(program, early, late) for late in others) for early in own)


def _leads_to(program: Program, early: ast.stmt, late: ast.stmt) -> bool:
    """Whether what runs `late` has run `early` before: each block around that is one around this as well."""
    around = list(_around(program, late))
    return early.lineno < late.lineno and all(block in around for block in _around(program, early))


def _around(program: Program, node: ast.stmt) -> Iterator[tuple[ast.AST, str]]:
    """The blocks around a statement that may not run, or run later, and the field of each that it stands in."""
    child: ast.AST = node
    while (parent := program.module.parents.get(child)) is not None:
        if isinstance(parent, _BLOCKS) and parent not in program.ends:
            field = next(name for name, value in ast.iter_fields(parent) if isinstance(value, list) and child in value)
            yield parent, field
        child = parent
