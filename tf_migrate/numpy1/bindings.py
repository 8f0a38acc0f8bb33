"""What binds the names and attributes of one module: which expressions, or which part of one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from tf_migrate.eager.imports import dotted
from tf_migrate.names.canonical import Names
from tf_migrate.syntax.module import Scope

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Source(NamedTuple):
    """What binds a name: a `value`, `each` element of one in turn, the `part` of one at a place, an operator with a
    value (`augmented`), or a `parameter` of a function.
    """

    how: Literal["value", "each", "part", "augmented", "parameter"]
    node: ast.expr | ast.AugAssign | Function
    place: int = 0
    word: str = ""


_SHAPES = {
    "numpy.full": 0,
    "numpy.zeros": 0,
    "numpy.ones": 0,
    "numpy.empty": 0,
    "tf.zeros": 0,
    "tf.ones": 0,
    "tf.get_variable": 1,
}
_SHAPES |= dict.fromkeys(("tf.random_normal", "tf.random_uniform", "tf.truncated_normal"), 0)
_COUNTING = ("numpy.random.rand", "numpy.random.randn", "numpy.eye", "numpy.identity")
_FILLING = {"append": 0, "add": 0, "insert": 1}


class Bindings:
    """The bindings of one module."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.module = names.module

    def scope(self, node: ast.Name) -> Scope | None:
        """The scope that binds a name."""
        return self.module.binding_scope(node)

    def of_name(self, scope: Scope, word: str) -> list[Source] | None:
        """All that binds a name in a scope; None where something else does so too."""
        found = self._by_scope.get((id(scope), word), [])
        if isinstance(scope.node, Function) and word in parameters(scope.node):
            found = [*found, Source("parameter", scope.node, word=word)]
        return found if len(found) == len(scope.bindings.get(word, ())) else None

    def of_attribute(self, word: str) -> list[Source]:
        """All that binds an attribute of that name, of any object, and a name in the body of a class."""
        return self._by_attribute.get(word, [])

    def function(self, scope: Scope, word: str) -> Function | None:
        """The only function that a name means."""
        found = self.functions.get((id(scope), word), [])
        if len(found) == 1 and len(scope.bindings[word]) == 1:
            return found[0]
        sources = self.of_name(scope, word) or []
        return sources[0].node if len(sources) == 1 and isinstance(sources[0].node, ast.Lambda) else None

    @cached_property
    def functions(self) -> dict[tuple[int, str], list[Function]]:
        """The functions that stand in each scope, by name."""
        found: dict[tuple[int, str], list[Function]] = {}
        for function in self.module.functions:
            if not isinstance(function, ast.Lambda):
                found.setdefault((id(self.module.scopes[function]), function.name), []).append(function)
        return found

    @cached_property
    def methods(self) -> dict[str, list[Function]]:
        """The methods of the module's classes, by name."""
        found: dict[str, list[Function]] = {}
        for function in self.module.functions:
            if not isinstance(function, ast.Lambda) and isinstance(self.module.parents[function], ast.ClassDef):
                found.setdefault(function.name, []).append(function)
        return found

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The classes at the module's top, by name."""
        return {each.name: each for each in self.module.tree.body if isinstance(each, ast.ClassDef)}

    @cached_property
    def bases(self) -> frozenset[str]:
        """The last names of all that the module's classes derive from."""
        classes = (scope.node for scope in self.module.every_scope if isinstance(scope.node, ast.ClassDef))
        return frozenset(getattr(base, "id", getattr(base, "attr", "")) for each in classes for base in each.bases)

    @cached_property
    def filled(self) -> dict[tuple[int, str], list[ast.expr]]:
        """By scope and name: what is put into lists, by `append`, say."""
        found: dict[tuple[int, str], list[ast.expr]] = {}
        for call in self.module.calls:
            func = call.func
            place = _FILLING.get(func.attr) if isinstance(func, ast.Attribute) else None
            if place is not None and isinstance(func, ast.Attribute) and len(call.args) > place:
                key = self.key(func.value)
                if key is not None:
                    found.setdefault(key, []).append(call.args[place])
        return found

    def key(self, node: ast.expr) -> tuple[int, str] | None:
        """What names the same thing everywhere in the module: the scope and the name, or 0 and an attribute's name."""
        if isinstance(node, ast.Attribute):
            return (0, node.attr)
        scope = self.scope(node) if isinstance(node, ast.Name) else None
        return None if scope is None or not isinstance(node, ast.Name) else (id(scope), node.id)

    def is_shape(self, node: ast.Name) -> bool:
        """Whether a name is given somewhere as the shape of an array, so that its elements are whole numbers."""
        return self.key(node) in self._shapes[0]

    def is_count(self, node: ast.Name) -> bool:
        """Whether a name is given somewhere as the size of an axis, so that it is a whole number."""
        return self.key(node) in self._shapes[1]

    @cached_property
    def _shapes(self) -> tuple[set[tuple[int, str] | None], set[tuple[int, str] | None]]:
        whole: set[tuple[int, str] | None] = set()
        single: set[tuple[int, str] | None] = set()
        for call in self.module.calls:
            symbol = dotted(self.module, self.names, call.func)
            given = [keyword.value for keyword in call.keywords if keyword.arg in ("size", "shape")]
            place = _SHAPES.get(symbol)
            given += call.args[place : place + 1] if place is not None else []
            if not symbol.startswith(("numpy.", "tf.")):
                drawn = isinstance(call.func, ast.Attribute) and call.func.attr in (
                    "uniform",
                    "normal",
                    "randn",
                    "rand",
                )
                given = given if drawn else []
            if symbol in _COUNTING or (isinstance(call.func, ast.Name) and call.func.id == "range"):
                single |= {self.key(each) for each in call.args}
                whole |= {self.key(each.value) for each in call.args if isinstance(each, ast.Starred)}
            for shape in given:
                whole.add(self.key(shape))
                single |= {self.key(each) for each in shape.elts} if isinstance(shape, ast.List | ast.Tuple) else set()
        return whole - {None}, single - {None}

    @cached_property
    def _by_scope(self) -> dict[tuple[int, str], list[Source]]:
        found: dict[tuple[int, str], list[Source]] = {}
        for target, source in self._every:
            scope = self.scope(target) if isinstance(target, ast.Name) else None
            if scope is not None and isinstance(target, ast.Name):
                found.setdefault((id(scope), target.id), []).append(source)
        return found

    @cached_property
    def _by_attribute(self) -> dict[str, list[Source]]:
        found: dict[str, list[Source]] = {}
        for target, source in self._every:
            in_class = isinstance(target, ast.Name) and self.module.scope_of(target).is_class
            if isinstance(target, ast.Attribute):
                found.setdefault(target.attr, []).append(source)
            elif in_class and isinstance(target, ast.Name):
                found.setdefault(target.id, []).append(source)
        return found

    @cached_property
    def _every(self) -> list[tuple[ast.expr, Source]]:
        return [pair for node in self.module.nodes for pair in _bound(node)]


def parameters(function: Function) -> list[str]:
    """The names of a function's parameters that are given one by one."""
    every = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    return [argument.arg for argument in every]


def _bound(node: ast.AST) -> Iterator[tuple[ast.expr, Source]]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _unpacked(target, node.value)
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        yield node.target, Source("value", node.value)
    elif isinstance(node, ast.AugAssign):
        yield node.target, Source("augmented", node)
    elif isinstance(node, ast.For | ast.comprehension):
        yield from _iterated(node.target, node.iter)


def _unpacked(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, Source]]:
    if not isinstance(target, ast.Tuple | ast.List):
        yield target, Source("value", value)
        return
    starred = any(isinstance(each, ast.Starred) for each in target.elts)
    for place, each in enumerate(target.elts):
        if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts) and not starred:
            yield from _unpacked(each, value.elts[place])
        elif not starred and not isinstance(each, ast.Tuple | ast.List):
            yield each, Source("part", value, place)


def _iterated(target: ast.expr, rows: ast.expr) -> Iterator[tuple[ast.expr, Source]]:
    word = rows.func.id if isinstance(rows, ast.Call) and isinstance(rows.func, ast.Name) else ""
    if not isinstance(target, ast.Tuple | ast.List):
        yield target, Source("each", rows)
    elif isinstance(rows, ast.Call) and word == "zip" and len(rows.args) == len(target.elts):
        for each, row in zip(target.elts, rows.args, strict=True):
            yield from _iterated(each, row)
    elif isinstance(rows, ast.Call) and word == "enumerate" and len(target.elts) == 2 and rows.args:
        yield target.elts[0], Source("each", ast.Call(ast.Name("range", ast.Load()), [], []))
        yield from _iterated(target.elts[1], rows.args[0])
