"""Statements as text: with the comments that belong to them, at another indentation, within bounds."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tf_migrate.files.lines import inside_strings
from tf_migrate.files.notebook import is_mark
from tf_migrate.files.source import Source

_WIDTH = 100
_COMMENT = re.compile(r"[ \t]*#")
_ATOMS = (
    *(ast.Attribute, ast.Call, ast.Constant, ast.Dict, ast.DictComp, ast.JoinedStr, ast.List, ast.ListComp, ast.Name),
    *(ast.Set, ast.SetComp, ast.Subscript),
)


@dataclass(frozen=True)
class Extent:
    """The lines of a statement, 1-based and inclusive; `comments` is where the comment lines above it begin."""

    comments: int
    first: int
    last: int


def extent(source: Source, node: ast.stmt, below: int | None = None) -> Extent:
    """The lines of a statement and of the comment block right above it, or `below` a line, at its own indentation."""
    first, last = node.lineno, node.end_lineno or node.lineno
    for decorator in getattr(node, "decorator_list", ()):
        first = min(first, decorator.lineno)
    above = first if below is None else below
    while above > 1 and _is_comment(source.line_text(above - 1), node.col_offset):
        if source.cells is not None and is_mark(source.line_text(above - 1)):
            break
        above -= 1
    return Extent(above, first, last)


def _is_comment(line: str, column: int) -> bool:
    return _COMMENT.match(line) is not None and len(line) - len(line.lstrip()) == column


def is_apart(source: Source, node: ast.stmt) -> bool:
    """Whether a blank line stands above a statement and its comments."""
    above = extent(source, node).comments - 1
    return above > 0 and not source.line_text(above).strip()


def last_comment(source: Source, block: ast.With) -> int:
    """The last line of a block, with the comments of its own indentation that stand behind its last statement."""
    last = extent(source, block).last
    number = last + 1
    while number <= len(source.line_starts):
        line = source.line_text(number)
        if source.cells is not None and is_mark(line):
            break
        if line.strip():
            if not _is_comment(line, block.body[0].col_offset):
                break
            last = number
        number += 1
    return last


def is_alone(source: Source, node: ast.stmt) -> bool:
    """Whether no other statement shares a line with this one."""
    start, end = source.start(node), source.end(node)
    before = source.text[source.line_starts[node.lineno - 1] : start]
    return (
        not before.strip()
        and _after(source, end).lstrip().startswith(("#", ""))
        and ";" not in _code_after(source, end)
    )


def _after(source: Source, end: int) -> str:
    line = source.line_of(end)
    stop = source.line_starts[line] if line < len(source.line_starts) else len(source.text)
    return source.text[end:stop]


def _code_after(source: Source, end: int) -> str:
    return _after(source, end).partition("#")[0]


def line_start(source: Source, line: int) -> int:
    """Text offset of a line's first character; of the text's end for the line behind the last."""
    return source.line_starts[line - 1] if line <= len(source.line_starts) else len(source.text)


def reindent(text: str, shift: int) -> str:
    """Moves all lines by `shift` columns, except where they lie inside a string."""
    if shift == 0:
        return text
    held = inside_strings(text)
    moved = []
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        if number in held or not line.strip():
            moved.append(line)
        elif shift > 0:
            moved.append(" " * shift + line)
        else:
            width = len(line) - len(line.lstrip(" "))
            moved.append(line[min(-shift, width) :])
    return "".join(moved)


def joined(text: str) -> str:
    """An expression on one line: line breaks inside brackets become spaces, where comments and strings allow it."""
    if "#" in text or '"""' in text or "'''" in text or "\\" in text:
        return text.strip()
    return re.sub(r"\s*\n\s*", " ", text).strip()


def operand(text: str) -> str:
    """An expression as what a dot, or the bracket of a call, may follow: `(a if b else c)` for a choice."""
    try:
        node = ast.parse(f"({text}\n)", mode="eval").body
    except SyntaxError:
        return f"({text})"
    number = isinstance(node, ast.Constant) and isinstance(node.value, int | float | complex)
    if isinstance(node, _ATOMS) and not number:
        return text
    return text if _is_in_brackets(text, node) else f"({text})"


def _is_in_brackets(text: str, node: ast.expr) -> bool:
    """Whether an expression that begins behind one more bracket stands in brackets of its own."""
    return node.lineno > 1 or node.col_offset > 1 + len(text) - len(text.lstrip())


def blocks_of(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of statements that a statement holds."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if block:
            yield block
    for handler in getattr(node, "handlers", ()):
        yield handler.body


def call_text(name: str, arguments: Sequence[str], column: int, whole: bool = False) -> str:
    """A call on one line; over several where it stands at `column` and would be too long, unless it stays `whole`."""
    text = f"{name}({', '.join(arguments)})"
    if whole or column + len(text) <= _WIDTH or any("\n" in argument for argument in arguments):
        return text
    inner = "".join(f"{' ' * (column + 4)}{argument},\n" for argument in arguments)
    return f"{name}(\n{inner}{' ' * column})"
