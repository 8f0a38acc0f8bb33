"""Learning rates that are tensors: each step gives its own to a variable that the optimizer reads."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass

from tf_migrate.changes.edits import Edit
from tf_migrate.native.layout import joined, line_start
from tf_migrate.native.naming import Namer
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.updates import Apply, Minimize, Rate
from tf_migrate.stages.values import Refused, flatten


@dataclass(frozen=True)
class Given:
    """How a step gives its rate: the name of the variable, and the text of what is assigned to it."""

    name: str
    text: str


def rates_of(
    program: Program, namer: Callable[[int], Namer], render: Callable[[int, int], str], taken: Container[str]
) -> dict[Rate, Given]:
    """The rates that are computed; `namer` gives out the names that are free where a unit stands, but for `taken`."""
    found, homes = {}, {}
    for unit in program.units:
        for rate in _rates(unit):
            text = joined(render(*program.module.source.span(rate.node)))
            names = [name for name in ("rate", "current_rate", "rate_of_step") if name not in taken]
            found[rate] = Given(namer(unit.index).fresh(*names), text)
            homes[rate] = program.home_of(unit.index)
    for unit in program.units:
        for update in unit.value.updates:
            rate_of = update.rate if isinstance(update, Minimize | Apply) else None
            if rate_of in homes and homes[rate_of] not in (None, program.home_of(update.unit)):
                what = "the learning rate is a tensor, and the optimizer is made in another function than its step"
                raise Refused(rate_of.call, what, "make the optimizer where it is used")
    return found


def rate_line(name: str, tf: str) -> str:
    """The statement that makes such a variable."""
    return f"{name} = {tf}.Variable(0.0, trainable=False)\n"


def rate_edits(
    program: Program, tf: str, given: Mapping[Rate, Given], render: Callable[[int, int], str]
) -> Iterator[Edit]:
    """The statements that make optimizers and stay, with those before them that make the variables of the rates."""
    source = program.module.source
    for unit in program.units:
        rates = _rates(unit)
        if rates and not unit.moves:
            start, end = source.span(unit.node)
            indent = source.text[line_start(source, unit.node.lineno) : start]
            lines = "".join(f"{rate_line(given[rate].name, tf)}{indent}" for rate in rates)
            yield Edit(start, end, lines + render(start, end), encloses=True)


def _rates(unit: Unit) -> list[Rate]:
    """The rates that are computed of the optimizers that a statement makes."""
    made = [part.rate for part in flatten([unit.value])]
    made += [
        update.rate
        for update in unit.value.updates
        if isinstance(update, Minimize | Apply) and update.rate is not None and update.rate.call is update.optimizer
    ]
    return [rate for rate in dict.fromkeys(made) if rate is not None and not rate.held]
