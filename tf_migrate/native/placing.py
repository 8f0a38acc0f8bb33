"""Where text goes: statements that became parts of functions leave, and what was made of them takes their place.

The bodies of blocks of which nothing else stays, those of sessions among them, move out.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tf_migrate.changes.edits import Edit, render
from tf_migrate.files.lines import inside_strings
from tf_migrate.names.building import main_guard
from tf_migrate.native.headings import heading_of
from tf_migrate.native.layout import blocks_of, extent, is_alone, last_comment, line_start, reindent
from tf_migrate.native.surroundings import naming_scopes, scopes_of_objects
from tf_migrate.stages.program import Program
from tf_migrate.stages.stillness import is_description
from tf_migrate.stages.values import Refused


@dataclass
class Placer:
    """Collects what is made for the statements of one module, and edits it in; `edits` are those of the module."""

    program: Program
    edits: list[Edit]
    running: Collection[ast.Call]
    made: dict[int, list[str]] = field(default_factory=dict)
    behind: dict[ast.With, list[str]] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)
    ends: set[int] = field(default_factory=set)
    emptied: set[ast.FunctionDef] = field(default_factory=set)

    def require_plain_lines(self) -> None:
        """Refuses statements that go, or are moved, where they share lines, and what is indented with tabs."""
        source = self.program.module.source
        for unit in self.program.units:
            touched = unit.moves or unit.node in self.program.dropped
            if touched and not is_alone(source, unit.node):
                raise Refused(unit.node, "the statement shares its line with another", "give it a line of its own")
        held = inside_strings(source.text)
        for number in range(1, len(source.line_starts) + 1):
            line = source.line_text(number)
            if number not in held and "\t" in line[: len(line) - len(line.lstrip())]:
                raise Refused(
                    self.program.units[0].node,
                    "the file is indented with tabs and spaces",
                    "indent it with one of them",
                )
        for block in self.dissolving():
            if block.body[0].lineno == block.lineno:
                raise Refused(block, "the block stands on one line", "give its body lines of their own")

    def add(self, unit: int, line: str) -> None:
        """A statement that stands where a unit stood, or right behind it."""
        self.made.setdefault(unit, []).append(line)

    def add_function(self, unit: int, text: str) -> None:
        """A function stands where the last of its statements stood; behind a scope that stays and runs nothing."""
        module, node = self.program.module, self.program.units[unit].node
        scope: ast.With | None = None
        outer = module.parents.get(node)
        while isinstance(outer, ast.With) and outer in self.program.scopes and not self.leaves(outer):
            if any(site in self.running for site in ast.walk(outer)):
                break
            scope = outer
            outer = module.parents.get(scope)
        if scope is None:
            self.add(unit, text)
        else:
            self.behind.setdefault(scope, []).append(text)

    def gap(self, node: ast.stmt) -> int:
        """How many blank lines a function has around it: two, or one inside another function or a branch."""
        return 2 if self.program.module.function_of(node) is None and self._branch(node) is None else 1

    def _branch(self, node: ast.stmt) -> ast.If | None:
        """The condition of which a statement stands in a branch that stays."""
        parent = self.program.module.parents[node]
        stays = isinstance(parent, ast.If) and parent not in self.program.taken and main_guard(parent) is None
        return parent if stays and isinstance(parent, ast.If) else None

    def is_gone(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.With) and node in (*self.program.scopes, *self.program.devices):
            return all(self.is_gone(inner) for inner in node.body)
        if isinstance(node, ast.If) and node in self.program.taken:
            return all(self.is_gone(inner) for inner in self.program.taken[node])
        if node in self.emptied or (isinstance(node, ast.Expr | ast.Assign) and self._entered(node) in self.emptied):
            return True
        return node in self.program.dropped or any(unit.node is node and unit.moves for unit in self.program.units)

    def dissolving(self) -> list[ast.With]:
        """The blocks whose bodies take their place: those of sessions, and scopes in which nothing takes its name."""
        made = self.program.variables
        named = {scope for variable in made for scope in naming_scopes(self.program, variable)}
        named |= {scope for variable in made for scope in scopes_of_objects(self.program, variable)}
        free = [scope for scope in self.program.scopes if scope not in named and not self.is_gone(scope)]
        return [*self.program.dissolved, *free]

    def leaves(self, block: ast.With) -> bool:
        """Whether nothing stays of a block but its body."""
        return self.is_gone(block) or block in self.dissolving()

    def place(self, rewritten: Sequence[ast.stmt]) -> None:
        """Makes the edits; the `rewritten` blocks are written anew as a whole."""
        source = self.program.module.source
        self._empty()
        self.ends = {extent(source, block).last for block in (*self.dissolving(), *self.behind, *rewritten)}
        self._groups(self.program.module.tree.body)

    def _empty(self) -> None:
        """Finds the methods of which nothing stays, and for which nothing was made: they go, with their calls."""
        entered = [function for function in self.program.entered.values() if self._may_go(function)]
        made = {self.program.home_of(unit) for unit in self.made}
        while True:
            gone = {
                function
                for function in entered
                if function not in made and all(self.is_gone(node) or is_description(node) for node in function.body)
            }
            if gone <= self.emptied:
                return
            self.emptied |= gone

    def _may_go(self, function: ast.FunctionDef) -> bool:
        """Whether a statement of another method calls it, and gives it nothing."""
        call = next(call for call, known in self.program.entered.items() if known is function)
        statement = self.program.module.parents[call]
        plain = isinstance(call, ast.Call) and not (call.args or call.keywords) and not function.decorator_list
        inner = isinstance(self.program.module.parents[statement], ast.FunctionDef)
        return self.program.owner_of(function) is not None and function.name != "__init__" and plain and inner

    def _entered(self, node: ast.Expr | ast.Assign) -> ast.FunctionDef | None:
        return self.program.entered.get(node.value)

    def dissolve(self) -> None:
        """Moves out the bodies of the blocks that go, the inner ones first."""
        kept = [node for node in self.program.taken if not self.is_gone(node)]
        blocks: list[ast.With | ast.If] = [*self.dissolving(), *kept]
        for block in sorted(blocks, key=lambda block: -block.lineno):
            self.edits.append(self._dissolved(block) if isinstance(block, ast.With) else self._decided(block))

    def _render(self, start: int, end: int) -> str:
        return render(self.program.module.source.text, self.edits, start, end)

    def _groups(self, body: Sequence[ast.stmt]) -> None:
        """Takes out the statements of a block that are gone, and puts functions in their place."""
        group: list[ast.stmt] = []
        inlined = [node for node in body if self._leaves_comments(node)]
        self.edits += map(self._without, inlined)
        for node in (node for node in body if node not in inlined):
            if self.is_gone(node):
                if group and (heading_of(self.program.module.source, node) or not self._adjacent(group[-1], node)):
                    self._take_out(group, body)
                    group = []
                group.append(node)
                continue
            if group:
                self._take_out(group, body)
                group = []
            for inner in blocks_of(node):
                self._groups(inner)
            behind, source = self._pieces([node], inside=False), self.program.module.source
            place = line_start(source, extent(source, node).last + 1)
            if isinstance(node, ast.With) and node in self.behind:
                start = line_start(source, node.lineno)
                text = self._render(start, place) + self._placed([*behind, *self.behind[node]], node, 0)
                blank = len(source.text[place:]) - len(source.text[place:].lstrip("\n"))
                text = text.rstrip("\n") + "\n" * (1 + max(0, self.gap(node) - blank))
                self.edits.append(Edit(start, place, text, encloses=True))
            elif behind and not isinstance(node, ast.If):
                text = self._placed(behind, node, 0)
                ends = node is body[-1] and isinstance(self.program.module.parents[node], ast.FunctionDef)
                self.edits.append(Edit(place, place, text.rstrip("\n") + "\n" if ends else text, order=-1))
        if group:
            self._take_out(group, body)

    def _leaves_comments(self, node: ast.stmt) -> bool:
        """Whether a statement goes whose expression a run behind it computes, and comments say what that is."""
        lines = extent(self.program.module.source, node)
        commented = lines.comments < lines.first or bool(self._remark(node))
        return commented and node in self._fetched and self.is_gone(node)

    @cached_property
    def _fetched(self) -> set[ast.stmt]:
        """The statements of whose expressions runs behind them fetch the values."""
        found = ((run, self.program.module.statement_of(leaf.node)) for run in self.program.runs for leaf in run.leaves)
        return {statement for run, statement in found if statement is not run.statement}

    def _remark(self, node: ast.stmt) -> str:
        """What stands behind a statement on its last line."""
        source = self.program.module.source
        return source.text[source.end(node) : line_start(source, extent(source, node).last + 1)].strip()

    def _without(self, node: ast.stmt) -> Edit:
        """Takes a statement from between its comments."""
        source, remark = self.program.module.source, self._remark(node)
        start, end = (line_start(source, number) for number in (node.lineno, extent(source, node).last + 1))
        return Edit(start, end, " " * node.col_offset + remark + "\n" if remark else "", encloses=True)

    def _adjacent(self, first: ast.stmt, second: ast.stmt) -> bool:
        source = self.program.module.source
        between = range(extent(source, first).last + 1, extent(source, second).comments)
        return all(not source.line_text(number).strip() for number in between)

    def _take_out(self, group: Sequence[ast.stmt], body: Sequence[ast.stmt]) -> None:
        source = self.program.module.source
        first, last = extent(source, group[0]), extent(source, group[-1]).last
        after = 0
        # Blank lines behind the end of a block that is written anew are not its own.
        limit = last if last in self.ends else len(source.line_starts)
        while last + after + 1 <= limit and not source.line_text(last + after + 1).strip():
            after += 1
            if last + after >= len(source.line_starts):
                break
        before = 0
        while first.comments - before > 1 and not source.line_text(first.comments - before - 1).strip():
            before += 1
        pieces, heading = self._pieces(group), heading_of(source, group[0])
        opening = group[0] is body[0] and isinstance(self.program.module.parents[group[0]], ast.FunctionDef)
        start, end = line_start(source, first.comments), line_start(source, last + after + 1)
        if pieces:
            above = self.gap(group[0]) if opening else max(before, self._blank_above(start))
            text = self._placed(pieces, group[0], above, heading)
            branch = self._branch(group[0])
            if group[-1] is body[-1] and branch is not None:
                follows = branch.orelse if body is branch.body else []
                text = text.rstrip("\n") + "\n" * (1 if follows else 1 + max(after, self.gap(branch)))
            elif group[-1] is body[-1]:  # the distance to what follows the block stays
                text += "\n" * max(0, after - (len(text) - len(text.rstrip("\n")) - 1))
        elif len(group) == len(body):
            word = self._else_of(group[0], body)
            kept = " " * group[0].col_offset + "pass\n" + "\n" * after
            start, text = (start, kept) if word is None else (word, "")
            end = line_start(source, last + 1) if word is not None else end
        else:
            gap = before if before else self._blank_above(start)
            text = "" if opening else "\n" * max(0, after - gap)
            text = heading if group[-1] is not body[-1] and heading else text
            if end == len(source.text):
                start, text = line_start(source, first.comments - before), ""
        if text and end == len(source.text):
            text = text.rstrip("\n") + "\n"
        self.edits.append(Edit(start, end, text, encloses=True))

    def _else_of(self, first: ast.stmt, body: Sequence[ast.stmt]) -> int | None:
        """Where the line of the `else` begins whose block this is; None for any other block."""
        source, parent = self.program.module.source, self.program.module.parents[first]
        if not isinstance(parent, ast.If) or body is not parent.orelse:
            return None
        lines = range(extent(source, parent.body[-1]).last + 1, extent(source, first).comments)
        words = [number for number in lines if source.line_text(number).strip()]
        alone = len(words) == 1 and source.line_text(words[0]).split("#")[0].replace(" ", "").strip() == "else:"
        return line_start(source, words[0]) if alone else None

    def _blank_above(self, place: int) -> int:
        """How many blank lines a function has left behind it that ends at a place."""
        above = self._render(0, place)
        return len(above) - len(above.rstrip("\n")) - 1 if above else 0

    def _pieces(self, group: Sequence[ast.stmt], *, inside: bool = True) -> list[str]:
        """What was made for the statements of a group, those inside of scopes too, assignments before functions."""
        nodes = {id(inner) for node in group for inner in (_statements(node, self.program) if inside else [node])}
        units = [index for index in sorted(self.made) if id(self.program.units[index].node) in nodes]
        made = [text for index in units for text in self.made[index]]
        return sorted(made, key=lambda text: (text.startswith(("def ", "@")), text.startswith("@"), self._place(text)))

    def _place(self, text: str) -> int:
        """Functions stand in the order in which the script calls them."""
        return next((index for index, made in enumerate(self.functions) if made == text), 0)

    def _placed(self, pieces: Sequence[str], node: ast.stmt, before: int, heading: str = "") -> str:
        gap = "\n" * self.gap(node)
        lines = [text for text in pieces if not text.startswith(("def ", "@"))]
        functions = [text for text in pieces if text.startswith(("def ", "@"))]
        if functions:
            lead = gap if lines else gap[before:]
            before_heading, between = ("", lead) if lines or not heading else (lead, "")
            text = "".join(lines) + between + gap.join(functions) + gap
        else:
            before_heading, text = "", "".join(lines) + "\n"
        return before_heading + heading + reindent(text, node.col_offset)

    def _decided(self, node: ast.If) -> Edit:
        """The branch that is taken, in the place of the condition."""
        source, taken = self.program.module.source, self.program.taken[node]
        start = line_start(source, extent(source, taken[0]).comments)
        body = self._render(start, line_start(source, extent(source, taken[-1]).last + 1)).strip("\n") + "\n"
        end = line_start(source, extent(source, node).last + 1)
        text = reindent(body, node.col_offset - taken[0].col_offset)
        return Edit(line_start(source, node.lineno), end, text, encloses=True)

    def _dissolved(self, block: ast.With) -> Edit:
        source = self.program.module.source
        header = max(item.context_expr.end_lineno or 0 for item in block.items)
        last = last_comment(source, block)
        shift = block.col_offset - block.body[0].col_offset
        start, end = line_start(source, block.lineno), line_start(source, last + 1)
        body = self._render(line_start(source, header + 1), end).lstrip("\n")
        if body.lstrip().startswith(("@", "def ")):
            above = self._render(0, start)
            blank = len(above) - len(above.rstrip("\n")) - 1
            opening = above.rstrip().endswith(":")
            body = "\n" * (0 if opening else max(0, self.gap(block) - blank)) + body
        ending = len(body) - len(body.rstrip("\n")) - 1
        blank = len(source.text[end:]) - len(source.text[end:].lstrip("\n"))
        body = body.rstrip("\n") + "\n" * (1 + max(0, ending - blank))
        return Edit(start, end, reindent(body, shift), encloses=True)


def _statements(node: ast.stmt, program: Program) -> Iterator[ast.stmt]:
    """A statement and, for a scope, the statements inside."""
    yield node
    inside: Sequence[ast.stmt] = ()
    if isinstance(node, ast.With) and node in (*program.scopes, *program.devices):
        inside = node.body
    elif isinstance(node, ast.If):
        inside = program.taken.get(node, ())
    for inner in inside:
        yield from _statements(inner, program)
