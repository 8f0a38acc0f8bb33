"""What each of several programs reads of the modules that they share.

A module that is imported does not run what stands under its `if __name__ == "__main__":`, and a program calls only
some of the functions that it imports. What it does not reach says nothing about it: that code is another program's.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from tf_migrate.names.building import main_guard
from tf_migrate.names.canonical import Names
from tf_migrate.names.running import without
from tf_migrate.programs.joining import Apart
from tf_migrate.syntax.module import Module
from tf_migrate.syntax.unbound import is_global

Left: TypeAlias = Mapping[str, frozenset[ast.stmt]]
"""Statements of the top levels of modules, by the modules' names."""

_LITERAL = ast.Constant | ast.List | ast.Tuple | ast.Dict | ast.UnaryOp | ast.unaryop | ast.expr_context
_PLAIN_DECORATORS = frozenset({"property", "staticmethod", "classmethod"})
_BUILT_IN = frozenset({"__import__", "eval", "exec", "globals", "locals", "vars"})
_ATTRIBUTES = frozenset({"__dict__", "__globals__", "__subclasses__", "_getframe", "currentframe", "f_globals"}) | {
    "Fire",
    "getmembers",
    "import_module",
    "modules",
    "reload",
    "testmod",
}
_MODULES = frozenset({"doctest", "fire", "inspect"})
_RUNNING = frozenset({"exec", "execfile", "run_module", "run_path", "runpy"})
_MAKING_CLASSES = frozenset({"__init_subclass__", "__metaclass__", "metaclass"})


class Own(NamedTuple):
    """What one of several programs reads of its modules, and what of that it may run."""

    members: tuple[Names, ...]
    left: Left
    """What it does not reach, and another program does."""
    reached: Mapping[str, tuple[int, ...]]
    """The places, among the statements of each module's top level, of what it may run."""


def own_readings(programs: Sequence[Sequence[Names]]) -> list[Own]:
    """What each of the programs reads. What none of them reaches is read by all, but for other scripts' guards."""
    reaches = [_Reach(members) for members in programs]
    reached = [reach.closure(frozenset()) for reach in reaches]
    by_some = frozenset[ast.stmt]().union(*reached)
    every = {statement for reach in reaches for statement in reach.places}
    idle = frozenset(statement for statement in every - by_some if main_guard(statement) is None)
    found = []
    for reach, runs in zip(reaches, reached, strict=True):
        read = reach.closure(idle)
        left = {names.module.name: frozenset(names.module.tree.body) - read for names in reach.members}
        run = {names.module.name: _places(names, runs) for names in reach.members}
        found.append(Own(tuple(_without(names, left[names.module.name]) for names in reach.members), left, run))
    return found


def _places(names: Names, statements: frozenset[ast.stmt]) -> tuple[int, ...]:
    return tuple(place for place, node in enumerate(names.module.tree.body) if node in statements)


def _without(names: Names, left: frozenset[ast.stmt]) -> Names:
    """A module as it is without some statements; raises Apart where the others read a name that only these bind."""
    if not left:
        return names
    module = without(names.module, left)
    for word in names.module.root.bindings.keys() - module.root.bindings.keys():
        if any(is_global(module, load) for load in module.loads.get(word, ())):
            raise Apart(f"`{word}` is known in `{module.path}` only where that is the script")
    return Names(module, names.index, names.compat_module)


class _Reach:
    """Which statements of the top levels of its modules a program reaches, by all the names that stand there."""

    def __init__(self, members: Sequence[Names]) -> None:
        self.members = members
        self.script = members[-1]
        self.places = {node: names for names in members for node in names.module.tree.body}
        self.defined: dict[str, list[ast.stmt]] = {}
        for node in self.places:
            for word in _defines(node):
                self.defined.setdefault(word, []).append(node)
        self.looks = any(_looks_around(names) for names in members)
        self.runs_texts = any(_may_run_modules(names) for names in members)

    def closure(self, more: frozenset[ast.stmt]) -> frozenset[ast.stmt]:
        """What the program runs when it starts, `more`, and all that these lead to."""
        pending = [node for node, names in self.places.items() if node in more or self._starts(node, names)]
        found = set(pending)
        while pending:
            node = pending.pop()
            for led in self._leads_to(node, self.places[node]):
                if led not in found:
                    found.add(led)
                    pending.append(led)
        return frozenset(found)

    def _starts(self, node: ast.stmt, names: Names) -> bool:
        """Whether a statement does more than to define what others may use."""
        if (guard := main_guard(node)) is not None:
            return names is self.script or bool(guard.orelse) or self.runs_texts
        if self.looks or not _only_defines(node):
            return True
        # `tf.app.run()` calls the script's function of that name, and test runners all that it holds.
        return names is self.script and ("main" in _defines(node) or "main" in names.module.attributes)

    def _leads_to(self, node: ast.stmt, names: Names) -> Iterator[ast.stmt]:
        for word, own in _words(node, names):
            yield from (made for made in self.defined.get(word, ()) if not own or self.places[made] is names)


def _defines(node: ast.stmt) -> list[str]:
    """The name that a statement gives to a function, a class or a value that is written out."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _only_defines(node: ast.stmt) -> bool:
    """Whether a statement makes a function, a class or a value that is written out, and does nothing beside that."""
    if isinstance(node, ast.Assign):
        plain = all(isinstance(target, ast.Name) for target in node.targets)
        return plain and all(isinstance(inner, _LITERAL) for inner in ast.walk(node.value))
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not _calls(node)


def _calls(node: ast.stmt) -> bool:
    """Whether code runs where a function or class is made."""
    stack: list[ast.AST] = [node]
    while stack:
        inner = stack.pop()
        if isinstance(inner, ast.Call | ast.Await | ast.NamedExpr):
            return True
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
            if not all(_is_plain(decorator) for decorator in inner.decorator_list):
                return True
            stack += [*inner.args.defaults, *(item for item in inner.args.kw_defaults if item is not None)]
        elif isinstance(inner, ast.Lambda):
            stack += inner.args.defaults
        elif isinstance(inner, ast.ClassDef) and inner.decorator_list:
            return True
        else:
            stack += ast.iter_child_nodes(inner)
    return False


def _is_plain(decorator: ast.expr) -> bool:
    if isinstance(decorator, ast.Attribute):
        return decorator.attr in ("setter", "getter", "deleter")
    return isinstance(decorator, ast.Name) and decorator.id in _PLAIN_DECORATORS


def _words(node: ast.stmt, names: Names) -> Iterator[tuple[str, bool]]:
    """The names by which a statement may use others, and whether they are of its own module."""
    module = names.module
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            if is_global(module, inner):
                yield inner.id, inner.id in module.root.bindings
        elif isinstance(inner, ast.Attribute) and (names.origin(inner.value) or "").startswith("@"):
            yield inner.attr, False
        elif isinstance(inner, ast.ImportFrom):
            yield from ((alias.name, False) for alias in inner.names)
        elif isinstance(inner, ast.Global):
            yield from ((word, True) for word in inner.names)


def _looks_around(names: Names) -> bool:
    """Whether a module may find what others, or it, define by other ways than by their names."""
    module = names.module
    return bool(
        not (_BUILT_IN | _ATTRIBUTES | _MODULES).isdisjoint(_from_elsewhere(module))
        or not (_ATTRIBUTES | _MAKING_CLASSES).isdisjoint(module.attributes)
        or not _MAKING_CLASSES.isdisjoint(module.root.bindings)
        or any(_makes_classes(scope.node) for scope in module.every_scope)
    )


def _may_run_modules(names: Names) -> bool:
    """Whether a module may run another one as a script, or give itself the name of one."""
    module = names.module
    named = any("__name__" in scope.bindings for scope in module.every_scope)
    return named or not _RUNNING.isdisjoint(_from_elsewhere(module) | module.attributes.keys())


def _from_elsewhere(module: Module) -> set[str]:
    """What a module imports, and the names that it reads and does not bind: those of Python."""
    words = {part for node, _ in module.imports for alias in node.names for part in alias.name.split(".")}
    words |= {node.module for node, _ in module.imports if isinstance(node, ast.ImportFrom) and node.module}
    free = (word for word in (_BUILT_IN | _RUNNING) - module.root.bindings.keys() if word in module.loads)
    return words | {word for word in free if any(is_global(module, load) for load in module.loads[word])}


def _makes_classes(node: ast.AST) -> bool:
    """Whether a class decides what becomes of those that derive from it."""
    if not isinstance(node, ast.ClassDef):
        return False
    made = [item.name for item in node.body if isinstance(item, ast.FunctionDef)]
    return bool(node.keywords) or not _MAKING_CLASSES.isdisjoint(made)
