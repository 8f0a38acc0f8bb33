"""A program of several modules as native code: converted as one module, and told apart again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from tf_migrate.changes.edits import OverlapError
from tf_migrate.files.source import SourceError
from tf_migrate.names.canonical import Names
from tf_migrate.native.conversion import converted, plan_module
from tf_migrate.options import Options
from tf_migrate.programs.joining import Apart, Joined, Part, join
from tf_migrate.programs.marks import keeps_meanings, unmarked
from tf_migrate.report.model import Finding, Site
from tf_migrate.rewrite import Rewritten, changes_of, context_of, shims_of, sites_of, text_of
from tf_migrate.rules import Change, Context
from tf_migrate.syntax.unbound import newly_unbound

_Told = TypeVar("_Told", Finding, Site)
_SAID = ("function", "symbol", "message", "reason", "next_step")
_PLACE = re.compile(r" \((.+):(\d+)\)$")


def convert(members: Sequence[Names], options: Options) -> Mapping[str, Rewritten]:
    """The modules of a program as native code, by name; raises Apart with the reason where that is not proved."""
    try:
        joined = join(members)
        return _converted(joined, options)
    except (Apart, OverlapError, RecursionError, SourceError) as error:
        raise Apart(unmarked(str(error))) from None


def convert_all(programs: Sequence[Sequence[Names]], options: Options) -> Mapping[str, Rewritten]:
    """The modules of programs that share some; raises Apart where one of these would not be the same in each."""
    found: dict[str, Rewritten] = {}
    first: dict[str, Sequence[Names]] = {}
    for members in programs:
        for name, rewritten in _told(members, options).items():
            other = first.setdefault(name, members)
            if found.setdefault(name, rewritten).text != rewritten.text:
                paths = {member.module.name: member.module.path for member in members}
                scripts = f"`{other[-1].module.path}` and `{members[-1].module.path}`"
                raise Apart(f"{scripts} need different code in `{paths[name]}`", _names((*other, *members)))
    return found


def _told(members: Sequence[Names], options: Options) -> Mapping[str, Rewritten]:
    try:
        return convert(members, options)
    except Apart as apart:
        raise Apart(str(apart), _names(members)) from None


def _names(members: Sequence[Names]) -> tuple[str, ...]:
    return tuple(member.module.name for member in members)


def _converted(joined: Joined, options: Options) -> Mapping[str, Rewritten]:
    context = context_of(joined.names)
    changes, unchanged = changes_of(context, options)
    planned, changes = converted(context, plan_module(context, native=options.tier == "native"), changes)
    left = next((verdict for verdict in planned.verdicts if verdict.tier != "native"), None)
    if left is not None:
        raise Apart(_placed(joined, left.reason or "some run stays on the bridge"))
    if planned.program is None:
        raise Apart("no module of the program runs a session in a way that is followed")
    sites = sites_of(joined.module, planned)
    return {part.module.name: _apart(joined, part, context, changes, sites, unchanged) for part in joined.parts}


def _apart(
    joined: Joined, part: Part, context: Context, changes: Sequence[Change], sites: Sequence[Site], unchanged: int
) -> Rewritten:
    """What became of one of the modules."""
    own_context = replace(context_of(part.names), compat=context.compat, new_tf=context.new_tf)
    own = [_shifted(part, joined, change, context.compat) for change in changes]
    text = _ended(part.module.source.text, text_of(own_context, own))
    _require_bound(part, text)
    findings = tuple(change.finding for change in own if change.finding is not None)
    told = tuple(_moved(joined, part, site) for site in sites if joined.part_of(site.line) is part)
    if not keeps_meanings(part.module, text):
        raise Apart(f"a name of `{part.module.path}` would mean something of another module")
    return Rewritten(
        part.written(text), findings, told, unchanged if part is joined.parts[-1] else 0, shims_of(own_context)
    )


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


def _placed(joined: Joined, reason: str) -> str:
    """A reason with the place in the module that it is about."""
    found = _PLACE.search(reason)
    if found is None:
        return reason
    part = joined.part_of(int(found[2]))
    return f"{reason[: found.start()]} ({part.module.path}:{int(found[2]) - part.above})"


def _ended(before: str, text: str) -> str:
    """The text with no more blank lines at its end than it had."""
    return text if before.endswith("\n\n") else re.sub(r"\n+\Z", "\n", text)


def _require_bound(part: Part, text: str) -> None:
    """Refuses a text that reads a name which only another of the modules has."""
    lost = newly_unbound(part.module, text)
    if lost:
        raise Apart(f"`{min(lost)}` is needed in `{part.module.path}` and known in another module only")
