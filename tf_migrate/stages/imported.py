"""Functions of other modules of the tree that are called to build a part of the graph.

Such a function stays in its module, where its symbols are rewritten as those of any library are: into what works in a
graph, eagerly and in a function alike. So it may be called from the functions that replace the runs, as one of the
module's own may, if it reads nothing that may change and does nothing but compute tensors and create variables.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tf_migrate.names.canonical import Names
from tf_migrate.stages import purity
from tf_migrate.stages.builders import Builders
from tf_migrate.stages.captures import is_immutable
from tf_migrate.stages.values import Binding, Refused, Stage, Value, flatten
from tf_migrate.syntax.module import Module

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_RETURNED = frozenset({Stage.PYTHON, Stage.CONSTANT, Stage.STATIC, Stage.TENSOR, Stage.LAYER})
_STEP = "write it as a function of this module"


@dataclass(frozen=True, eq=False)
class Imported:
    """Another module: `env` are the functions that it defines, `fixed` the names whose values never change.

    `unread` are the names that may hold a part of a graph.
    """

    module: Module
    names: Names
    env: dict[str, Binding]
    fixed: frozenset[str]
    unread: frozenset[str]


def read_module(names: Names) -> Imported:
    """What functions of a module may see of it."""
    module = names.module
    made = makers(module)
    kinds = {name: _kind(names, name, bindings, made.get(name, [])) for name, bindings in module.root.bindings.items()}
    functions = {node.name: node for node in module.tree.body if isinstance(node, ast.FunctionDef)}
    plain = {name: node for name, node in functions.items() if kinds[name] == "fixed"}
    return Imported(
        module,
        names,
        {name: Binding(Value(Stage.PYTHON, function=node), -1, 0) for name, node in plain.items()},
        frozenset(name for name, kind in kinds.items() if kind == "fixed"),
        frozenset(name for name, kind in kinds.items() if kind == "unread"),
    )


def _kind(names: Names, name: str, bindings: Sequence[object], makers: Sequence[ast.stmt]) -> str:
    """Whether what a name of a module means is known ("fixed"), may change, or is better not read."""
    module = names.module
    if all(isinstance(binding, tuple) for binding in bindings) or names.lookup(name, module.root) is not None:
        return "fixed"
    if any(_uses_tensorflow(names, node) for node in makers if not isinstance(node, ast.FunctionDef)):
        return "unread"
    if len(bindings) != 1 or len(makers) != 1 or names.index.changed & {name, "*"}:
        return "changing"
    value = bindings[0]
    literal = isinstance(value, ast.expr) and is_immutable(value, module)
    return "fixed" if literal or isinstance(makers[0], ast.FunctionDef) else "changing"


def makers(module: Module) -> dict[str, list[ast.stmt]]:
    """The statements of a module's top level that bind each of its names."""
    made: dict[str, list[ast.stmt]] = {}
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            made.setdefault(node.name, []).append(node)
        for inner in ast.walk(node):
            stored = isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load)
            if stored and isinstance(inner, ast.Name) and module.scope_of(inner) is module.root:
                made.setdefault(inner.id, []).append(node)
    return made


def _uses_tensorflow(names: Names, node: ast.AST) -> bool:
    found = (names.resolve(inner) for inner in ast.walk(node) if isinstance(inner, ast.Name | ast.Attribute))
    return any(symbol is not None and not purity.is_plain_call(symbol) for symbol in found)


class Imports:
    """The functions of other modules that one module's names mean, and where each belongs."""

    def __init__(self, own: Names) -> None:
        self.own = own
        self.modules: dict[str, Imported | None] = {}
        self.homes: dict[ast.AST, Imported] = {}
        self.builders = Builders()

    def function(self, names: Names, node: ast.expr) -> ast.FunctionDef | None:
        """The function of another module that an expression means in the module of `names`."""
        made = names.definition(node)
        home = None if made is None else self._module(made[0])
        if made is None or home is None or made[1] not in home.env:
            return None
        return home.env[made[1]].value.function

    def _module(self, name: str) -> Imported | None:
        if name not in self.modules:
            self.modules[name] = read = self._read(name)
            functions = () if read is None else (binding.value.function for binding in read.env.values())
            self.homes.update((function, read) for function in functions if function is not None and read is not None)
        return self.modules[name]

    def _read(self, name: str) -> Imported | None:
        """A module as any analysis of the tree sees it."""
        known = self.own.index.readings
        if name not in known:
            module = self.own.index.tree(name)
            known[name] = None if module is None else read_module(Names(module, self.own.index, self.own.compat_module))
        read = known[name]
        return read if isinstance(read, Imported) and name != self.own.module.name else None

    @contextmanager
    def at_home(self, evaluator: Evaluator, function: ast.AST) -> Iterator[bool]:
        """Lets the evaluator see names as a function's module does; tells whether that is another module."""
        home = self.homes.get(function)
        if home is None or home.module is evaluator.module:
            yield home is not None
            return
        outer = evaluator.module, evaluator.names, evaluator.env
        evaluator.module, evaluator.names, evaluator.env = home.module, home.names, home.env
        try:
            yield True
        finally:
            evaluator.module, evaluator.names, evaluator.env = outer

    def note_read(self, evaluator: Evaluator, node: ast.Name) -> None:
        """Looks at a name that code of another module reads there: it must mean the same all the time."""
        home = next((home for home in self.modules.values() if home and home.module is evaluator.module), None)
        if home is None or node.id not in home.module.root.bindings:
            return
        if node.id in home.unread:
            raise Refused(node, f"`{node.id}` of `{home.module.name}` may be a part of a graph", _STEP)
        if node.id not in home.fixed:
            evaluator.note_impure(node)


@contextmanager
def apart(evaluator: Evaluator, call: ast.Call, function: ast.FunctionDef) -> Iterator[None]:
    """Reads a function of another module for what it gives to this one; refusals tell of the call."""
    if evaluator.is_abroad:
        yield
        return
    before = _marks(evaluator)
    try:
        with evaluator.aside() as (_, impure), evaluator.imports.at_home(evaluator, function):
            yield
    except Refused as refused:
        what = f"`{ast.unparse(call.func)}` of another module: {refused.reason}"
        raise Refused(call, what, refused.next_step) from None
    if _marks(evaluator) != before:
        raise Refused(call, f"`{ast.unparse(call.func)}` of another module does more than compute tensors", _STEP)
    if impure:
        evaluator.note_impure(call)


def _marks(evaluator: Evaluator) -> tuple[int, ...]:
    """How much the evaluator has noted that is for statements of this module."""
    noted: tuple[Sized, ...] = (
        *(evaluator.gradients, evaluator.lists, evaluator.listed, evaluator.summaries, evaluator.savers),
        *(evaluator.freed, evaluator.merged, evaluator.graphs, evaluator.iterations, evaluator.batches),
    )
    return tuple(len(items) for items in noted)


def require_tensors(call: ast.Call, value: Value, given: Sequence[Value]) -> None:
    """Refuses what a function of another module returns if that is neither a tensor nor what it was given."""
    known = set(map(id, flatten(given)))
    for part in flatten([value]):
        if part.stage not in _RETURNED and id(part) not in known:
            what = f"`{ast.unparse(call.func)}` of another module returns a part of the graph that is no tensor"
            raise Refused(call, what, _STEP)
