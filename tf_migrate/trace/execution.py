"""One execution of a program: from its script to the end, over abstract values."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tf_migrate.interpreter.core import Exhausted
from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.interpreter.values import Frame
from tf_migrate.names.exports import Index
from tf_migrate.semantics.graph_values import GraphValues

_RECURSION_LIMIT = 20_000


class Machine(GraphValues):
    """Executes one entry of a tree and keeps in a recorder what it showed."""

    def __init__(self, index: Index, recorder: Recorder, compat_module: str) -> None:
        super().__init__(index, recorder, compat_module)
        self.early = {}
        self._handed = set()
        self._owners = {}
        self.function_attributes = {}
        self.setters = {}
        self.made_sessions = []

    def run_script(self, name: str) -> Frame | None:
        """Executes a module as the script of a program; what the budget does not reach is a problem of the program."""
        self.script = name
        with _deep():
            try:
                return self.load_module(name)
            except (Exhausted, RecursionError):
                self.stack = self.stack or list(self.modules.values())[:1]
                module = self.modules[name].module if name in self.modules else None
                if module is not None:
                    self.recorder.problem(
                        "budget", module, module.tree, "the program is too long to be followed", "split it into scripts"
                    )
                return None


@contextmanager
def _deep() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
