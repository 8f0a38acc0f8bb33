"""What `setUp` builds for each test of a class: the functions that replace runs repeat it, by a method of its own."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tf_migrate.names.canonical import Names
from tf_migrate.stages.names_used import NOT_PLAIN, loads_of, stores_of
from tf_migrate.stages.user_tests.allowed import reach_of, require_building
from tf_migrate.stages.user_tests.cases import Case
from tf_migrate.stages.user_tests.reach import Reach
from tf_migrate.stages.user_tests.state import State
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module

_Touches: TypeAlias = Callable[[Names, ast.AST], bool]
_Stores: TypeAlias = Callable[[ast.stmt], set[str]]
_BUILD = ("_build", "_build_graph")
"""What the method is called that tests share what they build by."""


@dataclass(frozen=True)
class Built:
    """The part of a `setUp` that builds: what stands from `first` on.

    `above` is the call of the base class's `setUp`, where that builds as well.
    """

    method: ast.FunctionDef
    first: ast.stmt
    above: ast.Expr | None

    @property
    def statements(self) -> list[ast.stmt]:
        """What is repeated."""
        return self.method.body[self.method.body.index(self.first) :]


def built_by(names: Names, case: Case, touches: _Touches, stores: _Stores) -> tuple[tuple[Built, ...], set[str]]:
    """What the `setUp` of a class and of its bases build, those of the bases first, and the names that hold it."""
    found: list[Built] = []
    made: set[str] = set()
    module = names.module
    for home, node in (*reversed(case.lineage), (names, case.node)):
        method = next((item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "setUp"), None)
        built = None if method is None else _built(module, home, method, touches, made)
        if built is not None:
            made |= _made(names, built, touches, stores, made)
            found.append(built)
    if found and build_name(module) is None:
        raise Refused(found[0].first, f"methods are called {' and '.join(_BUILD)} already", "give them other names")
    return tuple(found), made


def build_name(module: Module) -> str | None:
    """The name of the method that repeats what `setUp` builds: one that nothing has, None where all are taken."""
    taken = {item.name for item in module.functions if isinstance(item, ast.FunctionDef)}
    return next((name for name in _BUILD if name not in taken and name not in module.attributes), None)


def _built(module: Module, home: Names, method: ast.FunctionDef, touches: _Touches, known: set[str]) -> Built | None:
    """What one `setUp` builds; `known` holds what those of the base classes built before it."""
    body = method.body
    rest = [item for item in body if not _is_of_base(item) and not (not known and _is_emptying(home, item))]
    first = next((item for item in rest if loads_of(item) & known or touches(home, item)), None)
    if first is None:
        return None
    if method not in module.parents:
        raise Refused(first, "`setUp` of another module builds a part of the graph", "build it in the tests")
    if not known:
        return Built(method, first, None)
    above = body[0]
    if not isinstance(above, ast.Expr) or not _is_of_base(above):
        raise Refused(first, "`setUp` does more than build on what its base class builds", "call that first")
    return Built(method, body[1], above)


def _made(names: Names, built: Built, touches: _Touches, stores: _Stores, known: set[str]) -> set[str]:
    """The names that hold what is built; refuses what cannot be repeated."""
    made: set[str] = set()
    module = names.module
    for item in built.statements:
        odd = any(isinstance(inner, NOT_PLAIN) for inner in ast.walk(item))
        if odd or not isinstance(item, ast.Assign | ast.For | ast.Expr) or _calls_super(item):
            raise Refused(item, "`setUp` does more than build", "build in it, and nothing else")
        if loads_of(item) & (made | known) or touches(names, item):
            made |= stores(item)
    before = built.method.body[: built.method.body.index(built.first)]
    local = {name for item in before for name in stores_of(module, item) if "." not in name}
    if local & set().union(*(loads_of(item) for item in built.statements)):
        raise Refused(built.first, "`setUp` builds of local names", "keep them as attributes")
    return made


def require_alike(state: State, built: Sequence[Built], outside: Sequence[ast.AST], made: set[str]) -> None:
    """Refuses what is built where it is repeated of other values, which the test has changed `outside` by then."""
    read = set().union(*(state.read_by(item) for part in built for item in part.statements)) - made
    for node in outside if read else ():
        changed = state.stores.of(node) if isinstance(node, ast.stmt) else set[str]()
        if not isinstance(node, ast.Name | ast.Attribute):
            changed |= state.changed_by(node, made)
        if state.stores.hands_on(node):
            changed |= {name for name in read if name.startswith("self.")}
        if changed & read:
            what = f"`setUp` builds of `{min(changed & read)}`, which the test changes"
            raise Refused(state.test, what, "give what changes a name of its own")


def is_guarded(state: State, built: Sequence[Built], early: Sequence[ast.AST]) -> bool:
    """Whether what is built can be built in a graph or a function only; nothing may need it `early` then."""
    reach = reach_of(state.own, Reach())
    items = [item for part in built for item in part.statements]
    stored = require_building(reach, state.names, items, state.test)
    if not (stored or reach.draws or reach.remembers):
        return False
    known = set().union(*map(loads_of, early)) & set().union(*map(state.stores.of, items))
    if known:
        raise Refused(state.test, f"`{min(known)}` of `setUp` is needed before all building", "make it first")
    return True


def _calls_super(item: ast.stmt) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == "super" for inner in ast.walk(item))


def _is_emptying(names: Names, item: ast.stmt) -> bool:
    """Whether a statement takes a new graph for the test's own: while that is empty, it changes nothing."""
    call = item.value if isinstance(item, ast.Expr) else None
    return isinstance(call, ast.Call) and names.resolve(call.func) == "tf.reset_default_graph"


def _is_of_base(item: ast.stmt) -> bool:
    """Whether a statement is the call of what the base class has under a name."""
    return isinstance(item, ast.Expr) and _calls_super(item)
