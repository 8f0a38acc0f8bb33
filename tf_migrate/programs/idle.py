"""Imports of a script of which it names nothing: what they load may be another program's, and become native with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.names.exports import Index
from tf_migrate.names.origins import dotted_names
from tf_migrate.syntax.module import Module

_BY_TEXT = frozenset(
    {"__import__", "compile", "dir", "eval", "exec", "execfile", "globals", "import_module", "inspect", "locals"}
    | {"modules", "runpy", "vars"}
)
_DEFINING = ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign | ast.Pass
_KINDS = frozenset({"classmethod", "property", "staticmethod"})
_HOOK = "__init_subclass__"
_ACTING = ast.Call | ast.Subscript | ast.Await | ast.Yield | ast.YieldFrom


def used_by(script: str, index: Index) -> frozenset[str]:
    """A script, and all modules of the tree that it imports, directly or not, but for those it only loads."""
    idle = frozenset(_idle(script, index))
    found, pending = {script}, [script]
    while pending:
        module = pending.pop()
        new = [name for name in index.imports(module) if name not in found and not (module == script and name in idle)]
        found.update(new)
        pending += new
    return frozenset(found)


def _idle(script: str, index: Index) -> Iterator[str]:
    """The modules that a script imports without naming anything of them, and that only define what they have."""
    module = index.tree(script)
    if module is None or any(module.loads.get(word) or module.attributes.get(word) for word in _BY_TEXT):
        return
    for name in index.imports(script):
        loaded = index.imported_by(name)
        if not _names_something(module, name, index) and all(_only_defines(index.tree(other)) for other in loaded):
            yield name


def _names_something(module: Module, name: str, index: Index) -> bool:
    """Whether a script reads a name that an import of another module binds; any name, where it binds all of them."""
    for node, scope in module.imports:
        found = {index.find(module.package, dotted, module.name) for dotted in dotted_names(module.package, node)}
        if name not in found:
            continue
        words = [alias.asname or alias.name.partition(".")[0] for alias in node.names]
        if scope is not module.root or any(word == "*" or module.loads.get(word) for word in words):
            return True
    return False


def _only_defines(module: Module | None) -> bool:
    """Whether loading a module does nothing but bind names: no code of it runs that may build, seed or say anything."""
    return module is not None and all(map(_is_definition, module.tree.body))


def _is_definition(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.FunctionDef):
        given = (*node.args.defaults, *(item for item in node.args.kw_defaults if item))
        plain = all(isinstance(item, ast.Name) and item.id in _KINDS for item in node.decorator_list)
        return plain and node.name != _HOOK and not any(map(_acts, given))
    if isinstance(node, ast.ClassDef):
        plain = not (node.keywords or node.decorator_list or any(map(_acts, node.bases)))
        return plain and all(map(_is_definition, node.body))
    return isinstance(node, _DEFINING) and not _acts(node)


def _acts(node: ast.AST) -> bool:
    """Whether an expression or an assignment may run code of others, or binds something other than names."""
    stored = (
        inner for inner in ast.walk(node) if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store)
    )
    return any(isinstance(inner, _ACTING) for inner in ast.walk(node)) or any(stored)
