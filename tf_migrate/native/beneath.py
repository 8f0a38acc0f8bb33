"""What an object computes for functions that are made beside it: by a function that it keeps as an attribute."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tf_migrate.native.functions import FunctionWriter
from tf_migrate.native.naming import Namer, core_names
from tf_migrate.native.placing import Placer
from tf_migrate.native.sharing import Core
from tf_migrate.native.stores import Home, Store, home_of
from tf_migrate.plan import Beneath, Function
from tf_migrate.stages.objects import ObjectClass
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.slices import variables_of
from tf_migrate.stages.updates import Minimize
from tf_migrate.stages.values import Refused, Variable


@dataclass
class BeneathWriter:
    """Writes into constructors what functions of the script call; `reach` gives the name by which these know a thing.

    `seen` are the names of variables as a unit knows them.
    """

    program: Program
    placer: Placer
    stores: Mapping[Home, Store]
    namer: Callable[[int], Namer]
    reach: Callable[[int, str, Unit], str]
    seen: Callable[[Sequence[Variable], Unit], dict[ast.Call, str]]
    made: dict[tuple[object, ...], str] = field(default_factory=dict)
    specs: dict[int, str] = field(default_factory=dict)

    def around(self, writer: FunctionWriter, function: Function, beneath: Beneath) -> FunctionWriter:
        """The writer of a function that leaves a part of the computation to an object."""
        unit, owner = self.program.units[function.anchor], beneath.owner
        core = Core(beneath.outputs, beneath.units, beneath.parameters, (function,))
        mine = home_of(self.program, function.anchor)
        store = self.stores.get((owner, mine[1]))
        made = any(inner.needs_store for inner in core.units)
        apart = mine in self.stores and self.stores[mine] is not store
        if made and (store is None or apart):
            raise Refused(unit.node, "layers of an object and of the script take part in one run", "build them in one")
        known = writer.locals if store is None else replace(writer.locals, store=store.name)
        name = self._kept(replace(writer, core=None, locals=known), core, owner)
        if store is not None and made:
            known = replace(known, store=self.reach(store.unit, store.name, unit))
        specs = {given.index: self._spec(writer, given, owner, unit) for given in function.parameters}
        steps = [update for update in function.updates if isinstance(update, Minimize) and update.variables is None]
        trained = [variable for update in steps for variable in variables_of(self.program, update)]
        kept = {**writer.kept, **self.seen(trained, unit)}
        return replace(writer, core=core, core_name=name, locals=known, kept=kept, specs=specs)

    def _kept(self, writer: FunctionWriter, core: Core, owner: ObjectClass) -> str:
        """The function of the object, made where its last statement stood."""
        assert owner.name is not None
        key = tuple(unit.index for unit in core.units), tuple(unit.index for unit in core.outputs)
        if key not in self.made:
            last = core.last.index
            self.made[key] = name = self.namer(last).fresh(*core_names(core))
            text = replace(writer, core_name=name).shared(core) + f"\nself.{name} = {name}\n"
            self.placer.functions.append(text)
            self.placer.add_function(last, text)
        return f"{owner.name.id}.{self.made[key]}"

    def _spec(self, writer: FunctionWriter, given: Unit, owner: ObjectClass, unit: Unit) -> str:
        """What a parameter is like, kept by the object where only that can tell; empty where all can."""
        if given.value.node is None:
            return ""
        assert owner.name is not None
        if self.program.owner_of(self.program.home_of(given.index)) is not owner:
            return ""
        words = (node for node in ast.walk(given.value.node) if isinstance(node, ast.Name))
        if all(self.program.names.resolve(word) is not None for word in words):
            return ""
        if "." not in given.binds[0]:
            raise Refused(unit.node, f"the placeholder `{given.binds[0]}` is no attribute", "bind it to one")
        word = given.binds[0].rpartition(".")[2]
        if given.index not in self.specs:
            self.specs[given.index] = f"{owner.name.id}.{word}"
            self.placer.add(given.index, f"self.{word} = {writer.spec(given)}\n")
        return self.specs[given.index]
