"""Which modules of a tree make one program: a script, and what it alone imports of classes and runs."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tf_migrate.names.exports import Index
from tf_migrate.syntax.module import Module

_LIMIT = 8
_RUNS = ("run", "eval")


def programs(modules: Iterable[str], index: Index) -> Iterator[tuple[str, ...]]:
    """The programs of several modules, each in the order in which these are imported: the script is the last.

    `modules` are those that may take part. One that two scripts import is a part of neither program.
    """
    editable = frozenset(modules)
    members: dict[str, set[str]] = {}
    for module in sorted(editable & index.imported_modules):
        if not (index.holds_tf1(module) and _may_build(index.tree(module))):
            continue
        above = index.importing(module)
        scripts = [name for name in above if not index.importers(name)]
        if len(scripts) == 1:
            members.setdefault(scripts[0], set()).update(above)
    for script in sorted(members):
        found = members[script]
        ordered = _ordered(script, found, index) if found <= editable and len(found) <= _LIMIT else None
        if ordered is not None:
            yield ordered


def _may_build(module: Module | None) -> bool:
    """Whether a module has classes, or runs something: its functions alone may stay where they are."""
    if module is None or module.source.cells is not None:
        return False
    return any(isinstance(node, ast.ClassDef) for node in module.tree.body) or any(
        word in module.attributes for word in _RUNS
    )


def _ordered(script: str, members: set[str], index: Index) -> tuple[str, ...] | None:
    """The members with each behind those that it imports; None where some import each other."""
    ordered: list[str] = []
    entered: set[str] = set()

    def enter(module: str) -> bool:
        if module in entered:
            return module in ordered
        entered.add(module)
        if not all(enter(name) for name in index.imports(module) if name in members):
            return False
        ordered.append(module)
        return True

    return tuple(ordered) if enter(script) and set(ordered) == members else None
