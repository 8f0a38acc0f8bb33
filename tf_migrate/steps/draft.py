"""A module's text as it is written: what was found, and the edits of the form, which win where both claim a text.

Expressions that stay keep every edit inside of them, also where they are put elsewhere. Text that goes takes its
edits with it, and the draft knows of which findings nothing is left.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from tf_migrate.changes.edits import Edit, render
from tf_migrate.rules import Change, Context

_CLOSING = 1 << 39
_KEYWORD = 1 << 37


class Unwritable(Exception):
    """A plan that cannot be written: what stands in the way at a node, in words for a person."""

    def __init__(self, node: ast.AST, reason: str) -> None:
        self.node, self.reason = node, reason
        line = getattr(node, "lineno", None)
        super().__init__(reason if line is None else f"line {line}: {reason}")


Span = tuple[int, int]


class Draft:
    """The edits of one module; spans are those of the original text."""

    def __init__(self, context: Context, found: Sequence[Change]) -> None:
        self.context = context
        self.source = context.module.source
        self.changes = list(found)
        self.gone: list[Span] = []
        self._kept: list[Span] = []
        self._edits: list[tuple[int | None, Edit]] = [
            (number, edit) for number, change in enumerate(found) for edit in change.edits
        ]

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword) -> Span:
        """The span of a node."""
        return self.source.span(node)

    def insert(self, position: int, text: str, order: int = 0, *, line: bool = False) -> None:
        """Puts text at a place; with `line` whole new lines, which stand before all else there."""
        self._edits.append((None, Edit(position, position, text, order, line=line)))

    def replace(
        self, start: int, end: int, text: str, kept: Iterable[Span] = (), *, before: bool = True, behind: bool = False
    ) -> None:
        """Puts text in the place of a span; `kept` are the spans whose text, rendered, is a part of it.

        Insertions at the borders go with the span where they belong to it, and not to what stands around it; where
        `before` is not set, all at its start stay, and where `behind` is set, all at its end.
        """
        self._edits = [item for item in self._edits if not _goes(item[1], start, end, before, behind)]
        self._edits.append((None, Edit(start, end, text)))
        self.gone.append((start, end))
        self._kept += kept

    def drop_lines(self, start: int, end: int) -> None:
        """Takes out whole lines with their indentation; new lines that stand before them stay."""
        self._edits = [item for item in self._edits if item[1].line or not start <= item[1].start < end]
        self.replace(start, end, "", before=False, behind=True)

    def render(self, start: int, end: int, around: Span | None = None) -> str:
        """The text of a span with all edits inside; what is inserted at a border that it shares with `around` stays."""
        inside = [edit for _, edit in self._edits if _is_inside(edit, start, end, around or (-1, -1))]
        return render(self.source.text, inside, start, end)

    def keep(self, span: Span) -> None:
        """Says that the text of a span, rendered, is a part of other text."""
        self._kept.append(span)

    def adapt(self, adapted: Callable[[Edit], Edit]) -> None:
        """Changes the edits that are there."""
        self._edits = [(number, adapted(edit)) for number, edit in self._edits]

    @property
    def edits(self) -> list[Edit]:
        """All edits."""
        return [edit for _, edit in self._edits]

    def covering(self, position: int) -> Span | None:
        """The widest span that is replaced and holds a place, or ends there."""
        spans = [span for span in self.gone if span[0] <= position <= span[1]]
        return max(spans, key=lambda span: span[1] - span[0], default=None)

    def is_gone(self, position: int) -> bool:
        """Whether the text at a place goes, and is no part of an expression that stays."""
        kept = [span for span in self._kept if span[0] <= position < span[1]]
        smallest = min((end - start for start, end in kept), default=None)
        return any(start <= position < end and (smallest is None or end - start < smallest) for start, end in self.gone)

    def goes_at(self, line: int, column: int) -> bool:
        """Whether the text at a place of the file goes."""
        position = self._places.get((line, column))
        return position is not None and self.is_gone(position)

    @cached_property
    def _places(self) -> dict[tuple[int, int], int]:
        """Where in the text what stands at a place of the file begins."""
        module = self.context.module
        nodes = (node for node in module.nodes if isinstance(node, ast.expr | ast.stmt | ast.alias))
        return {module.position(node): self.source.start(node) for node in nodes}

    def result(self) -> Iterator[Change]:
        """The changes as they are made: those that were found with what is left of their edits, and the form's own."""
        self._require_apart()
        left: dict[int, list[Edit]] = {}
        own: list[Edit] = []
        for number, edit in self._edits:
            (own if number is None else left.setdefault(number, [])).append(edit)
        for number, change in enumerate(self.changes):
            yield replace(change, edits=tuple(left.get(number, ())))
        if own:
            named = re.compile(rf"\b{re.escape(self.context.compat)}\b")
            needs = frozenset({"compat"}) if any(named.search(edit.text) for edit in own) else frozenset()
            yield Change(None, tuple(own), needs)

    def _require_apart(self) -> None:
        covers = [edit for number, edit in self._edits if number is not None and edit.encloses]
        for number, edit in self._edits:
            if number is None and any(cover.start <= edit.start and edit.end <= cover.end for cover in covers):
                place = self.context.module.statement_of(self.context.module.tree.body[0])
                line = self.source.line_of(edit.start)
                raise Unwritable(place, f"what a rule rewrites as a whole at line {line} holds a part of a run")


def _is_inside(edit: Edit, start: int, end: int, around: Span) -> bool:
    if not (start <= edit.start and edit.end <= end):
        return False
    if edit.start < edit.end or edit.start not in (start, end):
        return True
    if edit.start == (around[0] if edit.start == start else around[1]):
        return not _is_outer(edit, start, end)
    return "\n" not in edit.text and not _is_keyword(edit) and not _is_wider(edit, start, end)


def _goes(edit: Edit, start: int, end: int, before: bool, behind: bool) -> bool:
    if not (start <= edit.start and edit.end <= end):
        return False
    if edit.start != edit.end:
        return True
    if edit.start == start and (edit.line or not before or _is_outer(edit, start, end)):
        return False
    return not (edit.start == end and (edit.line or behind or _is_outer(edit, start, end)))


def _is_outer(edit: Edit, start: int, end: int) -> bool:
    """Whether an insertion at a border of a span belongs to what stands around it."""
    at_start = edit.start == start and edit.order == 0
    return edit.line or at_start or _is_keyword(edit) or _is_wider(edit, start, end)


def _is_keyword(edit: Edit) -> bool:
    """Whether an insertion is a keyword that an argument gets, or an argument that a call gets."""
    return abs(edit.order) >= _KEYWORD and edit.order > -_CLOSING


def _is_wider(edit: Edit, start: int, end: int) -> bool:
    """Whether an insertion at a border of a span wraps more than that (see `edits.wrap`)."""
    width = -edit.order if edit.start == start else edit.order + 2 * _CLOSING
    return (edit.start == start or edit.order < -_CLOSING) and width > end - start
