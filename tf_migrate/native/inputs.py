"""Iterators as Python's: `iter(dataset)` where one begins, `next(iterator)` where a run took an element.

`next` ends with StopIteration where TF1 raised OutOfRangeError. Where a script may catch either, the iterator's own
`get_next()` stands in its place, which raises what TF1 did.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from tf_migrate.changes.edits import Edit
from tf_migrate.native.layout import joined
from tf_migrate.native.loops import Loop, find_loops, loop_edit, may_catch
from tf_migrate.native.naming import Namer
from tf_migrate.native.queues import Queues
from tf_migrate.plan import Call, Function, Plan
from tf_migrate.planning.batches import is_identity
from tf_migrate.stages.elements import taken_by
from tf_migrate.stages.input_functions import targets_of
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.values import Iteration, Refused, Stage, Start

Plain = Callable[[str, Function], str]
"""Writes the function of a name that a dataset applies to its elements."""
Render = Callable[[int, int], str]


@dataclass(frozen=True)
class Inputs:
    """The iterators of a script: the names by which code finds them, and whose elements theirs are like.

    `makers` make datasets of what is fed; `functions` are the names of functions.
    """

    program: Program
    names: dict[Iteration, str]
    datasets: dict[Iteration, str]
    makers: Mapping[Iteration, Function]
    functions: Mapping[object, str]
    sources: Queues
    loops: Mapping[ast.Call, Loop] = field(default_factory=dict)
    variables: Mapping[tuple[int, str], str] = field(default_factory=dict)
    """Names of parts of elements in loops, where their own mean something else besides."""

    def taken(self, unit: Unit, site: ast.Call) -> str:
        """An expression for the next element, where a run stood."""
        assert unit.value.iteration is not None
        name = self.names[unit.value.iteration]
        return f"{name}.get_next()" if may_catch(self.program, site, self.loops) else f"next({name})"

    def names_in_loop(self, unit: Unit, renamed: Mapping[str, str]) -> list[str]:
        """What a loop over the elements calls their parts."""
        return [self.variables.get((unit.index, name), renamed.get(name, name)) for name in unit.binds]

    def spec(self, unit: Unit) -> str:
        """An expression for the types and shapes of an element."""
        assert unit.value.iteration is not None
        iteration = unit.value.iteration
        if iteration in self.makers:
            name = self.functions[self.makers[iteration].key]
            return f"{name}.get_concrete_function().structured_outputs.element_spec"
        return f"{(self.names if iteration.is_shown else self.datasets)[iteration]}.element_spec"

    def queues(self, plain: Plain, plan: Plan, render: Render, made: dict[int, list[str]], gap: int) -> None:
        """The lines that make the datasets of queues, and the functions of these, go to the units in `made`."""
        units = {unit.value.iteration: unit for unit in self.program.units if unit.value.iteration is not None}
        taken = {function.parameters[0].value.iteration for function in plan.parsers.values()}
        for iteration, unit in units.items():
            queue = None if iteration is None else iteration.queue
            if iteration is None or queue is None or iteration in taken:
                continue
            if iteration not in plan.parsers:
                line = f"{self.names[iteration]} = iter({self.sources.source(unit, render)}.prefetch(1))\n"
                made.setdefault(unit.index, []).append(line)
                continue
            function = plan.parsers[iteration]
            source, parser, text = self.sources.source(function.parameters[0], render), None, ""
            if not is_identity(function):
                parser = self.sources.namer.fresh("parse", "parse_example")
                text = plain(parser, function) + "\n" * gap
            lines = self.sources.batches(iteration, source, parser, render)
            made.setdefault(unit.index, []).append(f"{text}{lines}")

    def edits(self, render: Render, made: dict[int, list[str]]) -> Iterator[Edit]:
        """The edits that make and begin the iterators; lines that are new go to the units in `made`."""
        source = self.program.module.source
        yield from self.sources.files(render)
        yield from (Edit(*source.span(stop), "True", encloses=True) for stop in self.program.stops)
        yield from self._handed_on()
        for unit in self.program.units:
            iteration = unit.value.iteration
            if iteration is None or iteration.dataset is None or not _makes(unit, iteration):
                continue
            dataset = joined(render(*source.span(iteration.dataset)))
            if iteration.is_shown and unit.value.stage is Stage.ITERATOR:
                yield Edit(*source.span(iteration.call), f"iter({dataset})", encloses=True)
            elif iteration.is_shown:
                made.setdefault(unit.index, []).append(f"{self.names[iteration]} = iter({dataset})\n")
            elif not iteration.pipeline.fed and self.datasets[iteration] != dataset:
                made.setdefault(unit.index, []).append(f"{self.datasets[iteration]} = {dataset}\n")
        for begun in self.program.begun:
            if begun.starts[0].pipeline.fed:
                continue
            lines = [f"{self.names[start.iteration]} = iter({self._dataset(start)})" for start in begun.starts]
            text = ("\n" + " " * begun.statement.col_offset).join(lines)
            yield Edit(*source.span(begun.statement), text, encloses=True)

    def _handed_on(self) -> Iterator[Edit]:
        """The functions that read the input: they return the iterator."""
        source = self.program.module.source
        for statement, iteration in self.program.inputs.items():
            if isinstance(statement, ast.Assign):
                yield Edit(*source.span(statement.targets[0]), self.names[iteration], encloses=True)
            elif isinstance(statement, ast.Return) and statement.value is not None:
                yield Edit(*source.span(statement.value), self.names[iteration], encloses=True)

    def loop_edits(self, render: Render, renamed: Mapping[str, str]) -> Iterator[Edit]:
        """The loops, once all else in them is written; inner ones first."""
        for loop in sorted(self.loops.values(), key=lambda loop: -loop.node.lineno):
            assert loop.unit.value.iteration is not None
            variables = ", ".join(self.names_in_loop(loop.unit, renamed))
            header = f"for {variables} in {self.names[loop.unit.value.iteration]}:"
            yield loop_edit(self.program.module.source, loop, header, render)

    def _dataset(self, start: Start) -> str:
        own = start.iteration.kind == "initializable" or not isinstance(start.dataset, ast.Name)
        return self.datasets[start.iteration] if own else ast.unparse(start.dataset)


def inputs_of(plan: Plan, program: Program, tf: str, functions: Mapping[object, str], namer: Namer) -> Inputs:
    """Finds the iterators, names those that have no name, and the loops that end with them."""
    names: dict[Iteration, str] = {}
    taken = {function.parameters[0].value.iteration for function in plan.parsers.values()}
    datasets: dict[Iteration, str] = {}
    function_of = program.module.function_of
    begun = [(start.iteration, item.statement) for item in program.begun for start in item.starts]
    apart = {known for known, statement in begun if function_of(statement) is not function_of(known.call)}
    for unit in program.units:
        iteration = unit.value.iteration
        if iteration is not None and iteration.queue is not None and iteration not in taken:
            names[iteration] = namer.fresh("iterator", f"{unit.binds[0]}_iterator")
        if iteration is None or iteration.dataset is None or not _makes(unit, iteration):
            continue
        target = unit.node.targets[0] if isinstance(unit.node, ast.Assign) else None
        named = unit.value.stage is Stage.ITERATOR and target is not None
        own = f"{unit.binds[0]}_iterator" if len(unit.binds) == 1 else "elements"
        names[iteration] = ast.unparse(target) if named and target is not None else namer.fresh("iterator", own)
        if iteration.pipeline.fed:
            continue
        if iteration in apart:
            datasets[iteration] = f"self.{namer.fresh('dataset')}"
            continue
        if not isinstance(iteration.dataset, ast.Name):
            datasets[iteration] = namer.fresh("dataset") if not iteration.is_shown else ""
            continue
        datasets[iteration] = word = iteration.dataset.id
        made = iteration.made
        if not iteration.is_shown and (
            made is None or program.current(word, made, program.final_of(unit.index)) is not made
        ):
            raise Refused(iteration.call, f"`{word}` is bound again", "give each dataset a name of its own")
    taking = {call.run.site.node: tuple(_taken(call)) for call in plan.calls}
    # The end of the data ends a monitored session, whatever loop is in it.
    ending = program.monitor is None
    loops = find_loops(program, {site: units for site, units in taking.items() if units}) if ending else {}
    variables = {}
    for loop in loops.values():
        assert isinstance(loop.unit.node, ast.Assign) and loop.unit.value.iteration is not None
        given = program.input_of(loop.unit.value.iteration)
        names_bound = ast.walk((given or loop.unit.node).targets[0])
        scope = program.module.scope_of(next(node for node in names_bound if isinstance(node, ast.Name)))
        bound = {*loop.unit.binds} if given is None else {target.id for target in targets_of(given)}
        for name in loop.unit.binds:
            if "." not in name and len(scope.bindings.get(name, ())) != (name in bound):
                variables[loop.unit.index, name] = namer.fresh(f"next_{name}")
    return Inputs(program, names, datasets, plan.makers, functions, Queues(program, tf, names, namer), loops, variables)


def _taken(call: Call) -> tuple[Unit, ...]:
    parameters = () if call.function is None else call.function.parameters
    return taken_by(call.run, parameters) if call.element is None else (call.element,)


def _makes(unit: Unit, iteration: Iteration) -> bool:
    return iteration.call in ast.walk(unit.node)
