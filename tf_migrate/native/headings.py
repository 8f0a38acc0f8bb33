"""Headings of sections: comments with a line drawn above, below or around them. They head what follows."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from tf_migrate.files.source import Source
from tf_migrate.native.layout import extent, line_start

_DRAWN = re.compile(r"\s*#[\s#]*[-=#*~_]{3,}(?:.*[-=#*~_]{3,})?\s*$")


def heading_of(source: Source, node: ast.stmt) -> str:
    """The heading right above a statement, with the end of its last line; empty where there is none."""
    place = extent(source, node)
    lines = range(place.comments, place.first)
    drawn = [line for line in lines if _DRAWN.match(source.line_text(line))]
    if not drawn or drawn[0] not in (lines[0], lines[0] + 1):
        return ""
    last = lines[-1] if drawn == [lines[0]] else drawn[-1]
    return source.text[line_start(source, lines[0]) : line_start(source, last + 1)]


def lines_copied(source: Source, node: ast.stmt, around: Sequence[ast.With]) -> tuple[int, int]:
    """Text offsets of what a function has of a statement: a heading stays where that stands, unless in a scope."""
    place = extent(source, node)
    start = line_start(source, place.comments) + (0 if around else len(heading_of(source, node)))
    return start, line_start(source, place.last + 1)
