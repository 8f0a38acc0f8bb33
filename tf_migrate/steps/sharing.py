"""Programs of one tree that share modules: each has its own verdict where what they share only helps to build."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace

from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.names.building import main_guard
from tf_migrate.names.exports import Index
from tf_migrate.steps.plan import ModulePlan, ProgramPlan
from tf_migrate.syntax.module import Module


def apart(modules: Mapping[str, Module], recorder: Recorder, index: Index, least: int = 2) -> list[frozenset[str]]:
    """The modules of programs that stand or fall each by itself; none where there are not at `least` so many.

    A module that only helps to build is the same on the bridge and in steps: programs that share it are not tied by
    it, and what it does as a script, to try what it builds, is a program of its own. Others are tied by imports, where
    they mention something of what they import: it may be called in ways that nobody saw.
    """
    scripts = _scripts(modules)
    acting = {name for name, module in modules.items() if _acts_on_import(module, scripts[name], recorder)}
    helping = {name for name, module in modules.items() if _only_helps(module, scripts[name], recorder)} - acting
    running = {module.name for module in recorder.sites.values()}
    tried = {name for name in helping if not _only_helps(modules[name], set(), recorder)}
    groups: list[set[str]] = []
    for name in (modules.keys() - helping) | tried:
        mine = {name, *_mentioned(name, modules, helping, index)} - (helping - {name})
        mine |= acting & _with_packages(mine | {name}, index)
        for other in [group for group in groups if group & mine]:
            groups.remove(other)
            mine |= other
        groups.append(mine)
    if len(groups) < least:
        return []
    shared = helping - tried
    parts = [frozenset(group | _of_it_alone(group, shared, index)) for group in groups if group & running]
    return [part for part in parts if part != modules.keys()]


def of_one_entry(entry: str, names: Set[str], index: Index) -> frozenset[str]:
    """The modules among some that only one of them leads to: it imports them, and nothing else does.

    None where others import it itself.
    """
    found = index.imported_by(entry) & names
    while True:
        left = frozenset(name for name in found if index.importing(name) & names <= found)
        if left == found:
            return found if entry in found else frozenset()
        found = left


def only_builds(module: Module, recorder: Recorder) -> bool:
    """Whether nothing but parts of a graph was seen in a module, and these where its functions were called."""
    return _only_helps(module, set(), recorder) and not _acts_on_import(module, set(), recorder)


def beside_others(
    plan: ProgramPlan, modules: Mapping[str, Module], recorder: Recorder, index: Index
) -> ProgramPlan | ast.AST:
    """The plan of a part, with the modules that others import too, to build with.

    Where it writes anew what these do not as scripts alone, that instead.
    """
    scripts = _scripts(modules)
    shared = frozenset(
        name
        for name in plan.modules
        if _only_helps(modules[name], scripts[name], recorder)
        and not index.importing(name) & modules.keys() <= plan.modules.keys()
    )
    written = (node for name in shared for node in _written(plan.modules[name]) if node not in scripts[name])
    return next(written, None) or replace(plan, shared=shared)


def _written(plan: ModulePlan) -> Iterator[ast.AST]:
    """The places of a module that a plan writes so that only steps can use them: builders are the same for all."""
    yield from (step.anchor for step in plan.steps)
    yield from (item.anchor for item in plan.inserted)
    yield from (hoist.statement for hoist in plan.hoisted)
    yield from (run.node for run in plan.runs)
    yield from (*plan.dropped, *plan.unwrapped, *plan.dropped_items, *plan.dropped_parameters)
    yield from (*plan.dropped_arguments, *plan.dropped_elements, *plan.bare, *plan.renamed, *plan.replaced)


def _scripts(modules: Mapping[str, Module]) -> dict[str, set[ast.AST]]:
    """For modules: what of them only runs where they are scripts."""
    words = {name: _words(module) for name, module in modules.items()}
    return {
        name: _of_script(module, set[str]().union(*(row for other, row in words.items() if other != name)))
        for name, module in modules.items()
    }


def _mentioned(name: str, modules: Mapping[str, Module], helping: set[str], index: Index) -> Iterator[str]:
    """What a module imports, itself or by those that help it, and mentions something of."""
    imported = index.imported_by(name) & modules.keys()
    words = set[str]().union(*(_words(modules[each]) for each in {name, *(imported & helping)}))
    return (each for each in imported - helping if not words.isdisjoint(_defined(modules[each])))


def _defined(module: Module) -> set[str]:
    """The names of a module, without those that it imports."""
    imports = (alias for node in module.nodes if isinstance(node, ast.Import | ast.ImportFrom)
               for alias in node.names)  # fmt: skip
    return set(module.root.bindings) - {alias.asname or alias.name.partition(".")[0] for alias in imports}


def _words(module: Module) -> set[str]:
    """The names, attributes and texts of a module that may mention what it imports."""
    texts = (node.value for node in module.nodes if isinstance(node, ast.Constant))
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


def _of_script(module: Module, words: set[str]) -> set[ast.AST]:
    """What of a module only runs where it is a script: behind `if __name__ == "__main__":`, or called by nobody else.

    `words` are those of the other modules.
    """
    found: set[ast.AST] = set()
    for statement in module.tree.body:
        if main_guard(statement) is not None:
            found.update(ast.walk(statement))
    waiting = [node for node in module.tree.body if isinstance(node, ast.FunctionDef) and node.name not in words]
    while waiting:
        alone = [
            node
            for node in waiting
            if all(load in found or node in module.around(load) for load in module.loads.get(node.name, ()))
        ]
        if not alone:
            break
        found.update(inner for node in alone for inner in ast.walk(node))
        waiting = [node for node in waiting if node not in alone]
    return found


def _only_helps(module: Module, script: set[ast.AST], recorder: Recorder) -> bool:
    """Whether nothing of a module needs to be written otherwise in steps: it runs nothing, and makes no graphs.

    But for what it does as a script.
    """
    nodes: set[ast.AST] = {module.tree, *module.parents} - script
    if any(owner is module and place in nodes for place, owner in recorder.sites.items()):
        return False
    if not nodes.isdisjoint(recorder.ran) or not nodes.isdisjoint(recorder.entered):
        return False
    if any(each.module is module and each.node in nodes & recorder.met for each in recorder.problems):
        return False
    # A parameter that is given a session and not read is given None in steps.
    given = {node for node in nodes & recorder.sessions.keys() if not isinstance(node, ast.arg)}
    return not any(recorder.sessions[node] - {"none"} for node in given)


def _acts_on_import(module: Module, script: set[ast.AST], recorder: Recorder) -> bool:
    """Whether a module builds or runs something when it is imported."""
    return any(
        module.tree in extent and script.isdisjoint(extent)
        for table in (recorder.built, recorder.ran)
        for extent in table.values()
    )
