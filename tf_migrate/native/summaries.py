"""Summaries as statements of the functions that compute what they describe, under the tags that TF1 gave them."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from tf_migrate.changes.edits import Edit, render
from tf_migrate.native.naming import Namer
from tf_migrate.native.surroundings import scopes_of_made
from tf_migrate.planning.tags import tags_of
from tf_migrate.rules import Context
from tf_migrate.stages.program import Program

_WORD = re.compile(r"\W+")


def summary_edits(context: Context, program: Program, namer: Namer, given: Sequence[Edit]) -> tuple[Edit, ...]:
    """Names for summaries that have none, the scopes in their tags, lists for `merge_all`, writers without a graph.

    `given` are the edits made so far.
    """
    source = program.module.source
    edits: list[Edit] = []
    names: dict[str, str] = {}
    tags = tags_of(program)
    # What functions make has no name here: each function that is traced collects its own.
    collected = any(unit.hidden for unit in program.units)
    making = scopes_of_made(program, program.units)
    for unit in program.units:
        for call in unit.summaries:
            tag = call.args[0]
            word = str(tag.value) if isinstance(tag, ast.Constant) else ""
            # In a function a scope stays that variables are made in: the tag is told not to go by it.
            stays = not making.isdisjoint(unit.scopes)
            if stays or tags[call] != word:
                edits.append(Edit(*source.span(tag), f'"{tags[call]}/"' if stays else f'"{tags[call]}"'))
            if isinstance(unit.node, ast.Expr) and not collected:
                name = namer.fresh(f"{_WORD.sub('_', word).strip('_').lower()}_summary")
                names[unit.binds[0]] = name
                start, end = source.span(unit.node)
                text = render(source.text, [*given, *edits], start, end)
                edits.append(Edit(start, end, f"{name} = {text}", encloses=True))
    for call, merged in program.merged.items():
        listed = ", ".join(names.get(name, name) for name in merged)
        merging = "merge_all()" if collected else f"merge([{listed}])"
        text = f"{context.compat}.summary.{merging}" if merged else "None"
        edits.append(Edit(*source.span(call), text, encloses=True))
    return (*edits, *_without_graphs(program))


def _without_graphs(program: Program) -> list[Edit]:
    source = program.module.source
    edits = []
    for item in program.graphs:
        call = program.module.parents[item]
        assert isinstance(call, ast.Call)
        listed: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
        before = listed[listed.index(item) - 1]
        edits.append(Edit(source.end(before), source.end(item), "", encloses=True))
    return edits
