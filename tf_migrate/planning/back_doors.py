"""Code that may bind any name of a script behind its back: through the module `__main__`, or what frames hold."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.names.bindings import OF_SCRIPTS
from tf_migrate.names.canonical import Names
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module

_HOLDING = ("__globals__", "_getframe", "f_globals")
_SCRIPT = "__main__"
_STEP = "give it functions to call, and bind names where they are read"


def require_no_back_door(names: Names) -> None:
    """Refuses a module whose names may be bound where nothing shows it, by itself or by another module of the tree."""
    place = next(_doors(names.module), None)
    if place is not None:
        raise Refused(place, "names of the module may be bound through `sys.modules`, `__main__` or a frame", _STEP)
    if OF_SCRIPTS in names.index.changed:
        raise Refused(names.module.tree, "another module may bind names of a script through `__main__`", _STEP)


def _doors(module: Module) -> Iterator[ast.AST]:
    for word in _HOLDING:
        yield from module.attributes.get(word, ())
    for node in module.attributes.get("modules", ()):
        if isinstance(module.parents[node], ast.Subscript):
            yield node
    for call in module.calls:
        if any(isinstance(item, ast.Constant) and item.value == _SCRIPT for item in call.args):
            yield call
    yield from (node for node, _ in module.imports if _imports_script(node))


def _imports_script(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == _SCRIPT
    return isinstance(node, ast.Import) and any(alias.name == _SCRIPT for alias in node.names)
