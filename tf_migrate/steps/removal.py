"""Statements that go, with the comments that are theirs alone, and the blocks and clauses that they leave empty."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from tf_migrate.steps.draft import Draft, Span, Unwritable
from tf_migrate.steps.indentation import Indentation, Wrapper
from tf_migrate.syntax.module import Module, first_line


class GoneStatements:
    """The statements of a module that go; next to those in `filled`, or around them, something new stands."""

    def __init__(
        self,
        module: Module,
        dropped: Collection[ast.stmt],
        unwrapped: Collection[ast.stmt],
        filled: Collection[ast.stmt],
    ) -> None:
        self.module = module
        self._dropped = frozenset(dropped)
        self._opened = frozenset(unwrapped)
        self._filled = frozenset(filled)
        self._holding = {outer for node in filled for outer in module.around(node)}
        self._known: dict[ast.stmt, bool] = {}

    def goes(self, node: ast.stmt) -> bool:
        """Whether nothing is left of a statement."""
        if node not in self._known:
            self._known[node] = node in self._dropped or self._has_no_effect(node)
        return self._known[node]

    def _has_no_effect(self, node: ast.stmt) -> bool:
        """Whether a statement has lost all that it did."""
        if node in self._holding:
            return False
        if node in self._opened:
            return self._is_empty(getattr(node, "body", ()))
        if isinstance(node, ast.If):
            return is_plain(node.test) and self._is_empty([*node.body, *node.orelse])
        if isinstance(node, ast.Try):
            return self._is_empty([*node.body, *node.orelse, *node.finalbody])
        return isinstance(node, ast.For) and self._turns_for_nothing(node)

    def _turns_for_nothing(self, node: ast.For) -> bool:
        """Whether a loop only counts, and nobody reads the number."""
        counts = isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name)
        counts = counts and node.iter.func.id == "range" and all(map(is_plain, node.iter.args))  # type: ignore[attr-defined]
        if not counts or not isinstance(node.target, ast.Name) or not self._is_empty([*node.body, *node.orelse]):
            return False
        inside = set(ast.walk(node))
        return all(load in inside for load in self.module.loads.get(node.target.id, ()))

    def _is_empty(self, block: Sequence[ast.stmt]) -> bool:
        return all(self.goes(node) and node not in self._filled for node in block)

    def unwrapped(self) -> Iterator[Wrapper]:
        """The statements whose bodies take their place: `with`, and `try` that has lost its `finally`."""
        for node in self.module.nodes:
            if isinstance(node, Wrapper) and self._is_unwrapped(node) and not self.is_inside_gone(node):
                yield node

    def _is_unwrapped(self, node: Wrapper) -> bool:
        if isinstance(node, ast.Try):
            return self.is_bare(node)
        return node in self._opened and not self.goes(node)

    def is_bare(self, node: ast.Try) -> bool:
        """Whether a `try` keeps nothing but its body."""
        kept = [*node.handlers, *node.orelse]
        return not kept and bool(node.finalbody) and self._is_empty(node.finalbody) and not self.goes(node)

    def is_inside_gone(self, node: ast.AST) -> bool:
        """Whether a node is, or is a part of, a statement that goes."""
        return any(isinstance(place, ast.stmt) and self.goes(place) for place in (node, *self.module.around(node)))

    def write(self, draft: Draft, indentation: Indentation) -> None:
        """Makes the edits."""
        for owner in self.module.nodes:
            if not isinstance(getattr(owner, "body", None), list) or self.is_inside_gone(owner):
                continue
            for name in ("body", "orelse", "finalbody"):
                block = getattr(owner, name, ())
                if any(map(self.goes, block)):
                    self._write_block(draft, indentation, owner, name, block)

    def _write_block(
        self,
        draft: Draft,
        indentation: Indentation,
        owner: ast.AST,
        name: str,
        block: Sequence[ast.stmt],
    ) -> None:
        is_empty = self._is_empty(block)
        if is_empty and name != "body" and isinstance(owner, ast.If | ast.For | ast.While | ast.Try):
            self._drop_clause(draft, owner, name, block)
            return
        spans: list[Span] = []
        if is_empty and not isinstance(owner, ast.Module):
            first, rest = block[0], block[1:]
            draft.replace(*_extent(draft, first), "pass")
            if rest and first.lineno == rest[0].lineno:
                draft.replace(draft.span(first)[1], draft.span(rest[-1])[1], "", before=False)
            elif rest:
                spans.append(_Lines(draft, indentation, rest, ends=True).span())
        else:
            for run in self._runs(draft, block):
                ends, begins = run[-1] is block[-1], run[0] is block[0]
                spans.append(_Lines(draft, indentation, run, ends=ends, begins=begins).span())
        for start, end in _joined(spans):
            draft.drop_lines(start, end)

    def _runs(self, draft: Draft, block: Sequence[ast.stmt]) -> Iterator[list[ast.stmt]]:
        """Statements that go and follow one another, line upon line; of lines that keep others they are cut out."""
        run: list[ast.stmt] = []
        for chain in _chains(block):
            if not all(map(self.goes, chain)):
                self._cut(draft, chain)
            elif run and first_line(chain[0]) <= (run[-1].end_lineno or 0) + 1:
                run += chain
                continue
            if run:
                yield run
            run = chain if all(map(self.goes, chain)) else []
        if run:
            yield run

    def _cut(self, draft: Draft, chain: Sequence[ast.stmt]) -> None:
        """Takes statements out of a line that keeps others."""
        last = max(number for number, node in enumerate(chain) if not self.goes(node))
        for number, node in enumerate(chain):
            if self.goes(node) and number < last:
                draft.replace(
                    _extent(draft, node)[0], _extent(draft, chain[number + 1])[0], "", before=False, behind=True
                )
        if last + 1 < len(chain):
            draft.replace(draft.span(chain[last])[1], draft.span(chain[-1])[1], "", before=False)

    def _drop_clause(self, draft: Draft, owner: ast.AST, name: str, block: Sequence[ast.stmt]) -> None:
        source, first = draft.source, block[0]
        word = "finally" if name == "finalbody" else "else"
        line = first.lineno
        start = source.line_starts[line - 1]
        is_elif = isinstance(owner, ast.If) and source.text.startswith("elif", source.start(first))
        while not is_elif and not source.line_text(line).lstrip().startswith(word):
            line -= 1
            if line <= getattr(owner, "lineno", 0):
                raise Unwritable(first, f"the `{word}` that it stands in is not found")
            start = source.line_starts[line - 1]
        if not is_elif and line == first.lineno and not source.text[start:].lstrip().startswith(word):
            raise Unwritable(first, "it shares a line with another statement")
        draft.drop_lines(start, _next_line(draft, block[-1].end_lineno or first.lineno))


class _Lines:
    """The lines of some statements that follow one another and go."""

    def __init__(
        self,
        draft: Draft,
        indentation: Indentation,
        run: Sequence[ast.stmt],
        *,
        ends: bool = False,
        begins: bool = False,
    ) -> None:
        self.draft = draft
        self.source = draft.source
        self.last = max(node.end_lineno or node.lineno for node in run)
        self.ends, self.begins = ends, begins
        self.first = first_line(run[0])
        if self._is_paragraph(indentation):
            self.first = indentation.with_comments(run[0])

    def span(self) -> Span:
        """The lines that go, with the fewer of the blank lines around."""
        starts, text = self.source.line_starts, self.source.text
        above, below = self._blank(self.first, -1), self._blank(self.last, 1)
        last = self.last + (below if self.begins else min(above, below))
        stop = starts[last] if last < len(starts) else len(text)
        is_last = not below or not text[stop:].strip()
        first = self.first - (above if self.ends and is_last and not self.begins else 0)
        return starts[first - 1], stop

    def _is_paragraph(self, indentation: Indentation) -> bool:
        """Whether what stands below has nothing to do with the comment above."""
        if self.last >= len(self.source.line_starts):
            return True
        below = self.source.line_text(self.last + 1)
        return not below.strip() or below.lstrip().startswith("#") or self.ends

    def _blank(self, line: int, step: int) -> int:
        """How many blank lines stand above (-1) or below (1) a line."""
        count = 0
        while 1 <= line + step <= len(self.source.line_starts) and not self.source.line_text(line + step).strip():
            count, line = count + 1, line + step
        return count


def is_plain(node: ast.expr) -> bool:
    """Whether an expression does nothing but look: names, attributes of names, constants, and comparisons of those."""
    if isinstance(node, ast.Compare):
        return all(map(is_plain, (node.left, *node.comparators)))
    if isinstance(node, ast.BoolOp):
        return all(map(is_plain, node.values))
    if isinstance(node, ast.UnaryOp):
        return is_plain(node.operand)
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name | ast.Constant)


def _joined(spans: Sequence[Span]) -> Iterator[Span]:
    """Spans of which none overlaps another."""
    last: Span | None = None
    for start, end in sorted(spans):
        if last is not None and start <= last[1]:
            last = last[0], max(last[1], end)
            continue
        if last is not None:
            yield last
        last = start, end
    if last is not None:
        yield last


def _extent(draft: Draft, node: ast.stmt) -> Span:
    """The span of a statement with its decorators."""
    start, end = draft.span(node)
    for decorator in getattr(node, "decorator_list", ()):
        start = min(start, draft.source.text.rindex("@", 0, draft.span(decorator)[0] + 1))
    return start, end


def _chains(block: Sequence[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """The statements of a block, those together that share a line."""
    chain: list[ast.stmt] = []
    for node in block:
        if chain and first_line(node) > (chain[-1].end_lineno or 0):
            yield chain
            chain = []
        chain.append(node)
    if chain:
        yield chain


def _next_line(draft: Draft, line: int) -> int:
    starts = draft.source.line_starts
    return starts[line] if line < len(starts) else len(draft.source.text)
