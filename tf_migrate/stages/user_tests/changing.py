"""Assignments that a test makes between its runs: operations that it builds before, and that only such runs fetch.

Natively each is made where the session ran it. So it has to be of a variable that the function of the test has made
until then, and of a value that is none of the graph's.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import RunSite
from tf_migrate.stages.names_used import loads_in, loads_of, stores_of
from tf_migrate.stages.stillness import kin_of
from tf_migrate.stages.user_tests.state import State
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.arguments import argument
from tf_migrate.syntax.module import Module

_METHODS = ("assign", "assign_add", "assign_sub")
_FUNCTIONS = frozenset(f"tf.{name}" for name in _METHODS)


@dataclass(frozen=True)
class Assigned:
    """A run of an assignment: the statement that makes it, the variable, and constants that its value names."""

    site: RunSite
    statement: ast.Assign
    variable: ast.expr
    constants: tuple[tuple[ast.Name, ast.expr], ...] = ()

    @property
    def call(self) -> ast.Call:
        """The assignment."""
        assert isinstance(self.statement.value, ast.Call)
        return self.statement.value

    @property
    def values(self) -> list[ast.expr]:
        """What the assignment is given beside the variable."""
        every = [*self.call.args, *(word.value for word in self.call.keywords)]
        return [value for value in every if value is not self.variable]


def changes_in(
    module: Module, names: Names, test: ast.FunctionDef, sites: Sequence[RunSite], statements: Sequence[ast.stmt]
) -> tuple[Assigned, ...]:
    """The runs of a test that only make assignments; none where the first run is one: it builds as others do."""
    inside = set(ast.walk(test))
    found: list[Assigned] = []
    for item in statements:
        variable = _variable(names, item)
        if variable is None or not isinstance(item, ast.Assign) or not isinstance(item.targets[0], ast.Name):
            continue
        loads = loads_in(module, item.targets[0].id, inside)
        running = [site for site in sites if module.parents[site.node] in statements]
        running = [site for site in running if isinstance(module.parents[site.node], ast.Expr)]
        runs = [site for site in running if site.kind == "Session.run" and _fetches(site.node, loads)]
        if loads and len(runs) == len(loads):
            found += [Assigned(site, item, variable) for site in runs]
    first = next((site for site in sites if not site.initializer_only), None)
    return () if any(change.site is first for change in found) else tuple(found)


def _variable(names: Names, item: ast.stmt) -> ast.expr | None:
    """What a statement that only makes an assignment assigns to."""
    call = item.value if isinstance(item, ast.Assign) and len(item.targets) == 1 else None
    if not isinstance(call, ast.Call):
        return None
    symbol = names.resolve(call.func)
    if symbol in _FUNCTIONS:
        return argument(call, "ref", 0)
    method = call.func.attr if symbol is None and isinstance(call.func, ast.Attribute) else ""
    return call.func.value if method in _METHODS and isinstance(call.func, ast.Attribute) else None


def _fetches(call: ast.Call, loads: Sequence[ast.AST]) -> bool:
    return len(call.args) == 1 and not call.keywords and call.args[0] in loads


def with_constants(state: State, change: Assigned, made: set[str], graph: set[str]) -> Assigned:
    """A change with the constants that its value names; refuses a value of the graph, and one that may be another.

    `made` are the names of what the function makes, `graph` those of the assignments too.
    """
    module, names, test = state.module, state.names, state.test
    every = [item for item in ast.walk(test) if isinstance(item, ast.stmt) and item is not test]
    constants = []
    for name in (node for value in change.values for node in ast.walk(value) if isinstance(node, ast.Name)):
        binding = [item for item in every if name.id in stores_of(module, item)]
        if name.id in made:
            value = binding[0].value if len(binding) == 1 and isinstance(binding[0], ast.Assign) else None
            if not isinstance(value, ast.Call) or names.resolve(value.func) != "tf.constant" or loads_of(value) & made:
                raise Refused(
                    change.call, f"the value of an assignment names `{name.id}`", "assign a number or an array"
                )
            constants.append((name, value))
    values = [*change.values, *(value for _, known in constants for value in known.args)]
    read = kin_of(set().union(*map(loads_of, values)) - made, test, module, graph)
    read.update(*map(state.read_by, values))
    behind = [item for item in every if item.lineno > change.statement.lineno]
    if not all(map(state.computes, values)) or any(state.done_by(item, graph) & read for item in behind):
        raise Refused(change.call, "what is assigned may be another value by then", "assign it where it is made")
    return Assigned(change.site, change.statement, change.variable, tuple(constants))


def is_constant_of(module: Module, test: ast.FunctionDef, changes: Sequence[Assigned], item: ast.stmt) -> bool:
    """Whether a statement only makes a constant that changes name, and nothing else."""
    named = {name.id for change in changes for name, _ in change.constants}
    target = item.targets[0] if isinstance(item, ast.Assign) and len(item.targets) == 1 else None
    if not isinstance(target, ast.Name) or target.id not in named:
        return False
    moved = {node for change in changes for node in ast.walk(change.statement)}
    inside = set(ast.walk(test))
    return moved.issuperset(loads_in(module, target.id, inside))
