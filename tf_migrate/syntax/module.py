"""One module of the tree: its source, its syntax tree, and one walk's worth of facts about where things stand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import TypeAlias

from tf_migrate.files.source import Source, parse
from tf_migrate.syntax.own_nodes import walked
from tf_migrate.syntax.walk import Binding as Binding
from tf_migrate.syntax.walk import Scope as Scope
from tf_migrate.syntax.walk import Walk

Positioned: TypeAlias = ast.expr | ast.stmt | ast.alias

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SKIP_FILE = re.compile(r"#\s*tf-migrate:\s*skip-file\b")
_SKIP = re.compile(r"#\s*tf-migrate:\s*skip(?![-\w])")
_SKIP_FILE_LINES = 10
_IMPORTED = ("py", "pyw")


@dataclass(frozen=True)
class Module:
    """A parsed file. ``name`` is its dotted name in the tree (``pkg.sub.train``), ``package`` the one it lies in."""

    name: str
    package: str
    source: Source
    tree: ast.Module
    root: Scope
    parents: dict[ast.AST, ast.AST]
    scopes: dict[ast.AST, Scope]  # every Name and every scope-making node -> the scope that it stands in
    loads: dict[str, list[ast.Name]]  # name -> where it is read
    attributes: dict[str, list[ast.Attribute]]  # attribute name -> where it stands, in order of the text
    imports: tuple[tuple[ast.Import | ast.ImportFrom, Scope], ...]
    calls: tuple[ast.Call, ...]
    functions: tuple[ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, ...]
    assignments: tuple[ast.Assign | ast.AnnAssign | ast.NamedExpr | ast.With | ast.AsyncWith, ...]
    every_scope: tuple[Scope, ...]

    @property
    def path(self) -> str:
        """Path of the file, relative to the tree."""
        return self.source.path

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the tree, in the order of `ast.walk`: found once, as nearly every rule goes through them."""
        return tuple(walked(self.tree))

    @cached_property
    def named(self) -> dict[str, list[ast.Name]]:
        """Where each name is written, read or bound, in the order of `ast.walk`."""
        found: dict[str, list[ast.Name]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Name):
                found.setdefault(node.id, []).append(node)
        return found

    def scope_of(self, node: ast.AST) -> Scope:
        """The scope that a node stands in (for a function: the one around it)."""
        for inner, place in pairwise(chain((node,), self.around(node))):
            known = self.scopes.get(inner)
            if known is None and place in self._own_scopes and inner in place.body:  # type: ignore[attr-defined]
                known = self._own_scopes[place]
            if known is not None:
                return known
        return self.root

    @cached_property
    def _own_scopes(self) -> dict[ast.AST, Scope]:
        """The scopes of functions and classes that are blocks of statements."""
        return {scope.node: scope for scope in self.every_scope if isinstance(getattr(scope.node, "body", None), list)}

    def binding_scope(self, node: ast.Name) -> Scope | None:
        """The scope whose binding a name means; None where nothing in the module binds it."""
        own = self.scopes.get(node) or self.scope_of(node)
        scope: Scope | None = self.root if own.elsewhere.get(node.id) == "global" else own
        while scope is not None and (node.id not in scope.bindings or (scope.is_class and scope is not own)):
            scope = scope.parent
        return scope

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """All that a node stands in, innermost first."""
        while (outer := self.parents.get(node)) is not None:
            yield outer
            node = outer

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that contains a node."""
        return next(place for place in chain((node,), self.around(node)) if isinstance(place, ast.stmt))

    def function_of(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None:
        """The innermost function whose body contains a node, None at module or class level."""
        return next((place for place in self.around(node) if isinstance(place, _FUNCTIONS)), None)

    def position(self, node: Positioned) -> tuple[int, int]:
        """1-based line and column (in characters) of a node in the original file."""
        offset = self.source.start(node)
        return self.source.place(node.lineno, offset - self.source.line_starts[node.lineno - 1] + 1)

    def is_skipped(self, node: ast.AST) -> bool:
        """Whether ``# tf-migrate: skip`` stands on the first line of the node or of a block around it."""
        lines = self.skipped_lines
        return bool(lines) and any(getattr(place, "lineno", 0) in lines for place in chain((node,), self.around(node)))

    @cached_property
    def bound_globally(self) -> dict[str, ast.AST]:
        """The names of the module that its functions bind, or several of its imports: where one of them does so."""
        scopes = [scope for scope in self.every_scope if "global" in scope.elsewhere.values()]
        stores = ((node, scope) for scope in scopes for node in ast.walk(scope.node) if isinstance(node, ast.Name))
        found = [node for node, scope in stores if _is_bound_globally(node, scope)]
        texts = (
            item for scope in scopes for item in bound_as_text(scope.node) if scope.elsewhere.get(item[0]) == "global"
        )
        return {**self._imported_again, **dict(texts), **{node.id: node for node in reversed(found)}}

    @property
    def _imported_again(self) -> dict[str, ast.stmt]:
        """The names that statements of the module's top import, each from elsewhere."""
        first: dict[str, tuple[str | None, str]] = {}
        again: dict[str, ast.stmt] = {}
        for node in (node for node in self.tree.body if isinstance(node, ast.Import | ast.ImportFrom)):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                whole = isinstance(node, ast.Import) and not alias.asname
                origin = (node.module if isinstance(node, ast.ImportFrom) else None, name if whole else alias.name)
                if first.setdefault(name, origin) != origin:
                    again.setdefault(name, node)
        return again

    @cached_property
    def skipped_lines(self) -> frozenset[int]:
        """Lines that carry ``# tf-migrate: skip``."""
        if "tf-migrate" not in self.source.text:
            return frozenset()
        return frozenset(self.source.line_of(match.start()) for match in _SKIP.finditer(self.source.text))


def _is_bound_globally(node: ast.Name, scope: Scope) -> bool:
    return scope.elsewhere.get(node.id) == "global" and not isinstance(node.ctx, ast.Load)


_NAMED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler | ast.MatchAs | ast.MatchStar


def bound_as_text(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The names that imports, definitions, handlers of errors and patterns bind inside a node, and where."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name.partition(".")[0], inner) for alias in inner.names)
        elif isinstance(inner, _NAMED) and inner.name is not None:
            yield inner.name, inner
        elif isinstance(inner, ast.MatchMapping) and inner.rest is not None:
            yield inner.rest, inner


def first_line(node: ast.stmt) -> int:
    """The first line of a statement, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(item.lineno for item in decorators)])


def is_skipped_line(text: str) -> bool:
    """True when ``# tf-migrate: skip`` stands in a line."""
    return _SKIP.search(text) is not None


def is_skipped_file(text: str) -> bool:
    """True when ``# tf-migrate: skip-file`` stands in the first ten lines."""
    match = _SKIP_FILE.search(text)
    return match is not None and text.count("\n", 0, match.start()) < _SKIP_FILE_LINES


def is_of_tests(module: str) -> bool:
    """Whether a module is by its name one whose functions a test runner calls.

    >>> is_of_tests("nets.test_layers"), is_of_tests("nets.layers_test"), is_of_tests("nets.testing")
    (True, True, False)
    """
    word = module.rpartition(".")[2]
    return word.startswith("test_") or word.endswith("_test")


def module_name(path: str) -> tuple[str, str]:
    """Dotted name and package of a file by its path in the tree: ``a/b.py`` -> (``a.b``, ``a``).

    What no import finds, a notebook or a script without a suffix, has a name that no module has.
    """
    folder, _, file = path.rpartition("/")
    stem, _, suffix = file.rpartition(".")
    package = [part for part in folder.split("/") if part not in ("", ".")]
    if file == "__init__.py":
        return ".".join(package), ".".join(package)
    return ".".join((*package, stem if suffix in _IMPORTED else f"{stem}:{suffix}")), ".".join(package)


def load(source: Source) -> Module:
    """Parses a source and walks it once; raises SourceError where it cannot be parsed."""
    return of_tree(*module_name(source.path), source, parse(source))


def of_tree(name: str, package: str, source: Source, tree: ast.Module) -> Module:
    """A module of this name in a package, walked once."""
    walk = Walk(tree)
    walk.run()
    return Module(
        name=name,
        package=package,
        source=source,
        tree=tree,
        root=walk.root,
        parents=walk.parents,
        scopes=walk.scopes,
        loads=walk.loads,
        attributes=walk.attributes,
        imports=tuple(walk.imports),
        calls=tuple(walk.calls),
        functions=tuple(walk.functions),
        assignments=tuple(walk.assignments),
        every_scope=tuple(walk.every_scope),
    )
