"""Edits of whole statements: taking one out, putting a line before one."""

from __future__ import annotations

import ast
import re

from tf_migrate.changes.edits import Edit
from tf_migrate.files.notebook import is_mark
from tf_migrate.files.source import Source
from tf_migrate.syntax.module import Module, first_line

_COMMENT_LINE = re.compile(r"[ \t]*#")


def remove(module: Module, node: ast.stmt, *, others_stay: bool = False) -> Edit:
    """Takes a statement out: its whole line where nothing else stands there, else ``pass`` in its place.

    ``others_stay`` says that its block keeps some other statement. The fewer of the blank lines around go too.
    """
    source = module.source
    start, end = source.span(node)
    line_start = source.line_starts[node.lineno - 1]
    line_end = _line_end(module, end)
    alone = not source.text[line_start:start].strip() and not source.text[end:line_end].strip().strip(";")
    if not alone or not (others_stay or isinstance(module.parents[node], ast.Module)):
        return Edit(start, end, "pass", encloses=True)
    above, below = _blank_lines(source, node.lineno, -1), _blank_lines(source, (node.end_lineno or 0), 1)
    last = source.line_of(line_end) + min(above, below)
    stop = source.line_starts[last] if last < len(source.line_starts) else len(source.text)
    return Edit(line_start, stop, "", encloses=True)


def _blank_lines(source: Source, line: int, step: int) -> int:
    """How many blank lines stand above (-1) or below (1) a line."""
    count = 0
    while 1 <= line + step <= len(source.line_starts) and not source.line_text(line + step).strip():
        count, line = count + 1, line + step
    return count


def insert_before(module: Module, node: ast.stmt, code: str) -> Edit:
    """Puts a line of code before a statement, above the comment that belongs to it."""
    source = module.source
    first = first_line(node)
    start = source.line_starts[first - 1]
    text = source.line_text(first)
    decorated = text[: len(text) - len(text.lstrip())]
    indent = source.text[start : source.start(node)] if first == node.lineno else decorated
    if indent.strip():  # `if x: a(); b()` on one line
        position = source.start(node)
        return Edit(position, position, f"{code}; ")
    while first > 1 and _COMMENT_LINE.match(source.line_text(first - 1)) and not _is_head(module, first - 1):
        first -= 1
    start = source.line_starts[first - 1]
    return Edit(start, start, f"{indent}{code}{source.newline}", line=True)


def insert_above(module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef, code: str) -> Edit:
    """Puts a line of code directly above the head of a function, below its decorators."""
    source = module.source
    start = source.line_starts[function.lineno - 1]
    return Edit(start, start, f"{source.text[start : source.start(function)]}{code}{source.newline}", line=True)


def append_after(module: Module, node: ast.stmt, code: str) -> Edit:
    """Puts a line of code behind a statement of the module's top level."""
    source = module.source
    end = _line_end(module, source.end(node))
    position = _next_line(module, end)
    if position == end:  # the file ends without a newline
        return Edit(end, end, f"{source.newline}{code}", line=True)
    return Edit(position, position, f"{code}{source.newline}", line=True)


def _is_head(module: Module, line: int) -> bool:
    """Whether a comment line belongs to the file or to a notebook's cell and not to a statement."""
    text = module.source.line_text(line)
    if module.source.cells is not None and is_mark(text):
        return True
    return line <= 2 and (text.startswith("#!") or "coding" in text)


def _line_end(module: Module, offset: int) -> int:
    source = module.source
    line = source.line_of(offset)
    return source.line_starts[line - 1] + len(source.line_text(line))


def _next_line(module: Module, line_end: int) -> int:
    text = module.source.text
    if text.startswith("\r\n", line_end):
        return line_end + 2
    return line_end + 1 if line_end < len(text) else line_end
