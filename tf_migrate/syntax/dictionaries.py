"""Dictionaries whose keys are written out."""

from __future__ import annotations

import ast

from tf_migrate.syntax.module import Module


def written_dictionaries(module: Module, given: ast.expr) -> list[ast.Dict]:
    """The dictionaries that an expression is for sure, all keys written out, where nothing else reads them."""
    if isinstance(given, ast.Dict):
        return [given] if None not in given.keys else []
    home = module.function_of(given)
    if not isinstance(given, ast.Name) or home is None:
        return []
    named = [node for node in ast.walk(home) if isinstance(node, ast.Name) and node.id == given.id]
    stores = [module.parents[node] for node in named if not isinstance(node.ctx, ast.Load)]
    made = [item.value for item in stores if isinstance(item, ast.Assign) and len(item.targets) == 1]
    found = [value for value in made if isinstance(value, ast.Dict) and None not in value.keys]
    parameters = any(isinstance(node, ast.arg) and node.arg == given.id for node in ast.walk(home))
    alone = [node for node in named if isinstance(node.ctx, ast.Load)] == [given] and not parameters
    return found if alone and len(found) == len(stores) else []
