"""Names of a module that other modules may bind: through the module itself, which they import and may hand on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.names.bindings import star_origin
from tf_migrate.names.exports import Index
from tf_migrate.syntax.module import Module

_ANY = "*"
_LOOKING = frozenset({"dir", "getattr", "hasattr", "id", "print", "repr", "str", "type"})
"""Functions of Python's that leave a module as it is."""


def may_be_bound_by_others(index: Index, module: str, name: str) -> bool:
    """Whether another module that imports this one, directly or not, binds a name of it, or may bind any."""
    key = f"bound by others {module}"
    known = index.readings.get(key)
    if not isinstance(known, frozenset):
        known = index.readings[key] = frozenset(_bound_by_others(index, module))
    return name in known or _ANY in known


def _bound_by_others(index: Index, name: str) -> Iterator[str]:
    for user in index.importing(name) - {name}:
        if user in index.exports:
            yield from index.exports[user].changed
        module = index.tree(user)
        if module is not None:
            yield from _bound_through(module, index, name)
            yield from _patched(module, name)


def _bound_through(module: Module, index: Index, name: str) -> Iterator[str]:
    for use in _uses(module, index, name):
        around = module.parents[use]
        if isinstance(around, ast.Attribute):
            if not isinstance(around.ctx, ast.Load):
                yield around.attr
            elif around.attr == "__dict__":
                yield _ANY
        elif not isinstance(around, ast.Call) or use not in around.args or not _only_looks(around):
            yield _ANY


def _uses(module: Module, index: Index, name: str) -> Iterator[ast.expr]:
    """The places where one module means another one itself, not something of it."""
    for text in {text for node, _ in module.imports for text in _called(module, index, node, name)}:
        first, *rest = text.split(".")
        for load in module.loads.get(first, ()):
            use: ast.AST = load
            for part in rest:
                around = module.parents[use]
                use = around if isinstance(around, ast.Attribute) and around.attr == part else load
            if isinstance(use, ast.expr) and ast.unparse(use) == text:
                yield use


def _called(module: Module, index: Index, node: ast.Import | ast.ImportFrom, name: str) -> Iterator[str]:
    """What a module calls the one of that name behind an import statement."""
    if isinstance(node, ast.Import):
        found = (alias for alias in node.names if index.find(module.package, alias.name, module.name) == name)
        yield from (alias.asname or alias.name for alias in found)
        return
    origin = star_origin(module, index, node, "")
    if origin is not None and origin.startswith("@"):
        package = f"{origin[1:]}." if origin != "@" else ""
        yield from (alias.asname or alias.name for alias in node.names if package + alias.name == name)


def _only_looks(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in _LOOKING


def _patched(module: Module, name: str) -> Iterator[str]:
    """The names that tests replace for a while: `mock.patch("model.SCALE", 5.0)`."""
    for call in module.calls:
        called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", None)
        text = call.args[0] if called == "patch" and call.args else None
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            owner, _, word = text.value.rpartition(".")
            if owner.rpartition(".")[2] == name.rpartition(".")[2]:
                yield word
