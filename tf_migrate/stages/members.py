"""What a module of the tree has under each of its names, as code of other modules may see it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from tf_migrate.names.canonical import Names
from tf_migrate.names.rebinding import may_be_bound_by_others
from tf_migrate.stages import purity
from tf_migrate.stages.uses import only_reads
from tf_migrate.stages.values import Binding, Stage, Value
from tf_migrate.syntax.module import Module


@dataclass(frozen=True, eq=False)
class Imported:
    """Another module: `env` are the functions that it defines, `fixed` the names whose values never change.

    `unread` are the names that may hold a part of a graph, `values` those of them that are no classes, `rebound` the
    names that functions of it, or other modules, may bind to something else.
    """

    module: Module
    names: Names
    env: dict[str, Binding]
    fixed: frozenset[str]
    unread: frozenset[str]
    values: frozenset[str]
    rebound: frozenset[str]


def read_module(names: Names) -> Imported:
    """What functions of a module may see of it."""
    module = names.module
    made = makers(module)
    kinds = {name: _kind(names, name, bindings, made.get(name, [])) for name, bindings in module.root.bindings.items()}
    functions = {node.name: node for node in module.tree.body if isinstance(node, ast.FunctionDef)}
    plain = {name: node for name, node in functions.items() if kinds[name] == "fixed"}
    unread = frozenset(name for name, kind in kinds.items() if kind == "unread")
    changed = names.index.changed
    anew = {name for scope in module.every_scope for name, where in scope.elsewhere.items() if where == "global"}
    return Imported(
        module,
        names,
        {name: Binding(Value(Stage.PYTHON, function=node), -1, 0) for name, node in plain.items()},
        frozenset(name for name, kind in kinds.items() if kind == "fixed"),
        unread,
        frozenset(name for name in unread if not any(isinstance(node, ast.ClassDef) for node in made[name])),
        frozenset(kinds) if "*" in changed else frozenset(kinds.keys() & (changed | anew)),
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
    literal = isinstance(value, ast.expr) and purity.is_immutable(value, module)
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


def read(names: Names, name: str) -> Imported | None:
    """A module of the tree as any analysis of it sees it; None where it is not rewritten."""
    known = names.index.readings
    if name not in known:
        module = names.index.tree(name)
        known[name] = None if module is None else read_module(Names(module, names.index, names.compat_module))
    found = known[name]
    return found if isinstance(found, Imported) else None


def is_part_of_graph(names: Names, node: ast.Name | ast.Attribute) -> bool:
    """Whether an expression means a value of another module that may be a part of a graph."""
    home, name = _member(names, node)
    return home is not None and name in home.values


def may_be_another(names: Names, node: ast.Name | ast.Attribute) -> bool:
    """Whether `module.name` may be bound to something else later; what was imported by its name keeps its value."""
    home, name = _member(names, node)
    if not isinstance(node, ast.Attribute) or home is None:
        return False
    return name in home.rebound or may_be_bound_by_others(names.index, home.module.name, name)


def may_be_changed(names: Names, node: ast.Name | ast.Attribute) -> bool:
    """Whether a list, or another object, that a module made may be changed in place, there or by who imports it."""
    home, name = _member(names, node)
    bound = [] if home is None else home.module.root.bindings.get(name, [])
    if home is None or name in home.fixed or not all(isinstance(value, ast.expr) for value in bound):
        return False
    here, there = names.module, home.module
    loads = here.loads.get(node.id, []) if isinstance(node, ast.Name) else []
    read = all(only_reads(use, here) for use in (*loads, *here.attributes.get(name, [])))
    return not read or not all(only_reads(use, there) for use in there.loads.get(name, []))


def _member(names: Names, node: ast.Name | ast.Attribute) -> tuple[Imported | None, str]:
    """The other module that makes what an expression means, and the name there."""
    module, name = names.definition(node) or _inside(names, node)
    home = read(names, module) if module and module != names.module.name else None
    return home, name


def _inside(names: Names, node: ast.Name | ast.Attribute) -> tuple[str, str]:
    """What `module.name` says where that module imports nothing, so that nothing is known of what it gives."""
    if isinstance(node, ast.Attribute):
        origin = names.origin(node.value) or ""
        return (origin[1:], node.attr) if origin.startswith("@") and "|" not in origin else ("", "")
    origin = (names.raw_origin(node) if node in names.module.scopes else None) or ""
    module, _, name = origin.removeprefix("@").partition("|")
    return (module, name) if origin.startswith("@") and name else ("", "")
