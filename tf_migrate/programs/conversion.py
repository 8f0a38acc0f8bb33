"""Programs of several modules as native code: each converted as one module, and told apart again."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from tf_migrate.changes.application import Rewritten, changes_of, context_of, text_of
from tf_migrate.changes.edits import OverlapError
from tf_migrate.files.source import SourceError
from tf_migrate.names.building import Building, main_guard
from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import find_sites
from tf_migrate.native.conversion import converted, plan_module
from tf_migrate.options import Options
from tf_migrate.programs.joining import Apart, Joined, Part, join
from tf_migrate.programs.marks import keeps_meanings, unmarked
from tf_migrate.programs.merging import Piece, lines_of, merged
from tf_migrate.programs.reaching import Own, own_readings
from tf_migrate.report.model import Finding, Reason, Site
from tf_migrate.rewrite import sites_of
from tf_migrate.rules import Change, Context
from tf_migrate.stages.handed_runs import find_handed
from tf_migrate.syntax.module import load
from tf_migrate.syntax.unbound import newly_unbound

_Told = TypeVar("_Told", Finding, Site)
_SAID = ("function", "symbol", "message", "next_step")


def convert_all(programs: Sequence[Sequence[Names]], options: Options) -> Mapping[str, Rewritten]:
    """The modules of programs that share some, by name; raises Apart with the reason where that is not proved."""
    pieces: dict[str, list[Piece]] = {}
    known = {names.module.name: names for members in programs for names in members}
    try:
        for own in own_readings(programs):
            for name, piece in _told(own, options).items():
                pieces.setdefault(name, []).append(piece)
        if pieces and not any(piece.sites for found in pieces.values() for piece in found):
            raise Apart("no module of the program runs a session in a way that is followed")
        return {name: merged(known[name], found) for name, found in pieces.items()}
    except (OverlapError, RecursionError, SourceError) as error:
        raise Apart(unmarked(str(error))) from None


def _told(own: Own, options: Options) -> Mapping[str, Piece]:
    """What a program makes of each of its modules; raises Apart with their names where it cannot."""
    try:
        return _pieces(own, options)
    except (Apart, OverlapError, RecursionError, SourceError) as error:
        raise Apart(unmarked(str(error)), tuple(names.module.name for names in own.members)) from None


def _pieces(own: Own, options: Options) -> Mapping[str, Piece]:
    """What a program makes of each of its modules."""
    joined = join(own.members)
    context = replace(context_of(joined.names), imported=False)  # none of the modules imports the script
    changes, unchanged = changes_of(context, options)
    sites: tuple[Site, ...] = ()
    if not _is_idle(joined, own):
        planned, changes = converted(context, plan_module(context, native=options.tier == "native"), changes)
        left = next((verdict for verdict in planned.verdicts if verdict.tier != "native"), None)
        if left is not None:
            raise Apart(_placed(joined, left.reasons[0]) if left.reasons else "some run stays on the bridge")
        if planned.program is None:
            raise Apart(f"`{joined.module.path}` runs no session in a way that is followed, and may build")
        sites = sites_of(joined.module, planned)
    last = joined.parts[-1]
    return {
        part.module.name: replace(
            _piece(joined, part, context, changes, sites),
            left=lines_of(names.module, own.left[names.module.name]),
            unchanged=unchanged if part is last else 0,
        )
        for part, names in zip(joined.parts, own.members, strict=True)
    }


def _is_idle(joined: Joined, own: Own) -> bool:
    """Whether a program, in all that it may run, does nothing that TensorFlow 1 needs a graph for."""
    if find_sites(joined.module, joined.names) or find_handed(joined.module, joined.names):
        return False
    building = Building(joined.module, joined.names)
    for part in joined.parts:
        body = [node for node in joined.module.tree.body if joined.part_of(node.lineno) is part]
        for node in (body[place] for place in own.reached[part.module.name]):
            defines = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            if building.possibly(node) or ((defines or main_guard(node) is not None) and building.reaches(node)):
                return False
    return True


def _piece(joined: Joined, part: Part, context: Context, changes: Sequence[Change], sites: Sequence[Site]) -> Piece:
    """What became of one of the modules, as its file has it."""
    own = [_shifted(part, joined, change, context.compat) for change in changes]
    own_context = replace(context_of(part.names), compat=context.compat, new_tf=context.new_tf)
    _require_names(part, text_of(own_context, own))
    told = tuple(_moved(joined, part, site) for site in sites if joined.part_of(site.line) is part)
    written = tuple(_written(part, change) for change in own)
    return Piece(joined.module.path, written, told, 0, frozenset(), context.compat, context.new_tf)


def _require_names(part: Part, text: str) -> None:
    """Refuses a text in which some name means nothing, or something of another module."""
    lost = newly_unbound(load(part.module.source), text)
    if lost:
        raise Apart(f"`{min(lost)}` is needed in `{part.module.path}` and known in another module only")
    if not keeps_meanings(part.module, text):
        raise Apart(f"a name of `{part.module.path}` would mean something of another module")


def _written(part: Part, change: Change) -> Change:
    """A change with its edits as they are made to the file."""
    text = part.module.source.text
    edits = (
        replace(
            edit,
            start=len(part.written(text[: edit.start])),
            end=len(part.written(text[: edit.end])),
            text=part.written(edit.text),
        )
        for edit in change.edits
    )
    return replace(change, edits=tuple(edits))


def _shifted(part: Part, joined: Joined, change: Change, compat: str) -> Change:
    """What of a change is one of this module."""
    finding = change.finding
    own = finding is not None and joined.part_of(finding.line) is part
    edits = []
    for edit in change.edits:
        if part.start <= edit.start < part.end or edit.start == edit.end == part.end:
            if edit.end > part.end:
                raise Apart("a change goes beyond the end of a module")
            edits.append(replace(edit, start=edit.start - part.start, end=edit.end - part.start))
    needed = any(re.search(rf"\b{compat}\.", edit.text) for edit in edits)
    return replace(
        change,
        finding=_moved(joined, part, finding) if own and finding is not None else None,
        edits=tuple(edits),
        needs=frozenset(need for need in change.needs if edits and (need != "compat" or needed)),
    )


def _moved(joined: Joined, part: Part, told: _Told) -> _Told:
    """What is told of a line of the joined modules, told of that of the module, without marks."""
    before = joined.module.source.line_text(told.line)[: told.column - 1]
    line, column = part.module.source.place(told.line - part.above, len(unmarked(before)) + 1)
    said: dict[str, Any] = {
        word: unmarked(text) for word in _SAID if isinstance(text := getattr(told, word, None), str)
    }
    return replace(told, path=part.module.path, line=line, column=column, **said)


def _placed(joined: Joined, reason: Reason) -> str:
    """A reason with the place in the module that it is about."""
    if reason.line is None:
        return reason.message
    part = joined.part_of(reason.line)
    return f"{reason.message} ({part.module.path}:{reason.line - part.above})"
