"""Which modules of a tree make one program: a script, and what it imports of classes and runs.

Programs that share a module are a family: the module can become native only for all of them. A module that others
import and that has an `if __name__ == "__main__":` is the script of a program of its own.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from tf_migrate.names.building import main_guard
from tf_migrate.names.exports import Index
from tf_migrate.programs.idle import used_by
from tf_migrate.syntax.module import Module

_LIMIT = 8
_RUNS = ("run", "eval")
_SESSION = re.compile(r"sess(ion)?$")
Program: TypeAlias = tuple[str, ...]
"""Modules in the order in which they are imported: the script is the last."""


class Family(NamedTuple):
    """Programs that share modules, `together`; empty where one of them cannot take part.

    `alone` are those that are left of them where the `shared` modules stay as they are.
    """

    together: tuple[Program, ...]
    alone: tuple[Program, ...]
    shared: frozenset[str]


def families(modules: Iterable[str], index: Index) -> Iterator[Family]:
    """The programs of several modules; `modules` are those that may take part."""
    editable = frozenset(modules)
    every: dict[str, set[str]] = {}
    own: dict[str, set[str]] = {}
    for module in sorted(editable & index.imported_modules):
        holds = index.holds_tf1(module)
        if not holds and not (index.goes_with_tensorflow(module) and b"sess" in index.text(module)):
            continue
        tree = index.tree(module)
        if not (_may_build(tree) and (holds or _runs_session(tree))):
            continue
        above = index.importing(module)
        every_script = sorted(name for name in above if not index.importers(name) or is_script_too(index.tree(name)))
        used = {script: used_by(script, index) for script in every_script}
        scripts = [script for script in every_script if module in used[script]]
        above -= set(every_script) - set(scripts)
        for script in scripts:
            every.setdefault(script, set()).update(above & used[script])
        if len(scripts) == 1:
            own.setdefault(scripts[0], set()).update(above)
    for scripts in _sharing(every):
        programs = [_program(script, every[script], editable, index) for script in scripts]
        together = tuple(program for program in programs if program is not None)
        left = (_program(script, own[script], editable, index) for script in scripts if script in own)
        alone = tuple(program for program in left if program is not None)
        times = Counter(name for script in scripts for name in every[script])
        shared = frozenset(name for name, count in times.items() if count > 1)
        yield Family(together if len(together) == len(programs) else (), alone if shared else (), shared)


def _sharing(members: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """The scripts, those together that share a module, directly or by others."""
    pending = sorted(members)
    while pending:
        found = [pending.pop(0)]
        shared = set(members[found[0]])
        while more := [script for script in pending if not shared.isdisjoint(members[script])]:
            pending = [script for script in pending if script not in more]
            found += more
            shared = shared.union(*(members[script] for script in more))
        yield found


def _program(script: str, members: set[str], editable: frozenset[str], index: Index) -> Program | None:
    return _ordered(script, members, index) if members <= editable and len(members) <= _LIMIT else None


def _may_build(module: Module | None) -> bool:
    """Whether a module has classes, or runs something: its functions alone may stay where they are."""
    if module is None or module.source.cells is not None:
        return False
    return any(isinstance(node, ast.ClassDef) for node in module.tree.body) or any(
        word in module.attributes for word in _RUNS
    )


def is_script_too(module: Module | None) -> bool:
    """Whether a module that others import does more when it is run by itself."""
    return module is not None and any(main_guard(node) is not None for node in module.tree.body)


def _runs_session(module: Module | None) -> bool:
    """Whether a module without TensorFlow 1 of its own runs a session, by the names that sessions have."""
    used = (node.value for word in _RUNS for node in ([] if module is None else module.attributes.get(word, [])))
    return any(_SESSION.search(ast.unparse(node).rpartition(".")[2]) for node in used)


def _ordered(script: str, members: set[str], index: Index) -> Program | None:
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
