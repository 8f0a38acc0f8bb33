"""What statements of a test read and may change, beyond the names in them: by the functions and methods they call.

Statements that change nothing of what others read may run in another order. So everything counts that code reaches:
other names of an object, attributes of the test, variables of modules that functions change, and random numbers.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from dataclasses import dataclass

from tf_migrate.names.canonical import Names
from tf_migrate.stages.names_used import is_imported, loads_of, stores_of
from tf_migrate.stages.stillness import (
    FILLED,
    changed_by,
    changing_calls,
    is_drawing,
    is_reading,
    is_still,
    kin_of,
    stored_into,
)
from tf_migrate.stages.user_tests.allowed import Own, reach_of
from tf_migrate.stages.user_tests.own_attributes import Stores
from tf_migrate.stages.user_tests.reach import Reach
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.callee import callee
from tf_migrate.syntax.module import Module

_DRAWN = "random numbers"
_ANYTHING = "anything"
_CONSUMING = frozenset({"enumerate", "filter", "iter", "map", "reversed", "zip"})


class State:
    """Tells what statements of one test read and change; `runs` are calls that do neither."""

    def __init__(self, names: Names, test: ast.FunctionDef, own: Own, stores: Stores, runs: frozenset[ast.AST]) -> None:
        self.names = names
        self.module = names.module
        self.test = test
        self.own = own
        self.stores = stores
        self.runs = runs
        self.iterators = set(_iterators(self.module, test))
        """The names of what is used up as it is read."""
        self._reached: dict[ast.AST, frozenset[str]] = {}

    def is_still(self, item: ast.stmt, *, drawing: bool = False) -> bool:
        """Whether a statement only binds names to what it computes of others, `drawing` random numbers or not."""
        plain = is_drawing(item, self.module) if drawing else is_still(item, self.module)
        return plain and self.iterators.isdisjoint(loads_of(item))

    def computes(self, node: ast.expr) -> bool:
        """Whether an expression gives the same value wherever nothing changes what it reads."""
        calls = (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))
        plain = all(is_reading(call, self.module) for call in calls)
        return plain and self.iterators.isdisjoint(loads_of(node)) and not self.draws(node)

    def draws(self, node: ast.AST) -> bool:
        """Whether code may draw random numbers."""
        return not {_DRAWN, _ANYTHING}.isdisjoint(self.reached_by(node))

    def read_by(self, node: ast.AST, hidden: Container[ast.AST] = ()) -> set[str]:
        """What code reads, but by nodes that are hidden; code that is not known may change what it reaches."""
        reached, named = self.reached_by(node), loads_of(node, hidden)
        shared = bool(reached) or any(name.startswith("self.") for name in named)
        return named | reached | ({_ANYTHING} if shared else set())

    def changed_by(self, node: ast.AST, made: set[str]) -> set[str]:
        """What code may change in place; `made` are the names of parts of the graph."""
        known = {name for name in loads_of(node) if self._is_module(name)} - stored_into(node)
        direct = changed_by(node, self.module, self.runs) - known | (loads_of(node) & self.iterators)
        return direct | kin_of(direct, self.test, self.module, made) | self.reached_changes(node)

    def done_by(self, item: ast.stmt, made: set[str]) -> set[str]:
        """What a statement binds, or may change in place."""
        return self.stores.of(item) | self.changed_by(item, made)

    def _is_module(self, name: str) -> bool:
        """Whether a name means a module of the tree, or TensorFlow: what their functions change is known by itself."""
        loads = self.module.loads.get(name, []) if is_imported(self.module, name) else []
        return bool(loads) and (self.names.origin(loads[0]) or "").startswith(("@", "tf"))

    def reached_changes(self, node: ast.AST) -> set[str]:
        """What code may change that it does not name itself."""
        if changing_calls(node, self.module, self.runs) or self.stores.called_by(node):
            return set(self.reached_by(node))
        return {_DRAWN, _ANYTHING} & self.reached_by(node)

    def is_filled(self, name: str) -> bool:
        """Whether a name may be of a container or an object that other code changes; arrays are not built into."""
        return any(self._may_change(value) for value in self.bound(name))

    def bound(self, name: str) -> list[ast.expr]:
        """The values that statements of the test bind to a name."""
        found = (inner for inner in ast.walk(self.test) if isinstance(inner, ast.Assign))
        return [inner.value for inner in found if name in stores_of(self.module, inner)]

    def _may_change(self, value: ast.expr) -> bool:
        changing = isinstance(value, ast.Call) and value in changing_calls(value, self.module, self.runs)
        return isinstance(value, FILLED) or changing

    def reached_by(self, node: ast.AST) -> frozenset[str]:
        """What code reaches by functions and methods: variables that some function changes, and random numbers."""
        if node not in self._reached:
            self._reached[node] = frozenset(self._reach(node))
        return self._reached[node]

    def _reach(self, node: ast.AST) -> set[str]:
        if not any(isinstance(inner, ast.Call | ast.Name) for inner in ast.walk(node)):
            return set()
        reach = reach_of(self.own, Reach(free=self.runs))
        try:
            reach.follow(self.names, [node])
        except Refused:
            return {_ANYTHING}
        found = {_DRAWN} if reach.draws else set[str]()
        for module, name in reach.globals:
            home = reach.names[module]
            if name in _variables(home):
                found.add(name if home.module is self.module else f"{module}.{name}")
        return found | self._attributes(node, whole=reach.handed)

    def _attributes(self, node: ast.AST, *, whole: bool) -> set[str]:
        """The attributes of the test that methods which code calls read."""
        whole = whole or self.stores.hands_on(node)
        reading = (self.test, *self.stores.every) if whole else self.stores.called_by(node)
        named = {name for method in reading for name in loads_of(method) if name.startswith("self.")}
        return {name for name in named - set(self.stores.methods) if not name.startswith("self.assert")}


def _variables(home: Names) -> frozenset[str]:
    """The names of a module that its functions bind anew, or whose values they may change."""
    readings, key = home.index.readings, f"variables {home.module.name}"
    known = readings.get(key)
    if not isinstance(known, _Variables) or known.module is not home.module:
        known = readings[key] = _Variables(home.module, frozenset(_changed_in(home)))
    return known.names


@dataclass(frozen=True)
class _Variables:
    """What functions of a module change of it."""

    module: Module
    names: frozenset[str]


def _changed_in(home: Names) -> set[str]:
    module = home.module
    made = {item.name for item in module.tree.body if isinstance(item, ast.FunctionDef | ast.ClassDef)}
    plain = {name for name, bound in module.root.bindings.items() if not all(isinstance(item, tuple) for item in bound)}
    found: set[str] = set()
    for function in module.functions:
        found |= {name for inner in ast.walk(function) if isinstance(inner, ast.Global) for name in inner.names}
        calls = (call for call in changing_calls(function, module) if home.resolve(call.func) is None)
        found |= stored_into(function).union(*(loads_of(call) - made for call in calls))
        if any(isinstance(value, FILLED) for value in (*function.args.defaults, *function.args.kw_defaults)):
            found.add(getattr(function, "name", ""))
    return found & plain


def _iterators(module: Module, test: ast.FunctionDef) -> Iterator[str]:
    for item in ast.walk(test):
        if isinstance(item, ast.Assign) and _is_iterator(module, item.value):
            yield from stores_of(module, item)


def _is_iterator(module: Module, value: ast.expr) -> bool:
    name = (callee(value.func, module) or "") if isinstance(value, ast.Call) else ""
    return isinstance(value, ast.GeneratorExp) or name in _CONSUMING or name.startswith("itertools.")
