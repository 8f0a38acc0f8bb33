"""Modules that are run, and modules that only give names to others."""

from __future__ import annotations

import ast

from tf_migrate.names.building import main_guard
from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import find_given, find_sites

_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DEFINITIONS = (*_NAMED, ast.Import, ast.ImportFrom)
_RUNNERS = ("tf.app.run", "tf.test.main")


def does_anything(names: Names) -> bool:
    """Whether a module that is executed runs a session or calls what it defines, or asks whether it is a script."""
    module = names.module
    runs = {site.node for site in (*find_sites(module, names), *find_given(module, names))}
    own = {node.name for node in module.tree.body if isinstance(node, _NAMED)}
    for statement in module.tree.body:
        if main_guard(statement) is not None:
            return True
        if not isinstance(statement, _DEFINITIONS):
            calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
            if any(
                call in runs
                or (isinstance(call.func, ast.Name) and call.func.id in own)
                or names.of(call.func) in _RUNNERS
                for call in calls
            ):
                return True
    return False
