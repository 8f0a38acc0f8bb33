"""The runs themselves: each becomes a call of its function, or a plain expression, that gives NumPy values."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tf_migrate.changes.edits import Edit
from tf_migrate.native.inputs import Inputs
from tf_migrate.native.layout import call_text, joined, operand
from tf_migrate.native.monitored import MonitorWriter
from tf_migrate.native.objects import prefix
from tf_migrate.plan import Call, Function
from tf_migrate.stages.elements import taken_by
from tf_migrate.stages.feeds import label
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.runs import Feed, Fetch, Leaf, Mapping
from tf_migrate.stages.values import Binding, Refused, Stage, flatten
from tf_migrate.syntax.arguments import argument

_NONE = "None"


@dataclass(frozen=True)
class CallWriter:
    """Writes what takes the place of runs; `render` gives the text of a span with the edits inside it made."""

    program: Program
    tf: str
    compat: str
    names: dict[object, str]
    render: Callable[[int, int], str]
    renamed: dict[str, str]
    inputs: Inputs
    monitor: MonitorWriter | None = None
    fed: dict[int, str] = field(default_factory=dict)
    """The parameters that hold what is fed in the place of tensors which are computed as well."""
    given: dict[ast.Call, str] = field(default_factory=dict)
    """What functions call in the place of runs of tensors which they are given."""

    def edit(self, call: Call) -> Edit:
        """The edit that replaces one run, or the whole statement that unpacks its results."""
        source, run = self.program.module.source, call.run
        if run.freezes:
            return Edit(*source.span(run.site.node), self._frozen(call), encloses=True)
        if run.start is not None and call.function is not None:
            name = self.inputs.names[run.start.iteration]
            text = f"{name} = iter({self._call(call, call.function)})"
            return Edit(*source.span(run.statement), text, encloses=True)
        if call.element is not None:
            return Edit(*source.span(run.site.node), self._element(call, call.element), encloses=True)
        if self.monitor is not None and self.monitor.is_passed(call) and call.function is not None:
            text = self.monitor.passed(call, self._call(call, call.function))
            return Edit(*source.span(run.statement), text, encloses=True)
        if call.kept is not None or call.watched:
            return Edit(*source.span(run.statement), self._unpacked(call), encloses=True)
        function = call.function
        if function is None and call.dropped and not isinstance(run.fetches, Leaf | Mapping):
            return Edit(*source.span(run.statement), self._one_by_one(call), encloses=True)
        taken = None if function is None else self._only_one_taken(call, function)
        if taken is not None and function is not None:
            return Edit(*source.span(taken), f"{self._call(call, function)}.numpy()", encloses=True)
        text = self._eager(run.fetches, call.dropped) if function is None else self._called(call, function)
        text = f"int({text})" if run.site.counts else text
        if text == _NONE and isinstance(run.statement, ast.Expr) and run.statement.value is run.site.node:
            text = "pass"
        return Edit(*source.span(run.site.node), text, encloses=True)

    def _frozen(self, call: Call) -> str:
        """A graph of constants in the place of what the session computed."""
        if call.function is None:
            raise Refused(call.run.site.node, "what is frozen needs nothing that is fed", "freeze what does")
        before = prefix(self.program, call.function, self.program.module.function_of(call.run.site.node))
        names = ", ".join(f'"{name}"' for name, _ in call.run.freezes)
        return f"{self.compat}.freeze({before}{self.names[call.function.key]}, [{names}])"

    def _node(self, node: ast.expr) -> str:
        return self.render(*self.program.module.source.span(node))

    def _called(self, call: Call, function: Function) -> str:
        text = self._call(call, function)
        if call.dropped or function.form == "none":
            return text
        fetches = call.run.fetches
        if function.form == "nested":
            return self._nested(text, nones=any(leaf.is_dropped for leaf in function.results))
        if isinstance(fetches, Leaf):
            return f"{text}.numpy()"
        if isinstance(fetches, Mapping):
            return f"{{key: value.numpy() for key, value in {text}.items()}}"
        is_tuple = isinstance(fetches.node, ast.Tuple)
        if len(function.results) < len(call.run.leaves):
            return self._with_nones(call, function, text, is_tuple=is_tuple)
        if function.form == "single":
            return f"({text}.numpy(),)" if is_tuple else f"[{text}.numpy()]"
        return f"tuple(value.numpy() for value in {text})" if is_tuple else f"[value.numpy() for value in {text}]"

    def _only_one_taken(self, call: Call, function: Function) -> ast.Subscript | None:
        """What takes the only result out of the list of a run: `sess.run([loss, step])[0]`."""
        site, leaves = call.run.site, call.run.leaves
        around = self.program.module.parents[site.node]
        if function.form != "single" or isinstance(call.run.fetches, Leaf | Mapping) or call.dropped or site.counts:
            return None
        if not isinstance(around, ast.Subscript) or around.value is not site.node:
            return None
        index = around.slice.value if isinstance(around.slice, ast.Constant) else None
        taken = type(index) is int and index < len(leaves) and not leaves[index].is_dropped
        return around if taken else None

    def _with_nones(self, call: Call, function: Function, text: str, *, is_tuple: bool) -> str:
        """The list of a run's results, with None where an operation was fetched."""
        leaves, count = call.run.leaves, len(function.results)
        first = next(index for index, leaf in enumerate(leaves) if not leaf.is_dropped)
        values = f"{text}.numpy()" if count == 1 else f"*(value.numpy() for value in {text})"
        items = ["None"] * first + [values] + ["None"] * (len(leaves) - first - count)
        return f"({', '.join(items)})" if is_tuple else f"[{', '.join(items)}]"

    def _nested(self, text: str, *, nones: bool = False) -> str:
        value = "None if value is None else value.numpy()" if nones else "value.numpy()"
        return f"{self.tf}.nest.map_structure(lambda value: {value}, {text})"

    def _unpacked(self, call: Call) -> str:
        run = call.run
        names = []
        if isinstance(run.statement, ast.Assign):
            target = run.statement.targets[0]
            assert call.kept is not None and isinstance(target, ast.Tuple | ast.List)
            names = [self._node(target.elts[index]) for index in call.kept]
        if self.monitor is not None:
            names += map(self.monitor.name, call.watched)
        targets = ", ".join(names)
        if call.function is None:
            leaves = [run.leaves[index] for index in call.kept or ()]
            values = ", ".join(self._value(leaf, dropped=False) for leaf in leaves)
            return f"{targets} = {values}" if targets else "pass"
        text = self._call(call, call.function)
        if not names:
            return text
        if any(leaf.value.parts is not None or leaf.value.several for leaf in call.function.results):
            return f"{targets} = {self._nested(text)}"
        if len(names) == 1:
            return f"{targets} = {text}.numpy()"
        return f"{targets} = (value.numpy() for value in {text})"

    def _element(self, call: Call, unit: Unit) -> str:
        """The next element itself, as NumPy values."""
        fetches, site = call.run.fetches, call.run.site.node
        plain = not any(part.several for part in flatten([unit.value]))
        taken = self._taken(unit, site)
        value = f"{taken}.numpy()" if plain and len(unit.binds) == 1 else self._nested(taken)
        if isinstance(fetches, Leaf):
            return value
        is_tuple = isinstance(fetches.node, ast.Tuple)
        if len(unit.binds) == 1:
            return f"({value},)" if is_tuple else f"[{value}]"
        statement = call.run.statement
        target = statement.targets[0] if isinstance(statement, ast.Assign) and statement.value is site else None
        unpacked = isinstance(target, ast.Tuple | ast.List)
        if plain:
            each = f"value.numpy() for value in {taken}"
            return f"({each})" if unpacked else f"tuple({each})" if is_tuple else f"[{each}]"
        return value if unpacked or is_tuple else f"list({value})"

    def _taken(self, unit: Unit, site: ast.Call) -> str:
        """The next element; in a loop over the elements, what the loop calls it."""
        if site not in self.inputs.loops:
            return self.inputs.taken(unit, site)
        names = self.inputs.names_in_loop(unit, self.renamed)
        return names[0] if len(names) == 1 else f"({', '.join(names)})"

    def _elements(self, call: Call, function: Function) -> Iterator[str]:
        """The arguments that are elements, which a run takes behind all that it is fed."""
        site = call.run.site.node
        for unit in taken_by(call.run, function.parameters):
            if site in self.inputs.loops:
                yield from self.inputs.names_in_loop(unit, self.renamed)
            else:
                yield f"{'*' if len(unit.binds) > 1 else ''}{self.inputs.taken(unit, site)}"

    def _call(self, call: Call, function: Function) -> str:
        names = [(unit.index, name) for unit in function.parameters for name in unit.binds]
        wanted = [unit.index for unit in function.parameters]
        feeds = [feed for feed in call.run.feeds if feed.placeholder.unit in wanted]
        feeds += self._defaults(function, feeds)
        elements = list(self._elements(call, function))
        for feed in call.run.feeds:
            if feed not in feeds and feed.calls:
                raise Refused(feed.value, "a value is computed for a tensor that the run does not need", "drop it")
        ordered = sorted(feeds, key=lambda feed: names.index((feed.placeholder.unit, self._own_name(feed))))
        in_order = feeds == ordered or sum(feed.calls for feed in feeds) <= 1
        if in_order:
            arguments = [self._fed(feed) for feed in ordered]
        else:
            if elements:
                step = "feed in the order in which the placeholders are made"
                raise Refused(
                    call.run.site.node, "values are computed for several placeholders, in another order", step
                )
            crossed = {unit.index for unit in function.crossed}
            local = [
                self.fed[feed.placeholder.unit]
                if feed.placeholder.unit in crossed
                else self.renamed.get(self._own_name(feed), self._own_name(feed))
                for feed in feeds
            ]
            arguments = [f"{name}={self._fed(feed)}" for name, feed in zip(local, feeds, strict=True)]
        return self._laid_out(call, self._name(call.run.site.node, function), [*arguments, *elements])

    def _name(self, site: ast.Call, function: Function) -> str:
        """The name by which the code around a run knows the function that replaces it."""
        if site in self.given:
            return self.given[site]
        return prefix(self.program, function, self.program.module.function_of(site)) + self.names[function.key]

    def _laid_out(self, call: Call, name: str, arguments: Sequence[str]) -> str:
        """A call on one line; over several, as the run was, where it would be too long."""
        site = call.run.site.node
        return call_text(name, arguments, call.run.statement.col_offset, whole=site.end_lineno == site.lineno)

    def _own_name(self, feed: Feed) -> str:
        """The name that the unit of a fed tensor binds: its placeholder, or one part of an element."""
        unit = self.program.units[feed.placeholder.unit]
        return unit.binds[0] if len(unit.binds) == 1 else feed.name

    def _defaults(self, function: Function, feeds: Sequence[Feed]) -> Iterator[Feed]:
        """What placeholders that are not fed hold."""
        given = {feed.placeholder.unit for feed in feeds}
        for unit in function.parameters:
            if unit.index not in given and unit.value.default is not None:
                yield Feed(Binding(unit.value, unit.index, 0), unit.binds[0], unit.value.default)

    def _fed(self, feed: Feed) -> str:
        return self._argument(feed.value) if feed.held is None else f'{self._node(feed.held)}["{feed.key}"]'

    def _argument(self, node: ast.expr) -> str:
        text = joined(self._node(node))
        if any(unit.value.default is node and isinstance(node, ast.Name) for unit in self.program.units):
            return f"{text}.read_value()"
        return f"({text})" if isinstance(node, ast.GeneratorExp) else text

    def _one_by_one(self, call: Call) -> str:
        """The assignments of a run whose results nothing reads: statements of their own."""
        texts = [self._value(leaf, dropped=True) for leaf in call.run.leaves]
        indent = " " * call.run.statement.col_offset
        return f"\n{indent}".join(text for text in texts if text != _NONE) or "pass"

    def _eager(self, fetch: Fetch, dropped: bool) -> str:
        if isinstance(fetch, Leaf):
            return self._value(fetch, dropped)
        items = [self._eager(item, dropped) for item in fetch.items]
        if isinstance(fetch, Mapping):
            keys = [self._node(key) for key in fetch.node.keys if key is not None]
            return "{" + ", ".join(f"{key}: {item}" for key, item in zip(keys, items, strict=True)) + "}"
        if isinstance(fetch.node, ast.Tuple):
            return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        return f"[{', '.join(items)}]"

    def _value(self, leaf: Leaf, dropped: bool) -> str:
        if leaf.is_dropped and not leaf.value.updates:
            return _NONE
        text = self._assignment(leaf) if leaf.value.stage is Stage.EFFECT else self._node(leaf.given or leaf.node)
        if dropped:
            return text
        if leaf.value.several or leaf.value.parts is not None:
            return self._nested(text)
        return f"{operand(text)}.numpy()"

    def _assignment(self, leaf: Leaf) -> str:
        call = leaf.node
        if not isinstance(call, ast.Call):
            raise Refused(call, "several updates are built in the run itself", "run them by themselves")
        symbol = self.program.names.resolve(call.func)
        if symbol is None:
            return self._node(call)
        target, value = argument(call, "ref", 0), argument(call, "value", 1)
        assert target is not None and value is not None
        return f"{operand(self._node(target))}.{symbol.rpartition('.')[2]}({self._node(value)})"


def feed_edits(program: Program) -> Iterator[Edit]:
    """Gives the feed dictionaries that stay the names of their placeholders for keys."""
    for key in (key for made in program.staying for key in made.keys if key is not None):
        yield Edit(*program.module.source.span(key), f'"{label(key)}"', encloses=True)
