"""Takes out the sessions and tensors that are handed to functions: arguments, parameters, and what is returned."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tf_migrate.changes.edits import Edit
from tf_migrate.stages.handing import Handed
from tf_migrate.stages.program import Program


def handed_edits(program: Program, renamed: Mapping[str, str], tensors: Iterable[Handed]) -> Iterator[Edit]:
    """The edits of all calls and definitions; what a method returns gets the name that its caller gave it.

    `tensors` are those that functions run which they are given.
    """
    source, every = program.module.source, (*program.handed, *tensors)
    for call in dict.fromkeys(handed.call for handed in every):
        gone = {handed.argument for handed in every if handed.call is call}
        items: list[ast.expr | ast.keyword] = sorted((*call.args, *call.keywords), key=source.start)
        taken = [(item.value if isinstance(item, ast.keyword) else item) in gone for item in items]
        yield from _without([source.span(item) for item in items], taken, source.end(call) - 1)
    for function in dict.fromkeys(handed.function for handed in every):
        names = {handed.parameter for handed in every if handed.function is function}
        given = function.args.args
        first = len(given) - len(function.args.defaults)
        ends: list[ast.arg | ast.expr] = [*given[:first], *function.args.defaults]
        spans = [(source.start(item), source.end(end)) for item, end in zip(given, ends, strict=True)]
        close = source.text.index(")", spans[-1][1])
        yield from _without(spans, [item.arg in names for item in given], close)
    for statement in program.returning:
        yield Edit(source.start(statement), source.start(statement.value), "")
    for unit in program.units:
        if isinstance(unit.node, ast.Return) and unit.node.value is not None and unit.binds:
            name = renamed.get(unit.binds[0], unit.binds[0])
            yield Edit(source.start(unit.node), source.start(unit.node.value), f"{name} = ")


def _without(spans: Sequence[tuple[int, int]], gone: Sequence[bool], close: int) -> Iterator[Edit]:
    """Takes items out of a list in parentheses, each with the comma that stands between it and one that stays."""
    if all(gone):
        yield Edit(spans[0][0], close, "", encloses=True)
        return
    kept = gone.index(False)
    if kept:
        yield Edit(spans[0][0], spans[kept][0], "", encloses=True)
    for place in range(kept + 1, len(spans)):
        if gone[place]:
            yield Edit(spans[place - 1][1], spans[place][1], "", encloses=True)
