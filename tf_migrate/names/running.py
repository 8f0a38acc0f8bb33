"""What of a module runs: one that is imported does not run what stands under `if __name__ == "__main__":`."""

from __future__ import annotations

import ast
from collections.abc import Collection

from tf_migrate.names.building import main_guard
from tf_migrate.syntax.module import Module, of_tree


def as_imported(module: Module) -> Module:
    """A module as those that import it see it."""
    guards = [node for node in module.tree.body if (guard := main_guard(node)) is not None and not guard.orelse]
    return without(module, guards)


def without(module: Module, statements: Collection[ast.stmt]) -> Module:
    """A module as it is without some statements of its top level."""
    if not statements:
        return module
    body = [ast.copy_location(ast.Pass(), node) if node in statements else node for node in module.tree.body]
    tree = ast.Module(body, module.tree.type_ignores)
    return of_tree(module.name, module.package, module.source, tree)
