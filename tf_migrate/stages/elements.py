"""Elements of datasets in runs: taken as they come, fetched as they are, or fed in their place."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tf_migrate.stages.runs import Leaf, Mapping, Run
from tf_migrate.stages.targets import bound_in
from tf_migrate.stages.values import Refused

if TYPE_CHECKING:
    from tf_migrate.stages.program import Program, Unit
    from tf_migrate.stages.slices import Slice


def taken_by(run: Run, parameters: Iterable[Unit]) -> tuple[Unit, ...]:
    """The elements that a run takes, of those it needs."""
    fed = {feed.placeholder.unit for feed in run.feeds}
    return tuple(unit for unit in parameters if unit.value.iteration is not None and unit.index not in fed)


def require_whole(run: Run, unit: Unit) -> None:
    """Refuses to feed some parts of an element and take the others from the iterator."""
    fed = {feed.name for feed in run.feeds if feed.placeholder.unit == unit.index}
    missing = [name for name in unit.binds if name not in fed]
    if fed and missing:
        raise Refused(run.site.node, f"a part of an element is fed, and `{missing[0]}` is not", f"feed `{missing[0]}`")


def whole_element(program: Program, run: Run, found: Slice) -> Unit | None:
    """The element that a run fetches as it is, if that is all it does: its one name, or all its parts in order."""
    taken = taken_by(run, found.parameters)
    if found.units or run.updates or run.feeds or len(taken) != 1 or len(found.parameters) != 1:
        return None
    if isinstance(run.fetches, Mapping) or not all(isinstance(leaf.node, ast.expr) for leaf in run.leaves):
        return None
    items = [run.fetches] if isinstance(run.fetches, Leaf) else list(run.fetches.items)
    if not all(isinstance(item, Leaf) for item in items) or (len(items) == 1) is not (len(taken[0].binds) == 1):
        return None
    bindings = [program.resolved.get(leaf.node) for leaf in run.leaves]
    meant = [run.env.get(name) for name in taken[0].binds]
    return taken[0] if bindings == meant and None not in meant else None


def require_in_reach(program: Program, run: Run, unit: Unit) -> None:
    """Refuses a run from which code does not find the iterator by its name."""
    iteration = unit.value.iteration
    assert iteration is not None
    if unit not in taken_by(run, [unit]):
        return
    module, site = program.module, run.site.node
    home = module.function_of(program.input_of(iteration) or iteration.call)
    target = _name_of(program, iteration.call)
    around = list(_functions(program, site))
    if isinstance(target, ast.Attribute):
        owner = program.owner_of(home)
        reached = owner is not None and module.function_of(site) in owner.methods.values()
    else:
        inner = around[: around.index(home)] if home in around else around
        shadowed = isinstance(target, ast.Name) and any(_binds(function, target.id) for function in inner)
        reached = (home is None or home in around) and not shadowed
    if not reached:
        raise Refused(site, "the run does not see the iterator that it takes from", "keep the iterator as an attribute")


def _name_of(program: Program, call: ast.Call) -> ast.expr | None:
    parent = program.module.parents[call]
    return parent.targets[0] if isinstance(parent, ast.Assign) else None


def _functions(program: Program, node: ast.AST) -> Iterator[ast.AST]:
    function = program.module.function_of(node)
    while function is not None:
        yield function
        function = program.module.function_of(function)


def _binds(function: ast.AST, name: str) -> bool:
    arguments = {inner.arg for inner in ast.walk(function) if isinstance(inner, ast.arg)}
    return name in bound_in(function) | arguments
