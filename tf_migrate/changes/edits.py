"""Edits are spans of text; whatever no edit covers stays byte for byte.

Changes are kept as fine as possible: a call that gets another name, a keyword and a wrapped argument is three small
edits and not one large one. So edits never need to know about each other, however deeply their expressions nest, and
a whole statement can be moved by rendering its span with all edits inside.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Edit:
    """Replaces ``text[start:end]``; an insertion has ``start == end``.

    ``order`` sorts insertions at one offset. ``line`` marks whole new lines: they belong to no expression and go first.
    ``encloses`` marks an edit whose text was rendered with all edits inside its span already: those are dropped instead
    of being reported as overlapping.
    """

    start: int
    end: int
    text: str
    order: int = 0
    encloses: bool = False
    line: bool = False


class OverlapError(ValueError):
    """Two edits claim the same text."""


def wrap(start: int, end: int, before: str, after: str) -> tuple[Edit, Edit]:
    """Edits that put ``before`` and ``after`` around a span; of several that share a border the wider is outside."""
    width = end - start
    return Edit(start, start, before, -width), Edit(end, end, after, width - _CLOSING)


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The whole text with all edits made."""
    return render(text, tuple(edits), 0, len(text))


def render(text: str, edits: Sequence[Edit], start: int, end: int) -> str:
    """The text of one span with the edits that lie inside it made; others are ignored."""
    inside = [edit for edit in edits if start <= edit.start and edit.end <= end]
    pieces: list[str] = []
    last = start
    for edit in resolve(inside):
        pieces += [text[last : edit.start], edit.text]
        last = edit.end
    pieces.append(text[last:end])
    return "".join(pieces)


def resolve(edits: Iterable[Edit]) -> list[Edit]:
    """Sorts edits, drops duplicates and what an enclosing edit covers; raises OverlapError for a conflict."""
    kept: list[Edit] = []
    for edit in _without_covered(sorted(set(edits), key=_key)):
        if kept and edit.start < kept[-1].end:
            raise OverlapError(f"edits overlap: {kept[-1]!r} and {edit!r}")
        kept.append(edit)
    return kept


# Wider than any file, so that closing insertions sort before the opening ones of what follows.
_CLOSING = 1 << 40


def _key(edit: Edit) -> tuple[int, bool, bool, int, int]:
    # An insertion at the start of a replaced span goes before it.
    return edit.start, edit.end > edit.start, not edit.line, edit.order, edit.end


def _without_covered(edits: Sequence[Edit]) -> list[Edit]:
    outermost = _outermost([edit for edit in edits if edit.encloses])
    starts = [cover.start for cover in outermost]
    kept: list[Edit] = []
    for edit in edits:
        place = bisect_right(starts, edit.start)
        # Two may meet at one offset: the one that ends there and the one that begins.
        if not any(_covers(cover, edit) for cover in outermost[max(0, place - 2) : place]):
            kept.append(edit)
    return kept


def _outermost(covers: Sequence[Edit]) -> list[Edit]:
    found: list[Edit] = []
    for cover in sorted(covers, key=lambda edit: (edit.start, -edit.end)):
        if not found or cover.end > found[-1].end:
            found.append(cover)
    return found


def _covers(cover: Edit, edit: Edit) -> bool:
    if cover == edit or not (cover.start <= edit.start and edit.end <= cover.end):
        return False
    if edit.line and edit.start in (cover.start, cover.end):
        return False
    wider = cover.end - cover.start > edit.end - edit.start
    return wider or not edit.encloses
