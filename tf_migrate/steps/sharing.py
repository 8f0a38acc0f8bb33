"""Programs of one tree that share modules: each has its own verdict where what they share only helps to build."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.names.exports import Index
from tf_migrate.syntax.module import Module


def apart(modules: Mapping[str, Module], recorder: Recorder, index: Index) -> list[frozenset[str]]:
    """The modules of programs that stand or fall each by itself; none where there is one program.

    A module that only helps to build is the same on the bridge and in steps: programs that share it are not tied by
    it. Others are tied by imports, where they mention something of what they import: it may be called in ways that
    nobody saw.
    """
    acting = {name for name, module in modules.items() if _acts_on_import(module, recorder)}
    helping = {name for name, module in modules.items() if _only_helps(module, recorder)} - acting
    groups: list[set[str]] = []
    for name in modules.keys() - helping:
        mine = {name, *_mentioned(name, modules, helping, index)} - helping
        mine |= acting & _with_packages(mine | {name}, index)
        for other in [group for group in groups if group & mine]:
            groups.remove(other)
            mine |= other
        groups.append(mine)
    if len(groups) < 2:
        return []
    running = {module.name for module in recorder.sites.values()}
    return [frozenset(group | _of_it_alone(group, helping, index)) for group in groups if group & running]


def _mentioned(name: str, modules: Mapping[str, Module], helping: set[str], index: Index) -> Iterator[str]:
    """What a module imports, itself or by those that help it, and mentions something of."""
    imported = index.imported_by(name) & modules.keys()
    words = set[str]().union(*(_words(modules[each]) for each in {name, *(imported & helping)}))
    return (each for each in imported - helping if not words.isdisjoint(_defined(modules[each])))


def _defined(module: Module) -> set[str]:
    """The names of a module, without those that it imports."""
    imports = (alias for node in ast.walk(module.tree) if isinstance(node, ast.Import | ast.ImportFrom)
               for alias in node.names)  # fmt: skip
    return set(module.root.bindings) - {alias.asname or alias.name.partition(".")[0] for alias in imports}


def _words(module: Module) -> set[str]:
    """The names, attributes and texts of a module that may mention what it imports."""
    texts = (node.value for node in ast.walk(module.tree) if isinstance(node, ast.Constant))
    return {*module.loads, *module.attributes, *(text for text in texts if isinstance(text, str))}


def _with_packages(names: Iterable[str], index: Index) -> set[str]:
    """What is executed where modules are imported: their packages too, and what these import."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name and name not in found:
            found.add(name)
            waiting += [name.rpartition(".")[0], *index.imports(name)]
    return found


def _of_it_alone(group: Iterable[str], helping: set[str], index: Index) -> set[str]:
    """The helping modules that only the modules of a group import."""
    reached = set[str]().union(*(index.imported_by(name) for name in group))
    return {name for name in helping & reached if index.importing(name) <= {*group, *helping}}


def _only_helps(module: Module, recorder: Recorder) -> bool:
    """Whether nothing of a module is written otherwise in steps: it runs nothing, and makes no inputs or graphs."""
    nodes: set[ast.AST] = {module.tree, *module.parents}
    if any(owner is module for owner in recorder.sites.values()) or not nodes.isdisjoint(recorder.ran):
        return False
    if not nodes.isdisjoint(recorder.entered) or any(problem.module is module for problem in recorder.problems):
        return False
    if any(recorder.sessions[node] - {"none"} for node in nodes & recorder.sessions.keys()):
        return False
    return not any(made.kind == "placeholder" and made.place in nodes for made in recorder.nodes)


def _acts_on_import(module: Module, recorder: Recorder) -> bool:
    """Whether a module builds or runs something when it is imported, or as a script."""
    return any(module.tree in extent for table in (recorder.built, recorder.ran) for extent in table.values())
