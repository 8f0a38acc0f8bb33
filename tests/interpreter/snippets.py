"""Executes a snippet as a script, over abstract values."""

from __future__ import annotations

from dataclasses import dataclass

from tf_migrate.files.source import read
from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.interpreter.values import Const, Frame, options
from tf_migrate.names.exports import Index
from tf_migrate.names.summary import summarize
from tf_migrate.syntax.module import Module, load
from tf_migrate.syntax.outline import outline
from tf_migrate.trace.execution import Machine


class _OneModule(Index):
    """The index of a tree of one module, which it has read."""

    def __init__(self, module: Module) -> None:
        bare = Index([(module.name, False)], {})
        exports = summarize(outline(module.source), bare, "compat")
        super().__init__([(module.name, False)], {exports.module: exports})
        self._module = module

    def tree(self, name: str) -> Module | None:
        return self._module if name == self._module.name else None


@dataclass(frozen=True)
class Known:
    """What is known behind a snippet."""

    frame: Frame
    recorder: Recorder

    def constants(self, name: str) -> set[object]:
        """The constants that a name may mean; None stands for what is no constant."""
        found = options(self.frame.slots[name])
        return {value.value if isinstance(value, Const) else None for value in found}

    @property
    def problems(self) -> set[str]:
        """The codes of what stands in the way."""
        return {problem.code for problem in self.recorder.problems}


def after(snippet: str, statements: int | None = None) -> Known:
    """Executes a snippet; of so many statements where that is said."""
    module = load(read("main.py", snippet.encode()))
    recorder = Recorder()
    machine = Machine(_OneModule(module), recorder, "compat")
    if statements is not None:
        machine.give(statements)
    frame = machine.run_script("main")
    assert frame is not None
    return Known(frame, recorder)
