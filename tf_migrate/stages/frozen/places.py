"""Where the statements of a program that runs a frozen graph stand: how often they run, and in which graph."""

from __future__ import annotations

import ast
import itertools
from typing import TypeAlias

from tf_migrate.names.building import main_guard
from tf_migrate.stages.frozen.reading import Reader
from tf_migrate.stages.frozen.values import FrozenRun, Graph

Home: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None
LEFT = "keep what loads the frozen graph apart from the rest"
ONCE = "import it where the program provably comes by once, or into a `tf.Graph()` of its own"


class Places:
    """What is asked of the places of a module; `home` is the function that imports the graph."""

    def __init__(self, reader: Reader, runs: list[FrozenRun]) -> None:
        self.reader = reader
        self.module = reader.module
        self.runs = runs
        self.home = self.home_of(reader.imported.statement)

    def home_of(self, node: ast.AST) -> Home:
        """The function that a node stands in, None for the module's own statements."""
        return self.module.function_of(node)

    def homes(self) -> set[Home]:
        """The functions that make sessions which run something."""
        return {self.home_of(run.session) for run in self.runs}

    def is_entered(self, item: ast.withitem) -> bool:
        """Whether a context makes the graph, or a session of it, the default one."""
        return opened(item) is not None and self.reader.value(opened(item)) is not None

    def repeats(self, node: ast.stmt) -> bool:
        """Whether a statement may run more than once when its function is called, or its module is run."""
        home = self.home_of(node)
        inside = itertools.takewhile(lambda place: place is not home, self.module.around(node))
        return any(isinstance(place, ast.For | ast.AsyncFor | ast.While) for place in inside)

    def is_straight(self, node: ast.stmt) -> bool:
        """Whether a statement runs exactly once when its function is called, or its module is run."""
        for place in self.module.around(node):
            if place is self.home_of(node):
                return True
            if isinstance(place, ast.With | ast.Module | ast.ClassDef):
                continue
            guard = main_guard(place) if isinstance(place, ast.stmt) else None
            if guard is None or guard.orelse:
                return False
        return True

    def graph_around(self, node: ast.AST) -> ast.expr | None:
        """What the block around a node makes the default graph, in its own function."""
        for place in self.module.around(node):
            if place is self.home_of(node):
                return None
            for item in reversed(place.items) if isinstance(place, ast.With) else ():
                value = self.reader.value(item.context_expr)
                if isinstance(value, Graph) and value.named and node not in ast.walk(item):
                    return item.context_expr
        return None


def opened(item: ast.withitem) -> ast.expr | None:
    """What a context of `….as_default()` makes the default one."""
    call = item.context_expr
    opens = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "as_default"
    return call.func.value if opens and isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
