"""Towers as replicas: the loop becomes one step of `compat.train.Towers`, and the runs become calls of it."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

from tf_migrate.changes import statements
from tf_migrate.changes.edits import Edit, render
from tf_migrate.native.layout import extent, is_alone, joined, line_start, reindent
from tf_migrate.plan import Became, Plan, Verdict
from tf_migrate.rules import Change, Context
from tf_migrate.stages import effects
from tf_migrate.stages.sites import find_sites
from tf_migrate.stages.tower_runs import TowerRun, read_runs
from tf_migrate.stages.towers import LEFT, Towers, read_towers, tower_loops
from tf_migrate.stages.values import Refused

_LOOP, _RUN, _GRAPH, _BRIDGED, _DONE = "TFM203", "TFM204", "TFM301", "TFM201", "TFM202"
_REPLICAS = "the towers are replicas of one `tf.distribute.MirroredStrategy`, each with the variables on its device"
_START = "make nothing of TensorFlow before them: without GPUs they divide the CPU into as many devices"


def with_towers(context: Context, planned: Plan, changes: Sequence[Change]) -> tuple[Plan, list[Change]]:
    """The plan and the changes of a script of towers in their plain form; as they were where it is none.

    Where there are towers, and not in that form, the finding that tells of them says why.
    """
    loops = list(tower_loops(context.module, context.names.of))
    if not loops or not planned.verdicts:
        return planned, list(changes)
    try:
        if len(loops) > 1:
            raise Refused(loops[1], "there are several loops of towers", LEFT)
        towers = read_towers(context.module, context.names, loops[0])
        sites = find_sites(context.module, context.names)
        runs, result = read_runs(context.module, context.names, towers, sites)
        return _Writer(context, towers, runs, result, changes).written(planned)
    except Refused as refused:
        line, _ = context.module.source.place(getattr(refused.node, "lineno", loops[0].lineno))
        reason = f"it is not made replicas of a strategy, for {refused.reason} (line {line})"
        return planned, [_told(change, reason) for change in changes]


def _told(change: Change, reason: str) -> Change:
    finding = change.finding
    if finding is None or finding.rule != _LOOP:
        return change
    return replace(change, finding=replace(finding, message=f"{finding.message}; {reason}"))


class _Writer:
    """Writes one script."""

    def __init__(
        self, context: Context, towers: Towers, runs: list[TowerRun], result: str, changes: Sequence[Change]
    ) -> None:
        self.context, self.towers, self.runs, self.result = context, towers, runs, result
        self.source = context.module.source
        self.gone = [*towers.dropped, *towers.moved]
        self.kept = [_settled(context, change) for change in changes if not _opens(change)]
        self.edits = [edit for change in self.kept for edit in change.edits]
        self.step, self.tower, self.holder = map(self._free, ("train_step", "tower", "towers"))

    def written(self, planned: Plan) -> tuple[Plan, list[Change]]:
        towers = self.towers
        gone = [self._removed(node) for node in self.gone]
        calls = [self._call(run) for run in self.runs]
        made = [*self._seeds(), *gone, *calls, self._function()]
        self.edits += made
        for block in (towers.session, towers.graph):
            if isinstance(block, ast.With):
                made.append(self._without_header(block))
                self.edits.append(made[-1])
        became = {run.site.node: Became(self.step, run.kept) for run in self.runs}
        verdicts = tuple(Verdict(verdict.site, "native", "native") for verdict in planned.verdicts)
        change = Change(None, tuple(made), frozenset({"compat"}))
        return replace(planned, verdicts=verdicts, became=became), [*self.kept, change]

    def _removed(self, node: ast.stmt) -> Edit:
        """A statement that goes, with the comment that belongs to it."""
        if not is_alone(self.source, node):
            return statements.remove(self.context.module, node)
        where = extent(self.source, node)
        behind = where.last + 1
        while isinstance(node, ast.FunctionDef) and self._is_blank(behind):
            behind += 1
        return Edit(line_start(self.source, where.comments), line_start(self.source, behind), "", encloses=True)

    def _is_blank(self, line: int) -> bool:
        return line <= len(self.source.line_starts) and not self.source.line_text(line).strip()

    def _text(self, node: ast.expr) -> str:
        return joined(render(self.source.text, self.edits, *self.source.span(node)))

    def _free(self, name: str) -> str:
        numbered = (name if number == 1 else f"{name}_{number}" for number in itertools.count(1))
        return next(each for each in numbered if not self.context.names.is_bound(each))

    def _seeds(self) -> list[Edit]:
        uses = [use for use in self.context.names.uses if use.symbol in effects.GRAPH_SEEDS]
        return [Edit(*self.source.span(use.node), f"{self.context.tf}.random.set_seed") for use in uses]

    def _function(self) -> Edit:
        """The loop as the function of one tower, with the object that runs it."""
        towers, context = self.towers, self.context
        assert isinstance(towers.loop.target, ast.Name)
        number, indent = towers.loop.target.id, " " * towers.whole.col_offset
        devices = f"[{self._text(towers.device)} for {number} in range({self._text(towers.count)})]"
        signature = ", ".join(self._spec(call) for call in towers.placeholders.values())
        parameters = ", ".join([number, *towers.placeholders])
        inner = indent + "    "
        outside = towers.whole if towers.graph is None else towers.graph
        apart = [""] if outside.col_offset else ["", ""]
        lines = [f"{indent}{self.holder} = {context.compat}.train.Towers({devices})", *apart]
        lines += [f"{indent}@{self.holder}.replicated({signature})", f"{indent}def {self.tower}({parameters}):"]
        lines += [self._moved(node, len(inner)) for node in towers.moved]
        if towers.scopes:
            lines.append(f"{inner}with {', '.join(self._item(item) for item in towers.scopes)}:")
        lines.append(self._body(len(inner) + (4 if towers.scopes else 0)))
        lines += [f"{inner}{self._apply()}", f"{inner}return {self.result}", *apart]
        given = ", ".join(towers.placeholders)
        lines.append(f"{indent}@{context.tf}.function(input_signature={self.tower}.signature)")
        lines.append(f"{indent}def {self.step}({given}):")
        lines.append(f"{inner}return {self.tower}({given}){'' if self.runs[0].every_tower else '[-1]'}")
        start, end = self._lines(towers.whole)
        behind, missing = self._behind(len(apart))
        text = "\n".join([*lines, *[""] * missing]) + "\n"
        return Edit(start, behind or end, self._newlines(text), encloses=True)

    def _behind(self, wanted: int) -> tuple[int | None, int]:
        """Where the next statement that stays begins, if nothing but what goes is before it, and the blank lines."""
        block, gone = self.towers.block, set(self.gone)
        rest = block[block.index(self.towers.whole) + 1 :]
        stays = next((node for node in rest if node not in gone), None)
        if stays is None:
            return None, 0
        first, last = (self.towers.whole.end_lineno or 0) + 1, extent(self.source, stays).comments
        where = [extent(self.source, node) for node in rest if node in gone]
        taken = {line for each in where for line in range(each.comments, each.last + 1)}
        if all(line in taken or self._is_blank(line) for line in range(first, last)):
            return line_start(self.source, last), wanted
        return None, max(0, wanted - sum(map(self._is_blank, range(first, last))))

    def _newlines(self, text: str) -> str:
        return re.sub(r"\r?\n", self.source.newline, text)

    def _spec(self, call: ast.Call) -> str:
        words = {word.arg: word.value for word in call.keywords}
        dtype = call.args[0] if call.args else words.get("dtype")
        shape = call.args[1] if len(call.args) > 1 else words.get("shape")
        if dtype is None:
            raise Refused(call, "the placeholder has no type", LEFT)
        given = "None" if shape is None else self._text(shape)
        return f"{self.context.tf}.TensorSpec({given}, {self._text(dtype)})"

    def _moved(self, node: ast.Assign, column: int) -> str:
        start = line_start(self.source, extent(self.source, node).comments)
        text = render(self.source.text, self.edits, start, self._lines(node)[1])
        return reindent(text.replace("\r\n", "\n").rstrip("\n"), column - node.col_offset)

    def _item(self, item: ast.withitem) -> str:
        name = item.optional_vars
        return self._text(item.context_expr) + (f" as {ast.unparse(name)}" if name is not None else "")

    def _body(self, column: int) -> str:
        """The statements of a tower; the gradients are of its part of the mean, and nothing is collected."""
        towers = self.towers
        assert towers.take is not None
        loss = towers.take.args[0]
        edits = [*self.edits, Edit(*self.source.span(loss), f"{towers.loss} / {self.holder}.count", encloses=True)]
        edits += [self._removed(node) for node in towers.appends]
        start = line_start(self.source, extent(self.source, towers.body[0]).comments)
        _, end = self._lines(towers.body[-1])
        text = render(self.source.text, edits, start, end).replace("\r\n", "\n")
        return reindent(text.rstrip("\n"), column - towers.body[0].col_offset)

    def _apply(self) -> str:
        call, gradients = self.towers.apply, self.towers.gradients
        assert call is not None and isinstance(call.func, ast.Attribute)
        words = {word.arg: word.value for word in call.keywords}
        step = call.args[1] if len(call.args) > 1 else words.get("global_step")
        counted = "" if step is None else f", global_step={self._text(step)}"
        return f"{self._text(call.func)}({gradients}{counted})"

    def _call(self, run: TowerRun) -> Edit:
        call = f"{self.step}({', '.join(self._text(feed) for feed in run.feeds)})"
        span = self.source.span(run.statement)
        if not run.targets:
            return Edit(*span, call, encloses=True)
        targets = ", ".join(target.id for target in run.targets)
        if run.every_tower:
            value = f"[{self.result}.numpy() for {self.result} in {call}]"
        elif len(run.targets) > 1:
            value = f"(value.numpy() for value in {call})"
        else:
            value = f"{call}.numpy()"
        return Edit(*span, f"{targets} = {value}", encloses=True)

    def _without_header(self, block: ast.With) -> Edit:
        """The statements of a block whose contexts are no more."""
        start = line_start(self.source, block.lineno)
        first = line_start(self.source, extent(self.source, block.body[0]).comments)
        end = self._lines(block.body[-1])[1]
        text = render(self.source.text, self.edits, first, end)
        return Edit(start, end, reindent(text, block.col_offset - block.body[0].col_offset), encloses=True)

    def _lines(self, node: ast.stmt) -> tuple[int, int]:
        """The whole lines of a statement."""
        return line_start(self.source, node.lineno), line_start(self.source, (node.end_lineno or node.lineno) + 1)


def _opens(change: Change) -> bool:
    return change.finding is not None and change.finding.rule in (_GRAPH, _BRIDGED)


def _settled(context: Context, change: Change) -> Change:
    finding = change.finding
    if finding is None:
        return change
    if finding.rule == _LOOP:
        return Change(replace(finding, action="rewritten", message=_REPLICAS, next_step=_START))
    if finding.symbol in effects.GRAPH_SEEDS:
        message = (
            "TF1 derived each operation's seed from the graph: the numbers drawn after `tf.random.set_seed` differ"
        )
        return Change(replace(finding, rule=_DONE, action="rewritten", message=message))
    return change
