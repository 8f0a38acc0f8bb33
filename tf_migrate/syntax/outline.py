"""What a module binds at its top level and what it imports, told without looking into its expressions.

That is all that other modules need to know of it, at a fraction of the whole walk's cost.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tf_migrate.files.source import Source, parse
from tf_migrate.syntax.module import load, module_name
from tf_migrate.syntax.walk import Binding, Scope

# These bind top-level names from inside functions or expressions: only the whole walk sees that.
_HIDDEN_BINDING = re.compile(r"\bglobal\b|:=|^\s*match\b", re.MULTILINE)
_BLOCKS = ("body", "orelse", "finalbody")


@dataclass(frozen=True)
class Outline:
    """The top level of one module, and the imports of all of it."""

    name: str
    package: str
    source: Source
    tree: ast.Module
    root: Scope
    imports: tuple[ast.Import | ast.ImportFrom, ...]


def outline(source: Source) -> Outline:
    """Parses a source; raises SourceError where it cannot be parsed."""
    name, package = module_name(source.path)
    if _HIDDEN_BINDING.search(source.text):
        module = load(source)
        return Outline(name, package, source, module.tree, module.root, tuple(node for node, _ in module.imports))
    tree = parse(source)
    root = Scope(tree, None)
    imports = tuple(_imports(tree.body, root))
    return Outline(name, package, source, tree, root, imports)


def _imports(body: list[ast.stmt], root: Scope | None) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports of statements and of those inside; their bindings go to ``root``, where they are at the top level."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            if root is not None:
                _bind_import(node, root)
            yield node
            continue
        inside = root
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = None
            if root is not None:
                root.bindings.setdefault(node.name, []).append(None)
        elif root is not None:
            for name, binding in _bindings(node):
                root.bindings.setdefault(name, []).append(binding)
        for block in _BLOCKS:
            yield from _imports(getattr(node, block, []), inside)
        for handler in getattr(node, "handlers", ()):
            if root is not None and handler.name:
                root.bindings.setdefault(handler.name, []).append(None)
            yield from _imports(handler.body, inside)


def _bind_import(node: ast.Import | ast.ImportFrom, root: Scope) -> None:
    for alias in node.names:
        if isinstance(node, ast.ImportFrom) and alias.name == "*":
            root.stars.append(node)
            continue
        name = alias.name if isinstance(node, ast.ImportFrom) else alias.name.partition(".")[0]
        root.bindings.setdefault(alias.asname or name, []).append((node, alias))


def _bindings(node: ast.stmt) -> Iterator[tuple[str, Binding]]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _bound(target, node.value)
    elif isinstance(node, ast.AnnAssign):
        yield from _bound(node.target, node.value)
    elif isinstance(node, ast.AugAssign | ast.For | ast.AsyncFor):
        yield from _bound(node.target, None)
    elif isinstance(node, ast.With | ast.AsyncWith):
        for item in node.items:
            if item.optional_vars is not None:
                yield from _bound(item.optional_vars, None)


def _bound(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, Binding]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Starred):
        yield from _bound(target.value, None)
    elif isinstance(target, ast.Tuple | ast.List):
        values = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        paired = len(values) == len(target.elts)
        starred = any(isinstance(item, ast.Starred) for item in (*values, *target.elts))
        for index, element in enumerate(target.elts):
            yield from _bound(
                element, values[index] if paired and not starred and isinstance(element, ast.Name) else None
            )
