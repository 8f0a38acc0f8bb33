"""A text of which pieces stand elsewhere than in the file: each knows where it stood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tf_migrate.files.source import Moved, Source


@dataclass(frozen=True)
class Piece:
    """A piece of text, and the offset where it stood, or beside which it is put."""

    text: str
    offset: int


@dataclass(frozen=True)
class Replacement:
    """What takes the place of a span of the text."""

    start: int
    end: int
    pieces: tuple[Piece, ...] = ()


def inserted(place: int, text: str) -> Replacement:
    """A new text at an offset."""
    return Replacement(place, place, (Piece(text, place),))


def moved(source: Source, replacements: Sequence[Replacement]) -> Source:
    """The text with replacements made, which knows where all of it stood before."""
    text, last = "", 0
    places: list[tuple[int, int]] = []
    for found in sorted(replacements, key=lambda item: (item.start, item.end)):
        for piece in (Piece(source.text[last : found.start], last), *found.pieces):
            places += [(len(text), piece.offset)] if piece.text else []
            text += piece.text
        last = found.end
    places.append((len(text), last))
    text += source.text[last:]
    return replace(source, text=text, moved=Moved(source, tuple(places)))
