"""A module as all programs need it that share it: what two of them read has to become the same for both."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

from tf_migrate.changes.application import Rewritten, context_of, shims_of, text_of
from tf_migrate.changes.edits import Edit, apply, render
from tf_migrate.files.source import Source
from tf_migrate.names.canonical import Names
from tf_migrate.programs.joining import Apart
from tf_migrate.report.model import Site
from tf_migrate.rules import Change
from tf_migrate.syntax.module import Module, first_line


class Lines(NamedTuple):
    """The lines of a statement, from the `first` to the `last`.

    Their text goes from `start` to `end`, and that of the blank lines behind them to `beyond`.
    """

    first: int
    last: int
    start: int
    end: int
    beyond: int

    def hold(self, edit: Edit) -> bool:
        """Whether an edit is about these lines alone; what is put before or behind them is not."""
        if edit.start == edit.end:
            return self.start < edit.start < self.end
        return self.start <= edit.start and edit.end <= self.beyond

    def meet(self, edit: Edit) -> bool:
        """Whether an edit is about these lines and others."""
        return edit.start < self.end and self.start < edit.end and not self.hold(edit)


@dataclass(frozen=True)
class Piece:
    """What one program, known by the path of its script, makes of a module; `left` it does not read."""

    script: str
    changes: tuple[Change, ...]
    sites: tuple[Site, ...]
    unchanged: int
    left: frozenset[Lines]
    compat: str
    new_tf: str

    @property
    def edits(self) -> list[Edit]:
        """All edits, each once."""
        return list(dict.fromkeys(edit for change in self.changes for edit in change.edits))


def lines_of(module: Module, statements: Collection[ast.stmt]) -> frozenset[Lines]:
    """Where statements of a module's top level stand."""
    return frozenset(_lines(module.source, node) for node in statements)


def _lines(source: Source, node: ast.stmt) -> Lines:
    starts, text = source.line_starts, source.text
    first = first_line(node)
    last = node.end_lineno or node.lineno
    blank = last
    while blank < len(starts) and not source.line_text(blank + 1).strip():
        blank += 1
    start, end, beyond = (starts[line] if line < len(starts) else len(text) for line in (first - 1, last, blank))
    return Lines(first, last, start, end, beyond)


def merged(names: Names, pieces: Sequence[Piece]) -> Rewritten:
    """What becomes of a module; raises Apart where programs need different code in what they share of it."""
    path = names.module.path
    for one, other in combinations(pieces, 2):
        if not _are_alike(names.module, one, other):
            raise Apart(f"`{one.script}` and `{other.script}` need different code in `{path}`")
    for lines in frozenset[Lines]().union(*(piece.left for piece in pieces)):
        if not all(_is_one(names.module, lines, piece) for piece in pieces if lines not in piece.left):
            raise Apart(f"line {lines.first} of `{path}` would become more than it is")
    first, *others = pieces
    taken = [_without(first)]
    missing = first.left
    for piece in others:
        taken.append(_within(piece, missing - piece.left))
        missing &= piece.left
    if missing:
        raise Apart(f"`{path}` is a script as well")
    context = replace(context_of(names), compat=first.compat, new_tf=first.new_tf)
    changes = [change for piece in taken for change in piece.changes]
    text = _ended(names.module.source.text, text_of(context, changes))
    findings = tuple(change.finding for change in changes if change.finding is not None)
    sites = tuple(sorted((site for piece in taken for site in piece.sites), key=lambda site: site.line))
    return Rewritten(text, findings, sites, sum(piece.unchanged for piece in pieces), shims_of(context))


def _are_alike(module: Module, one: Piece, other: Piece) -> bool:
    """Whether two programs make the same of what both read of a module."""
    if one is other or (one.compat, one.new_tf) != (other.compat, other.new_tf):
        return one is other
    left = one.left | other.left
    texts = [apply(module.source.text, _outside(piece.edits, left)) for piece in (one, other)]
    return texts[0] == texts[1]


def _is_one(module: Module, lines: Lines, piece: Piece) -> bool:
    """Whether a statement of the top level stays one of its kind and name: that is all that other programs run."""
    text = module.source.text
    edits = [edit for edit in piece.edits if lines.hold(edit)]
    before, after = (ast.parse(render(text, made, lines.start, lines.beyond)) for made in ((), edits))
    return [_head(node) for node in before.body] == [_head(node) for node in after.body]


def _head(node: ast.stmt) -> tuple[type[ast.stmt], str]:
    """What is to be seen of a statement without what it holds."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return type(node), node.name
    return type(node), ast.dump(node.test if isinstance(node, ast.If) else node)


def _outside(edits: Sequence[Edit], left: Collection[Lines]) -> Iterator[Edit]:
    for edit in edits:
        if any(lines.meet(edit) for lines in left):
            raise Apart("a change goes beyond what one of the programs reaches")
        if not any(lines.hold(edit) for lines in left):
            yield edit


def _without(piece: Piece) -> Piece:
    """A piece without what it says of statements that its program does not read."""

    def is_told(line: int) -> bool:
        return not any(lines.first <= line <= lines.last for lines in piece.left)

    return _cut(piece, set(_outside(piece.edits, piece.left)), is_told)


def _within(piece: Piece, places: Collection[Lines]) -> Piece:
    """What a piece says of some statements."""

    def is_told(line: int) -> bool:
        return any(lines.first <= line <= lines.last for lines in places)

    return _cut(piece, {edit for edit in piece.edits if any(lines.hold(edit) for lines in places)}, is_told)


def _cut(piece: Piece, kept: Collection[Edit], is_told: Callable[[int], bool]) -> Piece:
    """A piece with some of its edits, and with what it tells of some lines."""
    changes = []
    for change in piece.changes:
        edits = tuple(edit for edit in change.edits if edit in kept)
        finding = change.finding if change.finding is not None and is_told(change.finding.line) else None
        needs = change.needs if edits or not change.edits else frozenset[str]()
        changes.append(replace(change, finding=finding, edits=edits, needs=needs))
    sites = tuple(site for site in piece.sites if is_told(site.line))
    return replace(piece, changes=tuple(changes), sites=sites)


def _ended(before: str, text: str) -> str:
    """The text with no more blank lines at its end than it had."""
    return text if before.endswith("\n\n") else re.sub(r"\n+\Z", "\n", text)
