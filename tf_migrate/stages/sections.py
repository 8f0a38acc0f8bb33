"""The sections of a script: `tf.reset_default_graph()` ends the graph of one, and begins that of the next."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tf_migrate.names.building import main_guard
from tf_migrate.names.canonical import Names
from tf_migrate.stages.graph_seeds import resetting
from tf_migrate.stages.uses import bound_by_text
from tf_migrate.syntax.module import Module


@dataclass(frozen=True)
class Section:
    """The statements of the module's top level that stand between two that throw the default graph away."""

    statements: tuple[ast.stmt, ...]

    def has_line(self, line: int) -> bool:
        """Whether a line of the module is one of its own."""
        return self.statements[0].lineno <= line <= (self.statements[-1].end_lineno or 0)

    def holds(self, node: ast.expr | ast.stmt) -> bool:
        """Whether a node stands in one of the statements."""
        return self.has_line(node.lineno)

    @property
    def definitions(self) -> Iterator[tuple[ast.stmt, str]]:
        """The functions and classes that it defines for all sections, with their names."""
        for node in self.statements:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield node, node.name
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                yield from ((node, target.id) for target in node.targets if isinstance(target, ast.Name))

    def reached(self, module: Module) -> tuple[ast.stmt, ...]:
        """Its statements, and those of the module that define what these name: functions, classes, and lists of such.

        What other sections build is none of it.
        """
        whole = Section(tuple(module.tree.body))
        known: dict[str, list[ast.stmt]] = {}
        for node, name in whole.definitions:
            known.setdefault(name, []).append(node)
        for node in whole.statements:
            if isinstance(node, ast.Assign) and _only_names(node.value):
                for name in _names_in(*node.targets):
                    known.setdefault(name, []).append(node)
        found = dict.fromkeys(self.statements)
        pending = list(found)
        while pending:
            used = (node for word in _names_in(pending.pop()) for node in known.get(word, ()))
            new = dict.fromkeys(node for node in used if node not in found)
            found.update(new)
            pending += new
        return tuple(found)


def sections_of(module: Module, names: Names) -> tuple[Section, ...]:
    """The sections of a script that builds several graphs one behind the other; empty for any other module."""
    body = module.tree.body
    if any(main_guard(node) is not None for node in body) or _is_unclear(module, names):
        return ()
    starts = [index for index, node in enumerate(body) if isinstance(node, ast.Expr) and resetting(module, names, node)]
    shared = any(index and body[index - 1].end_lineno == body[index].lineno for index in starts)
    if not starts or shared:
        return ()
    return tuple(_between(body, [0, *starts, len(body)]))


def _is_unclear(module: Module, names: Names) -> bool:
    """Whether a graph may stay the default one behind its section, or a text may use what a section builds."""
    lasting = (call for call in module.calls if names.resolve(call.func) == "tf.InteractiveSession")
    given = any(len(call.args) > 1 or any(word.arg in ("graph", None) for word in call.keywords) for call in lasting)
    entered = any(word in module.attributes for word in ("__enter__", "enter_context"))
    return given or entered or bound_by_text(module) is not None


def _between(body: list[ast.stmt], bounds: list[int]) -> Iterator[Section]:
    for start, end in pairwise(bounds):
        if start < end:
            yield Section(tuple(body[start:end]))


def _only_names(value: ast.expr) -> bool:
    """Whether an expression calls nothing, but for `partial`: what it gives holds what it names."""
    called = (inner.func for inner in ast.walk(value) if isinstance(inner, ast.Call))
    return all(ast.unparse(function).endswith("partial") for function in called)


def _names_in(*nodes: ast.AST) -> set[str]:
    return {inner.id for node in nodes for inner in ast.walk(node) if isinstance(inner, ast.Name)}
