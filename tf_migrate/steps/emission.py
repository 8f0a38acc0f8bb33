"""From a plan to changes: building code is marked where it stands, runs become steps, and sessions go.

What was found of symbols stays as fine spans inside of everything that stays. What goes takes its spans with it, and
their findings tell of the form instead.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from tf_migrate.changes.arguments import open_bracket
from tf_migrate.changes.edits import Edit, wrap
from tf_migrate.rules import Change, Context
from tf_migrate.steps.calls import WIDTH, deeper, laid_out, write_run
from tf_migrate.steps.draft import Draft, Unwritable
from tf_migrate.steps.elements import drop_arguments, drop_elements, drop_items, drop_name, drop_parameters
from tf_migrate.steps.imports import without_unused
from tf_migrate.steps.indentation import Indentation, in_cells, statements_of, trimmed
from tf_migrate.steps.inputs import with_inputs
from tf_migrate.steps.plan import Block, Hoist, Insertion, ModulePlan, Removal, Step
from tf_migrate.steps.removal import GoneStatements
from tf_migrate.syntax.module import first_line

DONE = "TFM205"
_OPENING = frozenset({"TFM301", "TFM303"})
_BEHIND, _BEFORE, _HOISTED, _STEPS, _HEAD, _INSIDE = 0, *(1 << power for power in range(20, 25))
_LEFTMOST = -(1 << 50)
_COMPAT = re.compile(r"\bcompat\b(?=\.)")


def changes_of_plan(context: Context, plan: ModulePlan, found: Sequence[Change]) -> list[Change]:
    """The changes of a module in the form of steps; raises Unwritable where the plan cannot be written."""
    kept = [change for change in found if change.finding is None or change.finding.rule not in _OPENING]
    emission = _Emission(context, plan, list(with_inputs(context, kept)))
    written = [_settled(emission.draft, change) for change in emission.written()]
    return without_unused(context, written)


class _Emission:
    def __init__(self, context: Context, plan: ModulePlan, found: Sequence[Change]) -> None:
        self.context, self.plan = context, plan
        self.module, self.source = context.module, context.module.source
        self.draft = Draft(context, found)
        removed = {run.statement for run in plan.runs if isinstance(run, Removal)}
        self.inserted: list[Insertion | Step] = [*plan.inserted, *plan.steps]
        filled = {*(item.anchor for item in self.inserted), *(hoist.statement for hoist in plan.hoisted)}
        self.blocks = in_cells(self.module, trimmed(self.module, plan.blocks))
        filled |= {block.first for block in self.blocks}
        self.statements = GoneStatements(self.module, plan.dropped | removed, plan.unwrapped, filled)
        self.unwrapped = list(self.statements.unwrapped())
        self.indentation = Indentation(self.module, self.blocks, self.unwrapped)

    def written(self) -> Iterator[Change]:
        """The changes, once all is written: what stands inside comes before what holds it."""
        self._adapt_lines()
        self._replace()
        self._drop_elements()
        self._build()
        hoists = [(hoist, self._hoisted(hoist)) for hoist in self.plan.hoisted]
        writing = [
            (self._size(run.node), partial(write_run, self.draft, self.indentation, run)) for run in self.plan.runs
        ]
        writing += [(self._size(node), partial(self._choose, node, part)) for node, part in self.plan.chosen.items()]
        for _, write in sorted(writing, key=lambda item: item[0]):
            write()
        self._unwrap()
        self.statements.write(self.draft, self.indentation)
        self._insert()
        self._insert_hoists(hoists)
        return self.draft.result()

    def _adapt_lines(self) -> None:
        starts = {self.source.line_starts[self.indentation.first(block) - 1] for block in self.blocks}

        def adapted(edit: Edit) -> Edit:
            moved = self.indentation.adapted(edit)
            return replace(moved, order=moved.order + _INSIDE) if moved.line and moved.start in starts else moved

        self.draft.adapt(adapted)
        found = [edit for edit in self.draft.edits if edit.start < edit.end]
        for edit in self.indentation.edits():
            if any(other.start < edit.start and edit.end <= other.end for other in found):
                continue  # a rule puts what stands on the line behind that of the line above
            if edit.start == edit.end:
                self.draft.insert(edit.start, edit.text, _LEFTMOST)
            else:
                self.draft.replace(edit.start, edit.end, edit.text, before=False, behind=True)

    def _replace(self) -> None:
        for node, text in sorted(self.plan.replaced.items(), key=lambda item: self._size(item[0])):
            written = _COMPAT.sub(self.context.compat, text)
            self.draft.replace(*self.draft.span(node), self._bracketed(node, written))
        for attribute, name in self.plan.renamed.items():
            end = self.draft.span(attribute)[1]
            self.draft.replace(end - len(attribute.attr), end, name)
        for assignment in self.plan.bare:
            self.draft.replace(self.draft.span(assignment)[0], self.draft.span(assignment.value)[0], "", before=False)

    def _size(self, node: ast.expr | ast.ImportFrom) -> int:
        start, end = self.draft.span(node)
        return end - start

    def _bracketed(self, node: ast.expr | ast.ImportFrom, text: str) -> str:
        if isinstance(node, ast.ImportFrom):
            return text
        made = ast.parse(text, mode="eval").body
        around = self.module.parents[node]
        closed = ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.List | ast.Dict | ast.Set | ast.ListComp
        if isinstance(made, closed | ast.Constant):
            return text
        alone = isinstance(around, ast.stmt | ast.keyword | ast.withitem)
        alone = alone or (isinstance(around, ast.Call) and node in around.args)
        return text if alone else f"({text})"

    def _drop_elements(self) -> None:
        plan = self.plan
        replaced = {inner for node in plan.replaced for inner in ast.walk(node)}
        for node in reversed(self.module.nodes):
            if node in replaced:
                continue
            if isinstance(node, ast.Call):
                given = (*node.args, *(keyword.value for keyword in node.keywords))
                if any(value in plan.dropped_arguments for value in given):
                    drop_arguments(self.draft, node, plan.dropped_arguments)
            elif isinstance(node, ast.Tuple | ast.List):
                if any(element in plan.dropped_elements for element in node.elts):
                    around = self.module.parents[node]
                    single = isinstance(around, ast.Assign | ast.Return | ast.For | ast.comprehension | ast.Yield)
                    drop_elements(self.draft, node, plan.dropped_elements, single=single)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
                if any(argument in plan.dropped_parameters for argument in every):
                    drop_parameters(self.draft, node, plan.dropped_parameters)
            elif isinstance(node, ast.With | ast.AsyncWith):
                for item in node.items:
                    if item.optional_vars in plan.dropped_elements and item not in plan.dropped_items:
                        drop_name(self.draft, item)
                if any(item in plan.dropped_items for item in node.items):
                    drop_items(self.draft, node, plan.dropped_items)

    def _build(self) -> None:
        for expression in self.plan.built:
            start, end = self.draft.span(expression)
            if not isinstance(expression, ast.Call) or expression in self.plan.built_whole:
                if isinstance(expression, ast.NamedExpr | ast.Yield | ast.YieldFrom | ast.Starred):
                    raise Unwritable(expression, "what it builds cannot stand in a function of its own")
                opening, closing = wrap(start, end, f"{self.context.compat}.build(lambda: ", ")")
                self.draft.insert(start, opening.text, opening.order)
                self.draft.insert(end, closing.text, closing.order)
                continue
            call, bracket = expression, open_bracket(self.source, expression)
            first = call.args[0] if len(call.args) == 1 and not call.keywords else None
            bare = isinstance(first, ast.GeneratorExp) and self.source.start(first) == bracket
            between = ", (" if bare else ", " if call.args or call.keywords else ""
            self.draft.insert(start, f"{self.context.compat}.build(", -(end - start))
            self.draft.replace(bracket, bracket + 1, between, before=False, behind=True)
            if bare:
                self.draft.insert(end, ")")
        decorators = dict.fromkeys(self.plan.builders, "compat.builder") | self.plan.decorated
        for node, decorator in decorators.items():
            space = self._space(node.lineno)
            start = self.source.line_starts[node.lineno - 1]
            text = f"{space}@{_COMPAT.sub(self.context.compat, decorator)}{self.source.newline}"
            self.draft.insert(start, text, _INSIDE, line=True)

    def _space(self, line: int, outside: Block | None = None) -> str:
        return self.indentation.moved(line, self.indentation.of(line), outside=outside)

    def _choose(self, node: ast.expr, part: ast.expr) -> None:
        """Leaves one part of an expression."""
        whole, span = self.draft.span(node), self.draft.span(part)
        self.draft.replace(*whole, self.draft.render(*span, whole), [span])

    def _unwrap(self) -> None:
        for node in self.unwrapped:
            start, body = self.draft.span(node)[0], node.body[0]
            if isinstance(node, ast.If) and self.indentation.is_clause(node):
                self.draft.replace(start, self.draft.span(node.test)[1], "else", before=False, behind=True)
                continue
            if self.indentation.is_inline(node):
                self.draft.replace(start, self.draft.span(body)[0], "", before=False, behind=True)
                continue
            first = self.source.line_starts[node.lineno - 1]
            last = self.source.line_starts[self.indentation.head_end(node)]
            self.draft.drop_lines(first, last)

    def _insert(self) -> None:
        for block in self.blocks:
            if all(map(self.statements.goes, statements_of(self.module, block))):
                continue
            space = self._space(block.first.lineno, outside=block)
            start = self.source.line_starts[self.indentation.first(block) - 1]
            self._insert_line(start, f"{space}with {self.context.compat}.building():", _HEAD)
        # What stands behind the end of a block comes before what stands behind the whole of it; so the other way round
        # before what begins with another: `with get():` goes, and its body takes its place.
        for number, item in enumerate(sorted(self.inserted, key=_depth)):
            self._insert_at(item, number)

    def _hoisted(self, hoist: Hoist) -> str:
        """The text of an expression that gets a name, before it goes with the run that it stands in."""
        span = self.draft.span(hoist.expression)
        text = self.draft.render(*span)
        self.draft.keep(span)
        try:
            ast.parse(f"_ = {text}")
        except SyntaxError:
            text = f"({text})"
        return f"{hoist.name} = {text}"

    def _insert_hoists(self, hoists: Sequence[tuple[Hoist, str]]) -> None:
        for statement in dict.fromkeys(hoist.statement for hoist, _ in hoists):
            first = first_line(statement)
            if self.source.text[self.source.line_starts[first - 1] : self.source.start(statement)].strip(" \t@"):
                raise Unwritable(statement, "what it builds would stand on a line with other statements")
            outside = next((block for block in self.blocks if statement is block.first), None)
            space = self._space(first, outside)
            deeper = space + self.indentation.unit(statement)
            lines = [f"{space}with {self.context.compat}.building():"]
            lines += [f"{deeper}{text}" for hoist, text in hoists if hoist.statement is statement]
            start = self.source.line_starts[self.indentation.with_comments(statement) - 1]
            self._insert_line(start, self.source.newline.join(lines), _HOISTED)

    def _insert_at(self, item: Insertion | Step, number: int) -> None:
        """Puts a statement behind its anchor, or before it, at the anchor's level and outside of its block."""
        anchor, source = item.anchor, self.source
        outside = next((block for block in self.blocks if anchor is (block.first if item.before else block.last)), None)
        first = first_line(anchor)
        start, end = source.start(anchor), source.end(anchor)
        last = anchor.end_lineno or anchor.lineno
        space = self._space(first, outside)
        text = self._text(item, space)
        needs = _condition(item.needs) if isinstance(item, Step) and item.needs else None
        goes = self.statements.goes(anchor)
        shares = source.text[source.line_starts[first - 1] : start].strip(" \t@") and not hasattr(
            anchor, "decorator_list"
        )
        behind = source.line_text(last)[end - source.line_starts[last - 1] :].strip()
        if goes and (shares or behind.startswith(";")):
            raise Unwritable(anchor, "a step would stand on a line with other statements")
        if needs is not None and (shares or behind.startswith(";")):
            text = f"{text} if {needs} else None"
        elif needs is not None:
            deeper = space + self.indentation.unit(anchor)
            text = f"if {needs}:{source.newline}{deeper}{self._text(item, deeper)}"
        if item.before:
            if shares:
                self.draft.insert(start, f"{text}; ", number)
                return
            line = self.indentation.with_comments(anchor)
            order = (_STEPS if isinstance(item, Step) else _BEFORE) + number
            self._insert_line(source.line_starts[line - 1], space + text, order)
        elif shares or behind.startswith(";"):
            self.draft.insert(end, f"; {text}", number)
        else:
            position = source.line_starts[last] if last < len(source.line_starts) else len(source.text)
            self._insert_line(position, space + text, _BEHIND + number)

    def _insert_line(self, position: int, text: str, order: int) -> None:
        newline, whole = self.source.newline, self.source.text
        covered = self.draft.covering(position)
        if covered is not None and covered[0] in self.source.line_starts:
            position = covered[0]
        if position == len(whole) and whole and not whole.endswith(("\n", "\r")):
            self.draft.insert(position, f"{newline}{text}", order, line=True)
        else:
            self.draft.insert(position, f"{text}{newline}", order, line=True)

    def _text(self, item: Insertion | Step, space: str) -> str:
        if isinstance(item, Insertion):
            return _COMPAT.sub(self.context.compat, item.text)
        parts = list(item.inputs)
        if item.fetches is not None or parts:
            parts.insert(0, item.fetches or "()")
        if item.updates:
            parts.append(f"updates=[{', '.join(item.updates)}]")
        head = f"{item.target} = {self.context.compat}.step"
        if item.each and item.fetches is not None:
            return self._text_of_each(item, item.fetches, space)
        return laid_out(head, parts, len(space), space, self.source.newline)

    def _text_of_each(self, item: Step, items: str, space: str) -> str:
        """`loss_steps = {name: compat.step(each, x) for name, each in losses.items()}`."""
        roots = {part.id for text in item.inputs for part in ast.walk(ast.parse(text)) if isinstance(part, ast.Name)}
        key, each = (next(word for word in _words(base) if word not in roots) for base in ("name", "each"))
        made = f"{self.context.compat}.step({', '.join((each, *item.inputs))})"
        left, right = "{}" if item.each == "dict" else "[]"
        parts = [made, f"for {each} in {items}"]
        if item.each == "dict":
            parts = [f"{key}: {made}", f"for {key}, {each} in {items}.items()"]
        whole = f"{item.target} = {left}{' '.join(parts)}{right}"
        if len(space) + len(whole) <= WIDTH:
            return whole
        lines = [f"{item.target} = {left}", *(deeper(space) + part for part in parts), space + right]
        return self.source.newline.join(lines)


def _depth(item: Insertion | Step) -> int:
    return item.anchor.col_offset if item.before else -item.anchor.col_offset


def _words(base: str) -> Iterator[str]:
    """A word, and others like it."""
    while True:
        yield base
        base += "_"


def _condition(needs: Sequence[str]) -> str:
    """Whether objects have attributes: `hasattr(self, "train_op")`."""
    pairs = [path.rpartition(".") for path in needs]
    return " and ".join(f'hasattr({owner}, "{name}")' for owner, _, name in pairs)


def _settled(draft: Draft, change: Change) -> Change:
    """A change whose text goes: its finding tells that."""
    finding = change.finding
    if finding is None or not (change.edits == () and draft.goes_at(finding.line, finding.column)):
        return change
    what = "this" if finding.symbol is None else f"`{finding.symbol}`"
    message = f"{what} goes: each run is a step of its own, and there is no session"
    return Change(replace(finding, rule=DONE, action="rewritten", severity="info", message=message, next_step=None))
