"""The averages of variables in native code: where TF1's graph made them, and how they are listed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tf_migrate.native.layout import joined, operand
from tf_migrate.stages.program import Program
from tf_migrate.stages.shadows import Average


def averages_of(program: Program, before: int) -> Iterator[Average]:
    """What updates averages, each once, of the statements before a unit and in its graph."""
    found: dict[Average, None] = {}
    for unit in program.units[:before]:
        if program.graph_of(unit.index) == program.graph_of(before):
            found.update((update, None) for update in unit.value.updates if isinstance(update, Average))
    yield from found


def shadow_lines(program: Program, render: Callable[[int, int], str]) -> Iterator[tuple[int, str]]:
    """The statements that make averages where `apply` stood: their variables have their first values there."""
    source = program.module.source

    def text(node: ast.expr) -> str:
        return joined(render(*source.span(node)))

    seen: set[Average] = set()
    for unit in program.units:
        for update in unit.value.updates:
            if isinstance(update, Average) and update.made and update not in seen:
                seen.add(update)
                yield update.unit, f"{operand(text(update.averages))}.create_averages({text(update.variables)})\n"
