"""Nodes of a program by their text, so that a plan can be written by hand, and what the emission makes of it."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from pathlib import Path

from tf_migrate.changes.application import changes_of, context_of, text_of
from tf_migrate.files.source import read
from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Index
from tf_migrate.names.summary import summarize
from tf_migrate.options import Options
from tf_migrate.report.model import Finding
from tf_migrate.steps.emission import changes_of_plan
from tf_migrate.steps.plan import ModulePlan
from tf_migrate.syntax.module import Module, load, module_name
from tf_migrate.syntax.outline import outline


class Nodes:
    """Finds what a plan is about: the first node, or the one of a number, whose text begins in a certain way."""

    def __init__(self, module: Module) -> None:
        self.module = module

    def _nodes(self, kind: type | tuple[type, ...], text: str) -> list[ast.AST]:
        source = self.module.source
        found = [node for node in ast.walk(self.module.tree) if isinstance(node, kind)]
        found = [node for node in found if hasattr(node, "lineno") and source.segment(node).startswith(text)]
        assert found, f"{text!r} is not in the program"
        return sorted(found, key=lambda node: (source.start(node), source.end(node)))

    def statement(self, text: str, number: int = 0) -> ast.stmt:
        """A statement that begins with a text."""
        return self._nodes(ast.stmt, text)[number]  # type: ignore[return-value]

    def function(self, name: str) -> ast.FunctionDef:
        """A function by its name."""
        found = [node for node in ast.walk(self.module.tree) if isinstance(node, ast.FunctionDef) and node.name == name]
        return found[0]

    def block(self, text: str) -> ast.With:
        """A `with` that begins with a text."""
        return self._nodes(ast.With, text)[0]  # type: ignore[return-value]

    def expression(self, text: str, number: int = 0) -> ast.expr:
        """An expression of exactly this text."""
        source = self.module.source
        found = [node for node in self._nodes(ast.expr, text) if source.segment(node) == text]  # type: ignore[arg-type]
        assert found, f"{text!r} is no expression of the program"
        return found[number]  # type: ignore[return-value]

    def call(self, text: str, number: int = 0) -> ast.Call:
        """A call of exactly this text, or one that begins with it."""
        found = self._nodes(ast.Call, text)
        return found[number]  # type: ignore[return-value]

    def parameter(self, function: str, name: str) -> ast.arg:
        """A parameter of a function."""
        arguments = self.function(function).args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        return next(argument for argument in every if argument.arg == name)


Planned = Callable[[Nodes, ModulePlan], None]


def emission(code: str, planned: Planned, path: str = "train.py") -> tuple[str, list[Finding]]:
    """The text that a plan gives, and the findings; the program and its result parse."""
    source = read(path, textwrap.dedent(code).encode())
    options = Options(paths=(Path("."),))
    modules = [module_name(path)]
    bare = Index([(name, False) for name, _ in modules], {})
    exports = summarize(outline(source), bare, options.compat_module)
    index = Index([(name, False) for name, _ in modules], {exports.module: exports})
    module = load(source)
    context = context_of(Names(module, index, options.compat_module))
    found, _ = changes_of(context, options)
    plan = ModulePlan()
    planned(Nodes(module), plan)
    changes = changes_of_plan(context, plan, found)
    text = text_of(context, changes)
    ast.parse(text)
    return source.encode(text).decode(), [change.finding for change in changes if change.finding is not None]


def emitted(code: str, planned: Planned, path: str = "train.py") -> str:
    """The text that a plan gives."""
    return emission(code, planned, path)[0]
