"""Dotted names of what TensorFlow 2 code calls: TensorFlow itself, Keras however it is imported, NumPy and the rest."""

from __future__ import annotations

import ast
import builtins

from tf_migrate.names.canonical import Names
from tf_migrate.names.stars import imported_by_star
from tf_migrate.syntax.module import Binding, Module

_KERAS = ("keras", "tf_keras")
_INSIDE_KERAS = ("src", "api")


def dotted(module: Module, names: Names, node: ast.expr) -> str:
    """``tf.reduce_sum``, ``tf.keras.layers.Dense`` (of any Keras), ``numpy.mean``; empty for what was not imported."""
    symbol = names.of(node)
    if symbol is not None:
        return symbol
    rest: list[str] = []
    while isinstance(node, ast.Attribute):
        rest.insert(0, node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    root = _imported(module, names, node)
    return ".".join([root, *rest]) if root else ""


def is_foreign_method(module: Module, names: Names, node: ast.Attribute) -> bool:
    """Whether a name is called as a method of an object, in a program that gives nothing that name itself."""
    call = module.parents[node]
    if not isinstance(call, ast.Call) or call.func is not node or dotted(module, names, node):
        return False
    own = f"def {node.attr}("
    return own not in module.source.text and not any(
        own.encode() in names.index.text(each) for each in names.index.exports
    )


def _imported(module: Module, names: Names, node: ast.Name) -> str:
    scope = module.scopes.get(node) or module.scope_of(node)
    while node.id not in scope.bindings and scope.parent is not None:
        scope = scope.parent
    if module.root.stars and node.id not in scope.bindings and not hasattr(builtins, node.id):
        return _named(imported_by_star(names, node.id))
    found = {_origin(binding, node.id) for binding in scope.bindings.get(node.id, ())}
    return found.pop() if len(found) == 1 else ""


def _origin(binding: Binding, name: str) -> str:
    if not isinstance(binding, tuple):
        return ""
    statement, alias = binding
    if isinstance(statement, ast.ImportFrom):
        path = f"{statement.module}.{alias.name}" if statement.module and not statement.level else ""
    else:
        path = alias.name if alias.asname else name
    return _named(path)


def _named(path: str) -> str:
    """An imported path, with every Keras by one name."""
    parts = path.split(".")
    if parts[0] in _KERAS:
        return ".".join(["tf", "keras", *(part for part in parts[1:] if part not in _INSIDE_KERAS)])
    return path
