"""Code cells of a Jupyter notebook as one text, and back into the very same JSON.

Only the ``source`` values of cells that changed are written anew; text, metadata and layout stay byte for byte. A
notebook of which any code changed loses its outputs and execution counts: they tell of a program that it no longer is.
"""

from __future__ import annotations

import codecs
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tf_migrate.files import magic

_MARK = "# tf-migrate cell "
_CELL_MAGIC = re.compile(r"(?:[ \t]*(?:#.*)?\n)*[ \t]*%%")
# Below these a cell is Python; others give it to a language or a program of their own.
_LEADING = re.compile(r"\n*%%(?:time|timeit|capture|prun)\b.*")
_REPEATED = re.compile(r"\n*%%timeit\b")
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_FRESH = {"outputs": "[]", "execution_count": "null"}


@dataclass(frozen=True)
class Cell:
    """One code cell: its number in the notebook, its code, and where its ``source`` value stands in the JSON.

    ``lines`` gives the line of the JSON, counted from 1, for each line of the code.
    """

    number: int
    code: str
    start: int
    end: int
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Notebook:
    """The JSON of a notebook and its code cells.

    ``results`` says where outputs and execution counts stand, and what stands there before a cell has run.
    """

    body: str
    bom: bool
    cells: tuple[Cell, ...]
    results: tuple[tuple[int, int, str], ...]

    @property
    def text(self) -> str:
        """The code of all cells, each behind a line that marks its beginning."""
        return "".join(f"{_MARK}{cell.number}\n{magic.hidden(cell.code)}\n" for cell in self.cells)

    def ends_after(self, text: str, end: int) -> bool:
        """Whether nothing of a cell follows in ``text`` behind an offset, so that the cell shows the value there."""
        behind = text[end:].lstrip()
        return not behind or behind.startswith(_MARK)

    def trimmed(self, text: str) -> str:
        """An edited ``text`` without blank lines at the beginning and end of cells whose code changed.

        What a cell begins with to be timed or captured as a whole stays its first line.
        """
        heads = {
            cell.number: magic.hidden(head[0].lstrip("\n"))
            for cell in self.cells
            if (head := _LEADING.match(cell.code))
        }
        pieces = [text[: text.find(_MARK)]]
        code_of = {cell.number: magic.hidden(cell.code) for cell in self.cells}
        for number, code in _marked(text):
            kept = code if code == code_of.get(number) else _led(code.strip("\n"), heads.get(number))
            pieces.append(f"{_MARK}{number}\n{kept}\n")
        return "".join(pieces)

    @property
    def repeats(self) -> bool:
        """Whether IPython runs the code of some cell many times: `%%timeit`."""
        return any(_REPEATED.match(cell.code) for cell in self.cells)

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Where a line and column of ``text`` stand in the notebook's file, all counted from 1.

        Columns count characters of code; where the file keeps several lines of code in one of its own, be it of one
        cell or of several, they go on counting from one to the next.
        """
        first = 1
        widths: Counter[int] = Counter()
        for cell in self.cells:
            inside = max(line - first - 1, 0)  # the mark is the first line of a cell
            for number, (original, code) in enumerate(zip(cell.lines, cell.code.split("\n"), strict=True)):
                if number == inside:
                    return original, column + widths[original]
                widths[original] += len(code) + 1
            first += 1 + len(cell.lines)
        return 1, column

    def encode(self, text: str) -> bytes:
        """Puts the cells' code of an edited ``text`` back into the JSON."""
        new = dict(_split(text))
        gap = " " if '": ' in self.body else ""
        changes = [
            (cell.start, cell.end, _as_json(new[cell.number], self.body[cell.start : cell.end], gap))
            for cell in self.cells
            if new.get(cell.number, cell.code) != cell.code
        ]
        pieces: list[str] = []
        last = 0
        for start, end, value in sorted(changes + list(self.results)) if changes else ():
            pieces += [self.body[last:start], value]
            last = end
        pieces.append(self.body[last:])
        return (codecs.BOM_UTF8 if self.bom else b"") + "".join(pieces).encode("utf-8")


def read(raw: bytes) -> Notebook:
    """Finds the code cells of a notebook; raises ValueError when the bytes are no notebook."""
    bom = raw.startswith(codecs.BOM_UTF8)
    body = raw.decode("utf-8-sig")
    content = json.loads(body)
    if not isinstance(content, dict) or not isinstance(content.get("cells"), list):
        raise ValueError("no list of cells (nbformat 4 is needed)")
    cells: list[Cell] = []
    results: list[tuple[int, int, str]] = []
    for number, (cell, spans) in enumerate(_cells(body)):
        if cell.get("cell_type") != "code":
            continue
        results += [(*spans[name], fresh) for name, fresh in _FRESH.items() if name in spans]
        code = "".join(cell.get("source", ""))
        if "source" in spans and (_LEADING.match(code) or not _CELL_MAGIC.match(code)):
            start, end = spans["source"]
            cells.append(Cell(number, code, start, end, tuple(_lines(body, start, code))))
    return Notebook(body, bom, tuple(cells), tuple(results))


def _lines(body: str, start: int, code: str) -> Iterator[int]:
    """The JSON's line for each line of a cell's code."""
    line = body.count("\n", 0, start) + 1
    if body[start] != "[":
        yield from [line] * (code.count("\n") + 1)
        return
    last = start
    ended = True
    for item in _items(body, start):
        line += body.count("\n", last, item)
        last = item
        text, _ = _DECODER.raw_decode(body, item)
        yield from [line] * (text.count("\n") + (not text.endswith("\n")))
        ended = text.endswith("\n")
    if ended:
        yield line


def _led(code: str, head: str | None) -> str:
    """The code of a cell behind its first line, wherever that stands in it."""
    if head is None or code.startswith(head):
        return code
    return "\n".join([head, *(line for line in code.split("\n") if line != head)])


def is_mark(line: str) -> bool:
    """Whether a line of the text is where a cell begins."""
    return line.startswith(_MARK)


def _split(text: str) -> Iterator[tuple[int, str]]:
    for number, code in _marked(text):
        yield number, magic.shown(code)


def _marked(text: str) -> Iterator[tuple[int, str]]:
    parts = re.split(rf"^{re.escape(_MARK)}(\d+)\n", text, flags=re.MULTILINE)
    for number, code in zip(parts[1::2], parts[2::2], strict=True):
        yield int(number), code.removesuffix("\n")


def _as_json(code: str, old: str, gap: str) -> str:
    """Writes code as the old value was written: one string, or a list of lines in the old one's layout."""
    escape_all = "\\u" in old or old.isascii()
    if not old.startswith("["):
        return json.dumps(code, ensure_ascii=escape_all)
    lead = _SPACE.match(old, 1)
    tail = re.search(r"[ \t\r\n]*\]$", old)
    assert lead is not None and tail is not None
    comma = "," + (lead[0] or gap)
    lines = [json.dumps(line, ensure_ascii=escape_all) for line in code.splitlines(keepends=True)]
    return f"[{lead[0]}{comma.join(lines)}{tail[0]}"


def _cells(body: str) -> Iterator[tuple[dict[str, Any], dict[str, tuple[int, int]]]]:
    """Each cell, and where the values of its members stand."""
    for key, start, _ in _members(body, _skip(body, body.index("{"))):
        if key == "cells":
            for item in _items(body, start):
                cell, _ = _DECODER.raw_decode(body, item)
                spans = {name: (begin, end) for name, begin, end in _members(body, item)}
                yield cell, spans


def _members(body: str, position: int) -> Iterator[tuple[str, int, int]]:
    """Key and value span of each member of the JSON object that begins at ``position``."""
    position = _skip(body, position + 1)
    while body[position] != "}":
        key, position = _DECODER.raw_decode(body, position)
        start = _skip(body, _skip(body, position) + 1)
        _, end = _DECODER.raw_decode(body, start)
        yield key, start, end
        position = _skip(body, end)
        if body[position] == ",":
            position = _skip(body, position + 1)


def _items(body: str, position: int) -> Iterator[int]:
    """Start of each item of the JSON list that begins at ``position``."""
    position = _skip(body, position + 1)
    while body[position] != "]":
        yield position
        _, end = _DECODER.raw_decode(body, position)
        position = _skip(body, end)
        if body[position] == ",":
            position = _skip(body, position + 1)


def _skip(body: str, position: int) -> int:
    match = _SPACE.match(body, position)
    return match.end() if match else position
