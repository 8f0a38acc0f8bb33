"""One walk over a syntax tree: scopes and what they bind, parents, and where names and attributes stand.

It is made once, by hand and without recursion, because everything else (names, stages, rules) asks the same
questions: what is the parent of this node, which scope is it in, where is that attribute read, which names does this
scope bind?
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

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


class Walk:
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
        stack, visit, parents = self.stack, _VISIT, self.parents
        while stack:
            node, scope = stack.pop()
            kind = type(node)
            if kind is ast.Name:
                self._name(node, scope)  # type: ignore[arg-type]
            elif kind is ast.Attribute:
                # With calls the commonest nodes by far: worth not going through their fields.
                self.attributes.setdefault(node.attr, []).append(node)  # type: ignore[attr-defined,arg-type]
                value = node.value  # type: ignore[attr-defined]
                parents[value] = node
                stack.append((value, scope))
            elif kind is ast.Call:
                self.calls.append(node)  # type: ignore[arg-type]
                for child in (*node.keywords[::-1], *node.args[::-1], node.func):  # type: ignore[attr-defined]
                    parents[child] = node
                    if type(child) not in _LEAVES:
                        stack.append((child, scope))
            elif (visitor := visit.get(kind)) is not None:
                visitor(self, node, scope)
            else:
                if kind in _ASSIGNMENTS:
                    self.assignments.append(node)  # type: ignore[arg-type]
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


_VISIT: dict[type[ast.AST], Callable[[Walk, Any, Scope], None]] = {
    ast.FunctionDef: Walk.visit_function,
    ast.AsyncFunctionDef: Walk.visit_function,
    ast.Lambda: Walk.visit_lambda,
    ast.ClassDef: Walk.visit_class,
    ast.ListComp: Walk.visit_comprehension,
    ast.SetComp: Walk.visit_comprehension,
    ast.DictComp: Walk.visit_comprehension,
    ast.GeneratorExp: Walk.visit_comprehension,
    ast.comprehension: Walk.visit_generator,
    ast.Import: Walk.visit_import,
    ast.ImportFrom: Walk.visit_import_from,
    ast.Global: Walk.visit_global,
    ast.Nonlocal: Walk.visit_nonlocal,
    ast.ExceptHandler: Walk.visit_named,
    ast.MatchAs: Walk.visit_named,
    ast.MatchStar: Walk.visit_named,
    ast.MatchMapping: Walk.visit_named,
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
