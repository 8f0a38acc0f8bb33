"""Programs of one tree that share modules: each has its own verdict where what they share only helps to build."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.interpreter.values import Node, Thing, Value, options
from tf_migrate.names.exports import Index
from tf_migrate.syntax.module import Module


def apart(modules: Mapping[str, Module], recorder: Recorder, index: Index) -> list[frozenset[str]]:
    """The modules of programs that stand or fall each by itself; none where there is one program.

    A module that only helps to build is the same on the bridge and in steps: programs that share it are not tied by
    it. Others are tied by calls, by sessions and tensors that one has of another, and by what happens on import.
    """
    helping = {name for name, module in modules.items() if _only_helps(module, recorder)}
    ties = [{name} for name in modules.keys() - helping]
    ties += [set(pair) for pair in _pairs(modules, recorder, index) if helping.isdisjoint(pair)]
    groups: list[set[str]] = []
    for names in ties:
        mine = names & modules.keys()
        for other in [group for group in groups if group & mine]:
            groups.remove(other)
            mine |= other
        groups.append(mine)
    running = {module.name for module in recorder.sites.values()}
    groups = [group for group in groups if group & running]
    if len(groups) == 1 and groups[0] >= modules.keys() - helping:
        return []
    return [frozenset(group | _of_it_alone(group, helping, index)) for group in groups]


def _pairs(modules: Mapping[str, Module], recorder: Recorder, index: Index) -> Iterator[tuple[str, str]]:
    """Modules of which one has something to do with the other."""
    for visits in recorder.visits.values():
        for visit in visits:
            if visit.caller is not None:
                yield visit.caller.module.name, visit.frame.module.name
    for name, module in modules.items():
        if _acts_on_import(module, recorder):
            yield from ((name, other) for other in index.importers(name))
    owners = {node: name for name, module in modules.items() for node in (module.tree, *module.parents)}
    for run, every in recorder.runs.items():
        for seen in every:
            keys = () if seen.feeds is None else [key for key, _ in seen.feeds.parts]
            session = () if seen.session is None else options(seen.session)
            for value in (*session, *seen.fetches.leaves(), *keys):
                for place in _places(value):
                    if place in owners and run in owners:
                        yield owners[run], owners[place]


def _places(value: Value) -> Iterator[ast.AST]:
    """Where a session or tensor was made."""
    for option in options(value):
        if isinstance(option, Node | Thing) and option.place is not None:
            yield option.place


def _acts_on_import(module: Module, recorder: Recorder) -> bool:
    """Whether a module builds or runs something when it is imported."""
    return any(module.tree in extent for table in (recorder.built, recorder.ran) for extent in table.values())


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
    if any(made.kind == "placeholder" and made.place in nodes for made in recorder.nodes):
        return False
    return not _acts_on_import(module, recorder)
