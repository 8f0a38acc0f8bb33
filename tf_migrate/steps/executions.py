"""The executions of a tree: of its scripts and tests, and of what these do not call."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set

from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.names.building import main_guard
from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Index
from tf_migrate.names.run_sites import find_sites
from tf_migrate.options import Options
from tf_migrate.steps.bridged_tests import NO_TESTS, BridgedTests
from tf_migrate.steps.lifetimes import SESSIONS
from tf_migrate.syntax.module import Module
from tf_migrate.syntax.run_texts import reads_as_run
from tf_migrate.trace.execution import Machine


class Executions:
    """What executions of some modules showed, and the modules of each."""

    def __init__(self, modules: Mapping[str, Names], options: Options, bridged: BridgedTests = NO_TESTS) -> None:
        self.modules = modules
        self.recorder = Recorder()
        self.reached: list[frozenset[str]] = []
        self._index = next(iter(modules.values())).index
        self._options = options
        self._bridged = bridged
        self._machines: dict[str, Machine] = {}

    def of_all(self) -> Executions:
        """Executes all scripts and tests, and what they do not call."""
        found = entries(self.modules)
        # Of modules that no script leads to, such as those that import each other, the first leads to the others.
        others = (
            name
            for name in sorted(self.modules)
            if name not in found and next(_runs_of(self.modules[name]), None) is not None
        )
        for name in (*found, *others):
            if name in found or not any(name in names for names in self.reached):
                self.of_entry(name)
        self.of_uncalled(self.modules.keys())
        return self

    def of_entry(self, name: str) -> None:
        """Executes a module as a script, and its tests."""
        machine = self._machine()
        machine.run_script(name)
        machine.run_tests(name, self._bridged.reasons.keys())
        self.reached.append(frozenset(machine.modules) & self.modules.keys())
        for module in machine.modules:
            self._machines.setdefault(module, machine)

    def of_uncalled(self, names: Collection[str]) -> None:
        """Executes what runs something in some modules and was not called so far."""
        left_out = self._bridged.functions
        for uncalled in (_uncalled, _uncalled_with_session):
            for name in sorted(names):
                for path, is_unseen in uncalled(self.modules[name], self.recorder, left_out):
                    machine = self._machines.setdefault(name, self._machine())
                    machine.run_function(name, path, is_unseen)
        for name in sorted(self._machines.keys() & set(names)):
            for node, is_unseen in _uncalled_inside(self.modules[name], self.recorder, left_out):
                self._machines[name].run_closure(name, node, is_unseen)

    def _machine(self) -> Machine:
        return Machine(self._index, self.recorder, self._options.compat_module)


def entries(modules: Mapping[str, Names]) -> list[str]:
    """The modules that are run as scripts or tests of TensorFlow 1."""
    index = next(iter(modules.values())).index
    return [name for name in sorted(modules) if index.began_with_tf1(name) and is_entry(modules[name].module, index)]


Uncalled = tuple[list[str], Callable[[], bool]]
"""A function or method by its names, and whether there is still something in it that nothing reached."""


def _uncalled(names: Names, recorder: Recorder, left_out: Set[ast.AST]) -> list[Uncalled]:
    """The functions and methods with runs that no script reached; those that build come with them."""
    module = names.module
    runs: set[ast.Call] = {node for node in _runs_of(names) if node not in recorder.runs}
    made = {call for call in module.calls if names.of(call.func) in SESSIONS and call not in recorder.symbols}
    runs |= made

    def is_unseen(node: ast.AST) -> bool:
        if node in made:
            return node not in recorder.symbols
        if node in runs:
            return node not in recorder.runs
        return recorder.visits.keys().isdisjoint(module.around(node))

    calls = (call for call in module.calls if (names.of(call.func) or "").startswith("tf.")) if runs else ()
    wanted = (node for node in (*runs, *filter(is_unseen, calls)) if left_out.isdisjoint(module.around(node)))
    in_order = sorted(wanted, key=module.source.start)
    return [found for found in _functions_of(module, in_order, is_unseen) if found[0][-1] != "__init__"]


def _uncalled_inside(
    names: Names, recorder: Recorder, left_out: Set[ast.AST]
) -> Iterator[tuple[ast.AST, Callable[[], bool]]]:
    """The lambdas, and the functions within others, with runs that nothing reached."""
    module = names.module
    found: dict[ast.AST, list[ast.AST]] = {}
    for node in [node for node in _runs_of(names) if node not in recorder.runs]:
        inner = module.function_of(node)
        if inner is not None and inner not in recorder.visits and left_out.isdisjoint(module.around(node)):
            found.setdefault(inner, []).append(node)
    for function, nodes in found.items():
        yield function, functools.partial(_any, lambda node: node not in recorder.runs, nodes)


def _runs_of(names: Names) -> Iterator[ast.Call]:
    """The runs of a module, and the calls that read as some."""
    yield from (site.node for site in find_sites(names.module, names))
    yield from (call for call in names.module.calls if reads_as_run(call, names.tf_roots))


def _uncalled_with_session(names: Names, recorder: Recorder, left_out: Set[ast.AST]) -> list[Uncalled]:
    """The methods that read a session of their object, and that no script reached."""
    module = names.module
    known = set(recorder.session_attributes)
    loads = [node for name in known for node in module.attributes.get(name, ()) if node not in recorder.sessions]
    read = [node for node in loads if isinstance(node.ctx, ast.Load) and left_out.isdisjoint(module.around(node))]
    return _functions_of(module, read, lambda node: node not in recorder.sessions)


def _functions_of(module: Module, nodes: Sequence[ast.AST], is_unseen: Callable[[ast.AST], bool]) -> list[Uncalled]:
    """The functions and methods that some nodes stand in."""
    found: dict[tuple[str, ...], list[ast.AST]] = {}
    for node in nodes:
        outer = [each for each in module.around(node) if isinstance(each, ast.FunctionDef | ast.ClassDef)]
        while len(outer) > 1 and isinstance(outer[1], ast.FunctionDef):
            outer = outer[1:]
        if outer and isinstance(outer[0], ast.FunctionDef):
            found.setdefault(tuple(each.name for each in reversed(outer)), []).append(node)
    return [(list(path), functools.partial(_any, is_unseen, inside)) for path, inside in found.items()]


def _any(is_unseen: Callable[[ast.AST], bool], nodes: Sequence[ast.AST]) -> bool:
    return any(map(is_unseen, nodes))


def is_entry(module: Module, index: Index) -> bool:
    """Whether a module is run as a script: nothing imports it, or it asks for `__main__`."""
    guarded = any(main_guard(node) is not None for node in module.tree.body)
    return guarded or module.name not in index.imported_modules
