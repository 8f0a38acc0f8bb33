"""Monitored sessions as loops over functions: what the session did around its runs is left to `TrainingLoop`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tf_migrate.changes.edits import Edit, render
from tf_migrate.native.layout import call_text, is_alone
from tf_migrate.native.naming import Namer
from tf_migrate.native.savers import SaverWriter
from tf_migrate.plan import Call
from tf_migrate.planning.results import name_of_watched
from tf_migrate.stages.monitored import Monitor
from tf_migrate.stages.program import Program
from tf_migrate.stages.runs import Leaf
from tf_migrate.stages.values import Refused, Variable


@dataclass
class MonitorWriter:
    """Writes a monitored session; `names` are those of the values that only its hooks ask for."""

    program: Program
    monitor: Monitor
    compat: str
    namer: Namer
    render: Callable[[int, int], str]
    loop: str = field(init=False)
    names: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._require_seen()
        self.loop = self.namer.fresh("loop", "training_loop")

    def name(self, leaf: Leaf) -> str:
        """What the script calls a value that only hooks ask for."""
        word = _word(leaf)
        if word not in self.names:
            self.names[word] = self.namer.fresh(f"{word}_value")
        return self.names[word]

    def names_given(self) -> list[Edit]:
        """The edits of single names: hooks ask for values by name, and the session is called a loop."""
        source = self.program.module.source
        made = [Edit(*source.span(name), self.loop) for name in self.program.asked]
        target = self.monitor.node.items[0].optional_vars
        assert target is not None
        made.append(Edit(*source.span(target), self.loop))
        watched = [item.node for hook in self.monitor.hooks for item in hook.watched]
        return [*made, *(Edit(*source.span(node), f'"{node.id}"') for node in watched)]

    def edits(self, saver: SaverWriter, listed: Callable[[Sequence[Variable]], str]) -> list[Edit]:
        """The edits that make the loop in the place of the session."""
        source, made = self.program.module.source, []
        everything, traced = saver.everything(self.program.units[self.monitor.unit]) if self.monitor.saves else ("", [])
        savers = [unit for unit in self.program.units[: self.monitor.unit] if self.program.whole & set(unit.savers)]
        if traced and not any(saver.everything(unit)[1] == traced for unit in savers):
            start, indent = source.start(self.monitor.node), " " * self.monitor.node.col_offset
            made.append(Edit(start, start, "".join(f"{line}\n{indent}" for line in traced)))
        made.append(self._made(everything, listed))
        return made

    def is_passed(self, call: Call) -> bool:
        """Whether all that a run gives is one value for hooks: it is passed on as it comes."""
        return call.run.monitored and not call.kept and len(call.watched) == 1

    def passed(self, call: Call, text: str) -> str:
        """The statement that runs `text` and passes on what it gives."""
        return f"{self.loop}.after_run({_word(call.watched[0])}={text})"

    def _require_seen(self) -> None:
        """Refuses a use of the session that the analysis did not meet."""
        runs = {run.site.node.func for run in self.program.runs if run.monitored}
        for load in self.program.module.loads.get(self.monitor.name, ()):
            if load not in self.program.resolved and self.program.module.parents[load] not in runs:
                raise Refused(load, f"`{self.monitor.name}` is used where no run is", "use it in the `with` block")

    def followed(self, call: Call, edit: Edit, edits: Sequence[Edit]) -> Edit:
        """The edit of a run with the line behind it, which tells that it is over; `edits` are those made so far."""
        source, statement = self.program.module.source, call.run.statement
        if not call.run.monitored or self.is_passed(call):
            return edit
        if not is_alone(source, statement):
            raise Refused(statement, "the run shares its line with another statement", "give it a line of its own")
        given = ", ".join(f"{_word(leaf)}={self._given(call, leaf)}" for leaf in call.run.watched)
        start, end = source.span(statement)
        comment = source.text[end:].partition("\n")[0].rstrip("\r")
        line = f"{' ' * statement.col_offset}{self.loop}.after_run({given})"
        text = render(source.text, [*edits, edit], start, end)
        return Edit(start, end + len(comment), f"{text}{comment}\n{line}", encloses=True)

    def _given(self, call: Call, leaf: Leaf) -> str:
        return name_of_watched(self.program, call.run, call.kept, leaf) or self.name(leaf)

    def _made(self, everything: str, listed: Callable[[Sequence[Variable]], str]) -> Edit:
        source, monitor = self.program.module.source, self.monitor
        words = list(self._words(everything, listed))
        head = f"{self.compat}.train.TrainingLoop"
        return Edit(*source.span(monitor.call), call_text(head, words, monitor.node.col_offset), encloses=True)

    def _words(self, everything: str, listed: Callable[[Sequence[Variable]], str]) -> Iterator[str]:
        source = self.program.module.source
        texts: Mapping[str | None, str] = {
            option.arg: self.render(*source.span(option.value)) for option in self.monitor.options
        }
        if "checkpoint_dir" in texts:
            yield f"checkpoint_dir={texts['checkpoint_dir']}"
            yield f"variables={everything}"
        if self.monitor.step is not None:
            yield f"global_step={listed([self.monitor.step])[1:-1]}"
        yield from (f"{name}={text}" for name, text in texts.items() if name != "checkpoint_dir")


def _word(leaf: Leaf) -> str:
    assert isinstance(leaf.node, ast.Name)
    return leaf.node.id
