"""Programs of one tree that share modules: each has its own verdict where what they share only helps to build."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.syntax.module import Module


def apart(modules: Mapping[str, Module], reached: Iterable[frozenset[str]], recorder: Recorder) -> list[frozenset[str]]:
    """The modules of programs that stand or fall each by itself; none where there is one program.

    A module that only helps to build is the same on the bridge and in steps: programs that share it are not tied by
    it. `reached` are the modules of each script.
    """
    rows = [row for row in (row & modules.keys() for row in reached) if row]
    helping = {name for name, module in modules.items() if _only_helps(module, recorder)}
    groups: list[set[str]] = []
    for row in rows:
        mine = set(row - helping)
        for other in [group for group in groups if group & mine]:
            groups.remove(other)
            mine |= other
        if mine:
            groups.append(mine)
    if len(groups) < 2:
        return []
    return [frozenset(group | _of_it_alone(group, rows, helping)) for group in groups]


def _of_it_alone(group: set[str], rows: Iterable[frozenset[str]], helping: set[str]) -> set[str]:
    """The helping modules that no script outside of a group reaches."""
    found, others = set[str](), set[str]()
    for row in rows:
        (found if row & group else others).update(row & helping)
    return found - others


def _only_helps(module: Module, recorder: Recorder) -> bool:
    """Whether nothing of a module is written otherwise in steps: it runs nothing, and makes no inputs or graphs."""
    nodes: set[ast.AST] = {module.tree, *module.parents}
    if any(owner is module for owner in recorder.sites.values()) or not nodes.isdisjoint(recorder.ran):
        return False
    if not nodes.isdisjoint(recorder.entered) or any(problem.module is module for problem in recorder.problems):
        return False
    if any(recorder.sessions[node] - {"none"} for node in nodes & recorder.sessions.keys()):
        return False
    if any(made.kind == "placeholder" and made.place in nodes for made in recorder.nodes):
        return False
    return not any(module.tree in extent for extent in recorder.built.values())
