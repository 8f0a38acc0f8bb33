"""A script as native TensorFlow 2: all edits of one module whose plan is native.

Edits are made from the inside out: variables, runs, then groups of statements that leave the straight line (their
functions take their place), then the blocks of sessions, whose bodies move out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from tf_migrate.changes.edits import Edit, render
from tf_migrate.native.calls import CallWriter
from tf_migrate.native.functions import FunctionWriter, Locals, list_of
from tf_migrate.native.inputs import Inputs, inputs_of
from tf_migrate.native.layout import blocks_of, extent, inside_strings, is_alone, joined, line_start, reindent
from tf_migrate.native.naming import Namer, function_names
from tf_migrate.native.objects import attribute_edits, attributes_of, handed_edits, local_names
from tf_migrate.native.options import option_edits
from tf_migrate.native.outside import outside_edits
from tf_migrate.native.savers import SaverWriter
from tf_migrate.native.sharing import shared_core
from tf_migrate.native.stores import Store, stores_of
from tf_migrate.native.summaries import summary_edits
from tf_migrate.native.variables import variable_edits
from tf_migrate.plan import Plan
from tf_migrate.rules import Context
from tf_migrate.stages.objects import ObjectClass
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.values import Apply, Gradients, Minimize, Refused, Variable


@dataclass
class Script:
    """Collects the edits of one module."""

    context: Context
    plan: Plan
    program: Program
    edits: list[Edit]
    namer: Namer
    names: dict[object, str] = field(default_factory=dict)
    optimizers: dict[Minimize, str] = field(default_factory=dict)
    made: dict[int, list[str]] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)
    kept: dict[ast.Call, str] = field(default_factory=dict)
    hoisted: dict[Gradients, str] = field(default_factory=dict)
    namers: dict[ObjectClass, Namer] = field(default_factory=dict)
    stores: dict[ObjectClass | None, Store] = field(default_factory=dict)
    ends: set[int] = field(default_factory=set)
    uses_shims: bool = False
    locals: Locals = field(default=Locals("tape", "loss", "gradients", "variables", "store"))

    def write(self) -> None:
        """Makes all edits."""
        self._require_plain_lines()
        self.namer.taken |= attributes_of(self.program)
        self.renamed = local_names(self.program, self.namer)
        self.edits += attribute_edits(self.program, self.renamed)
        self.edits += [*handed_edits(self.program), *outside_edits(self.program)]
        self._rename_variables()
        self._keep()
        created, self.uses_shims = variable_edits(self.context, self.program, tuple(self.edits))
        self.edits += created
        self.edits += summary_edits(self.context, self.program, self.namer, self.edits)
        self.uses_shims = self.uses_shims or any(self.program.merged.values())
        self._choose_names()
        inputs = inputs_of(self.plan, self.program, self.context.tf, self.names, self.namer)
        self.edits += list(inputs.edits(self._render, self.made))
        self._rewrite_gradients()
        writer = CallWriter(self.program, self.context.tf, self.names, self._render, self.renamed, inputs)
        for call in sorted(self.plan.calls, key=lambda call: -len(ast.unparse(call.run.site.node))):
            self.edits.append(writer.edit(call))
        self._write_functions(inputs)
        self.edits += tuple(self._savers().edits(self.edits))
        for scope in self.program.scopes:
            self._scope(scope)
        rewritten = [*self._dissolving(), *(loop.node for loop in inputs.loops.values())]
        self.ends = {extent(self.program.module.source, block).last for block in rewritten}
        self._groups(self.program.module.tree.body)
        for edit in inputs.loop_edits(self._render, self.renamed):
            self.edits.append(edit)
        self.edits += option_edits(self.context, self.program, self.namer)
        for block in sorted(self._dissolving(), key=lambda block: -block.lineno):
            self.edits.append(self._dissolved(block))

    def _render(self, start: int, end: int) -> str:
        return render(self.program.module.source.text, self.edits, start, end)

    def _require_plain_lines(self) -> None:
        source = self.program.module.source
        for unit in self.program.units:
            touched = unit.moves or unit.node in self.program.dropped
            if touched and not is_alone(source, unit.node):
                raise Refused(unit.node, "the statement shares its line with another", "give it a line of its own")
        held = inside_strings(source.text)
        for number in range(1, len(source.line_starts) + 1):
            line = source.line_text(number)
            if number not in held and "\t" in line[: len(line) - len(line.lstrip())]:
                raise Refused(self.program.units[0].node, "the file is indented with tabs", "indent it with spaces")
        for block in self._dissolving():
            if block.body[0].lineno == block.lineno:
                raise Refused(block, "the block stands on one line", "give its body lines of their own")

    def _rename_variables(self) -> None:
        """Variables whose name comes to mean something else get one of their own."""
        source = self.program.module.source
        for binding in sorted(self.plan.renamed, key=lambda binding: binding.unit):
            assert isinstance(binding.node, ast.Name)
            old = binding.node.id
            self.renamed[old] = new = self.namer.fresh(f"{old}_variable")
            meant = [node for node, known in self.program.resolved.items() if known is binding]
            nodes = [node for node in meant if isinstance(node, ast.Name)]
            self.edits += [Edit(*source.span(node), new) for node in (binding.node, *nodes)]

    def _keep(self) -> None:
        """Local names that functions of other methods need become attributes."""
        source, taken = self.program.module.source, attributes_of(self.program)
        for binding in sorted(self.plan.attributes, key=lambda binding: binding.unit):
            assert isinstance(binding.node, ast.Name)
            word = binding.node.id
            name = f"self.{word if word not in taken else self._namer(binding.unit).fresh(f'own_{word}')}"
            taken.add(name.removeprefix("self."))
            self.kept.update(dict.fromkeys((variable.call for variable in binding.value.variables), name))
            meant = [node for node, known in self.program.resolved.items() if known is binding]
            self.edits += [Edit(*source.span(node), name) for node in (binding.node, *meant)]

    def _choose_names(self) -> None:
        words = [self.namer.fresh(name) for name in ("tape", "loss", "gradients", "variables", "store")]
        self.locals = Locals(*words)
        self.stores = stores_of(self.program, self.plan.functions, self.locals.store)
        for store in self.stores.values():
            line = f"{store.name} = {self.context.compat}.VariableStore()\n"
            self.made.setdefault(store.unit, []).insert(0, line)
            self.uses_shims = True
        steps = {update for call in self.plan.calls for update in call.run.updates if isinstance(update, Minimize)}
        for function in self.plan.functions:
            several = len({self._owner(update.unit) for update in steps}) < len(steps)
            self.names[function.key] = self._namer(function.anchor).fresh(*function_names(function, several))
        for update in sorted(steps, key=lambda update: update.unit):
            self.optimizers[update] = self._optimizer(update)

    def _owner(self, unit: int) -> ObjectClass | None:
        return self.program.owner_of(self.program.home_of(unit))

    def _namer(self, unit: int) -> Namer:
        """Gives out the names of a unit's object, which those of other objects may have too."""
        owner = self._owner(unit)
        return self.namer if owner is None else self.namers.setdefault(owner, self.namer.copy())

    def _rewrite_gradients(self) -> None:
        """Calls that take gradients ask the tape; calls that mean all variables list them."""
        source = self.program.module.source
        for unit in self.program.units:
            for taken in unit.gradients:
                loss = self._render(*source.span(taken.loss))
                if not loss.isidentifier():
                    # A tape sees what is computed inside of it: the expression gets a name there.
                    self.hoisted[taken], loss = loss, self._namer(unit.index).fresh("loss")
                    self.hoisted[taken] = f"{loss} = {joined(self.hoisted[taken])}"
                if self.program.names.resolve(taken.call.func) is not None:
                    listed = self._render(*source.span(taken.call.args[1]))
                    text = f"{self.locals.tape}.gradient({loss}, {listed})"
                else:
                    listed = (
                        self._render(*source.span(taken.variables)) if taken.variables else self._listed(taken.call)
                    )
                    text = f"list(zip({self.locals.tape}.gradient({loss}, {listed}), {listed}))"
                self.edits.append(Edit(*source.span(taken.call), text, encloses=True))
        for unit in self.program.units:
            self.edits += [self._stored(unit, call) for call in unit.lists if self._lists_trainable(call)]
        for call in self.program.listed:
            if self.program.names.resolve(call.func) is not None:
                self.edits.append(Edit(*source.span(call), self._listed(call), encloses=True))

    def _lists_trainable(self, call: ast.Call) -> bool:
        return self.program.names.resolve(call.func) == "tf.trainable_variables"

    def _stored(self, unit: Unit, call: ast.Call) -> Edit:
        """The list of the variables of a store, or of those below a scope."""
        store, source = self.stores.get(self._owner(unit.index)), self.program.module.source
        if store is None:
            raise Refused(call, "the variables of layers of another object are listed", "list them where they are made")
        if call.args or call.keywords:
            return Edit(*source.span(call.func), f"{self.context.compat}.trainable_variables")
        return Edit(*source.span(call), f"{store.name}.trainable_variables", encloses=True)

    def _listed(self, call: ast.Call) -> str:
        return self._list(self.program.listed[call])

    def _list(self, variables: Sequence[Variable]) -> str:
        source = self.program.module.source
        return list_of(variables, self.program, lambda node: self._render(*source.span(node)), self.renamed, self.kept)

    def _optimizer(self, update: Minimize) -> str:
        """The name of an optimizer; one that had none takes that of its step, where the step needs it no more."""
        source = self.program.module.source
        if not isinstance(update.optimizer, ast.Call):
            return ast.unparse(update.optimizer)
        unit = self.program.units[update.unit]
        own = unit.binds[0].rpartition(".")[2] if unit.binds else ""
        name = self._namer(update.unit).fresh(*([own] if "optimizer" in own else []), "optimizer", f"{own}_optimizer")
        line = f"{name} = {render(source.text, self.edits, *source.span(update.optimizer))}\n"
        self.made.setdefault(update.unit, []).append(line)
        return name

    def _write_functions(self, inputs: Inputs) -> None:
        writer = FunctionWriter(
            self.program,
            self.context.tf,
            self.context.compat,
            self.locals,
            self.optimizers,
            self._render,
            self.namer.fresh,
            self.renamed,
            self.kept,
            self.hoisted,
            inputs,
        )
        anchors = (self.program.units[function.anchor].node for function in self.plan.parsers.values())
        inputs.queues(writer, self.plan, self._render, self.made, max(map(self._gap, anchors), default=1))
        core = shared_core(self.program, self.plan.functions)
        if core is not None:
            word = core.output.binds[0].rpartition(".")[2].lower()
            writer = replace(
                writer,
                core=core,
                core_name=self._namer(core.output.index).fresh(f"compute_{word}", f"{word}_of"),
            )
            self.made.setdefault(core.output.index, []).append(writer.shared(core))
        for function in self.plan.functions:
            name = self.names[function.key]
            owner = self._owner(function.anchor)
            store = self.stores[owner].name if owner in self.stores else self.locals.store
            own = replace(writer, fresh=self._namer(function.anchor).fresh, locals=replace(self.locals, store=store))
            text = own.function(name, function)
            if owner is not None:
                text += f"\nself.{name} = {name}\n"
            self.functions.append(text)
            self.made.setdefault(function.anchor, []).append(text)

    def _savers(self) -> SaverWriter:
        def optimizer(update: Minimize | Apply) -> str:
            return self.optimizers[update] if isinstance(update, Minimize) else ast.unparse(update.optimizer)

        return SaverWriter(self.program, self.plan.functions, self.names, self.stores, optimizer, self._list)

    def _gap(self, node: ast.stmt) -> int:
        """How many blank lines a function has around it: two, or one inside another function."""
        return 2 if self.program.module.function_of(node) is None else 1

    def _is_gone(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.With) and node in (*self.program.scopes, *self.program.devices):
            return all(self._is_gone(inner) for inner in node.body)
        return node in self.program.dropped or any(unit.node is node and unit.moves for unit in self.program.units)

    def _dissolving(self) -> list[ast.With]:
        """The blocks whose bodies take their place: those of sessions, and scopes in which nothing takes its name."""
        named = {scope for variable in self.program.variables for scope in self.program.units[variable.unit].scopes}
        free = [scope for scope in self.program.scopes if scope not in named and not self._is_gone(scope)]
        return [*self.program.dissolved, *free]

    def _scope(self, block: ast.With) -> None:
        """A scope that still holds variables stays as a name scope."""
        if self._is_gone(block) or block in self._dissolving():
            return
        source, item = self.program.module.source, block.items[0]
        assert isinstance(item.context_expr, ast.Call)
        end = source.end(item.optional_vars or item.context_expr)
        name = self._render(*source.span(item.context_expr.args[0]))
        text = f"{self.context.tf}.name_scope({name})"
        self.edits.append(Edit(source.start(item.context_expr), end, text, encloses=True))

    def _groups(self, body: Sequence[ast.stmt]) -> None:
        """Takes out the statements of a block that are gone, and puts functions in their place."""
        group: list[ast.stmt] = []
        for node in body:
            if self._is_gone(node):
                if group and not self._adjacent(group[-1], node):
                    self._take_out(group, body)
                    group = []
                group.append(node)
                continue
            if group:
                self._take_out(group, body)
                group = []
            for inner in blocks_of(node):
                self._groups(inner)
            behind = self._pieces([node], inside=False)
            if behind and not isinstance(node, ast.If):
                place = line_start(self.program.module.source, extent(self.program.module.source, node).last + 1)
                self.edits.append(Edit(place, place, self._placed(behind, node, 0), order=-1))
        if group:
            self._take_out(group, body)

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
        pieces = self._pieces(group)
        opening = group[0] is body[0] and isinstance(self.program.module.parents[group[0]], ast.FunctionDef)
        start, end = line_start(source, first.comments), line_start(source, last + after + 1)
        if pieces:
            text = self._placed(pieces, group[0], self._gap(group[0]) if opening else before)
        elif len(group) == len(body):
            word = self._else_of(group[0], body)
            start, text = (start, " " * group[0].col_offset + "pass\n") if word is None else (word, "")
            end = line_start(source, last + 1) if word is not None else end
        else:
            gap = before if before else self._blank_above(start)
            text = "" if opening else "\n" * max(0, after - gap)
            if end == len(source.text):
                start, text = line_start(source, first.comments - before), ""
        if pieces and end == len(source.text):
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

    def _placed(self, pieces: Sequence[str], node: ast.stmt, before: int) -> str:
        gap = "\n" * self._gap(node)
        lines = [text for text in pieces if not text.startswith(("def ", "@"))]
        functions = [text for text in pieces if text.startswith(("def ", "@"))]
        text = "".join(lines)
        if functions:
            lead = gap if lines else gap[before:]
            text += lead + gap.join(functions) + gap
        else:
            text += "\n"
        return reindent(text, node.col_offset)

    def _dissolved(self, block: ast.With) -> Edit:
        source = self.program.module.source
        header = max(item.context_expr.end_lineno or 0 for item in block.items)
        last = extent(source, block).last
        shift = block.col_offset - block.body[0].col_offset
        start, end = line_start(source, block.lineno), line_start(source, last + 1)
        body = self._render(line_start(source, header + 1), end).lstrip("\n")
        if body.lstrip().startswith(("@", "def ")):
            above = self._render(0, start)
            blank = len(above) - len(above.rstrip("\n")) - 1
            opening = above.rstrip().endswith(":")
            body = "\n" * (0 if opening else max(0, self._gap(block) - blank)) + body
        ending = len(body) - len(body.rstrip("\n")) - 1
        blank = len(source.text[end:]) - len(source.text[end:].lstrip("\n"))
        body = body.rstrip("\n") + "\n" * (1 + max(0, ending - blank))
        return Edit(start, end, reindent(body, shift), encloses=True)


def _statements(node: ast.stmt, program: Program) -> Iterator[ast.stmt]:
    """A statement and, for a scope, the statements inside."""
    yield node
    if isinstance(node, ast.With) and node in (*program.scopes, *program.devices):
        for inner in node.body:
            yield from _statements(inner, program)
