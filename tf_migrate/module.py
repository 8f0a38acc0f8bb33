"""One module of the tree: its source, its syntax tree, and one walk's worth of facts about where things stand.

The walk is made once, by hand and without recursion, because everything else (names, stages, rules) asks the same
questions: what is the parent of this node, which scope is it in, where is that attribute read, which names does this
scope bind?
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from tf_migrate.source import Source, parse

Positioned: TypeAlias = ast.expr | ast.stmt | ast.alias
ScopeNode: TypeAlias = (
    ast.Module
    | ast.FunctionDef
    | ast.AsyncFunctionDef
    | ast.ClassDef
    | ast.Lambda
    | ast.ListComp
    | ast.SetComp
    | ast.DictComp
    | ast.GeneratorExp
)
# What binds a name: the value assigned, the import, or None for anything that cannot be a plain symbol.
Binding: TypeAlias = ast.expr | tuple[ast.Import | ast.ImportFrom, ast.alias] | None

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.With, ast.AsyncWith)
# What has nothing inside that a walk needs to see.
_LEAVES = frozenset(
    {
        str,
        int,
        bool,
        float,
        bytes,
        complex,
        ast.Constant,
        ast.Load,
        ast.Store,
        ast.Del,
        ast.Pass,
        ast.Break,
        ast.Continue,
    }
    | set(ast.operator.__subclasses__())
    | set(ast.cmpop.__subclasses__())
    | set(ast.boolop.__subclasses__())
    | set(ast.unaryop.__subclasses__())
)
_SKIP_FILE = re.compile(r"#\s*tf-migrate:\s*skip-file\b")
_SKIP = re.compile(r"#\s*tf-migrate:\s*skip(?![-\w])")
_SKIP_FILE_LINES = 10


@dataclass
class Scope:
    """A scope of Python: what binds each of its names, and the scope around it."""

    node: ScopeNode
    parent: Scope | None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    elsewhere: dict[str, str] = field(default_factory=dict)  # name -> "global" | "nonlocal"
    stars: list[ast.ImportFrom] = field(default_factory=list)

    @property
    def is_class(self) -> bool:
        """True for a class body, whose names functions inside it do not see."""
        return isinstance(self.node, ast.ClassDef)


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

    def scope_of(self, node: ast.AST) -> Scope:
        """The scope that a node stands in (for a function: the one around it)."""
        current: ast.AST | None = node
        while current is not None:
            scope = self.scopes.get(current)
            if scope is not None:
                return scope
            current = self.parents.get(current)
        return self.root

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that contains a node."""
        current = node
        while not isinstance(current, ast.stmt):
            current = self.parents[current]
        return current

    def function_of(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None:
        """The innermost function whose body contains a node, None at module or class level."""
        current = self.parents.get(node)
        while current is not None:
            if isinstance(current, _FUNCTIONS):
                return current
            current = self.parents.get(current)
        return None

    def position(self, node: Positioned) -> tuple[int, int]:
        """1-based line and column (in characters) of a node in the original file."""
        offset = self.source.start(node)
        return node.lineno, offset - self.source.line_starts[node.lineno - 1] + 1

    def is_skipped(self, node: ast.AST) -> bool:
        """Whether ``# tf-migrate: skip`` stands on the first line of the node or of a block around it."""
        lines = self.skipped_lines
        if not lines:
            return False
        current: ast.AST | None = node
        while current is not None:
            if getattr(current, "lineno", 0) in lines:
                return True
            current = self.parents.get(current)
        return False

    @cached_property
    def skipped_lines(self) -> frozenset[int]:
        """Lines that carry ``# tf-migrate: skip``."""
        if "tf-migrate" not in self.source.text:
            return frozenset()
        return frozenset(self.source.line_of(match.start()) for match in _SKIP.finditer(self.source.text))


def is_skipped_line(text: str) -> bool:
    """True when ``# tf-migrate: skip`` stands in a line."""
    return _SKIP.search(text) is not None


def is_skipped_file(text: str) -> bool:
    """True when ``# tf-migrate: skip-file`` stands in the first ten lines."""
    match = _SKIP_FILE.search(text)
    return match is not None and text.count("\n", 0, match.start()) < _SKIP_FILE_LINES


def module_name(path: str) -> tuple[str, str]:
    """Dotted name and package of a file by its path in the tree: ``a/b.py`` -> (``a.b``, ``a``)."""
    stem = path.rsplit(".", 1)[0]
    parts = [part for part in stem.split("/") if part not in ("", ".")]
    if parts and parts[-1] == "__init__":
        package = ".".join(parts[:-1])
        return package, package
    return ".".join(parts), ".".join(parts[:-1])


def load(source: Source) -> Module:
    """Parses a source and walks it once; raises SourceError where it cannot be parsed."""
    tree = parse(source)
    name, package = module_name(source.path)
    walk = _Walk(tree)
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


class _Walk:
    """Visits every node once, in order of the text, with its own stack: files nest deeper than Python recurses."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.root = Scope(tree, None)
        self.parents: dict[ast.AST, ast.AST] = {}
        self.scopes: dict[ast.AST, Scope] = {}
        self.loads: dict[str, list[ast.Name]] = {}
        self.attributes: dict[str, list[ast.Attribute]] = {}
        self.imports: list[tuple[ast.Import | ast.ImportFrom, Scope]] = []
        self.calls: list[ast.Call] = []
        self.functions: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda] = []
        self.assignments: list[ast.Assign | ast.AnnAssign | ast.NamedExpr | ast.With | ast.AsyncWith] = []
        self.every_scope = [self.root]
        self.stack: list[tuple[ast.AST, Scope]] = []

    def run(self) -> None:
        """Walks the whole tree."""
        self._push(self.tree, self.tree._fields, self.root)
        stack, visit = self.stack, _VISIT
        while stack:
            node, scope = stack.pop()
            kind = type(node)
            if kind is ast.Name:
                self._name(node, scope)  # type: ignore[arg-type]
                continue
            if kind is ast.Attribute:
                self.attributes.setdefault(node.attr, []).append(node)  # type: ignore[attr-defined,arg-type]
            elif kind is ast.Call:
                self.calls.append(node)  # type: ignore[arg-type]
            elif kind in _ASSIGNMENTS:
                self.assignments.append(node)  # type: ignore[arg-type]
            elif (visitor := visit.get(kind)) is not None:
                visitor(self, node, scope)
                continue
            self._push(node, node._fields, scope)

    def _push(self, node: ast.AST, fields: tuple[str, ...], scope: Scope) -> None:
        parents, push, leaves = self.parents, self.stack.append, _LEAVES
        for name in fields[::-1]:
            value = getattr(node, name, None)
            if value is None:
                continue
            kind = type(value)
            if kind is list:
                for item in value[::-1]:
                    if isinstance(item, ast.AST):
                        parents[item] = node
                        if type(item) not in leaves:
                            push((item, scope))
            elif kind not in leaves:
                if isinstance(value, ast.AST):
                    parents[value] = node
                    push((value, scope))
            elif kind is ast.Constant:
                parents[value] = node

    def bind(self, scope: Scope, name: str, binding: Binding) -> None:
        """Records what binds a name, in the scope that it belongs to."""
        where = scope.elsewhere.get(name)
        if where == "global":
            scope = self.root
        elif where == "nonlocal":
            outer = scope.parent
            while outer is not None and (outer.is_class or name not in outer.bindings):
                outer = outer.parent
            scope = outer or scope
        scope.bindings.setdefault(name, []).append(binding)

    def _name(self, node: ast.Name, scope: Scope) -> None:
        self.scopes[node] = scope
        if isinstance(node.ctx, ast.Load):
            self.loads.setdefault(node.id, []).append(node)
            return
        if isinstance(node.ctx, ast.Del):
            return
        parent = self.parents[node]
        target = scope
        if isinstance(parent, ast.NamedExpr):
            while isinstance(target.node, _COMPREHENSIONS) and target.parent is not None:
                target = target.parent
        self.bind(target, node.id, _assigned(parent, node, self.parents))

    def visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        """A function binds its name outside and its parameters inside; defaults and decorators belong outside."""
        self.bind(scope, node.name, None)
        self.functions.append(node)
        self.scopes[node] = scope
        inner = self._scope(node, scope)
        self._parameters(node.args, inner)
        self._push(node, ("body",), inner)
        self._push(node, ("decorator_list", "args", "returns"), scope)

    def visit_lambda(self, node: ast.Lambda, scope: Scope) -> None:
        """A lambda is a function without a name."""
        self.functions.append(node)
        self.scopes[node] = scope
        inner = self._scope(node, scope)
        self._parameters(node.args, inner)
        self._push(node, ("body",), inner)
        self._push(node, ("args",), scope)

    def visit_class(self, node: ast.ClassDef, scope: Scope) -> None:
        """A class binds its name outside; its body is a scope that functions in it do not see."""
        self.bind(scope, node.name, None)
        self.scopes[node] = scope
        self._push(node, ("body",), self._scope(node, scope))
        self._push(node, ("decorator_list", "bases", "keywords"), scope)

    def visit_comprehension(self, node: ast.AST, scope: Scope) -> None:
        """A comprehension has its own scope; only its first iterable is evaluated outside."""
        self.scopes[node] = scope
        inner = self._scope(node, scope)  # type: ignore[arg-type]
        self._push(node, node._fields, inner)
        first = node.generators[0].iter  # type: ignore[attr-defined]
        # The generator itself is visited later; its iterable is put into the outer scope ahead of that.
        self.scopes[first] = scope

    def visit_generator(self, node: ast.comprehension, scope: Scope) -> None:
        """One ``for`` clause of a comprehension."""
        self._push(node, ("target", "ifs"), scope)
        self._push(node, ("iter",), self.scopes.pop(node.iter, scope))

    def visit_import(self, node: ast.Import, scope: Scope) -> None:
        """``import a.b`` binds ``a``, ``import a.b as c`` binds ``c``."""
        self.imports.append((node, scope))
        for alias in node.names:
            self.parents[alias] = node
            self.bind(scope, alias.asname or alias.name.partition(".")[0], (node, alias))

    def visit_import_from(self, node: ast.ImportFrom, scope: Scope) -> None:
        """``from m import a as b`` binds ``b``; a star binds what the other module has."""
        self.imports.append((node, scope))
        for alias in node.names:
            self.parents[alias] = node
            if alias.name == "*":
                scope.stars.append(node)
            else:
                self.bind(scope, alias.asname or alias.name, (node, alias))

    def visit_global(self, node: ast.Global, scope: Scope) -> None:
        """Names that belong to the module."""
        scope.elsewhere.update(dict.fromkeys(node.names, "global"))

    def visit_nonlocal(self, node: ast.Nonlocal, scope: Scope) -> None:
        """Names that belong to a function around."""
        scope.elsewhere.update(dict.fromkeys(node.names, "nonlocal"))

    def visit_named(self, node: ast.AST, scope: Scope) -> None:
        """Nodes that bind a name given as a string: ``except … as e``, ``case [*rest]``, ``case x``."""
        name = getattr(node, "name", None) or getattr(node, "rest", None)
        if name:
            self.bind(scope, name, None)
        self._push(node, node._fields, scope)

    def _scope(self, node: ScopeNode, parent: Scope) -> Scope:
        scope = Scope(node, parent)
        self.every_scope.append(scope)
        return scope

    def _parameters(self, arguments: ast.arguments, scope: Scope) -> None:
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        for argument in (*every, arguments.vararg, arguments.kwarg):
            if argument is not None:
                scope.bindings.setdefault(argument.arg, []).append(None)


_VISIT: dict[type[ast.AST], Callable[[_Walk, Any, Scope], None]] = {
    ast.FunctionDef: _Walk.visit_function,
    ast.AsyncFunctionDef: _Walk.visit_function,
    ast.Lambda: _Walk.visit_lambda,
    ast.ClassDef: _Walk.visit_class,
    ast.ListComp: _Walk.visit_comprehension,
    ast.SetComp: _Walk.visit_comprehension,
    ast.DictComp: _Walk.visit_comprehension,
    ast.GeneratorExp: _Walk.visit_comprehension,
    ast.comprehension: _Walk.visit_generator,
    ast.Import: _Walk.visit_import,
    ast.ImportFrom: _Walk.visit_import_from,
    ast.Global: _Walk.visit_global,
    ast.Nonlocal: _Walk.visit_nonlocal,
    ast.ExceptHandler: _Walk.visit_named,
    ast.MatchAs: _Walk.visit_named,
    ast.MatchStar: _Walk.visit_named,
    ast.MatchMapping: _Walk.visit_named,
}


def _assigned(parent: ast.AST, node: ast.Name, parents: dict[ast.AST, ast.AST]) -> Binding:
    """The value that a name is assigned, None where it is not a plain assignment."""
    if isinstance(parent, ast.Assign | ast.AnnAssign | ast.NamedExpr):
        return parent.value
    if isinstance(parent, ast.Tuple | ast.List):
        assign = parents[parent]
        if isinstance(assign, ast.Assign) and isinstance(assign.value, ast.Tuple | ast.List):
            targets, values = parent.elts, assign.value.elts
            starred = any(isinstance(item, ast.Starred) for item in (*targets, *values))
            if len(targets) == len(values) and not starred:
                return values[targets.index(node)]
    return None
