"""Programs that load a frozen graph: the runs of its sessions become functions that `compat.FrozenGraph` makes."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from tf_migrate.changes.edits import Edit, render
from tf_migrate.names.exports import Users
from tf_migrate.names.run_sites import RunSite
from tf_migrate.native.layout import call_text, joined, line_start, operand
from tf_migrate.native.naming import Namer, compute_names
from tf_migrate.native.options import option_edits
from tf_migrate.native.placing import Placer
from tf_migrate.native.writing import memory_notes, settled
from tf_migrate.plan import Became, Plan, Verdict, forced
from tf_migrate.rules import Change, Context
from tf_migrate.stages.frozen.beside import BesideRun
from tf_migrate.stages.frozen.program import FrozenProgram, read_program
from tf_migrate.stages.frozen.reading import IMPORTS
from tf_migrate.stages.frozen.values import FrozenRun, Graph, Tensor
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.values import PYTHON, Refused

_LINE_END = re.compile(r"(?<!\r)\n")
_GRAPH, _BRIDGED = "TFM301", "TFM201"


def imports_graph(context: Context) -> bool:
    """Whether a module loads a graph, other than in a function that nothing of it names, and no other module calls."""
    module = context.module
    for use in context.names.uses:
        if use.symbol in IMPORTS:
            around = [node for node in module.around(use.root) if isinstance(node, ast.FunctionDef)]
            outermost = around[-1] if around and module.parents[around[-1]] is module.tree else None
            name = "main" if outermost is None or context.imported else outermost.name
            if name == "main" or module.loads.get(name):
                return True
    return False


def with_frozen_graph(
    context: Context, planned: Plan, changes: Sequence[Change], users: Users | None
) -> tuple[Plan, list[Change]]:
    """The plan and the changes of a module that runs a frozen graph and nothing else; on the bridge where it is not."""
    sites = tuple(verdict.site for verdict in planned.verdicts)
    try:
        program = read_program(context.module, context.names, sites, users)
        return _Writer(context, program, sites, changes).written(planned)
    except Refused as refused:
        return Plan(forced(context.module, sites, refused, {})), list(changes)


class _Writer:
    """Writes one module."""

    def __init__(
        self, context: Context, program: FrozenProgram, sites: tuple[RunSite, ...], changes: Sequence[Change]
    ) -> None:
        self.context, self.program, self.source = context, program, context.module.source
        self.module, self.reader = context.module, program.reader
        self.kept = [settled(context, change) for change in changes if not _opens(change)]
        self.symbols = [edit for change in self.kept for edit in change.edits]
        self.edits = list(self.symbols)
        self.namer, self.attributes = Namer(context.names), Namer(context.names)
        self.attributes.taken |= set(self.module.attributes)
        anchors = dict.fromkeys(program.anchors.values())
        units = tuple(Unit(index, node, (), PYTHON) for index, node in enumerate([*anchors, *program.gone]))
        self.units = {node: index for index, node in enumerate(anchors)}
        self.placer = Placer(_shown(context, program, sites, units), self.edits, [site.node for site in sites])
        self.own = program.holder.text or self._fresh(("graph", "frozen_graph"), program.holder.kind == "attribute")
        self.functions: dict[tuple[ast.Call, tuple[str, ...]], str] = {}
        self.lines: dict[ast.Call, list[str]] = {session: [] for session in program.anchors}

    def written(self, planned: Plan) -> tuple[Plan, list[Change]]:
        """The plan with every run native, and all changes."""
        self.placer.require_plain_lines()
        for run in self.program.runs:
            self._make(run)
        for run in sorted(self.program.runs, key=lambda run: len(ast.unparse(run.whole))):
            self.edits.append(self._call(run))
        self.edits += map(self._value, self.program.beside)
        self._place()
        self.placer.place(())
        first = self.program.runs[0].site.node
        self.edits += option_edits(self.context, self.program.options.values, first, self.namer)
        self.placer.dissolve()
        newline = self.source.newline
        own = [replace(edit, text=_LINE_END.sub(newline, edit.text)) for edit in self.edits if edit not in self.symbols]
        became: dict[ast.Call, Became] = {run.site.node: Became(None, None) for run in self.program.beside}
        became |= {run.site.node: Became(self._function(run).rpartition(".")[2], None) for run in self.program.runs}
        verdicts = tuple(Verdict(verdict.site, "native", "native", form="sliced") for verdict in planned.verdicts)
        change = Change(None, tuple(own), frozenset({"compat"}))
        notes = memory_notes(self.context, self.program.options.values)
        return replace(planned, verdicts=verdicts, became=became), [*self.kept, *notes, change]

    # The functions

    def _fresh(self, words: Sequence[str], attribute: bool) -> str:
        return f"self.{self.attributes.fresh(*words)}" if attribute else self.namer.fresh(*words)

    def _key(self, run: FrozenRun) -> tuple[ast.Call, tuple[str, ...]]:
        inputs = [self._name(tensor) for tensor, _ in run.feeds]
        return run.session, (*inputs, "single" if run.form == "single" else "several", *map(self._name, run.fetched))

    def _function(self, run: FrozenRun) -> str:
        return self.functions[self._key(run)]

    def _make(self, run: FrozenRun) -> None:
        """Names the function of a run, and writes the line that makes it, once for all runs that share it."""
        if self._key(run) in self.functions:
            return
        name = self._fresh(compute_names(run.words), self._is_attribute(run.session))
        self.functions[self._key(run)] = name
        inputs = ", ".join(self._name(tensor) for tensor, _ in run.feeds)
        outputs = ", ".join(map(self._name, run.fetched))
        given = [f"[{inputs}]", outputs if run.form == "single" else f"[{outputs}]"]
        column = self.program.anchors[run.session].col_offset
        text = call_text(f"{name} = {self._graph(run.session)}.function", given, 0 if column else column)
        self.lines[run.session].append(f"{text}\n")

    def _is_attribute(self, session: ast.Call) -> bool:
        """Whether the functions of a session have to be attributes of the object that made it."""
        home = self.module.function_of(session)
        runs = [run.site.node for run in self.program.runs if run.session is session]
        away = [node for node in runs if home is not None and home not in self.module.around(node)]
        if not away:
            return False
        owner = self.module.parents[home] if home is not None else None
        homes = [self.module.function_of(node) for node in away]
        if not isinstance(owner, ast.ClassDef) or any(
            node is None or self.module.parents[node] is not owner for node in homes
        ):
            raise Refused(away[0], "the session was made by another function", "make it where it runs")
        return True

    def _graph(self, session: ast.Call) -> str:
        """How the place of a session reaches the graph."""
        given = next((word.value for word in session.keywords if word.arg == "graph"), None)
        if (value := self.reader.value(given)) is not None and given is not None and value == Graph(named=True):
            return self._named(given)
        around = self.program.around[session]
        if self.program.holder.kind != "own" or around is None:
            return self.own
        assert isinstance(around, ast.Call) and isinstance(around.func, ast.Attribute)
        return self.own if around.func.value is self.reader.maker else self._named(around.func.value)

    def _named(self, graph: ast.expr) -> str:
        if not isinstance(graph, ast.Name | ast.Attribute):
            raise Refused(graph, "the graph of a session has no name", "give it one before")
        return ast.unparse(graph)

    def _name(self, tensor: Tensor) -> str:
        """The name of a tensor as it stands in the text, or made of what stands there."""
        suffix = "" if tensor.output is None else f":{tensor.output}"
        prefix = self.reader.imported.prefix if tensor.inside else ""
        if tensor.text is not None:
            quote = "'" if self.source.segment(tensor.name).startswith("'") else '"'
            return f"{quote}{prefix}{tensor.text}{quote}"
        text = joined(self._render(*self.source.span(tensor.name)))
        return f'{text} + "{suffix}"' if suffix else text

    # The runs

    def _call(self, run: FrozenRun) -> Edit:
        values = [joined(self._render(*self.source.span(value))) for _, value in run.feeds]
        call = f"{self._function(run)}({', '.join(values)})"
        outer = self.module.parents[run.whole]
        if isinstance(outer, ast.Expr) and not self.source.shows(outer):
            text = call
        elif run.form == "single":
            text = f"{call}.numpy()"
        elif isinstance(outer, ast.Assign) and _takes(outer.targets, len(run.fetched)):
            text = f"(value.numpy() for value in {call})"
        else:
            each = f"value.numpy() for value in {call}"
            text = f"tuple({each})" if run.form == "tuple" else f"[{each}]"
        return Edit(*self.source.span(run.whole), text, encloses=True)

    def _value(self, run: BesideRun) -> Edit:
        """What is computed already, as NumPy values."""
        texts = [f"{operand(self._render(*self.source.span(node)))}.numpy()" for node in run.fetched]
        text = f"[{', '.join(texts)}]" if run.several else texts[0]
        return Edit(*self.source.span(run.site.node), text, encloses=True)

    # What takes the place of the import and of the sessions

    def _place(self) -> None:
        """Puts the graph in the place of the import, and the functions behind their anchors."""
        imported, holder = self.reader.imported, self.program.holder
        given = [joined(self._render(*self.source.span(imported.graph_def)))]
        name = next((word.value for word in imported.call.keywords if word.arg == "name"), None)
        if imported.name is not None and name is not None:
            given.append(f"name={self.source.segment(name)}")
        made = f"{self.context.compat}.FrozenGraph({', '.join(given)})"
        text = f"return {made}" if holder.kind == "returned" else f"{self.own} = {made}"
        replaced = {imported.statement: text}
        if holder.loaded is not None:
            replaced[holder.loaded] = f"{self.own} = {joined(self._render(*self.source.span(holder.loaded)))}"
        for session, anchor in self.program.anchors.items():
            lines = list(dict.fromkeys(self.lines[session]))
            indent = " " * anchor.col_offset
            if anchor in replaced:
                replaced[anchor] += "".join(f"\n{indent}{line.rstrip()}" for line in lines)
            elif isinstance(anchor, ast.With):
                self._open(anchor, lines)
            elif anchor in self.program.gone:
                for line in lines:
                    self.placer.add(self.units[anchor], line)
            else:
                place = line_start(self.source, (anchor.end_lineno or 0) + 1)
                text = "".join(f"{indent}{line}" for line in lines)
                self.edits.append(Edit(place, place, text, line=True))
        for statement, text in replaced.items():
            self.edits.append(Edit(*self.source.span(statement), text, encloses=True))

    def _open(self, block: ast.With, lines: Sequence[str]) -> None:
        """Puts functions before the body of a block, which takes its place."""
        header = max(item.context_expr.end_lineno or 0 for item in block.items)
        place = line_start(self.source, header + 1)
        indent = " " * block.body[0].col_offset
        self.edits.append(Edit(place, place, "".join(f"{indent}{line}" for line in lines), line=True))

    def _render(self, start: int, end: int) -> str:
        return render(self.source.text, self.edits, start, end)


def _shown(context: Context, program: FrozenProgram, sites: tuple[RunSite, ...], units: tuple[Unit, ...]) -> Program:
    """The program as what places statements knows it."""
    return Program(
        module=context.module,
        names=context.names,
        sites=sites,
        units=units,
        runs=(),
        dissolved=program.blocks,
        scopes=(),
        devices=(),
        dropped=program.gone,
        variables=(),
        refusals={},
        listed={},
        final={},
        resolved={},
        merged={},
        graphs=(),
        resets=(),
        calls=(),
    )


def _takes(targets: Sequence[ast.expr], count: int) -> bool:
    """Whether an assignment unpacks that many values, once."""
    target = targets[0] if len(targets) == 1 else None
    plain = isinstance(target, ast.Tuple | ast.List) and not any(isinstance(item, ast.Starred) for item in target.elts)
    return plain and len(target.elts) == count  # type: ignore[union-attr]


def _opens(change: Change) -> bool:
    return change.finding is not None and change.finding.rule in (_GRAPH, _BRIDGED)
