"""Towers as replicas: the loop becomes one step of `compat.train.Towers`, and the runs become calls of it."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

from tf_migrate.changes import statements
from tf_migrate.changes.edits import Edit, render
from tf_migrate.names.run_sites import find_sites
from tf_migrate.native.layout import extent, is_alone, joined, line_start, reindent
from tf_migrate.plan import Became, Plan, Verdict
from tf_migrate.rules import Change, Context
from tf_migrate.stages import effects
from tf_migrate.stages.towers.reading import LEFT, Towers, read_towers, tower_loops
from tf_migrate.stages.towers.runs import Runs, TowerRun, ValueRun, read_runs
from tf_migrate.stages.towers.values import Part
from tf_migrate.stages.values import Refused

_LOOP, _RUN, _GRAPH, _BRIDGED, _DONE = "TFM203", "TFM204", "TFM301", "TFM201", "TFM202"
_KIND = re.compile(r"_op$")
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
        runs = read_runs(context.module, context.names, towers, sites)
        return _Writer(context, towers, runs, changes).written(planned)
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

    def __init__(self, context: Context, towers: Towers, runs: Runs, changes: Sequence[Change]) -> None:
        self.context, self.towers, self.runs = context, towers, runs
        self.result = ", ".join(runs.result)
        self.source = context.module.source
        self.gone = [*towers.dropped, *towers.moved]
        self.kept = [_settled(context, change) for change in changes if not _opens(change)]
        self.edits = [edit for change in self.kept for edit in change.edits]
        self.taken: set[str] = set()
        self.step, self.tower, self.holder = map(self._free, ("train_step", "tower", "towers"))
        self.parts = {part: "" for run in runs.values for part in run.parts}
        self.parts = {part: self._free(f"compute_{_said(part.names)}") for part in self.parts}
        self.joined = {run.fetched: self._joined(run) for run in runs.values}

    def written(self, planned: Plan) -> tuple[Plan, list[Change]]:
        towers = self.towers
        gone = [self._removed(node) for node in self.gone]
        calls = [*map(self._call, self.runs.steps), *map(self._value_call, self.runs.values)]
        made = [*self._seeds(), *gone, *calls, self._function()]
        self.edits += made
        for block in (towers.session, towers.graph):
            if isinstance(block, ast.With):
                made.append(self._without_header(block))
                self.edits.append(made[-1])
        became = {run.site.node: Became(self.step, run.kept) for run in self.runs.steps}
        became |= {run.site.node: Became(self.joined[run.fetched], None) for run in self.runs.values}
        verdicts = tuple(Verdict(verdict.site, "native", "native", form="sliced") for verdict in planned.verdicts)
        change = Change(None, tuple(made), frozenset({"compat"}))
        return replace(planned, verdicts=verdicts, became=became), [*self.kept, change]

    def _removed(self, node: ast.stmt) -> Edit:
        """A statement that goes, with the comment that belongs to it."""
        if not is_alone(self.source, node):
            return statements.remove(self.context.module, node)
        where = extent(self.source, node)
        behind = where.last + 1
        apart = isinstance(node, ast.FunctionDef) or self._is_blank(where.comments - 1)
        while apart and self._is_blank(behind):
            behind += 1
        return Edit(line_start(self.source, where.comments), line_start(self.source, behind), "", encloses=True)

    def _is_blank(self, line: int) -> bool:
        return 0 < line <= len(self.source.line_starts) and not self.source.line_text(line).strip()

    def _text(self, node: ast.expr) -> str:
        return joined(render(self.source.text, self.edits, *self.source.span(node)))

    def _free(self, name: str) -> str:
        numbered = (name if number == 1 else f"{name}_{number}" for number in itertools.count(1))
        free = next(each for each in numbered if not self.context.names.is_bound(each) and each not in self.taken)
        self.taken.add(free)
        return free

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
        lines += self._flagged(inner)
        lines.append(self._body(len(inner) + (4 if towers.scopes else 0)))
        lines += [f"{inner}{self._apply()}", f"{inner}return {self.result}", *apart]
        given = ", ".join(towers.placeholders)
        lines.append(f"{indent}@{context.tf}.function(input_signature={self.tower}.signature)")
        lines.append(f"{indent}def {self.step}({given}):")
        lines.append(f"{inner}return {self.tower}({given}){'' if self.runs.steps[0].every_tower else '[-1]'}")
        for part in self.parts:
            lines += [*apart, *self._part_function(part, indent)]
        for fetched in [fetched for fetched, name in self.joined.items() if name not in self.parts.values()]:
            lines += [*apart, *self._joining_function(fetched, indent)]
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

    def _flagged(self, indent: str) -> list[str]:
        """What tells each tower by its number whether the variables are there."""
        towers = self.towers
        assert isinstance(towers.loop.target, ast.Name)
        return [] if towers.flag is None else [f"{indent}{towers.flag.name} = {towers.loop.target.id} > 0"]

    def _body(self, column: int) -> str:
        """The statements of a tower; the gradients are of its part of the mean, and nothing is collected."""
        towers = self.towers
        assert towers.take is not None
        loss = towers.take.args[0]
        part = Edit(*self.source.span(loss), f"{towers.loss} / {self.holder}.count", encloses=True)
        return self._turn(self.runs.trained, column, part)

    def _turn(self, kept: Sequence[ast.stmt] | None, column: int, *edits: Edit) -> str:
        """The statements of a turn: all of them, or those that are kept, without those that only served the loop."""
        towers = self.towers
        gone = [*towers.appends, *([] if towers.flag is None else [towers.flag.later])]
        gone += [node for node in towers.body if kept is not None and node not in kept and node not in gone]
        first = [node for node in kept or () if isinstance(node, ast.If)]
        whole = [*self.edits, *edits, *map(self._removed, gone), *map(self._without_header, first)]
        start = line_start(self.source, extent(self.source, towers.body[0]).comments)
        _, end = self._lines(towers.body[-1])
        text = render(self.source.text, whole, start, end).replace("\r\n", "\n")
        text = text if kept is None else re.sub(r"\n(?:[ \t]*\n){2,}", "\n\n", text.strip("\n"))
        return reindent(text.rstrip(), column - towers.body[0].col_offset)

    def _joined(self, run: ValueRun) -> str:
        """The function that computes what a run takes: that of its one part, or one that calls those of several."""
        alone = len(run.parts) == 1 and run.parts[0].names == run.fetched
        return self.parts[run.parts[0]] if alone else self._free(f"compute_{_said(run.fetched)}")

    def _head(self, name: str, indent: str) -> list[str]:
        decorator = f"{indent}@{self.context.tf}.function(input_signature={self.tower}.signature)"
        return [decorator, f"{indent}def {name}({', '.join(self.towers.placeholders)}):"]

    def _part_function(self, part: Part, indent: str) -> list[str]:
        """The function that computes values of one tower."""
        towers, inner = self.towers, indent + "    "
        assert isinstance(towers.loop.target, ast.Name)
        number = "0" if part.is_first else f"{self.holder}.count - 1"
        opened = [f"{self.context.tf}.device({self._text(towers.device)})", f"{self.holder}.store"]
        opened += map(self._item, towers.scopes)
        lines = [*self._head(self.parts[part], indent), f"{inner}{towers.loop.target.id} = {number}"]
        lines += [*self._flagged_in(part, inner), f"{inner}with {', '.join(opened)}:"]
        return [*lines, self._turn(part.statements, len(inner) + 4), f"{inner}return {', '.join(part.names)}"]

    def _joining_function(self, fetched: tuple[str, ...], indent: str) -> list[str]:
        """The function that computes values of several towers."""
        given, inner = ", ".join(self.towers.placeholders), indent + "    "
        run = next(run for run in self.runs.values if run.fetched == fetched)
        lines = [f"{inner}{', '.join(part.names)} = {self.parts[part]}({given})" for part in run.parts]
        return [*self._head(self.joined[fetched], indent), *lines, f"{inner}return {', '.join(fetched)}"]

    def _flagged_in(self, part: Part, indent: str) -> list[str]:
        read = {inner.id for node in part.statements for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        return self._flagged(indent) if self.towers.flag is not None and self.towers.flag.name in read else []

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

    def _value_call(self, run: ValueRun) -> Edit:
        call = f"{self.joined[run.fetched]}({', '.join(map(self._text, run.feeds))})"
        if not run.targets:
            return Edit(*self.source.span(run.site.node), f"{call}.numpy()", encloses=True)
        targets = ", ".join(target.id for target in run.targets)
        value = f"(value.numpy() for value in {call})"
        return Edit(*self.source.span(run.statement), f"{targets} = {value}", encloses=True)

    def _without_header(self, block: ast.With | ast.If) -> Edit:
        """The statements of a block whose contexts are no more."""
        said = extent(self.source, block).comments if block is self.towers.graph else block.lineno
        start = line_start(self.source, said)
        first = line_start(self.source, extent(self.source, block.body[0]).comments)
        end = self._lines(block.body[-1])[1]
        text = re.sub(r"\A(?:[ \t]*\r?\n)+", "", render(self.source.text, self.edits, first, end))
        return Edit(start, end, reindent(text, block.col_offset - block.body[0].col_offset), encloses=True)

    def _lines(self, node: ast.stmt) -> tuple[int, int]:
        """The whole lines of a statement."""
        return line_start(self.source, node.lineno), line_start(self.source, (node.end_lineno or node.lineno) + 1)


def _said(fetched: Sequence[str]) -> str:
    """The names of values, as a function that computes them is called."""
    return "_and_".join(_KIND.sub("", name) or name for name in fetched)


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
