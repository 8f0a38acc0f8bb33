"""Bytes in, the same bytes out: what a file of code says and how it was written down.

A :class:`Source` holds the decoded text and remembers encoding, byte-order mark and raw bytes. Newlines are never
translated, so text that is not edited is written back byte for byte, even where a file mixes newline styles.
"""

from __future__ import annotations

import ast
import codecs
import gc
import io
import re
import tokenize
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from tf_migrate.files import notebook
from tf_migrate.files.tabs import Tabs, expanded

_NEWLINE = re.compile(r"\r\n|\r|\n")
_PYTHON2_MESSAGES = (
    "Missing parentheses in call to",
    "leading zeros in decimal integer",
    "multiple exception types must be parenthesized",
    "inconsistent use of tabs",
)
TO_PYTHON3 = "`2to3 -w FILE`, or since Python 3.13 `python -m fissix -w FILE`"
_CELLS_TO_PYTHON3 = "`jupytext --pipe '2to3 -wn {}' FILE`, or since Python 3.13 with `python -m fissix` for `2to3`"
_PYTHON2_LINE = re.compile(
    r"""^\s*(print\b(?!\s*[(=.,])|print\s*>>|exec\s+["'\w]|raise\s+\w[\w.]*\s*,|except\s+[\w.()]+\s*,)"""
    r"""|<>|`[^`]+`|\b0[0-7]+\b|\b\d+[lL]\b|\bur["']|\blambda\s*\("""
    r"""|\bdef\s+\w+\s*\([^)]*\([^)]*\)\s*[,)]""",
    re.VERBOSE,
)


class SourceError(Exception):
    """A file that cannot be read as Python 3 code; it is left as it stood."""

    def __init__(self, path: str, line: int, reason: str, next_step: str) -> None:
        super().__init__(f"{path}:{line}: {reason}; {next_step}")
        self.path = path
        self.line = line
        self.reason = reason
        self.next_step = next_step


@dataclass(frozen=True)
class Source:
    """One file: ``text`` is its code, ``raw`` its bytes; ``encode`` is the way back for an edited text.

    ``moved`` tells where all of a text stood that is in another order than in the file, ``ends`` are the last lines of
    several files of which a text is made. `tabs` is how the file was indented, where the text has spaces for them.
    """

    path: str
    raw: bytes
    text: str
    encoding: str
    bom: bool
    cells: notebook.Notebook | None = None
    moved: Moved | None = None
    ends: tuple[int, ...] = ()
    tabs: Tabs | None = None

    def encode(self, text: str) -> bytes:
        """Gives the bytes of the file with ``text`` in place of the code; the original bytes when nothing changed."""
        if text == self.text:
            return self.raw
        if self.cells is not None:
            return self.cells.encode(text)
        if self.tabs is not None:
            text = self.tabs.restored(text)
        return (codecs.BOM_UTF8 if self.bom else b"") + text.encode(self.encoding)

    @cached_property
    def newline(self) -> str:
        """The newline style that the file uses most, for lines that are added."""
        crlf = self.text.count("\r\n")
        counts = {"\n": self.text.count("\n") - crlf, "\r\n": crlf, "\r": self.text.count("\r") - crlf}
        return max(counts, key=lambda style: counts[style])

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Text offset at which each line begins, lines counted as Python's tokenizer counts them."""
        if "\r" in self.text:
            return (0, *(match.end() for match in _NEWLINE.finditer(self.text)))
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return tuple(starts)

    @cached_property
    def _ascii(self) -> bool:
        return self.text.isascii()

    def offset(self, line: int, column: int) -> int:
        """Text offset of an ``ast`` position: 1-based line, 0-based column in UTF-8 bytes."""
        start = self.line_starts[line - 1]
        if self._ascii:
            return start + column
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        content = self.text[start:end]
        if content.isascii():
            return start + column
        return start + len(content.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "surrogatepass"))

    def start(self, node: ast.expr | ast.stmt | ast.keyword | ast.alias | ast.arg) -> int:
        """Text offset of the node's first character."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt | ast.keyword | ast.alias | ast.arg) -> int:
        """Text offset just behind the node's last character."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.offset(node.end_lineno, node.end_col_offset)

    def span(self, node: ast.expr | ast.stmt | ast.keyword | ast.alias | ast.arg) -> tuple[int, int]:
        """Text offsets of the node: start and end."""
        return self.start(node), self.end(node)

    def segment(self, node: ast.expr | ast.stmt | ast.keyword | ast.alias | ast.arg) -> str:
        """The node's own text."""
        return self.text[self.start(node) : self.end(node)]

    def line_of(self, offset: int) -> int:
        """1-based line of a text offset."""
        return bisect_right(self.line_starts, offset)

    def place(self, line: int, column: int = 1) -> tuple[int, int]:
        """Line and column in the file for those of the text, counted from 1: other ones in a notebook."""
        if self.moved is not None:
            return self.moved.place(self.line_starts[line - 1] + column - 1)
        if self.tabs is not None:
            return line, self.tabs.column(self.line_text(line), column)
        return (line, column) if self.cells is None else self.cells.place(line, column)

    def holds_both(self, one: ast.stmt, other: ast.stmt) -> bool:
        """Whether two statements stand in one file."""
        return bisect_left(self.ends, one.lineno) == bisect_left(self.ends, other.lineno)

    def shows(self, node: ast.stmt) -> bool:
        """Whether the value of an expression statement is shown: where it ends a notebook's cell."""
        return self.cells is not None and self.cells.ends_after(self.text, self.end(node))

    def line_text(self, line: int) -> str:
        """Text of a 1-based line, without its newline."""
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        return self.text[self.line_starts[line - 1] : end].rstrip("\r\n")


@dataclass(frozen=True)
class Moved:
    """Where a text stood before: each of its ``pieces`` begins at the first offset, and began at the second one."""

    before: Source
    pieces: tuple[tuple[int, int], ...]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column in the file of an offset of the text."""
        start, old = self.pieces[bisect_right(self.pieces, offset, key=lambda piece: piece[0]) - 1]
        old = min(old + offset - start, len(self.before.text))
        line = self.before.line_of(old)
        return self.before.place(line, old - self.before.line_starts[line - 1] + 1)


def read(path: str, raw: bytes) -> Source:
    """Decodes a file by PEP 263 (a notebook by JSON); raises :class:`SourceError` when that cannot be done."""
    if path.endswith(".ipynb"):
        return _read_notebook(path, raw)
    if b"\x00" in raw:
        raise SourceError(path, 1, "binary file, not Python code", "exclude it with --exclude")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
    except SyntaxError as error:
        raise SourceError(
            path, 1, f"encoding cannot be told ({error})", "add a `# -*- coding: … -*-` line or save the file as UTF-8"
        ) from None
    bom = raw.startswith(codecs.BOM_UTF8)
    encoding = "utf-8" if encoding == "utf-8-sig" else encoding
    body = raw[len(codecs.BOM_UTF8) :] if bom else raw
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise SourceError(
            path,
            line,
            f"byte 0x{body[error.start]:02x} is not valid {encoding}",
            "add a `# -*- coding: … -*-` line that names the file's encoding, or save it as UTF-8",
        ) from None
    if text.encode(encoding) != body:
        raise SourceError(path, 1, f"{encoding} does not round-trip", "save the file as UTF-8")
    spaced, tabs = expanded(text) or (text, None)
    return Source(path, raw, spaced, encoding, bom, tabs=tabs)


def parse(source: Source) -> ast.Module:
    """Parses the text; raises :class:`SourceError` with line and next step, Python 2 told apart from mistakes."""
    try:
        with warnings.catch_warnings(), _collector_off():
            warnings.simplefilter("ignore")
            return ast.parse(source.text, source.path)
    except SyntaxError as error:
        line = error.lineno or 1
        place, _ = source.place(line)
        if _is_python2(source, line, error.msg):
            how = TO_PYTHON3 if source.cells is None else _CELLS_TO_PYTHON3
            step = f"convert it to Python 3 first ({how}), then run again"
            raise SourceError(source.path, place, "Python 2 source", step) from None
        raise SourceError(source.path, place, f"syntax error: {error.msg}", "correct it and run again") from None
    except (RecursionError, MemoryError):
        raise SourceError(
            source.path, 1, "nested too deeply for Python's parser", "split its longest expression and run again"
        ) from None
    except ValueError as error:
        raise SourceError(source.path, 1, str(error), "correct it and run again") from None


def _read_notebook(path: str, raw: bytes) -> Source:
    try:
        cells = notebook.read(raw)
    except ValueError as error:
        raise SourceError(path, 1, f"not a notebook: {error}", "open and save it with Jupyter, or exclude it") from None
    return Source(path, raw, cells.text, "utf-8", raw.startswith(codecs.BOM_UTF8), cells)


def _is_python2(source: Source, line: int, message: str) -> bool:
    if any(part in message for part in _PYTHON2_MESSAGES):
        return True
    line = min(max(line, 1), len(source.line_starts))
    return _PYTHON2_LINE.search(source.line_text(line)) is not None


@contextmanager
def _collector_off() -> Iterator[None]:
    # A tree is a million small objects and no garbage: collecting while it grows costs twice the parse itself.
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
