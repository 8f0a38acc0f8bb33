"""How deep each line stands once blocks open and close: spaces are put behind those of a line, or taken from them.

Lines that begin inside of a string are never touched.
"""

from __future__ import annotations

import ast
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from tf_migrate.changes.edits import Edit
from tf_migrate.files.lines import inside_strings
from tf_migrate.files.notebook import is_mark
from tf_migrate.files.source import Source
from tf_migrate.steps.draft import Unwritable
from tf_migrate.steps.plan import Block
from tf_migrate.syntax.blocks import blocks
from tf_migrate.syntax.module import Module, first_line

Wrapper = ast.With | ast.Try | ast.If
_SPACE = re.compile(r"[ \t]*")
_UNIT = "    "


@dataclass(frozen=True)
class Lines:
    """Lines that move, 1-based and inclusive: by `more` text, or from the indentation `old` to `new`."""

    first: int
    last: int
    more: str = ""
    old: str = ""
    new: str = ""


class Indentation:
    """The lines of a module that move."""

    def __init__(self, module: Module, blocks: Iterable[Block], unwrapped: Iterable[Wrapper]) -> None:
        self.module = module
        self.source: Source = module.source
        self._strings = inside_strings(self.source.text)
        out = [lines for node in unwrapped if (lines := self._body(node)) is not None]
        self._out = sorted(out, key=lambda lines: -len(lines.old))  # what stands inside comes first
        self._in = {block: self._block(block) for block in blocks}

    def of(self, line: int) -> str:
        """What a line begins with, as it was."""
        return self.space(self.source.line_text(line))

    @staticmethod
    def space(text: str) -> str:
        """The blanks that a text begins with."""
        match = _SPACE.match(text)
        assert match is not None
        return match.group()

    def moved(self, line: int, space: str, *, outside: Block | None = None) -> str:
        """What something at a line begins with, which began with `space`; `outside` is the block that it is not in."""
        for lines in self._out:
            if lines.first <= line <= lines.last:
                space = self._dedented(space, lines)
        for block, lines in self._in.items():
            if lines.first <= line <= lines.last and block is not outside:
                space += lines.more
        return space

    def first(self, block: Block) -> int:
        """The first line of a block, with the comments that belong to it."""
        return self._in[block].first

    def edits(self) -> Iterator[Edit]:
        """The edits of all lines that move."""
        numbers = {
            number for lines in (*self._out, *self._in.values()) for number in range(lines.first, lines.last + 1)
        }
        for number in sorted(numbers - self._strings):
            text = self.source.line_text(number)
            if not text.strip():
                continue
            if self.source.cells is not None and is_mark(text):
                raise Unwritable(self.module.tree.body[0], "what builds reaches over several cells of the notebook")
            old = self.space(text)
            new = self.moved(number, old)
            start = self.source.line_starts[number - 1]
            if new != old:
                yield Edit(start, start + len(old), new)

    def adapted(self, edit: Edit) -> Edit:
        """An edit of a rule whose lines move with those that it is made to."""
        if "\n" not in edit.text:
            return edit
        line = self.source.line_of(edit.start)
        pieces = edit.text.splitlines(keepends=True)
        try:
            strings = inside_strings(edit.text)
        except (tokenize.TokenError, SyntaxError):  # a part of a statement
            strings = set()
        moved = [
            self.moved(line, self.space(piece)) + piece.lstrip(" \t")
            if piece.strip() and (number > 1 or edit.line) and number not in strings
            else piece
            for number, piece in enumerate(pieces, 1)
        ]
        return replace(edit, text="".join(moved))

    def _dedented(self, space: str, lines: Lines) -> str:
        if " \t" in space:  # the tab would end in another column once fewer spaces stand before it
            space = space.expandtabs()
        if space.startswith(lines.old):
            return lines.new + space[len(lines.old) :]
        less = len(lines.old) - len(lines.new)
        return space[: max(len(space) - less, 0)] if len(space) > len(lines.new) else space

    def is_inline(self, node: Wrapper) -> bool:
        """Whether the body of a block stands on the line of what opens it."""
        body = node.body[0]
        line = self.source.line_text(body.lineno)[: self.source.start(body) - self.source.line_starts[body.lineno - 1]]
        return bool(line.strip()) and not getattr(body, "decorator_list", ())

    def is_clause(self, node: Wrapper) -> bool:
        """Whether a test is an `elif`."""
        return isinstance(node, ast.If) and self.source.text.startswith("elif", self.source.start(node))

    def _body(self, node: Wrapper) -> Lines | None:
        """The lines of the body that takes the place of a statement; None where it stands on one line with that."""
        if self.is_inline(node) or self.is_clause(node):
            return None
        head, last = self.head_end(node), self.last_line(node.body[-1])
        return Lines(head + 1, last, old=self.of(node.body[0].lineno), new=self.of(node.lineno))

    def head_end(self, node: Wrapper) -> int:
        """The last line of what opens a block: behind it stand comments, blank lines and the body."""
        line = first_line(node.body[0]) - 1
        while line > node.lineno and line not in self._strings:
            text = self.source.line_text(line).strip()
            if text and not text.startswith("#"):
                break
            line -= 1
        return max(line, node.lineno)

    def with_comments(self, node: ast.stmt) -> int:
        """The first of the comment lines right above a statement, at its own indentation; else its own first line."""
        line = first_line(node)
        space = self.of(line)
        while line > 1 and line - 1 not in self._strings and self._is_comment(line - 1, space):
            line -= 1
        return line

    def last_line(self, node: ast.stmt) -> int:
        """The last line of a statement of a body, with the comments of its indentation behind it."""
        last = line = node.end_lineno or node.lineno
        space = self.of(first_line(node))
        while line < len(self.source.line_starts):
            line += 1
            text = self.source.line_text(line)
            if text.strip():
                if not self._is_comment(line, space):
                    break
                last = line
        return last

    def _is_comment(self, line: int, space: str) -> bool:
        text = self.source.line_text(line)
        if self.source.cells is not None and is_mark(text):
            return False
        is_head = line <= 2 and (text.startswith("#!") or "coding" in text)
        return text.startswith(f"{space}#") and not is_head

    def _block(self, block: Block) -> Lines:
        source, (first, last) = self.source, (block.first, block.last)
        start, end = source.start(first), source.end(last)
        before = source.text[source.line_starts[first_line(first) - 1] : start].strip()
        behind = source.line_text(last.end_lineno or last.lineno)
        rest = behind[end - source.line_starts[(last.end_lineno or last.lineno) - 1] :].strip()
        if (before and not getattr(first, "decorator_list", ())) or (rest and not rest.startswith("#")):
            raise Unwritable(first if before else last, "it shares a line with another statement")
        return Lines(self.with_comments(first), last.end_lineno or last.lineno, more=self.unit(first))

    def unit(self, node: ast.stmt) -> str:
        """One level of the indentation around a statement."""
        around = self.module.parents[node]
        own = self.of(first_line(node))
        if isinstance(around, ast.stmt):
            outer = self.of(first_line(around))
            if own.startswith(outer) and len(own) > len(outer) and "\t" not in own:
                return own[len(outer) :]
            if own and not own.strip("\t"):
                return "\t"
            return _UNIT
        depths = (self.of(first_line(body[0])) for body in _bodies(self.module.tree))
        return next((depth for depth in depths if depth and "\t" not in depth), _UNIT)


def in_cells(module: Module, blocks: Iterable[Block]) -> list[Block]:
    """The blocks, each that reaches over several cells of a notebook as one for each of them."""
    if module.source.cells is None:
        return list(blocks)
    marks = [
        number for number in range(1, len(module.source.line_starts) + 1) if is_mark(module.source.line_text(number))
    ]
    found: list[Block] = []
    for block in blocks:
        for _, cell in groupby(statements_of(module, block), key=lambda node: bisect_right(marks, node.lineno)):
            inside = list(cell)
            found.append(Block(inside[0], inside[-1]))
    return found


def trimmed(module: Module, blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks without the definitions of functions that they begin or end with, which build nothing."""
    for block in blocks:
        statements = statements_of(module, block)
        while statements and _defines(statements[0]):
            del statements[0]
        while statements and _defines(statements[-1]):
            del statements[-1]
        if statements:
            yield Block(statements[0], statements[-1])


def _defines(node: ast.stmt) -> bool:
    """Whether a statement only makes a function known."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
    return all(isinstance(part, ast.Name | ast.Constant) for part in (*node.decorator_list, *defaults))


def statements_of(module: Module, block: Block) -> list[ast.stmt]:
    """The statements of a block."""
    body = next(body for body in blocks(module.parents[block.first]) if block.first in body)
    return body[body.index(block.first) : body.index(block.last) + 1]


def _bodies(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    for node in tree.body:
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and body[0].lineno != node.lineno:
            yield body
