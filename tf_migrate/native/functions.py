"""The text of the functions that replace runs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from tf_migrate.files.source import Source
from tf_migrate.native.headings import lines_copied
from tf_migrate.native.inputs import Inputs
from tf_migrate.native.layout import is_apart, joined, operand, reindent
from tf_migrate.native.listing import list_of
from tf_migrate.native.optimizers import contexts
from tf_migrate.native.rates import Given
from tf_migrate.native.sharing import Core
from tf_migrate.native.surroundings import opened, scopes_of_made
from tf_migrate.native.waiting import asked_for, waited
from tf_migrate.plan import Function
from tf_migrate.stages import runs
from tf_migrate.stages.cuts import scaled_placeholder
from tf_migrate.stages.pairs import AssignEach
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.runs import Fetch, Leaf
from tf_migrate.stages.scattering import Count, Scatter
from tf_migrate.stages.shadows import Average, awaited
from tf_migrate.stages.slices import depends_on_store, updated_variables, variables_of
from tf_migrate.stages.updates import Apply, Assign, Gradients, Minimize, Rate, Update
from tf_migrate.stages.values import ZERO_STATE, Stage, Value
from tf_migrate.syntax.arguments import argument

INDENT = " " * 4
_WIDTH = 88
_OF_NUMBERS: dict[type, str] = {bool: "bool", int: "int32", float: "float32"}
_DTYPES = {"float": "float32", "double": "float64", "half": "float16", "int": "int32"}


@dataclass(frozen=True)
class Locals:
    """Names inside functions that nothing else in the module uses."""

    tape: str
    loss: str
    gradients: str
    variables: str
    store: str
    updates: str


@dataclass(frozen=True)
class FunctionWriter:
    """Writes functions of one module; `render` gives the text of a span with the edits inside it made."""

    program: Program
    tf: str
    compat: str
    locals: Locals
    optimizers: dict[Minimize | Apply, str]
    render: Callable[[int, int], str]
    fresh: Callable[[str], str]
    renamed: dict[str, str]
    kept: dict[ast.Call, str]
    hoisted: dict[Gradients, str]
    inputs: Inputs
    rates: Mapping[Rate, Given]
    drawing: Sequence[Function] = ()
    """Those that draw numbers of their own under the seed of the program."""
    core: Core | None = None
    core_name: str = ""
    specs: Mapping[int, str] = field(default_factory=dict)
    fed: Mapping[int, str] = field(default_factory=dict)
    """The parameters that hold what is fed in the place of tensors which are computed as well."""
    crossed: Sequence[Unit] = ()
    counted: dict[Count, str] = field(default_factory=dict)
    """What a function calls the numbers that it gives of those that it counts up."""

    @property
    def source(self) -> Source:
        """The module's source."""
        return self.program.module.source

    def is_fast_dispatched(self, function: Function) -> bool:
        """Whether it has to be as fast as a run, as steps outside of tests, or takes a cell's state as a run does."""
        states = any(unit.value.symbol == ZERO_STATE.symbol for unit in function.parameters)
        return states or (function.trains and self.program.case is None)

    def function(self, name: str, function: Function) -> str:
        """The whole text of one function, without blank lines around it."""
        if self.core is not None and function not in self.core.users:
            return replace(self, core=None).function(name, function)
        if self.counted:
            return replace(self, counted={}).function(name, function)
        if function.crossed != self.crossed:
            return replace(self, crossed=function.crossed).function(name, function)
        lines = [f"@{self.compat}.fast_dispatch"] if self.is_fast_dispatched(function) else []
        lines += self._head(name, function.parameters)
        lines += [f"{INDENT}{self.compat}.random.new_sequence()"] if function in self.drawing else []
        lines += [f"{INDENT}{self.local(unit)} = {self.compat}.unfed({self.spec(unit)})" for unit in function.unfed]
        taped = [update for update in function.updates if isinstance(update, Minimize)]
        taken = [gradients for unit in function.rest for gradients in unit.gradients]
        rest = [unit for unit in function.rest if not unit.sees_updates]
        if taped or taken:
            lines += self._tape(function, taped, len(taped) + len(taken))
            lines += self._statements(rest, 1)
        elif any(unit.needs_store for unit in rest):
            lines.append(f"{INDENT}with {self.locals.store}:")
            lines += self._statements(rest, 2)
        else:
            lines += self._statements((*function.taped, *rest), 1)
        results, early = self._results(function)
        lines += early
        lines += self._gradients(taped)
        lines += self._updates(function.updates)
        lines += self._statements([unit for unit in function.rest if unit.sees_updates], 1, within=True)
        if results is not None:
            lines.append(f"{INDENT}return {results}")
        return "\n".join(lines) + "\n"

    def plain(self, name: str, function: Function) -> str:
        """The text of a function that a dataset applies to its elements: it is traced as a part of that."""
        inner = replace(self, core=None)
        results, _ = inner._results(function)
        head = f"def {name}({', '.join(self.local_names(function.parameters))}):"
        return "\n".join([head, *inner._statements(function.rest, 1), f"{INDENT}return {results}"]) + "\n"

    def shared(self, core: Core) -> str:
        """The text of the function that several others call; it is traced as a part of each of them."""
        parameters = ", ".join(self._shared_names(core))
        body = self._statements(core.units, 1, within=True)
        last = f"{INDENT}return {', '.join(map(self.local, core.outputs))}"
        return "\n".join([f"def {self.core_name}({parameters}):", *body, last]) + "\n"

    def local(self, unit: Unit) -> str:
        """The name that a unit binds, as it is called inside a function."""
        return self.renamed.get(unit.binds[0], unit.binds[0])

    def local_names(self, units: Sequence[Unit]) -> list[str]:
        """The names that parameters have."""
        return [self.renamed.get(name, name) for unit in units for name in unit.binds]

    def _shared_names(self, core: Core) -> list[str]:
        """The parameters of what several functions share: of an element, the parts that it looks at."""
        read = {name for unit in core.units for name in unit.reads}
        names = [name for unit in core.parameters for name in unit.binds if len(unit.binds) == 1 or name in read]
        return [self.renamed.get(name, name) for name in names]

    def node(self, node: ast.expr) -> str:
        """The text of an expression, edits made."""
        return self.render(*self.source.span(node))

    def _head(self, name: str, parameters: Sequence[Unit]) -> Iterator[str]:
        if not parameters:
            yield f"@{self.tf}.function"
        else:
            specs = [self.specs.get(unit.index) or self.spec(unit) for unit in parameters]
            signature = specs[0][1:] if len(specs) == 1 and specs[0].startswith("*") else f"[{', '.join(specs)}]"
            line = f"@{self.tf}.function(input_signature={signature})"
            if len(line) <= _WIDTH:
                yield line
            elif not signature.startswith("["):
                yield from (f"@{self.tf}.function(", f"{INDENT}input_signature={signature}", ")")
            else:
                yield f"@{self.tf}.function("
                yield f"{INDENT}input_signature=["
                yield from (f"{INDENT * 2}{spec}," for spec in specs)
                yield f"{INDENT}]"
                yield ")"
        crossed = {unit.index for unit in self.crossed}
        named = [[self.fed[unit.index]] if unit.index in crossed else self.local_names([unit]) for unit in parameters]
        yield f"def {name}({', '.join(name for names in named for name in names)}):"

    def spec(self, unit: Unit) -> str:
        """What a parameter is like."""
        if unit.value.iteration is not None:
            return f"{'*' if len(unit.binds) > 1 else ''}{self.inputs.spec(unit)}"
        call = scaled_placeholder(self.program, unit) or unit.value.node
        assert isinstance(call, ast.Call)
        shape = argument(call, "shape", 1)
        kind = self._dtype(call, unit.value.default)
        given = argument(call, "name", 2)
        name = f", name={joined(self.node(given))}" if given is not None else ""
        return f"{self.tf}.TensorSpec({'None' if shape is None else joined(self.node(shape))}, {kind}{name})"

    def _dtype(self, call: ast.Call, default: ast.expr | None) -> str:
        """The type of what a placeholder is fed."""
        if isinstance(default, ast.Constant):
            return f"{self.tf}.{_OF_NUMBERS[type(default.value)]}"
        if default is not None:
            return f"{operand(self.node(default))}.dtype"
        dtype = argument(call, "dtype", 0)
        assert dtype is not None
        if isinstance(dtype, ast.Constant) and isinstance(dtype.value, str):
            return f"{self.tf}.{_DTYPES.get(dtype.value, dtype.value)}"
        return joined(self.node(dtype))

    def _statements(self, units: Sequence[Unit], depth: int, *, within: bool = False) -> list[str]:
        lines: list[str] = []
        core = None if within or self.core is None or not set(self.core.units) <= set(units) else self.core
        kept = {*self.program.devices, *scopes_of_made(self.program, units)}
        hiding = {scope for unit in units if unit.hidden for scope in unit.scopes}
        entered: tuple[ast.With, ...] = ()
        for unit in units:
            if core is not None and unit in core.units and unit is not core.last:
                continue
            if lines and is_apart(self.source, unit.node):
                lines.append("")
            if core is not None and unit is core.last:
                entered = ()
                arguments = ", ".join(self._shared_names(core))
                results = ", ".join(map(self.local, core.outputs))
                lines.append(f"{INDENT * depth}{results} = {self.core_name}({arguments})")
                lines += self._replaced(core.outputs, depth)
                continue
            around = tuple(scope for scope in unit.around if scope in kept or (scope in hiding and unit.hidden))
            start, end = lines_copied(self.source, unit.node, unit.around)
            shift = (depth + len(around)) * len(INDENT) - unit.node.col_offset
            text = reindent(self.render(start, end), shift).rstrip()
            target, _, value = text.strip().partition(" = ")
            if target == value:
                continue
            same = len(list(takewhile(lambda pair: pair[0] is pair[1], zip(entered, around, strict=False))))
            for level in range(same, len(around)):
                context = opened(self.program, unit, around[level], self.tf, self.compat, self.node)
                lines.append(f"{INDENT * (depth + level)}with {context}:")
            entered = around
            lines += text.split("\n")
            replaced = [] if within else self._replaced([unit], depth)
            entered = () if replaced else entered
            lines += replaced
        return lines

    def _replaced(self, units: Sequence[Unit], depth: int) -> list[str]:
        """The lines that put what is fed in the place of what these statements computed."""
        names = [(self.local(unit), self.fed[unit.index]) for unit in units if unit in self.crossed]
        return [f"{INDENT * depth}{local} = {self.compat}.fed({local}, {given})" for local, given in names]

    def _tape(self, function: Function, minimized: list[Minimize], uses: int) -> list[str]:
        persistent = "persistent=True" if uses > 1 else ""
        body = self._statements(function.taped, 2)
        for number, update in _numbered(minimized):
            if not joined(self.node(update.loss)).isidentifier():
                body.append(f"{INDENT * 2}{self._loss(update, number)} = {joined(self.node(update.loss))}")
        taken = (gradients for unit in function.rest for gradients in unit.gradients)
        body += [f"{INDENT * 2}{self.hoisted[gradients]}" for gradients in taken if gradients in self.hoisted]
        asked = dict.fromkeys(map(self.node, asked_for(function.updates)))
        body += [f"{INDENT * 2}{self.locals.updates} = {text}" for text in asked]
        if not body:
            body = [f"{INDENT * 2}{self._loss(update, 0)} = {self.node(update.loss)}" for update in minimized]
        store = f"{self.locals.store}, " if any(unit.needs_store for unit in function.taped) else ""
        return [f"{INDENT}with {store}{self.tf}.GradientTape({persistent}) as {self.locals.tape}:", *body]

    def _loss(self, update: Minimize, number: int) -> str:
        text = joined(self.node(update.loss))
        return text if text.isidentifier() else _with_number(self.locals.loss, number)

    def _gradients(self, minimized: list[Minimize]) -> Iterator[str]:
        for number, update in _numbered(minimized):
            gradients, variables = self._pair(number)
            listed = self._trained(update) if update.variables is None else joined(self.node(update.variables))
            stored = update.variables in [listing.call for listing in self.program.units[update.unit].lists]
            yield from [f"{INDENT}with {self.locals.store}:"] * stored
            yield f"{INDENT * (1 + stored)}{variables} = {listed}"
            yield f"{INDENT}{gradients} = {self.locals.tape}.gradient({self._loss(update, number)}, {variables})"

    def _trained(self, update: Minimize) -> str:
        """The variables that `minimize` trains where it names none: those of the script, then those of its layers."""
        own = variables_of(self.program, update)
        if not depends_on_store(self.program, update):
            return list_of(own, self.program, self.node, self.renamed, self.kept)
        made = f"{self.locals.store}.trainable_variables"
        return f"{list_of(own, self.program, self.node, self.renamed, self.kept)[:-1]}, *{made}]" if own else made

    def _pair(self, number: int) -> tuple[str, str]:
        return _with_number(self.locals.gradients, number), _with_number(self.locals.variables, number)

    def _updates(self, updates: Sequence[Update]) -> list[str]:
        early, lines = [], []
        minimized = [update for update in updates if isinstance(update, Minimize)]
        changed: set[ast.Call] = set()
        for update in sorted(updates, key=lambda update: _turn(update, updates)):
            if isinstance(update, Minimize):
                number = minimized.index(update) + 1 if len(minimized) > 1 else 0
                gradients, variables = self._pair(number)
                step = "" if update.global_step is None else f", global_step={joined(self.node(update.global_step))}"
                optimizer = self.optimizers[update]
                lines += self._step(update, f"{optimizer}.apply_gradients(zip({gradients}, {variables}){step})")
            elif isinstance(update, Apply):
                pairs = joined(self.node(update.pairs))
                step = "" if update.global_step is None else f", global_step={joined(self.node(update.global_step))}"
                optimizer = self.optimizers.get(update) or operand(self.node(update.optimizer))
                lines += self._step(update, f"{optimizer}.apply_gradients({pairs}{step})")
            elif isinstance(update, AssignEach):
                loop = update.loop.generators[0]
                lines.append(f"{INDENT}for {self.node(loop.target)} in {joined(self.node(loop.iter))}:")
                variable = operand(self.node(update.variable))
                lines.append(f"{INDENT * 2}{variable}.assign({joined(self.node(update.value))})")
            elif isinstance(update, Average):
                averages = operand(self.node(update.averages))
                lines.append(f"{INDENT}{averages}.apply({joined(self.node(update.variables))})")
            elif isinstance(update, Scatter):
                lines.append(f"{INDENT}{joined(self.node(update.value))}")
            elif isinstance(update, Count):
                counted = f"{self.counted[update]} = " if update in self.counted else ""
                lines.append(f"{INDENT}{counted}{joined(self.node(update.value))}")
            else:
                value = reindent(self.node(update.value), 0)
                if not update.after and changed & self._reads(update):
                    local = self.fresh("new_value")
                    early.append(f"{INDENT}{local} = {joined(value)}")
                    value = local
                lines.append(f"{INDENT}{operand(self.node(update.variable))}.{update.method}({joined(value)})")
            changed |= {variable.call for variable in updated_variables(self.program, update)}
        return [*early, *lines]

    def _step(self, update: Minimize | Apply, line: str) -> list[str]:
        """A training step, in the scopes that name the variables of its optimizer."""
        rate = update.rate if update.rate in self.rates else None
        before = [f"{INDENT}{line}" for line in waited(update, self.compat, self.locals.updates, self.node)]
        before += [] if rate is None else [f"{INDENT}{self.rates[rate].name}.assign({self.rates[rate].text})"]
        around = contexts(self.program, update, self.tf, self.compat, self.locals.store, self.node)
        depth, opened = (2, [f"{INDENT}with {around}:"]) if around else (1, [])
        return [*before, *opened, f"{INDENT * depth}{line}"]

    def _reads(self, update: Assign) -> set[ast.Call]:
        """The variables that an assigned value reads itself, not through statements that ran before."""
        inside = {inner.id for inner in ast.walk(update.value) if isinstance(inner, ast.Name)}
        return {
            variable.call
            for name, binding in update.reads.items()
            if name in inside or binding.value.function is not None
            for variable in binding.value.variables
        } | self._through_functions(update)

    def _through_functions(self, update: Assign) -> set[ast.Call]:
        inside = {inner.id for inner in ast.walk(update.value) if isinstance(inner, ast.Name)}
        hidden = [binding for name, binding in update.reads.items() if name not in inside]
        return {variable.call for binding in hidden for variable in binding.value.variables}

    def _results(self, function: Function) -> tuple[str | None, list[str]]:
        early: list[str] = []

        def leaf_text(leaf: Leaf) -> str:
            text = self._leaf(leaf, leaf.value)
            named = isinstance(leaf.node, ast.Name) or text.isidentifier()
            if leaf.value.stage is Stage.TENSOR and not leaf.value.updates and not named and function.updates:
                local = self.fresh("result")
                early.append(f"{INDENT}{local} = {text}")
                return local
            return text

        if function.form == "none":
            return None, early
        if function.form == "single":
            return leaf_text(function.results[0]), early
        if function.form == "tuple":
            return ", ".join(leaf_text(leaf) for leaf in function.results), early
        return self._structure(function.fetches, leaf_text), early

    def _structure(self, fetch: Fetch, leaf_text: Callable[[Leaf], str]) -> str:
        if isinstance(fetch, Leaf):
            return "None" if fetch.is_dropped else leaf_text(fetch)
        items = [self._structure(item, leaf_text) for item in fetch.items]
        if isinstance(fetch, runs.Mapping):
            keys = [self.node(key) for key in fetch.node.keys if key is not None]
            return "{" + ", ".join(f"{key}: {item}" for key, item in zip(keys, items, strict=True)) + "}"
        if isinstance(fetch.node, ast.Tuple):
            return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        return f"[{', '.join(items)}]"

    def _leaf(self, leaf: Leaf, value: Value) -> str:
        if value.stage is Stage.EFFECT:
            if value.parts is not None:
                return f"[{', '.join(self._leaf(leaf, part) for part in value.parts)}]"
            update = value.updates[-1]
            assert isinstance(update, Assign)
            if isinstance(update, Count):
                return self.counted.setdefault(update, self.fresh("number"))
            return f"{operand(self.node(update.variable))}.read_value()"
        text = joined(self.node(leaf.node))
        if value.parts is not None and value.variables:
            return f"{self.tf}.nest.map_structure({self.tf}.identity, {text})"
        return f"{operand(text)}.read_value()" if value.stage is Stage.VARIABLE else text


def _turn(update: Update, updates: Sequence[Update]) -> int:
    """When an update is made: averages come before all others, but for those that they wait for."""
    if not isinstance(update, Average):
        return 1
    return 2 if set(awaited(update)).intersection(updates) else 0


def _numbered(minimized: Sequence[Minimize]) -> Iterator[tuple[int, Minimize]]:
    """Steps with their numbers, which a single one does not have (0)."""
    return enumerate(minimized, start=1) if len(minimized) > 1 else ((0, update) for update in minimized)


def _with_number(name: str, number: int) -> str:
    return f"{name}_{number}" if number else name
