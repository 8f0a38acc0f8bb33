"""Savers name what they save: TF1's saved all variables of the graph, those of layers and optimizers included."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tf_migrate.changes.edits import Edit, render
from tf_migrate.native.layout import line_start, operand
from tf_migrate.native.optimizers import needs_store
from tf_migrate.native.shadows import averages_of
from tf_migrate.native.stores import Home, Store
from tf_migrate.plan import Function
from tf_migrate.stages.captures import is_settled
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.updates import Apply, Minimize
from tf_migrate.stages.values import Refused, Variable

_NOTE = "# The variables of layers and optimizers are made when the functions that use them are traced."


@dataclass(frozen=True)
class SaverWriter:
    """Writes the savers of a script; `optimizer` and `listed` give the text for an optimizer and for variables.

    `reach` gives what a unit makes under a name the name by which another function knows it: that of an attribute.
    """

    program: Program
    functions: Sequence[Function]
    names: Mapping[object, str]
    stores: Mapping[Home, Store]
    optimizer: Callable[[Minimize | Apply], str]
    listed: Callable[[Sequence[Variable], Mapping[ast.Call, str]], str]
    reach: Callable[[int, str, Unit], str]
    called: Callable[[Variable], str]

    def edits(self, given: Sequence[Edit]) -> Iterator[Edit]:
        """The edits of all statements that make savers; `given` are the edits made so far."""
        source = self.program.module.source
        for session in self.program.freed:
            yield Edit(*source.span(session), "None")
        for unit in self.program.units:
            for call in unit.savers:
                if call in self.program.whole:
                    yield self._written(unit, call, given, *self.everything(unit))
                elif call in self.program.trainable:
                    yield self._written(unit, call, given, *self._trainable(unit))

    def _written(self, unit: Unit, call: ast.Call, given: Sequence[Edit], text: str, lines: Sequence[str]) -> Edit:
        source = self.program.module.source
        edits = [*given, self._argument(call, text)]
        start, end = source.span(unit.node)
        indent = source.text[line_start(source, unit.node.lineno) : start]
        statement = render(source.text, edits, start, end)
        return Edit(start, end, "".join(f"{line}\n{indent}" for line in lines) + statement, encloses=True)

    def everything(self, unit: Unit) -> tuple[str, list[str]]:
        """A list of all the variables that there are at a unit, and the lines that have to stand before it."""
        updates = self._updates(unit)
        traced = self._traced(unit, updates)
        variables = self._variables(unit)
        names = {known.call: self.reach(known.unit, self.called(known), unit) for known in variables}
        pieces = [self.listed(variables, names)[1:-1]]
        for average in averages_of(self.program, unit.index):
            base = self.reach(average.unit, ast.unparse(average.averages), unit)
            pieces += [f"{operand(base)}.average({self.listed([made], names)[1:-1]})" for made in average.made]
        pieces += [f"*{store}.variables" for store in self._stores(unit)]
        for update in (update for update in updates if not needs_store(self.program, update)):
            listed = f"{self.reach(update.unit, self.optimizer(update), unit)}.variables()"
            test = self._condition(update.unit, unit)
            pieces.append(f"*({listed} if {test} else ())" if test else f"*{listed}")
        return _list(dict.fromkeys(pieces)), [_NOTE, *traced] if traced else []

    def _trainable(self, unit: Unit) -> tuple[str, list[str]]:
        """The same of all the trainable variables, among which there are none of optimizers."""
        traced = self._traced(unit, ())
        variables = [variable for variable in self._variables(unit) if variable.trainable]
        names = {known.call: self.reach(known.unit, self.called(known), unit) for known in variables}
        pieces = [self.listed(variables, names)[1:-1]]
        pieces += [f"*{store}.trainable_variables" for store in self._stores(unit)]
        return _list(pieces), [_NOTE, *traced] if traced else []

    def _stores(self, unit: Unit) -> list[str]:
        """The stores that are made before a unit, as it knows them."""
        own = (store for (_, graph), store in self.stores.items() if graph == self._graph(unit))
        stores = [store for store in dict.fromkeys(own) if store.unit < unit.index]
        return [self.reach(store.unit, store.name, unit) for store in stores]

    def _argument(self, call: ast.Call, text: str) -> Edit:
        source = self.program.module.source
        given = next((word.value for word in call.keywords if word.arg == "var_list"), None)
        given = call.args[0] if call.args else given
        if given is not None:
            return Edit(*source.span(given), text, encloses=True)
        if call.keywords:
            place = source.start(call.keywords[0])
            return Edit(place, place, f"{text}, ")
        return Edit(source.end(call) - 1, source.end(call) - 1, text)

    def _variables(self, unit: Unit) -> list[Variable]:
        """The script's own variables that are made before a unit."""
        variables = [item for item in self.program.variables if item.unit < unit.index]
        return [item for item in variables if self.program.graph_of(item.unit) == self._graph(unit)]

    def _updates(self, unit: Unit) -> list[Minimize | Apply]:
        """The training steps that are built before a saver: their optimizers have variables too."""
        built = [
            update
            for other in self.program.units[: unit.index]
            for update in other.value.updates
            if isinstance(update, Minimize | Apply) and self.program.graph_of(other.index) == self._graph(unit)
        ]
        run = {update for function in self.functions for update in function.updates}
        for update in built:
            if update not in run:
                raise Refused(
                    unit.node, "a training step that never runs has variables that are saved", "drop the step"
                )
        return list(dict.fromkeys(built))

    def _graph(self, unit: Unit) -> int:
        return self.program.graph_of(unit.index)

    def _condition(self, made: int, unit: Unit) -> str:
        """The conditions on which a unit is there, for another behind them; none where it is there in any case."""
        module, place = self.program.module, self.program.units[made].node
        tests: list[str] = []
        for node, taken in self._choices_apart(made, unit):
            test = ast.unparse(node.test)
            if not is_settled(node.test, module) or module.function_of(place) is not module.function_of(unit.node):
                what = f"a Saver saves what depends on `{test}`, which may be another value by then"
                raise Refused(unit.node, what, "make the Saver there, and ask for a name that is bound once")
            tests.insert(0, test if taken else f"not ({test})")
        return " and ".join(f"({test})" for test in tests) if len(tests) > 1 else "".join(tests)

    def _choices_apart(self, made: int, unit: Unit) -> list[tuple[ast.If, bool]]:
        """The conditions that a unit depends on, innermost first, and another one does not."""
        shared = {*self.program.module.around(unit.node), *(node for node, _ in self._choices(unit.index))}
        return [(node, taken) for node, taken in self._choices(made) if node not in shared]

    def _choices(self, made: int) -> Iterator[tuple[ast.If, bool]]:
        """The conditions that a unit depends on, innermost first, and whether they have to be true."""
        module, unit = self.program.module, self.program.units[made]
        place: ast.AST = unit.node
        while (outer := module.parents.get(place)) is not None:
            if isinstance(outer, ast.If) and unit.chosen:
                yield outer, place not in outer.orelse
            if isinstance(outer, ast.FunctionDef) and isinstance(place, ast.stmt):
                yield from ((ended, False) for ended in reversed(_ends(outer, place)))
                call = next((call for call, known in self.program.entered.items() if known is outer), None)
                place = outer if call is None else call
            else:
                place = outer

    def _traced(self, unit: Unit, updates: Sequence[Minimize | Apply]) -> list[str]:
        """The lines that trace functions first, so that every variable there is in TF1 is there."""
        wanted: set[int | Minimize | Apply] = {
            other.index
            for other in self.program.units[: unit.index]
            if other.creates and self.program.graph_of(other.index) == self._graph(unit)
        }
        wanted |= set(updates)
        found: list[str] = []
        late: set[int | Minimize | Apply] = set()
        beside: set[int | Minimize | Apply] = set()
        for function in sorted(self.functions, key=_first_step):
            steps = [update for update in function.updates if isinstance(update, Minimize | Apply)]
            if steps != sorted(steps, key=_place):
                what = "several training steps run at once, not in the order in which TF1 named their variables"
                raise Refused(unit.node, what, "run them in the order in which they are built")
            made = {*steps, *(other.index for other in (*function.taped, *function.rest) if other.creates)}
            if self._choices_apart(function.anchor, unit):
                # What is there in any case is for functions to make that are.
                beside |= made
                made = {item for item in made if self._choices_apart(_place(item), unit)}
            if made & wanted:
                home = self.program.home_of(function.anchor)
                owner, here = self.program.owner_of(home), home is self.program.home_of(unit.index)
                # An object has its functions once the method is at its end that makes them; they are local names there.
                inside = owner is not None and not here and home in self.program.homes_around(unit.index)
                if function.anchor > unit.index or inside:
                    late |= made
                    continue
                test = self._condition(function.anchor, unit)
                wanted -= made
                name = self.names[function.key]
                name = name if owner is None or here else self.reach(function.anchor, f"self.{name}", unit)
                tracing = f"{name}.get_concrete_function()"
                found += [f"if {test}:", f"    {tracing}"] if test else [tracing]
        if wanted & late:
            raise Refused(unit.node, "the Saver is made before the functions that make variables", "make it last")
        if wanted & beside:
            what = "the Saver saves variables that only the runs behind a condition use"
            raise Refused(unit.node, what, "run something else of them as well, or save what the condition is about")
        if wanted:
            raise Refused(unit.node, "the Saver saves variables of layers that no run uses", "drop these layers")
        return found


def _list(pieces: Iterable[str]) -> str:
    return f"[{', '.join(piece for piece in pieces if piece)}]"


def _place(made: int | Minimize | Apply) -> int:
    """The unit that a training step is made by, or any other thing of which only the unit is known."""
    return made if isinstance(made, int) else made.unit


def _ends(function: ast.FunctionDef, place: ast.stmt) -> list[ast.If]:
    """The conditions on which a function returns before it comes to a statement."""
    found = []
    for before in function.body[: function.body.index(place)]:
        returns = [inner for inner in ast.walk(before) if isinstance(inner, ast.Return)]
        if not returns:
            continue
        if not isinstance(before, ast.If) or before.orelse or before.body[-1:] != returns:
            raise Refused(returns[0], "a Saver saves what a function makes that may return before", "return at its end")
        found.append(before)
    return found


def _first_step(function: Function) -> tuple[bool, int]:
    """Functions in the order in which the steps in them were built: the optimizers' variables are numbered so."""
    steps = [update.unit for update in function.updates if isinstance(update, Minimize | Apply)]
    return not steps, min(steps, default=function.anchor)
