"""Names that a module reads and does not bind, and those that a new text of it lost."""

from __future__ import annotations

import ast
import builtins

from tf_migrate.files.source import Source, SourceError, parse
from tf_migrate.syntax.module import Module, load, of_tree
from tf_migrate.syntax.walk import Scope


def is_global(module: Module, node: ast.Name) -> bool:
    """Whether no scope between a name and the module binds it; false of a name that stands in another module."""
    if node not in module.scopes:
        return False
    scope: Scope | None = module.scopes[node]
    first = scope
    while scope is not None and scope is not module.root:
        if scope.elsewhere.get(node.id) == "global":
            return True
        if node.id in scope.bindings and (scope is first or not scope.is_class):
            return False
        scope = scope.parent
    return True


def newly_unbound(module: Module, text: str) -> set[str]:
    """Names that a new text of a module reads without binding them, and that the module itself does not."""
    source = Source(module.path, b"", text, "utf-8", bom=False)
    try:
        tree = parse(source)
    except SourceError:
        return set()  # the verification tells it
    # Of a module that an analysis reads with its star imports spelled out, the text says what it binds.
    before = load(module.source) if "*" in module.source.text else module
    return _unbound(of_tree(module.name, module.package, source, tree)) - _unbound(before)


def lost_names(module: Module, text: str) -> set[str]:
    """Names that a module binds at its top, imports aside, and that a new text of it does not bind any more."""
    source = Source(module.path, b"", text, "utf-8", bom=False)
    try:
        kept = of_tree(module.name, module.package, source, parse(source)).root.bindings.keys()
    except SourceError:
        return set()  # the verification tells it
    imported = {name for name, found in module.root.bindings.items() if any(isinstance(each, tuple) for each in found)}
    return module.root.bindings.keys() - imported - kept


def _unbound(module: Module) -> set[str]:
    bound = module.root.bindings.keys() | set(dir(builtins))
    return {
        name
        for name, loads in module.loads.items()
        if name not in bound and any(is_global(module, load) for load in loads)
    }
