"""What an expression of a function means, spelled where that is called: parameters stand for what they are given."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import UnionType

from tf_migrate.names.canonical import Names
from tf_migrate.syntax.walk import Scope

_WRITTEN = ast.Constant | ast.List | ast.Tuple | ast.UnaryOp | ast.unaryop | ast.expr_context
_PLAIN = _WRITTEN | ast.Name | ast.Attribute | ast.BinOp | ast.operator | ast.Subscript
_AT_ONCE = ast.Call | ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom
_COMPUTING = frozenset({"float", "int", "len"})


class Unspelled(Exception):
    """An expression that may mean something else where the function is called."""


def spelled_at(names: Names, function: ast.FunctionDef, call: ast.Call, made: ast.Assign) -> list[tuple[int, int, str]]:
    """The edits that spell what a statement of a function makes by a call, as the function is called by another one."""
    assert isinstance(made.value, ast.Call)
    spelling = _Spelling(names, function, call, made)
    spelling.expression(made.value.func)
    edits = []
    for node in (*made.value.args, *(word.value for word in made.value.keywords)):
        new = spelling.expression(node)
        if ast.dump(new) != ast.dump(node):
            edits.append((*names.module.source.span(node), ast.unparse(new)))
    return sorted(edits)


class _Spelling:
    """Spells the expressions of one statement of a function."""

    def __init__(self, names: Names, function: ast.FunctionDef, call: ast.Call, made: ast.Assign) -> None:
        self.names = names
        self.module = names.module
        self.function = function
        self.call = call
        self.made = made
        self.own = next(scope for scope in self.module.every_scope if scope.node is function)

    def expression(self, node: ast.expr) -> ast.expr:
        """What an expression means, spelled where the function is called."""
        if isinstance(node, ast.Constant):
            return node
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Attribute):
            return ast.Attribute(self.expression(node.value), node.attr, node.ctx)
        if isinstance(node, ast.List):
            return ast.List([self.expression(item) for item in node.elts], node.ctx)
        if isinstance(node, ast.Tuple):
            return ast.Tuple([self.expression(item) for item in node.elts], node.ctx)
        if isinstance(node, ast.UnaryOp):
            return ast.UnaryOp(node.op, self.expression(node.operand))
        if isinstance(node, ast.BinOp):
            return ast.BinOp(self.expression(node.left), node.op, self.expression(node.right))
        if isinstance(node, ast.Subscript):
            return _part(self.expression(node.value), self.expression(node.slice), node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and self._computes(node.func):
            words = [ast.keyword(word.arg, self.expression(word.value)) for word in node.keywords]
            return ast.Call(self._name(node.func), [self.expression(item) for item in node.args], words)
        raise Unspelled

    def _computes(self, function: ast.Name) -> bool:
        """Whether a function of Python's computes a number of what it is given."""
        return function.id in _COMPUTING and self.module.binding_scope(function) is None

    def _name(self, node: ast.Name) -> ast.expr:
        scope = self.module.binding_scope(node)
        if scope is self.own:
            return self._given(node.id)
        if scope not in (None, self.module.root) or node.id in self.module.bound_globally:
            raise Unspelled
        there = self.module.scopes[self.call.func]
        hidden = any(node.id in other.bindings for other in self._around(there))
        if hidden and not (node.id in there.bindings and self._is_imported_again(node, there)):
            raise Unspelled
        return node

    def _is_imported_again(self, node: ast.Name, there: Scope) -> bool:
        """Whether the caller has imported, before the call, what a name means of TensorFlow."""
        symbol = self.names.resolve(node)
        found = [item[0].lineno if isinstance(item, tuple) else None for item in there.bindings[node.id]]
        before = all(line is not None and line < self.call.lineno for line in found)
        return symbol is not None and before and self.names.lookup(node.id, there) == self.names.origin(node)

    def _around(self, scope: Scope) -> Iterator[Scope]:
        """The scopes around a place, other than the module's."""
        while scope.parent is not None:
            yield scope
            scope = scope.parent

    def _given(self, name: str) -> ast.expr:
        """What the call gives to a parameter, which holds it until the statement."""
        inner = [node for node in ast.walk(self.function) if isinstance(node, ast.Name) and node.id == name]
        before = self.function.body[: self.function.body.index(self.made)]
        seen = {part for statement in before for part in ast.walk(statement)}
        parameters = self.function.args
        names = [item.arg for item in (*parameters.posonlyargs, *parameters.args)]
        parts = [*self.call.args, *(word.value for word in self.call.keywords)]
        if any(isinstance(item, ast.Starred) for item in parts) or any(word.arg is None for word in self.call.keywords):
            raise Unspelled
        if not seen.isdisjoint(inner) or not all(isinstance(node.ctx, ast.Load) for node in inner):
            raise Unspelled
        found = dict(zip(names, self.call.args, strict=False))
        found.update({str(word.arg): word.value for word in self.call.keywords})
        if name in found:
            active = any(isinstance(part, _AT_ONCE) for item in parts for part in ast.walk(item))
            return _only(found[name], _WRITTEN if active else _PLAIN)
        positional = zip(reversed(names), reversed(parameters.defaults), strict=False)
        named = zip((item.arg for item in parameters.kwonlyargs), parameters.kw_defaults, strict=True)
        default = next((value for word, value in (*positional, *named) if word == name), None)
        if default is None:
            raise Unspelled
        return _only(default, _WRITTEN)


def _only(node: ast.expr, kinds: UnionType) -> ast.expr:
    """The expression, where it holds nothing of other kinds."""
    if not all(isinstance(inner, kinds) for inner in ast.walk(node)):
        raise Unspelled
    return node


def _part(value: ast.expr, index: ast.expr, node: ast.Subscript) -> ast.expr:
    """A part of a value: itself, where that is a list that is written out."""
    place = index.value if isinstance(index, ast.Constant) else None
    if isinstance(value, ast.List | ast.Tuple) and isinstance(place, int) and 0 <= place < len(value.elts):
        return value.elts[place]
    return ast.Subscript(value, index, node.ctx)
