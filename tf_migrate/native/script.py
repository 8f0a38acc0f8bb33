"""A script as native TensorFlow 2: all edits of one module whose plan is native.

Edits are made from the inside out: variables, runs, then groups of statements that leave the straight line (their
functions take their place), then the blocks of sessions, whose bodies move out.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tf_migrate.changes.edits import Edit, render
from tf_migrate.native.assign_each import traced_before, traced_last
from tf_migrate.native.beneath import BeneathWriter
from tf_migrate.native.calls import CallWriter, feed_edits
from tf_migrate.native.cuts import specs_of
from tf_migrate.native.draws import draw_edits
from tf_migrate.native.functions import FunctionWriter, Locals
from tf_migrate.native.handing import handed_edits
from tf_migrate.native.inputs import Inputs, inputs_of
from tf_migrate.native.keeping import Keeper
from tf_migrate.native.keras_cells import cell_edits
from tf_migrate.native.layout import joined, operand
from tf_migrate.native.listing import ListWriter, is_tuple, list_of
from tf_migrate.native.lookups import early_first, traced_at_once
from tf_migrate.native.monitored import MonitorWriter
from tf_migrate.native.naming import Namer, core_names, function_names, optimizer_names
from tf_migrate.native.objects import attribute_edits, attributes_of, fetched_edits, inner_edits, local_names
from tf_migrate.native.options import option_edits, said_lines
from tf_migrate.native.outside import outside_edits
from tf_migrate.native.placing import Placer
from tf_migrate.native.rates import Given, rate_edits, rate_line, rates_of
from tf_migrate.native.receiving import Received, is_first
from tf_migrate.native.renaming import renaming_edits
from tf_migrate.native.restarts import restart_edit
from tf_migrate.native.savers import SaverWriter
from tf_migrate.native.shadows import shadow_lines
from tf_migrate.native.sharing import shared_core
from tf_migrate.native.stores import Home, Store, home_of, store_options, stores_of
from tf_migrate.native.summaries import summary_edits
from tf_migrate.native.variables import variable_edits
from tf_migrate.plan import Plan
from tf_migrate.planning.beneath import is_seen
from tf_migrate.planning.drawing import drawing_apart
from tf_migrate.rules import Context
from tf_migrate.stages.objects import ObjectClass
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.updates import Apply, Gradients, Minimize, Rate
from tf_migrate.stages.values import Refused, Variable

_CALLED = ("int", "iter", "list", "next", "tuple", "zip")
"""Functions of Python's that written code calls."""


@dataclass
class Script:
    """Collects the edits of one module."""

    context: Context
    plan: Plan
    program: Program
    edits: list[Edit]
    namer: Namer
    names: dict[object, str] = field(default_factory=dict)
    optimizers: dict[Minimize | Apply, str] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    kept: dict[ast.Call, str] = field(default_factory=dict)
    shown: dict[tuple[int, str], str] = field(default_factory=dict)
    hoisted: dict[Gradients, str] = field(default_factory=dict)
    namers: dict[ObjectClass, Namer] = field(default_factory=dict)
    stores: dict[Home, Store] = field(default_factory=dict)
    rates: dict[Rate, Given] = field(default_factory=dict)
    fed: dict[int, str] = field(default_factory=dict)
    uses_shims: bool = False
    locals: Locals = field(default=Locals("tape", "loss", "gradients", "variables", "store", "updates"))
    placer: Placer = field(init=False)

    def __post_init__(self) -> None:
        self.placer = Placer(self.program, self.edits, [call.run.site.node for call in self.plan.calls])

    def write(self) -> None:
        """Makes all edits."""
        source = self.program.module.source
        self.placer.require_plain_lines()
        self.edits += inner_edits(self.program, self.namer)
        self.namer.taken |= attributes_of(self.program)
        self.renamed = local_names(self.program, self.namer)
        self.edits += attribute_edits(self.program, self.renamed)
        self.edits += outside_edits(self.program, self.renamed)
        self.edits += fetched_edits(self.program, self.plan.calls)
        self.edits += list(renaming_edits(self.program, self.plan.renamed, self.namer, self.renamed, self.kept))
        keeper = Keeper(self.program, self._namer, self.kept, self.placer.made)
        self.edits += list(keeper.edits(self.plan.attributes))
        self.edits += [restart_edit(self.program, restart, self.edits, self._list) for restart in self.program.restarts]
        cells = [*cell_edits(self.program, self.context.compat), *draw_edits(self.context, self.program)]
        self.edits += cells
        self.edits += feed_edits(self.program)
        created, self.uses_shims = variable_edits(self.context, self.program, tuple(self.edits))
        self.edits += created
        self.edits += summary_edits(self.context, self.program, self.namer, self.edits)
        self.rates = rates_of(self.program, self._namer, self._render, set(self.renamed.values()))
        self.edits += [Edit(*source.span(rate.node), given.name, encloses=True) for rate, given in self.rates.items()]
        self.uses_shims = self.uses_shims or bool(cells) or any(self.program.merged.values()) or self.plan.uses_shims
        self._choose_names()
        given = Received(self.program, self.plan.calls, self.names, self.namer).collect()
        self.edits += [*given.edits, *handed_edits(self.program, self.renamed, given.gone)]
        inputs = inputs_of(self.plan, self.program, self.context.tf, self.names, self.namer)
        self.edits += list(inputs.edits(self._render, self.placer.made))
        self._rewrite_gradients()
        for unit, line in (
            *said_lines(self.context, self.program, self._render),
            *shadow_lines(self.program, self._render),
        ):
            self.placer.add(unit, line)
        monitor = self._monitor()
        self.edits += [] if monitor is None else monitor.names_given()
        writer = CallWriter(
            self.program,
            self.context.tf,
            self.context.compat,
            self.names,
            self._render,
            self.renamed,
            inputs,
            monitor,
            self.fed,
            given.called,
        )
        # What is inside of another run's feeds comes first: the other's text contains it.
        for call in sorted(self.plan.calls, key=lambda call: len(ast.unparse(call.run.site.node))):
            edit = writer.edit(call)
            if call.run.given is None or is_first(self.edits, call, edit):
                self.edits.append(edit if monitor is None else monitor.followed(call, edit, self.edits))
        self._write_functions(inputs)
        self.edits += tuple(self._savers().edits(self.edits))
        if monitor is not None:
            self.edits += monitor.edits(self._savers(), self._list)
        self.edits += list(rate_edits(self.program, self.context.tf, self.rates, self._render))
        for scope in self.program.scopes:
            self._scope(scope)
        self.placer.place([loop.node for loop in inputs.loops.values()])
        for edit in inputs.loop_edits(self._render, self.renamed):
            self.edits.append(edit)
        self.edits += option_edits(self.context, self.program.options, self.program.sites[0].node, self.namer)
        self.placer.dissolve()
        self._require_builtins()

    def _render(self, start: int, end: int) -> str:
        return render(self.program.module.source.text, self.edits, start, end)

    def _require_builtins(self) -> None:
        """Refuses a module that gives another meaning to a function of Python's that the written code calls."""
        bound = [word for word in _CALLED if self.context.names.is_bound(word)]
        if not bound:
            return
        module = self.program.module
        written = ast.walk(ast.parse(self._render(0, len(module.source.text))))
        read = Counter(node.id for node in written if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
        for word in bound:
            if read[word] > len(module.loads.get(word, ())):
                what = f"the native code calls Python's own `{word}`, and that name is bound here"
                raise Refused(self.program.units[0].node, what, f"give `{word}` another name")

    def _choose_names(self) -> None:
        words = [self.namer.fresh(name) for name in ("tape", "loss", "gradients", "variables", "store", "updates")]
        self.locals = Locals(*words)
        self.stores = stores_of(self.program, self.plan.functions, self.locals.store)
        for store in dict.fromkeys(self.stores.values()):
            owner = self._owner(store.unit)
            line = f"{store.name} = {self.context.compat}.VariableStore({store_options(self.program, owner)})\n"
            self.placer.made.setdefault(store.unit, []).insert(0, line)
            self.uses_shims = True
        steps = {update for call in self.plan.calls for update in call.run.updates if isinstance(update, Minimize)}
        for function in self.plan.functions:
            several = len({self._owner(update.unit) for update in steps}) < len(steps)
            self.names[function.key] = self._namer(function.anchor).fresh(*function_names(function, several))
            for unit in function.crossed:
                self.fed[unit.index] = self.fed.get(unit.index) or self._namer(function.anchor).fresh(
                    f"fed_{unit.binds[0].rpartition('.')[2]}"
                )
        applied = {update for call in self.plan.calls for update in call.run.updates if isinstance(update, Apply)}
        taking = steps | {update for update in applied if isinstance(update.optimizer, ast.Call)}
        for update in sorted(taking, key=lambda update: update.unit):
            self.optimizers[update] = self._optimizer(update, several=len(taking) > 1)

    def _owner(self, unit: int) -> ObjectClass | None:
        return self.program.owner_of(self.program.home_of(unit))

    def _namer(self, unit: int) -> Namer:
        """Gives out the names of a unit's object, which those of other objects may have too."""
        owner = self._owner(unit)
        return self.namer if owner is None else self.namers.setdefault(owner, self.namer.copy())

    def _rewrite_gradients(self) -> None:
        """Calls that take gradients ask the tape; calls that mean all variables list them."""
        source = self.program.module.source
        lists = ListWriter(self.program, self.context.compat, self._list_in, self._store_of)
        self.edits += lists.edits()
        for unit in self.program.units:
            for taken in unit.gradients:
                loss = self._render(*source.span(taken.loss))
                if not loss.isidentifier():
                    # A tape sees what is computed inside of it: the expression gets a name there.
                    self.hoisted[taken], loss = loss, self._namer(unit.index).fresh("loss")
                    self.hoisted[taken] = f"{loss} = {joined(self.hoisted[taken])}"
                if self.program.names.resolve(taken.call.func) is not None:
                    listed = self._render(*source.span(taken.call.args[1]))
                    text = f"{self.locals.tape}.gradient({loss}, {f'[{listed}]' if taken.by_one else listed})"
                    if is_tuple(taken.call.args[1], self.program.module):
                        text = f"list({text})"
                else:
                    own = taken.variables
                    listed = self._render(*source.span(own)) if own else lists.text(unit, taken.call)
                    text = f"list(zip({self.locals.tape}.gradient({loss}, {listed}), {listed}))"
                self.edits.append(Edit(*source.span(taken.call), text, encloses=True))

    def _store_of(self, unit: Unit, listing: ast.Call | None = None) -> str:
        """The store whose variables a unit makes, or lists, as it knows it."""
        home = home_of(self.program, unit.index)
        stores = {self.stores[home]} if home in self.stores else set()
        if not stores and listing is not None:
            # All variables of a graph are those of its one object.
            stores = {store for (_, graph), store in self.stores.items() if graph == home[1]}
        if len(stores) == 1:
            (store,) = stores
            return self._reach(store.unit, store.name, unit)
        if listing is not None:
            what = "the variables of layers of another object are listed"
            raise Refused(listing, what, "list them where they are made")
        return self.locals.store

    def _list(self, variables: Sequence[Variable], kept: Mapping[ast.Call, str] | None = None) -> str:
        source = self.program.module.source
        given = self.kept if kept is None else kept
        return list_of(variables, self.program, lambda node: self._render(*source.span(node)), self.renamed, given)

    def _list_in(self, variables: Sequence[Variable], unit: Unit | None) -> str:
        """A list of variables as a statement sees them."""
        seen = {} if unit is None else self._seen(variables, unit)
        return self._list(variables, {**self.kept, **seen})

    def _optimizer(self, update: Minimize | Apply, *, several: bool) -> str:
        """The name of an optimizer; one that had none takes that of its step, where the step needs it no more."""
        source = self.program.module.source
        if not isinstance(update.optimizer, ast.Call):
            return operand(ast.unparse(update.optimizer))
        unit = self.program.units[update.unit]
        own = unit.binds[0].rpartition(".")[2] if unit.binds else ""
        name = self._namer(update.unit).fresh(*optimizer_names(own, several=several))
        line = f"{name} = {render(source.text, self.edits, *source.span(update.optimizer))}\n"
        if update.rate in self.rates:
            self.placer.add(update.unit, rate_line(self.rates[update.rate].name, self.context.tf))
        self.placer.add(update.unit, line)
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
            self.rates,
            drawing_apart(self.program, self.plan.functions),
            fed=self.fed,
        )
        self.uses_shims = self.uses_shims or any(call.run.freezes for call in self.plan.calls)
        fast = any(map(writer.is_fast_dispatched, self.plan.functions))
        self.uses_shims = self.uses_shims or fast or bool(writer.drawing)
        anchors = (self.program.units[function.anchor].node for function in self.plan.parsers.values())
        inputs.queues(
            writer.plain, self.plan, self._render, self.placer.made, max(map(self.placer.gap, anchors), default=1)
        )
        core = shared_core(self.program, self.plan.functions)
        if core is not None:
            namer = self._namer(core.last.index)
            writer = replace(writer, core=core, core_name=namer.fresh(*core_names(core)))
            self.placer.add_function(core.last.index, writer.shared(core))
        objects = BeneathWriter(self.program, self.placer, self.stores, self._namer, self._reach, self._seen)
        before = traced_before(self.program, self.plan.functions, self.names)
        specs = specs_of(self.program, self.plan.functions, self.names, writer.local, self.context.tf)
        groups = traced_at_once(self.program, self.plan.calls, self.plan.functions)
        if before.late and groups:
            place = self.program.units[min(before.late)].node
            raise Refused(place, "variables of several objects are looked up, and assigned to list by list", "do one")
        for index, line in before.late.items():
            self.placer.add(index, line)
        placed = self.plan.functions if specs else before.placed
        for function in sorted(early_first(groups, self.plan.functions, placed), key=traced_last):
            name = self.names[function.key]
            owner = self._owner(function.anchor)
            store = self._store_of(self.program.units[function.anchor])
            own = replace(writer, fresh=self._namer(function.anchor).fresh, locals=replace(self.locals, store=store))
            if function.beneath is not None:
                own = objects.around(own, function, function.beneath)
            text = replace(own, specs={**own.specs, **specs.get(function, {})}).function(name, function)
            if owner is not None:
                text += f"\nself.{name} = {name}\n"
            text += before.behind.get(function.key, "")
            text += "".join(group.lines(self.program, self.names) for group in groups if function is group.defined[-1])
            self.placer.functions.append(text)
            self.placer.add_function(function.anchor, text)

    def _monitor(self) -> MonitorWriter | None:
        monitor = self.program.monitor
        if monitor is None:
            return None
        self.uses_shims = True
        return MonitorWriter(self.program, monitor, self.context.compat, self.namer, self._render)

    def _savers(self) -> SaverWriter:
        def optimizer(update: Minimize | Apply) -> str:
            return self.optimizers.get(update) or operand(ast.unparse(update.optimizer))

        functions, reach = self.plan.functions, self._reach
        return SaverWriter(self.program, functions, self.names, self.stores, optimizer, self._list, reach, self._called)

    def _called(self, variable: Variable) -> str:
        return self.kept.get(variable.call, self.renamed.get(variable.target, variable.target))

    def _seen(self, variables: Sequence[Variable], unit: Unit) -> dict[ast.Call, str]:
        """The names of variables of objects, as a unit beside these knows them."""
        here = self.program.home_of(unit.index)
        made = [known for known in variables if self.program.home_of(known.unit) is not here]
        own = [known for known in made if self._owner(known.unit) is not None]
        return {known.call: self._reach(known.unit, self._called(known), unit) for known in own}

    def _show(self, made: int, name: str, word: str, unit: Unit) -> None:
        """Makes a local name of a method an attribute as well, in the statement that binds it."""
        home = self.program.home_of(made)
        near = [other for other in self.program.units if self.program.home_of(other.index) is home]
        for lines in (self.placer.made.get(other.index, []) for other in near):
            for index, line in enumerate(lines):
                if line.startswith(f"{name} = "):
                    lines[index] = f"self.{word} = {line}"
                    return
        own = self.program.units[made].node
        called = {name, *(variable.target for variable in self.program.variables if self._called(variable) == name)}
        nodes = [own] if _is_name(own, called) else [other.node for other in near]
        bound = [node for node in nodes if _is_name(node, called)]
        if len(bound) != 1:
            raise Refused(
                unit.node,
                f"`{name}` of another function cannot be seen here",
                "bind it once, in a statement of its own",
            )
        start = self.program.module.source.start(bound[0])
        self.edits.append(Edit(start, start, f"self.{word} = "))

    def _reach(self, made: int, name: str, unit: Unit) -> str:
        """The name by which a unit knows what another one makes, which a method keeps as an attribute if it must."""
        home, here = self.program.home_of(made), self.program.home_of(unit.index)
        if home is here:
            return name
        owner = self.program.owner_of(home)
        inside = owner is not None and here in owner.methods.values()
        beside = owner is not None and is_seen(self.program, owner, here)
        if owner is None or not (inside or beside):
            raise Refused(unit.node, f"`{name}` of another function cannot be seen here", "make both in one function")
        if not name.startswith("self.") and (made, name) not in self.shown:
            taken = name in attributes_of(self.program) | set(self.shown.values())
            self.shown[made, name] = word = self._namer(made).fresh(f"own_{name}") if taken else name
            self._show(made, name, word, unit)
        base = "self." if inside or owner.name is None else f"{owner.name.id}."
        return base + self.shown.get((made, name), name).removeprefix("self.")

    def _scope(self, block: ast.With) -> None:
        """A scope that still holds variables stays as a name scope."""
        if self.placer.leaves(block):
            return
        source, item = self.program.module.source, block.items[0]
        assert isinstance(item.context_expr, ast.Call)
        end = source.end(item.optional_vars or item.context_expr)
        name = self._render(*source.span(item.context_expr.args[0]))
        text = f"{self.context.tf}.name_scope({name})"
        self.edits.append(Edit(source.start(item.context_expr), end, text, encloses=True))


def _is_name(node: ast.stmt, names: Container[str]) -> bool:
    """Whether a statement binds one of these names, and nothing else."""
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    return isinstance(target, ast.Name) and target.id in names
